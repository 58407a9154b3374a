"""What Pillow makes of a few images: the golden numbers of io.polder.data.augment.PillowTest.

    python tools/pillow_golden.py > polder-data/src/test/resources/golden/pillow.csv

The images come from a formula that the test has too. Each line is an image, an operation by AutoAugment's name, its argument,
and the result's bytes (height, width, channel), deflated, in base 64. The first line says which Pillow it was.
"""
import base64
import sys
import zlib

import numpy as np
import PIL
from PIL import Image, ImageEnhance, ImageOps

GREY = 128

# name: width, height, channels
IMAGES = {"square": (32, 32, 3), "wide": (19, 14, 3), "dull": (32, 32, 3), "grey": (24, 17, 1), "tiny": (5, 4, 3)}


def level(name, x, y, c):
    if name == "dull":  # low contrast, and one channel of a single level
        return 77 if c == 2 else 90 + (x * 3 + y * 2 + c * 5) % 61
    return (x * x + y * 7 * (c + 1) + x * y + 31 * c) % 256


def image_of(name):
    width, height, channels = IMAGES[name]
    pixels = [[[level(name, x, y, c) for c in range(channels)] for x in range(width)] for y in range(height)]
    array = np.array(pixels, np.uint8)
    return Image.fromarray(array[:, :, 0] if channels == 1 else array)


def affine(image, *coefficients):
    fill = GREY if image.mode == "L" else (GREY,) * 3
    return image.transform(image.size, Image.Transform.AFFINE, coefficients, Image.Resampling.NEAREST, fillcolor=fill)


def solarize_add(image, addition):  # of the published program for ImageNet; Pillow has no such thing
    array = np.array(image).astype(int)
    return Image.fromarray(np.where(array < 128, np.clip(array + addition, 0, 255), array).astype(np.uint8))


def hue(image, shift):  # as torchvision's adjust_hue
    if image.mode == "L":
        return image
    h, s, v = image.convert("HSV").split()
    h = Image.fromarray(np.array(h) + np.int32(shift).astype(np.uint8))
    return Image.merge("HSV", (h, s, v)).convert("RGB")


def rotate(image, degrees):
    return image.rotate(degrees, fillcolor=GREY if image.mode == "L" else (GREY,) * 3)


FACTORS = [0.1, 0.64, 1.0, 1.9]
OPERATIONS = {
    "ShearX": (lambda i, a: affine(i, 1, a, 0, 0, 1, 0), [-0.3, 0.03, 0.24]),
    "ShearY": (lambda i, a: affine(i, 1, 0, 0, a, 1, 0), [-0.09, 0.3]),
    "TranslateX": (lambda i, a: affine(i, 1, 0, a, 0, 1, 0), [-10, 1]),
    "TranslateY": (lambda i, a: affine(i, 1, 0, 0, 0, 1, a), [-9, 3]),
    "Rotate": (rotate, [-30, -6, 0, 21]),
    "AutoContrast": (lambda i, a: ImageOps.autocontrast(i), [0]),
    "Invert": (lambda i, a: ImageOps.invert(i), [0]),
    "Equalize": (lambda i, a: ImageOps.equalize(i), [0]),
    "Solarize": (lambda i, a: ImageOps.solarize(i, a), [0, 128, 205, 256]),
    "Posterize": (lambda i, a: ImageOps.posterize(i, a), [1, 2, 4, 8]),
    "Contrast": (lambda i, a: ImageEnhance.Contrast(i).enhance(a), FACTORS),
    "Color": (lambda i, a: ImageEnhance.Color(i).enhance(a), FACTORS),
    "Brightness": (lambda i, a: ImageEnhance.Brightness(i).enhance(a), FACTORS),
    "Sharpness": (lambda i, a: ImageEnhance.Sharpness(i).enhance(a), FACTORS),
    "SolarizeAdd": (solarize_add, [33, 77]),
    "Identity": (lambda i, a: i, [0]),
    "Hue": (hue, [-127, 0, 40]),
}

print(f"# Pillow {PIL.__version__}, Python {sys.version.split()[0]}: image,operation,argument,bytes")
for name in IMAGES:
    for operation, (function, arguments) in OPERATIONS.items():
        for argument in arguments:
            result = function(image_of(name), argument).tobytes()
            print(f"{name},{operation},{argument},{base64.b64encode(zlib.compress(result, 9)).decode()}")
