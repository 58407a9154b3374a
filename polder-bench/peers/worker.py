"""A worker's side of the protocol of io.polder.bench.Worker: a line about itself, then for each line of names a line with what those steps took."""
import json
import sys
import time


def serve(about, steps):
    """steps: by name what makes a step, and returns how many seconds of it were forward and backward, or None where that cannot be told."""
    print(json.dumps({**about, "steps": list(steps)}), flush=True)
    for line in sys.stdin:
        answer = []
        for name in line.split():
            started = time.perf_counter()
            passes = steps[name]()
            took = time.perf_counter() - started
            answer.append({"ms": 1e3 * took, "passes": None if passes is None else 1e3 * passes})
        print(json.dumps(answer), flush=True)
