"""Checks draws of integer distributions against SciPy.

Input: sets, each a line of JSON, a newline, and `count` little-endian 64-bit integers.
Output: a line per check, `ok` or `FAILED`, its name and its figures.

Every check accepts a correct generator with probability 1 - ALPHA. Draws come from fixed dice, so a check that passes once
always passes.
"""

import json
import sys

import numpy as np
from scipy import stats

ALPHA = 1e-6
PROBABILITIES = np.array([1e-4, 1e-3, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999])


class Table:
    """Straight lines between quantiles: a mixture of uniform distributions, and of points where a line is level."""

    def __init__(self, points):
        self.p = np.array([p for p, _ in points])
        self.v = np.array([v for _, v in points], dtype=float)

    def ppf(self, q):
        return np.interp(q, self.p, self.v)

    def moment(self, k):
        # The integral of v(p)^k over each line, by the rule exact for polynomials: Gauss-Legendre with 5 points.
        nodes, weights = np.polynomial.legendre.leggauss(5)
        total = 0.0
        for p0, p1 in zip(self.p, self.p[1:]):
            if p0 == p1:
                continue
            at = (p0 + p1) / 2 + (p1 - p0) / 2 * nodes
            total += (p1 - p0) / 2 * np.sum(weights * self.line(at, p0, p1) ** k)
        return total

    def line(self, at, p0, p1):
        left = np.where(self.p == p0)[0].max()
        right = np.where(self.p == p1)[0].min()
        return self.v[left] + (self.v[right] - self.v[left]) * (at - p0) / (p1 - p0)

    def stats(self):
        mean = self.moment(1)
        variance = self.moment(2) - mean**2
        fourth = self.moment(4) - 4 * mean * self.moment(3) + 6 * mean**2 * self.moment(2) - 3 * mean**4
        return mean, variance, fourth / variance**2 - 3


def law(spec):
    kind, a = spec["law"], spec["parameters"]
    if kind == "uniform":
        # SciPy's moments of a wide integer range overflow. For such ranges, the gaps between integers have no visible
        # effect.
        wide = a[1] - a[0] > 10**6
        return stats.uniform(a[0], a[1] - a[0]) if wide else stats.randint(a[0], a[1] + 1)
    if kind == "exponential":
        return stats.expon(scale=a[0])
    if kind == "normal":
        return stats.norm(a[0], a[1])
    if kind == "logNormal":
        return stats.lognorm(s=a[1] / 1e6, scale=a[0])
    if kind == "pareto":
        return stats.pareto(b=a[1] / 1e6, scale=a[0])
    if kind == "table":
        return Table([(p / 1e6, v) for p, v in a])
    raise SystemExit(f"unknown law {kind}")


def report(ok, name, **figures):
    print("ok" if ok else "FAILED", name, *(f"{key}={value:.6g}" for key, value in figures.items()))


def check_moments(name, x, true):
    mean, variance, kurtosis = true.stats() if isinstance(true, Table) else map(float, true.stats(moments="mvk"))
    n, limit = len(x), stats.norm.isf(ALPHA / 2)
    z = (x.mean() - mean) / np.sqrt(variance / n)
    report(abs(z) < limit, f"{name}: mean", got=x.mean(), want=mean, z=z)
    z = (x.var() - variance) / (variance * np.sqrt((kurtosis + 2) / n))
    report(abs(z) < limit, f"{name}: variance", got=x.var(), want=variance, z=z)


def check_quantiles(name, x, true):
    """The number of draws up to the true quantile is binomial."""
    for p in PROBABILITIES:
        count, at = int(np.count_nonzero(x <= true.ppf(p))), float(true.ppf(p))
        p_value = stats.binomtest(count, len(x), p).pvalue
        report(p_value > ALPHA, f"{name}: quantile {p:g}", at=at, share=count / len(x), p=p_value)


def check_whole(name, x, true):
    result = stats.kstest(x, true.cdf)
    report(result.pvalue > ALPHA, f"{name}: Kolmogorov-Smirnov", d=result.statistic, p=result.pvalue)


def check_counts(name, x, true, rounded):
    """For few values: each has the probability of the half-open interval that is rounded to it."""
    low, high = int(x.min()), int(x.max())
    values = np.arange(low, high + 1)
    edge = (values + 0.5) if rounded else values
    cumulative = np.concatenate([[0.0], true.cdf(edge)])
    cumulative[-1] = 1.0
    expected = np.diff(cumulative) * len(x)
    seen = np.bincount((x - low).astype(int), minlength=len(values)).astype(float)
    # A chi-square test needs five expected draws in each cell, so rarer values share a cell.
    rare = expected < 5
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    result = stats.chisquare(seen, expected)
    report(result.pvalue > ALPHA, f"{name}: chi-square", cells=len(seen), p=result.pvalue)


def main():
    source = sys.stdin.buffer
    while header := source.readline():
        spec = json.loads(header)
        x = np.frombuffer(source.read(8 * spec["count"]), dtype="<i8").astype(float)
        assert len(x) == spec["count"], "the input is cut off"
        name, true = f"{spec['law']} {spec['parameters']}", law(spec)
        if "moments" in spec["checks"]:
            check_moments(name, x, true)
        if "quantiles" in spec["checks"]:
            check_quantiles(name, x, true)
        if "whole" in spec["checks"]:
            check_whole(name, x, true)
        if "counts" in spec["checks"]:
            check_counts(name, x, true, rounded=spec["law"] != "uniform")


main()
