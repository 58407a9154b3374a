"""The top eigenvalue of a small Wide ResNet by PyHessian, and the network as a TorchScript file for Polder.

    pip install torch==2.10.0 numpy pyhessian==0.1
    python pyhessian_top.py FILE [THREADS]
"""

import sys
import time

import torch
from pyhessian import hessian

BATCH = 64


class Block(torch.nn.Module):
    def __init__(self, into, out, stride):
        super().__init__()
        self.norm1 = torch.nn.BatchNorm2d(into)
        self.conv1 = torch.nn.Conv2d(into, out, 3, stride, 1, bias=False)
        self.norm2 = torch.nn.BatchNorm2d(out)
        self.conv2 = torch.nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.shortcut = torch.nn.Conv2d(into, out, 1, stride, bias=False)

    def forward(self, x):
        inner = torch.relu(self.norm1(x))
        return self.shortcut(inner) + self.conv2(torch.relu(self.norm2(self.conv1(inner))))


def network():
    """WRN-10-2 on 32 x 32."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, 1, 1, bias=False),
        Block(16, 32, 1),
        Block(32, 64, 2),
        Block(64, 128, 2),
        torch.nn.BatchNorm2d(128),
        torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(128, 10),
    )


torch.manual_seed(3)
torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
model = network()
k = torch.arange(BATCH * 3 * 32 * 32, dtype=torch.float64)
images = torch.sin(0.37 * k + 1e-4 * k * (k % 97)).view(BATCH, 3, 32, 32).float()
labels = torch.arange(BATCH) % 10
# Some steps from the start, so that there is a minimum to speak of.
optimizer = torch.optim.SGD(model.parameters(), 0.05, 0.9)
for _ in range(20):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(images), labels).backward()
    optimizer.step()
model.eval()
torch.jit.script(model).save(sys.argv[1])

started = time.perf_counter()
measured = hessian(model, torch.nn.CrossEntropyLoss(), data=(images, labels), cuda=False)
values, _ = measured.eigenvalues(maxIter=100, tol=0.01 * 0.1)
seconds = time.perf_counter() - started
print(f"PyHessian, {torch.get_num_threads()} thread(s): top eigenvalue {values[0]:.6g} in {seconds:.2f} s")
