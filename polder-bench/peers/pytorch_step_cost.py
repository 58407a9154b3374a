"""The work of io.polder.bench.StepCost in PyTorch: the same network, batch, loss, schemes and optimizer.

Written as a PyTorch user would for speed: channels-last, foreach operations on lists of parameters, gradients set to none.

    python pytorch_step_cost.py [threads] [rounds]
"""
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 400
torch.set_num_threads(threads)
torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        same = inputs == outputs and stride == 1
        self.shortcut = None if same else nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x):
        active = F.relu(self.norm1(x))
        residual = self.conv2(F.relu(self.norm2(self.conv1(active))))
        return residual.add_(x if self.shortcut is None else self.shortcut(active))


class ResidualNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 16, 3, 2, 1, bias=False)
        self.blocks = nn.Sequential(Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2))
        self.norm = nn.BatchNorm2d(64)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.norm(self.blocks(self.stem(x))))
        return self.head(x.mean((2, 3)))


network = ResidualNetwork().to(memory_format=torch.channels_last).train()
parameters = list(network.parameters())
norms = [m for m in network.modules() if isinstance(m, nn.BatchNorm2d)]
optimizer = torch.optim.SGD(parameters, lr=0.01, momentum=0.9, nesterov=True, foreach=True)
pixels = torch.randint(0, 256, (64, 28, 28, 1), dtype=torch.uint8)
targets = F.one_hot(torch.arange(64) % 10, 10).float()


def gradient(images):
    for p in parameters:
        p.grad = None
    loss = F.cross_entropy(network(images), targets)
    loss.backward()
    with torch.no_grad():
        grads = [p.grad for p in parameters]
        torch._foreach_add_(grads, parameters, alpha=1e-3)  # L2 inside the loss
    return loss.item(), grads


def norm_of(tensors):
    return torch.linalg.vector_norm(torch.stack(torch._foreach_norm(tensors))).item()


def step(r, alpha):
    images = pixels.float().mul_(1 / (255 * 0.3)).sub_(1.0).permute(0, 3, 1, 2)
    _, g1 = gradient(images)
    norm = norm_of(g1)
    if alpha != 0:
        with torch.no_grad():
            start = [p.clone() for p in parameters]
            torch._foreach_add_(parameters, g1, alpha=r / norm)
        for m in norms:
            m.momentum = 0.0
        _, g = gradient(images)
        for m in norms:
            m.momentum = 0.1
        with torch.no_grad():
            torch._foreach_copy_(parameters, start)
            if alpha != 1:
                torch._foreach_mul_(g, alpha)
                torch._foreach_add_(g, g1, alpha=1 - alpha)
        norm_of(g)
    optimizer.step()


schemes = {"standard": (0.0, 0.0), "SAM": (0.2, 1.0), "gradient-norm penalty": (0.4, 0.6)}
times = {name: [] for name in schemes}
for i in range(-rounds // 4, rounds):
    for name, (r, alpha) in schemes.items():
        started = time.perf_counter()
        step(r, alpha)
        if i >= 0:
            times[name].append(1e3 * (time.perf_counter() - started))
print(f"PyTorch {torch.__version__}, {threads} thread(s), medians of {rounds} interleaved:")
for name, values in times.items():
    print(f"  {name:<22} {statistics.median(values):7.2f} ms")
