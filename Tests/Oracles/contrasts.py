"""Checks tests and intervals of differences against SciPy.

Input: a JSON list of questions. Output: a line per question, `ok` or `FAILED`, its name and its figures.

`wilcoxon`: differences, exact, p. Exact and without ties or zeros: SciPy's `exact`; exact with ties: SciPy's permutation of
all signs; else SciPy's `approx`.
`mannwhitneyu`: x, y, exact, p.
`holm`: p, adjusted; against a few lines of NumPy, since SciPy has no Holm.
`median`: differences, low, high: the ends must lie where, in SciPy's bootstrap, the 2.5 % point of 1,000 resamples lies
within four standard errors.
`medians`: the same for the difference of the medians of x and y.
`tail`: z, p.
"""

import json
import sys

import numpy as np
from scipy import stats


def close(answer, truth, relative=1e-9):
    return abs(answer - truth) <= relative * abs(truth) + 1e-300, f"{answer!r} against {truth!r}"


def wilcoxon(question):
    d = np.array(question["differences"], dtype=float)
    d = d[d != 0]
    if len(d) == 0:
        return close(question["p"], 1.0)
    tied = len(np.unique(np.abs(d))) < len(d)
    if not question["exact"]:
        method = "approx"
    elif tied:
        method = stats.PermutationMethod(n_resamples=np.inf)
    else:
        method = "exact"
    return close(question["p"], float(stats.wilcoxon(d, method=method).pvalue))


def mannwhitneyu(question):
    truth = stats.mannwhitneyu(question["x"], question["y"], method="exact" if question["exact"] else "asymptotic")
    auto = stats.mannwhitneyu(question["x"], question["y"], method="auto")
    good, text = close(question["p"], float(truth.pvalue))
    return good and truth.pvalue == auto.pvalue, text


def holm(question):
    p = np.array(question["p"])
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1, p[order] * (len(p) - np.arange(len(p))))
    truth = np.empty(len(p))
    truth[order] = np.maximum.accumulate(steps)
    good = np.allclose(question["adjusted"], truth, rtol=1e-12, atol=0)
    return good, f"{question['adjusted']} against {truth.tolist()}"


def within(question, samples, statistic):
    truth = stats.bootstrap(
        samples, statistic, n_resamples=4_000, method="percentile", vectorized=True,
        random_state=np.random.default_rng(1)).bootstrap_distribution
    reach = 4 * np.sqrt(0.025 * 0.975 / 1_000)
    ends = [question["low"], question["high"]]
    bands = [np.quantile(truth, [p - reach, p + reach], method="inverted_cdf").tolist() for p in (0.025, 0.975)]
    # SciPy rounds nothing; the middle of two numbers is rounded to a whole one here.
    good = all(low - 1 <= end <= high + 1 for (low, high), end in zip(bands, ends))
    return good, f"{ends} against {bands}"


def median(question):
    return within(question, (np.array(question["differences"], dtype=float),), lambda d, axis: np.median(d, axis=axis))


def medians(question):
    samples = (np.array(question["x"], dtype=float), np.array(question["y"], dtype=float))
    return within(question, samples, lambda x, y, axis: np.median(x, axis=axis) - np.median(y, axis=axis))


def tail(question):
    return close(question["p"], float(stats.norm.sf(question["z"])), 2e-13)


checks = {f.__name__: f for f in (wilcoxon, mannwhitneyu, holm, median, medians, tail)}
for question in json.load(sys.stdin):
    good, figures = checks[question["kind"]](question)
    print("ok" if good else "FAILED", question["name"], figures)
