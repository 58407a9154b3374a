"""Writes what PyHessian measures of a small network, to which Polder's measures are held.

    python3 -m venv venv && venv/bin/pip install torch==2.10.0 numpy pyhessian==0.1
    venv/bin/python tools/golden-sharpness.py > polder-train/src/test/resources/io/polder/sharpness/pyhessian.json

Weights and data are formulas, so that nothing but the results has to be written: the k-th number of the parameters, in their order, is
sin(1 + 0.7 k)/2, that of the inputs cos(0.3 k), and the i-th example is of the class i mod 4.
"""

import json
import sys

import numpy
import torch
from pyhessian import hessian

EXAMPLES = 20
STEPS = 30


def eig(matrix, eigenvectors):
    """What PyHessian 0.1 calls and PyTorch no longer has; its matrix is symmetric."""
    values, vectors = torch.linalg.eigh(matrix)
    return torch.stack((values, torch.zeros_like(values)), 1), vectors


torch.eig = eig

torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 4))
k = 0
with torch.no_grad():
    for parameter in model.parameters():
        count = parameter.numel()
        parameter.copy_((torch.sin(1 + 0.7 * torch.arange(k, k + count)) / 2).view_as(parameter))
        k += count
inputs = torch.cos(0.3 * torch.arange(6 * EXAMPLES)).view(EXAMPLES, 6)
labels = torch.arange(EXAMPLES) % 4

measured = hessian(model, torch.nn.CrossEntropyLoss(), data=(inputs, labels), cuda=False)
eigenvalues, _ = measured.eigenvalues(maxIter=20000, tol=1e-14, top_n=4)
draws = measured.trace(maxIter=4000, tol=0)
nodes, weights = measured.density(iter=STEPS, n_v=1)
json.dump(
    {
        "pyhessian": "0.1",
        "torch": torch.__version__.split("+")[0],
        "eigenvalues": eigenvalues,
        "trace": float(numpy.mean(draws)),
        "traceError": float(numpy.std(draws, ddof=1) / numpy.sqrt(len(draws))),
        "lowestNode": float(min(nodes[0])),
        "highestNode": float(max(nodes[0])),
    },
    sys.stdout,
    indent=2,
)
print()
