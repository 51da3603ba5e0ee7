"""Checks tests and intervals of differences against SciPy.

Input: a JSON list of questions. Output: a line per question, `ok` or `FAILED`, its name and its figures.

`wilcoxon`: differences, exact, p. Exact and without ties or zeros: SciPy's `exact`; exact with ties: SciPy's permutation of
all signs; else SciPy's `approx`.
`mannwhitneyu`: x, y, exact, p.
`holm`: p, adjusted; compared with a few lines of NumPy, because SciPy has no Holm.
`signs`: differences, p, level, low, high: SciPy's permutation of all signs, or within five standard errors of it where there
are more than 13 pairs. The interval contains the values that the test does not reject; checked for 13 pairs and fewer.
`labels`: x, y, p: SciPy's permutation of the labels, within five standard errors.
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


def about(p, truth, resamples):
    return abs(p - truth) <= 5 * 2 * np.sqrt(max(truth, 1 / resamples) / resamples), f"{p} against {truth}"


def signs(question):
    d = np.array(question["differences"], dtype=float)
    exact = len(d) <= 13
    draws = 2 ** len(d) if exact else 20_000
    if not np.any(d) or len(d) < 2:
        return close(question["p"], 1.0)
    truth = stats.permutation_test(
        (d,), lambda d, axis: np.sum(d, axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=np.inf if exact else draws, random_state=np.random.default_rng(1)).pvalue
    if not exact:
        return about(question["p"], truth, 8_192)
    good, text = close(question["p"], float(truth))
    flips = 1 - 2 * ((np.arange(draws)[:, None] >> np.arange(len(d))) & 1)

    def p(shift):
        sums = np.round(flips @ (d - shift), 6)
        return min(1, 2 * min(np.mean(sums >= sums[0]), np.mean(sums <= sums[0])))

    if question["low"] is None:
        return good and 2 / draws >= question["level"], text
    # An end of the interval is rounded to a whole number, away from zero.
    for end, way in ((question["low"], -1), (question["high"], 1)):
        good = good and p(end - 1.01 * way) >= question["level"] > p(end + 1.01 * way)
    return good, text


def labels(question):
    x, y = question["x"], question["y"]
    if len(set(x + y)) == 1:
        return close(question["p"], 1.0)
    truth = stats.permutation_test(
        (np.array(x, dtype=float), np.array(y, dtype=float)),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis), vectorized=True, n_resamples=20_000,
        random_state=np.random.default_rng(1)).pvalue
    return about(question["p"], float(truth), 8_192)


def tail(question):
    return close(question["p"], float(stats.norm.sf(question["z"])), 2e-13)


checks = {f.__name__: f for f in (wilcoxon, mannwhitneyu, holm, signs, labels, tail)}
for question in json.load(sys.stdin):
    good, figures = checks[question["kind"]](question)
    print("ok" if good else "FAILED", question["name"], figures)
