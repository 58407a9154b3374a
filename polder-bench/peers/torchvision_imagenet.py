"""The work of io.polder.bench.ImageNetPipeline with torchvision on Pillow: the same files, one process, one thread.

    python torchvision_imagenet.py DIRECTORY [epochs]
"""
import statistics
import sys
import time

import torch
from torchvision import datasets, transforms

torch.set_num_threads(1)
epochs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
images = datasets.ImageFolder(
    sys.argv[1] + "/train",
    transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.PILToTensor()]),
)
loader = torch.utils.data.DataLoader(images, batch_size=32, shuffle=True)
speeds = []
for epoch in range(epochs):
    started = time.process_time()
    served = sum(len(targets) for _, targets in loader)
    speeds.append(served / (time.process_time() - started))
print(f"torchvision on Pillow: {statistics.median(speeds):.0f} images for each second of processor time")
