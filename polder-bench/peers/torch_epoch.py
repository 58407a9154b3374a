"""Two epochs of WRN-10-1 as a PyTorch user trains it, the work of io.polder.bench.EpochBench: python torch_epoch.py DIRECTORY THREADS

The penalty, SGD with Nesterov momentum, cosine learning rate and clipping as the recipe has them; channels-last; torchvision for the images.
"""
import json
import math
import sys
import time

import torch
import torch_networks
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, default_collate
from torchvision import datasets, transforms
from torchvision.transforms import v2

BATCH, EVALUATED, EPOCHS, RATE, L2, R, ALPHA, CLIP = 128, 500, 2, 0.1, 1e-3, 0.1, 0.8, 5.0
directory, threads = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(threads)
torch.manual_seed(1)

tensor = [transforms.ToTensor(), transforms.Normalize((0.4914, 0.4822, 0.4465), (0.247, 0.243, 0.262))]
augmented = transforms.Compose([
    transforms.RandomCrop(32, padding=4), transforms.RandomHorizontalFlip(),
    transforms.AutoAugment(transforms.AutoAugmentPolicy.CIFAR10), *tensor])
cutmix = v2.CutMix(num_classes=10)


def mixed(examples):
    return cutmix(*default_collate(examples))


def loader(part, transform, batch, **options):
    images = datasets.ImageFolder(f"{directory}/{part}", transform)
    return DataLoader(images, batch, num_workers=2, persistent_workers=True, **options)


def main():
    training = loader("train", augmented, BATCH, shuffle=True, collate_fn=mixed)
    test = loader("test", transforms.Compose(tensor), EVALUATED)
    network = torch_networks.named("wrn-10-1").to(memory_format=torch.channels_last)
    parameters = list(network.parameters())
    norms = [m for m in network.modules() if isinstance(m, nn.BatchNorm2d)]
    optimizer = torch.optim.SGD(parameters, RATE, momentum=0.9, nesterov=True, foreach=True)
    steps, done = EPOCHS * len(training), 0

    def gradient(images, targets):
        optimizer.zero_grad()
        F.cross_entropy(network(images), targets).backward()
        grads = [p.grad for p in parameters]
        with torch.no_grad():
            torch._foreach_add_(grads, parameters, alpha=L2)
        return grads

    for epoch in range(EPOCHS):
        network.train()
        for images, targets in training:
            images = images.contiguous(memory_format=torch.channels_last)
            g1 = gradient(images, targets)
            with torch.no_grad():
                norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(g1)))
                start = [p.clone() for p in parameters]
                torch._foreach_add_(parameters, torch._foreach_mul(g1, R / norm))
            for m in norms:
                m.track_running_stats = False
            g = gradient(images, targets)
            for m in norms:
                m.track_running_stats = True
            with torch.no_grad():
                torch._foreach_copy_(parameters, start)
                torch._foreach_lerp_(g, g1, 1 - ALPHA)
            nn.utils.clip_grad_norm_(parameters, CLIP)
            optimizer.param_groups[0]["lr"] = RATE / 2 * (1 + math.cos(math.pi * done / steps))
            optimizer.step()
            done += 1
        network.eval()
        with torch.no_grad():
            wrong = sum((network(images).argmax(1) != labels).sum().item() for images, labels in test)
        print(json.dumps({"kind": "epoch", "testError": wrong / len(test.dataset), "time": time.time()}), flush=True)


if __name__ == "__main__":
    main()
