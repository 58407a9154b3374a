"""Makes tiny.ts, a scripted network with everything that needs care, tiny.json, what PyTorch says of it, and ten.ts, the same for ten classes.

    python3 make.py      (with torch 2.10 from PyPI)
"""
import json
import torch

torch.manual_seed(1)


class Tiny(torch.nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 6, 3, padding=1, bias=False)
        self.norm = torch.nn.BatchNorm2d(6)
        self.drop = torch.nn.Dropout(0.5)
        self.head = torch.nn.Linear(6, classes)

    def forward(self, x):
        x = self.drop(torch.relu(self.norm(self.conv(x))))
        return self.head(x.mean(dim=(2, 3)))


model = Tiny(4)
model.norm.running_mean.copy_(torch.linspace(-0.2, 0.2, 6))
model.eval()
torch.jit.script(model).save("tiny.ts")
x = torch.sin(0.013 * torch.arange(3 * 64, dtype=torch.float64)).reshape(3, 1, 8, 8).float()
with torch.no_grad():
    logits = model(x)
json.dump(
    {"torch": torch.__version__, "logits": logits.tolist(), "names": list(model.state_dict())},
    open("tiny.json", "w"),
    indent=1,
)
torch.jit.script(Tiny(10)).save("ten.ts")
