"""Writes the numbers that the statistics of studies are held to, as SciPy has them.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1
    venv/bin/python tools/golden-statistics.py > polder-study/src/test/resources/io/polder/study/results/statistics.json
"""

import json

import numpy as np
import scipy
from scipy import optimize, stats

random = np.random.default_rng(20221)


def paired(a, b):
    test = stats.ttest_rel(a, b)
    interval = test.confidence_interval(0.95)
    return {
        "mean": float(np.mean(np.subtract(a, b))),
        "p": float(test.pvalue),
        "low": float(interval.low),
        "high": float(interval.high),
    }


def wilcoxon(a, b):
    """Exact up to 50 differences, ties included: every way to choose the signs, as long as those can be counted."""
    differences = np.round(np.subtract(a, b), 12)
    differences = differences[differences != 0]
    sizes = np.abs(differences)
    ties = len(np.unique(sizes)) < len(sizes)
    if len(differences) > 50:
        method = "asymptotic"
    elif ties:
        method = stats.PermutationMethod(n_resamples=1 << 20)
        assert 1 << len(differences) <= 1 << 20
    else:
        method = "exact"
    return float(stats.wilcoxon(differences, method=method).pvalue)


def ratio(gain, base):
    """The ratio of the means, and those ratios that a t-test of gain - ratio * base does not reject at 95 %."""
    gain, base = np.array(gain), np.array(base)
    middle = gain.mean() / base.mean()

    def rejected(value):
        return stats.ttest_1samp(gain - value * base, 0).pvalue - 0.05

    if stats.ttest_1samp(base, 0).pvalue >= 0.05:
        return {"value": float(middle), "low": None, "high": None}
    ends = []
    for direction in (-1, 1):
        step = 1e-3
        while rejected(middle + direction * step) > 0:
            step *= 2
        ends.append(optimize.brentq(rejected, middle, middle + direction * step, xtol=1e-15, rtol=1e-14))
    return {"value": float(middle), "low": float(ends[0]), "high": float(ends[1])}


def case(name, standard, sam, penalty):
    standard, sam, penalty = ([float(x) for x in np.round(values, 6)] for values in (standard, sam, penalty))
    gain, base = np.subtract(standard, penalty), np.subtract(standard, sam)
    return {
        "name": name,
        "standard": standard,
        "sam": sam,
        "penalty": penalty,
        "samMean": float(np.mean(sam)),
        "samDeviation": float(np.std(sam, ddof=1)),
        "samAgainstStandard": paired(sam, standard),
        "penaltyAgainstSam": paired(penalty, sam),
        "wilcoxonSamAgainstStandard": wilcoxon(sam, standard),
        "ratio": ratio(gain, base),
    }


def draw(name, seeds, gain, noise, digits=4):
    shared = random.normal(0, noise, seeds)
    values = [np.round(0.18 - g + shared + random.normal(0, noise, seeds), digits) for g in (0, gain, 1.3 * gain)]
    return case(name, *values)


cases = [draw(f"{seeds} seeds, a clear gain", seeds, 0.012, 0.002) for seeds in (3, 4, 5, 6, 8, 10, 20, 60)]
cases += [draw(f"{seeds} seeds, no gain", seeds, 0.0, 0.003) for seeds in (5, 7, 12)]
cases += [draw("12 seeds with ties and zeros", 12, 0.002, 0.003, digits=3)]
cases += [draw("15 seeds with many ties", 15, 0.01, 0.01, digits=2)]

print(json.dumps({"scipy": scipy.__version__, "numpy": np.__version__, "cases": cases}, indent=1))
