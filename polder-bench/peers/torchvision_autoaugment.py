"""The work of io.polder.bench.AugmentationSpeed in torchvision, on Pillow's images: basic, AutoAugment, then CutMix on batches of 128.

    python torchvision_autoaugment.py [rounds] [images]
"""
import statistics
import sys
import time

import numpy as np
import PIL
import torch
import torchvision
from PIL import Image
from torchvision.transforms import AutoAugment, AutoAugmentPolicy, Compose, PILToTensor, RandomCrop, RandomHorizontalFlip
from torchvision.transforms.v2 import CutMix

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
torch.set_num_threads(1)
torch.manual_seed(1)

y, x, c = np.meshgrid(np.arange(32), np.arange(32), np.arange(3), indexing="ij")
noise = np.random.default_rng(1)
images = []
for i in range(count):
    wave = np.sin(x * (i % 7 + 1) * 0.1 + c) + np.cos(y * (i % 5 + 1) * 0.1)
    images.append(Image.fromarray((128 + 50 * wave + noise.integers(0, 25, wave.shape)).astype(np.uint8)))
labels = torch.arange(count) % 10

basic = [RandomCrop(32, padding=4), RandomHorizontalFlip()]
learned = [AutoAugment(AutoAugmentPolicy.CIFAR10, fill=128)]
pipelines = {
    "basic": (Compose(basic + [PILToTensor()]), None),
    "basic, AutoAugment": (Compose(basic + learned + [PILToTensor()]), None),
    "basic, AutoAugment, CutMix": (Compose(basic + learned + [PILToTensor()]), CutMix(num_classes=10)),
}


def speed(transform, mixing):
    started = time.perf_counter()
    for first in range(0, count, 128):
        batch = torch.stack([transform(image) for image in images[first : first + 128]])
        if mixing is not None:
            mixing(batch, labels[first : first + 128])
    return count / (time.perf_counter() - started)


speeds = {name: [] for name in pipelines}
for turn in range(-1, rounds):
    for name, pipeline in pipelines.items():
        value = speed(*pipeline)
        if turn >= 0:
            speeds[name].append(value)
print(f"torchvision {torchvision.__version__}, Pillow {PIL.__version__}, one thread, medians of {rounds} interleaved over {count} images:")
for name, values in speeds.items():
    print(f"  {name:<28} {statistics.median(values):9,.0f} images/s")
