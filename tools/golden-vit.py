"""Writes polder-core/src/test/resources/golden/vit.json: logits of timm's and torchvision's vision transformers in double precision.

Weights and images follow from the formulas of FormulaWeights.java; parameters are numbered as the library has them.
    pip install torch==2.10.0 torchvision==0.25.0 timm==1.0.31
    python tools/golden-vit.py >polder-core/src/test/resources/golden/vit.json
"""
import json
import math

import timm
import torch
import torchvision

IMAGE, CLASSES, BATCH = 32, 5, 2


def sines(frequency, phase, shape):
    return torch.sin(torch.arange(math.prod(shape), dtype=torch.float64) * frequency + phase).reshape(shape)


def value(k, name, shape):
    if len(shape) > 1:
        return sines(0.37, k, shape) / math.sqrt(math.prod(shape[1:]))
    return 0.1 * sines(1, k, shape) + (1 if name.endswith("weight") else 0)


def golden(name, model):
    model = model.double().eval()
    state = {key: value(k, key, tensor.shape) for k, (key, tensor) in enumerate(model.state_dict().items())}
    model.load_state_dict(state)
    with torch.no_grad():
        logits = model(sines(0.013, 0, (BATCH, 3, IMAGE, IMAGE)))
    return {
        "model": name,
        "image": IMAGE,
        "batch": BATCH,
        "state_dict_names": [key + " " + "x".join(map(str, tensor.shape)) for key, tensor in state.items()],
        "logits": logits.tolist(),
    }


print(json.dumps([
    golden("timm", timm.create_model("vit_tiny_patch16_224", img_size=IMAGE, num_classes=CLASSES)),
    golden("torchvision", torchvision.models.VisionTransformer(
        image_size=IMAGE, patch_size=16, num_layers=12, num_heads=3, hidden_dim=192, mlp_dim=768, num_classes=CLASSES)),
], indent=1))
