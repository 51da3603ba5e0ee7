"""Checks quantiles against NumPy, and bootstrap intervals over replicas against SciPy.

Input: a JSON list of questions. Output: a line per question, `ok` or `FAILED`, its name and its figures.

`quantile`: samples, lost, share, answer (null: never). Lost samples are infinite; the answer may be off by 1 / 2,048.
`interval`: replicas (lists of samples), statistic (`mean`, or the share of a quantile), answer [low, high]. The draws differ:
an end must lie where, in SciPy's distribution, the 2.5 % point of 1,000 resamples lies within four standard errors.
"""

import json
import sys

import numpy as np
from scipy import stats


def quantile(samples, share):
    return np.quantile(np.asarray(samples), share, method="inverted_cdf")


def check_quantile(question):
    truth = quantile(question["samples"] + [np.inf] * question["lost"], question["share"])
    answer = np.inf if question["answer"] is None else question["answer"]
    good = answer == truth or abs(answer - truth) <= truth / 2048
    return good, f"{answer} against {truth}"


def check_interval(question):
    replicas = [np.asarray(samples, dtype=float) for samples in question["replicas"]]
    share = question["statistic"]

    def statistic(chosen):
        pooled = np.concatenate([replicas[int(index)] for index in chosen])
        return pooled.mean() if share == "mean" else quantile(pooled, share)

    truth = np.sort(
        stats.bootstrap(
            (np.arange(len(replicas)),), statistic, n_resamples=5_000, confidence_level=0.95, method="percentile",
            vectorized=False, random_state=np.random.default_rng(1),
        ).bootstrap_distribution)
    reach = 4 * np.sqrt(0.025 * 0.975 / 1_000)
    # A bucket of the histogram is 1 / 2,048 wide to each side.
    bands = [
        (quantile(truth, p - reach) * (1 - 1 / 2048), quantile(truth, p + reach) * (1 + 1 / 2048))
        for p in (0.025, 0.975)
    ]
    good = all(band[0] <= end <= band[1] for band, end in zip(bands, question["answer"]))
    return good, f"{question['answer']} against {bands}"


checks = {"quantile": check_quantile, "interval": check_interval}
for question in json.load(sys.stdin):
    good, figures = checks[question["kind"]](question)
    print("ok" if good else "FAILED", question["name"], figures)
