"""The steps of io.polder.bench.StepWorker in PyTorch: python torch_steps.py FORM MODEL BATCH THREADS, where FORM is

channels-last  as one would for speed: channels-last, operations on lists of parameters (foreach), gradients set to none
nchw           the same in PyTorch's own layout
sam            SAM as its usual wrappers have it: an optimizer around an optimizer, tensor by tensor, weight decay inside
"""
import sys
import time

import torch
import torch_networks
from torch import nn
from torch.nn import functional as F
from worker import serve

form, model, batch, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
torch.manual_seed(1)
layout = torch.channels_last if form == "channels-last" else torch.contiguous_format
network = torch_networks.named(model).to(memory_format=layout).train()
images = torch.randn(batch, 3, 32, 32).contiguous(memory_format=layout)
targets = F.one_hot(torch.arange(batch) % 10, 10).float()
parameters = list(network.parameters())
norms = [m for m in network.modules() if isinstance(m, nn.BatchNorm2d)]
draws = any(isinstance(m, nn.Dropout) for m in network.modules())
RATE, L2, R, ALPHA = 0.01, 1e-3, 0.1, 0.8


def gradient():
    for p in parameters:
        p.grad = None
    F.cross_entropy(network(images), targets).backward()
    grads = [p.grad for p in parameters]
    with torch.no_grad():
        torch._foreach_add_(grads, parameters, alpha=L2)
    return grads


def norm_of(tensors):
    return torch.linalg.vector_norm(torch.stack(torch._foreach_norm(tensors))).item()


def keep_statistics(keep):
    for m in norms:
        m.track_running_stats = not keep


def standard():
    started = time.perf_counter()
    g = gradient()
    passes = time.perf_counter() - started
    norm_of(g)
    optimizer.step()
    return passes


def penalty():
    state = torch.get_rng_state() if draws else None
    started = time.perf_counter()
    g1 = gradient()
    passes = time.perf_counter() - started
    norm = norm_of(g1)
    with torch.no_grad():
        start = [p.clone() for p in parameters]
        torch._foreach_add_(parameters, g1, alpha=R / norm)
    keep_statistics(True)
    if draws:
        torch.set_rng_state(state)  # the masks of the first pass
    started = time.perf_counter()
    g = gradient()
    passes += time.perf_counter() - started
    keep_statistics(False)
    with torch.no_grad():
        torch._foreach_copy_(parameters, start)
        torch._foreach_lerp_(g, g1, 1 - ALPHA)
    norm_of(g)
    optimizer.step()
    return passes


class Sam(torch.optim.Optimizer):
    def __init__(self, params, rho, base):
        super().__init__(params, {"rho": rho})
        self.base = base

    @torch.no_grad()
    def first_step(self):
        for group in self.param_groups:
            norm = torch.stack([p.grad.norm() for p in group["params"]]).norm()
            for p in group["params"]:
                self.state[p]["start"] = p.data.clone()
                p.add_(p.grad * (group["rho"] / (norm + 1e-12)))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data = self.state[p]["start"]
        self.base.step()
        self.zero_grad()


def sam():
    F.cross_entropy(network(images), targets).backward()
    wrapper.first_step()
    keep_statistics(True)
    F.cross_entropy(network(images), targets).backward()
    keep_statistics(False)
    wrapper.second_step()


about = {"engine": f"PyTorch {torch.__version__}", "parameters": sum(p.numel() for p in parameters)}
if form == "sam":
    wrapper = Sam(parameters, R, torch.optim.SGD(parameters, RATE, momentum=0.9, nesterov=True, weight_decay=L2))
    serve(about, {"penalty": sam})
else:
    optimizer = torch.optim.SGD(parameters, lr=RATE, momentum=0.9, nesterov=True, foreach=True)
    serve(about, {"standard": standard, "penalty": penalty})
