"""Polder's networks in PyTorch, layer by layer and parameter by parameter, for colour images of 32x32 and ten classes."""
import re

import torch
from torch import nn
from torch.nn import functional as F


class SameConv(nn.Conv2d):
    """Padding as TensorFlow has it: that of a 3x3 kernel with stride 2 comes after the image."""

    def __init__(self, inputs, outputs, kernel, stride=1):
        super().__init__(inputs, outputs, kernel, stride, padding=(kernel - 1) // 2 if stride == 1 else 0, bias=False)

    def forward(self, x):
        return super().forward(F.pad(x, (0, 1, 0, 1)) if self.stride[0] == 2 else x)


def shortcut(x, outputs, stride):
    x = F.avg_pool2d(x, 2) if stride == 2 else x
    return F.pad(x, (0, 0, 0, 0, 0, outputs - x.shape[1])) if outputs > x.shape[1] else x


class WideBlock(nn.Module):
    def __init__(self, inputs, outputs, stride, first):
        super().__init__()
        self.norm1, self.conv1 = nn.BatchNorm2d(inputs), SameConv(inputs, outputs, 3, stride)
        self.norm2, self.conv2 = nn.BatchNorm2d(outputs), SameConv(outputs, outputs, 3)
        self.outputs, self.stride, self.first = outputs, stride, first

    def forward(self, x):
        active = F.relu(self.norm1(x))
        residual = self.conv2(F.relu(self.norm2(self.conv1(active))))
        return residual.add_(shortcut(active if self.first else x, self.outputs, self.stride))


class PyramidBlock(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.norm1, self.conv1 = nn.BatchNorm2d(inputs), SameConv(inputs, width, 1)
        self.norm2, self.conv2 = nn.BatchNorm2d(width), SameConv(width, width, 3, stride)
        self.norm3, self.conv3 = nn.BatchNorm2d(width), SameConv(width, 4 * width, 1)
        self.norm4 = nn.BatchNorm2d(4 * width)
        self.outputs, self.stride = 4 * width, stride

    def forward(self, x):
        residual = self.conv2(F.relu(self.norm2(self.conv1(self.norm1(x)))))
        residual = self.norm4(self.conv3(F.relu(self.norm3(residual))))
        return residual.add_(shortcut(x, self.outputs, self.stride))


class Residual(nn.Module):
    """Stem, blocks, norm, ReLU, the mean over the image, head."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.stem, self.blocks = SameConv(3, 16, 3), nn.Sequential(*blocks)
        self.norm, self.head = nn.BatchNorm2d(channels), nn.Linear(channels, 10)

    def forward(self, x):
        return self.head(F.relu(self.norm(self.blocks(self.stem(x)))).mean((2, 3)))


def stride_of(block, in_group):
    return 2 if block >= in_group and block % in_group == 0 else 1


def wide(depth, width):
    in_group, blocks, inputs = (depth - 4) // 6, [], 16
    for block in range(3 * in_group):
        outputs = (16 << block // in_group) * width
        blocks.append(WideBlock(inputs, outputs, stride_of(block, in_group), block == 0))
        inputs = outputs
    return Residual(blocks, inputs)


def pyramid(depth, alpha):
    in_group, blocks, inputs = (depth - 2) // 9, [], 16
    for block in range(3 * in_group):
        width = round(16 + alpha * (block + 1) / (3 * in_group))
        blocks.append(PyramidBlock(inputs, width, stride_of(block, in_group)))
        inputs = 4 * width
    return Residual(blocks, inputs)


def vgg16_bn():
    layers, inputs = [], 3
    for convolutions, width in zip((2, 2, 3, 3, 3), (64, 128, 256, 512, 512)):
        for _ in range(convolutions):
            layers += [nn.Conv2d(inputs, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
            inputs = width
        layers.append(nn.MaxPool2d(2))
    layers += [nn.Flatten(), nn.Linear(512, 4096), nn.ReLU(), nn.Dropout(0.5)]
    return nn.Sequential(*layers, nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4096, 10))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.proj = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x):
        q, k, v = (layer(x).unflatten(2, (self.heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        return self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(width, 1e-6), Attention(width, heads), nn.Dropout(dropout))
        self.perceptron = nn.Sequential(
            nn.LayerNorm(width, 1e-6), nn.Linear(width, 4 * width), nn.GELU("tanh"), nn.Dropout(dropout),
            nn.Linear(4 * width, width), nn.Dropout(dropout))

    def forward(self, x):
        x = x + self.attention(x)
        return x + self.perceptron(x)


class Transformer(nn.Module):
    def __init__(self, width, heads, patch, dropout=0.1):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, 1 + (32 // patch) ** 2, width) * 0.02)
        self.patches, self.dropout = nn.Conv2d(3, width, patch, patch), nn.Dropout(dropout)
        self.blocks = nn.Sequential(*(TransformerBlock(width, heads, dropout) for _ in range(12)))
        self.norm, self.head = nn.LayerNorm(width, 1e-6), nn.Linear(width, 10)

    def forward(self, x):
        patches = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(len(x), -1, -1), patches), 1) + self.positions
        return self.head(self.norm(self.blocks(self.dropout(x))[:, 0]))


def named(name):
    if match := re.fullmatch(r"wrn-(\d+)-(\d+)", name):
        return wide(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"pyramidnet-(\d+)-(\d+)", name):
        return pyramid(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"vit-(ti|s|b)-4", name):
        return Transformer(*{"ti": (192, 3), "s": (384, 6), "b": (768, 12)}[match[1]], 4)
    if name == "vgg16-bn":
        return vgg16_bn()
    raise SystemExit(f"there is no {name} here")
