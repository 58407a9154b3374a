"""Writes the steps that schemes of others are held to, as pytorch_optimizer takes them, on L = ½ θᵀAθ + ¼ Σθ⁴ by plain gradient descent.

θ is one tensor: pytorch_optimizer projects and averages tensor by tensor, which is then what Polder does over the whole vector.

    python3 -m venv venv && venv/bin/pip install torch==2.10.0 pytorch_optimizer==4.1.0
    venv/bin/python tools/golden-schemes.py > polder-core/src/test/resources/golden/schemes.json
"""

import json
from importlib.metadata import version

import torch
from pytorch_optimizer.optimizer.sam import GSAM, SAM, WSAM, FriendlySAM, LookSAM

A = torch.tensor([[3.0, 1.0, 0.0], [1.0, 2.0, -0.5], [0.0, -0.5, 0.7]], dtype=torch.float64)
START = [0.4, -1.1, 2.0]
RATE = 0.05
STEPS = 7


class Surface(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.theta = torch.nn.Parameter(torch.tensor(START, dtype=torch.float64))

    def forward(self, _=None):
        return 0.5 * self.theta @ A @ self.theta + 0.25 * (self.theta**4).sum()


def steps(make, first_gradient):
    """first_gradient: whether the caller computes the gradient at θ before the step."""
    surface = Surface()
    optimizer = make(surface)

    def closure():
        optimizer.zero_grad()
        loss = surface()
        loss.backward()
        return loss

    path = []
    for _ in range(STEPS):
        if first_gradient:
            closure()
        optimizer.step(closure)
        path.append(surface.theta.tolist())
    return path


class Constant:
    def __init__(self, value):
        self.value = value

    def step(self):
        return self.value


def gsam(surface):
    base = torch.optim.SGD(surface.parameters(), lr=RATE)
    optimizer = GSAM(surface.parameters(), base, surface, Constant(0.3), alpha=0.4)
    optimizer.set_closure(lambda outputs, _: outputs, None, None)
    return optimizer


def gsam_steps():
    surface = Surface()
    optimizer = gsam(surface)
    path = []
    for _ in range(STEPS):
        optimizer.step()
        path.append(surface.theta.tolist())
    return path


sgd = torch.optim.SGD
print(
    json.dumps(
        {
            "about": "tools/golden-schemes.py with pytorch_optimizer " + version("pytorch_optimizer") + ", torch " + torch.__version__,
            "rate": RATE,
            "sam": steps(lambda s: SAM(s.parameters(), sgd, rho=0.3, lr=RATE), True),
            "gsam": gsam_steps(),
            "wsam": steps(lambda s: WSAM(s, s.parameters(), sgd, rho=0.3, gamma=0.4, decouple=False, lr=RATE), False),
            "looksam": steps(lambda s: LookSAM(s.parameters(), sgd, rho=0.3, k=3, alpha=0.7, lr=RATE), True),
            "friendly": steps(
                lambda s: FriendlySAM(s.parameters(), sgd, rho=0.3, sigma=0.8, lmbda=0.9, lr=RATE), True
            ),
        },
        indent=1,
    )
)
