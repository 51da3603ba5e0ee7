"""Checks quantiles against NumPy, and censored quantiles and bootstrap intervals over replicas against SciPy.

Input: a JSON list of questions. Output: a line per question, `ok` or `FAILED`, its name and its figures.

`quantile`: samples, lost, share, answer (null: never). Lost samples are infinite; the answer may be off by 1 / 2,048.
`censored`: samples, ages (right-censored), lost, share, answer (null: never; {"at_least": …}). The product-limit curve is SciPy's; a lost
sample is censored after all others. Spans are below 2,048, where buckets are exact.
`interval`: replicas (lists of samples), statistic (`mean`, or the share of a quantile), answer [low, high]. The draws differ:
an end must lie where, in SciPy's distribution, the end of the interval of 1,000 resamples lies within four standard errors. The interval
of few replicas is expanded as Student's (Hesterberg, 2015).
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
    n = len(replicas)
    tail = max(0.001, stats.norm.cdf(-np.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1)))
    reach = 4 * np.sqrt(tail * (1 - tail) / 1_000)
    # A bucket of the histogram extends 1 / 2,048 to each side.
    bands = [
        (quantile(truth, max(0, p - reach)) * (1 - 1 / 2048), quantile(truth, min(1, p + reach)) * (1 + 1 / 2048))
        for p in (tail, 1 - tail)
    ]
    good = all(band[0] <= end <= band[1] for band, end in zip(bands, question["answer"]))
    return good, f"{question['answer']} against {bands}"


def check_censored(question):
    samples, ages, lost, share = (question[key] for key in ("samples", "ages", "lost", "share"))
    far = max(samples + ages) + 1
    data = stats.CensoredData(uncensored=samples, right=ages + [far] * lost)
    curve = stats.ecdf(data).cdf
    reached = [span for span in sorted(samples) if curve.evaluate(span) >= share - 1e-12]
    counted = np.sort(np.asarray(samples + ages + [np.inf] * lost))
    bound = quantile(counted, share)
    truth = reached[0] if reached else None if np.isinf(bound) else {"at_least": bound}
    return question["answer"] == truth, f"{question['answer']} against {truth}"


checks = {"censored": check_censored, "quantile": check_quantile, "interval": check_interval}
for question in json.load(sys.stdin):
    good, figures = checks[question["kind"]](question)
    print("ok" if good else "FAILED", question["name"], figures)
