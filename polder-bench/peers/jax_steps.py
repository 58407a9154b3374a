"""The steps of io.polder.bench.StepWorker in JAX, each one jitted function: python jax_steps.py MODEL BATCH THREADS, for wide residual networks."""
import os
import re
import sys

model, batch, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
match = re.fullmatch(r"wrn-(\d+)-(\d+)", model) or sys.exit(f"there is no {model} here")
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])  # XLA has as many threads as it sees cores
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax import lax
from worker import serve

depth, width = int(match[1]), int(match[2])
RATE, L2, R, ALPHA, MOMENTUM = 0.01, 1e-3, 0.1, 0.8, 0.9
keys = iter(jax.random.split(jax.random.key(1), 4 * depth))


def kernel(inputs, outputs):
    return jax.random.normal(next(keys), (3, 3, inputs, outputs)) * (2 / (9 * outputs)) ** 0.5


def norm_of_channels(channels):
    return {"scale": jnp.ones(channels), "shift": jnp.zeros(channels)}


def statistics_of_channels(channels):
    return {"mean": jnp.zeros(channels), "variance": jnp.ones(channels)}


in_group, inputs, params, statistics, shapes = (depth - 4) // 6, 16, {"stem": kernel(3, 16)}, {}, []
for i in range(3 * in_group):
    outputs, stride = (16 << i // in_group) * width, 2 if i >= in_group and i % in_group == 0 else 1
    params[f"block{i}"] = {
        "norm1": norm_of_channels(inputs), "conv1": kernel(inputs, outputs),
        "norm2": norm_of_channels(outputs), "conv2": kernel(outputs, outputs)}
    statistics[f"block{i}"] = {"norm1": statistics_of_channels(inputs), "norm2": statistics_of_channels(outputs)}
    shapes.append((outputs, stride))
    inputs = outputs
params["norm"], statistics["norm"] = norm_of_channels(inputs), statistics_of_channels(inputs)
params["head"] = {"weight": jax.random.normal(next(keys), (inputs, 10)) * 0.01, "bias": jnp.zeros(10)}


def convolution(x, weight, stride=1):
    return lax.conv_general_dilated(x, weight, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def active(x, p, s):
    """Batch norm and ReLU; what the running statistics become besides."""
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    new = {"mean": 0.9 * s["mean"] + 0.1 * mean, "variance": 0.9 * s["variance"] + 0.1 * variance}
    return jax.nn.relu((x - mean) * lax.rsqrt(variance + 1e-5) * p["scale"] + p["shift"]), new


def loss(p, s, images, targets):
    new, x = {}, convolution(images, p["stem"])
    for i, (outputs, stride) in enumerate(shapes):
        block, before = p[f"block{i}"], s[f"block{i}"]
        first, new1 = active(x, block["norm1"], before["norm1"])
        second, new2 = active(convolution(first, block["conv1"], stride), block["norm2"], before["norm2"])
        new[f"block{i}"] = {"norm1": new1, "norm2": new2}
        way = first if i == 0 else x
        if stride == 2:
            way = lax.reduce_window(way, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        way = jnp.pad(way, ((0, 0), (0, 0), (0, 0), (0, outputs - way.shape[3])))
        x = way + convolution(second, block["conv2"])
    x, new["norm"] = active(x, p["norm"], s["norm"])
    logits = x.mean((1, 2)) @ p["head"]["weight"] + p["head"]["bias"]
    squares = sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(p))
    return -(targets * jax.nn.log_softmax(logits)).sum(1).mean() + L2 / 2 * squares, new


gradient = jax.grad(loss, has_aux=True)


def norm_of(tree):
    return jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(tree)))


def stepped(p, velocity, g):
    velocity = jax.tree.map(lambda v, d: MOMENTUM * v + d, velocity, g)
    return jax.tree.map(lambda w, d, v: w - RATE * (d + MOMENTUM * v), p, g, velocity), velocity


def standard(p, velocity, s, images, targets):
    g, s = gradient(p, s, images, targets)
    return *stepped(p, velocity, g), s, norm_of(g)


def penalty(p, velocity, s, images, targets):
    g1, new = gradient(p, s, images, targets)
    norm = norm_of(g1)
    g2, _ = gradient(jax.tree.map(lambda w, d: w + R / norm * d, p, g1), s, images, targets)
    g = jax.tree.map(lambda a, b: (1 - ALPHA) * a + ALPHA * b, g1, g2)
    return *stepped(p, velocity, g), new, norm + norm_of(g)


state = (params, jax.tree.map(jnp.zeros_like, params), statistics)
images = jax.random.normal(next(keys), (batch, 32, 32, 3))
targets = jax.nn.one_hot(jnp.arange(batch) % 10, 10)


def step(scheme):
    compiled = jax.jit(scheme, donate_argnums=(0, 1, 2))

    def make():
        global state
        *state, norms = compiled(*state, images, targets)
        jax.block_until_ready((state, norms))
        float(norms)

    return make


count = sum(leaf.size for leaf in jax.tree.leaves(params))
serve({"engine": f"JAX {jax.__version__}", "parameters": count}, {"standard": step(standard), "penalty": step(penalty)})
