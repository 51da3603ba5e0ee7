"""Measures how often the 95 % interval of a run contains the true value. coverage.py BINARY [SEEDS] SCENARIO…

The true value is that of 3,000 other replicas. Each number of replicas is run with SEEDS seeds (150). Prints the share of intervals that
contain the true value, over all strategies and the metrics below.
"""
import json
import subprocess
import sys

METRICS = ("battery.above_idle_joules", "latency.down.p50", "latency.down.p95", "recovery.p50")


def run(binary, scenario, seed, replicas):
    """Returns the results of the strategies by name."""
    done = subprocess.run(
        [binary, "run", scenario, "--seed", str(seed), "--replicas", str(replicas), "--json", "--jobs", "1", "-q", "--exit-zero"],
        capture_output=True, text=True, check=True)
    return {strategy["name"]: strategy for strategy in json.loads(done.stdout)["strategies"]}


def is_number(value):
    return isinstance(value, (int, float))


def main():
    binary, *words = sys.argv[1:]
    seeds = int(words.pop(0)) if words[0].isdigit() else 150
    print("scenario | " + " | ".join(f"{n} replicas" for n in (3, 5, 10, 20, 40)))
    for scenario in words:
        truth = run(binary, scenario, 999_999, 3_000)
        shares = []
        for replicas in (3, 5, 10, 20, 40):
            inside = all_ = 0
            for seed in range(1, seeds + 1):
                for name, strategy in run(binary, scenario, seed, replicas).items():
                    for metric in METRICS:
                        true, ends = truth[name]["metrics"].get(metric), strategy["ci95"].get(metric)
                        if is_number(true) and ends and all(map(is_number, ends)):
                            inside += ends[0] <= true <= ends[1]
                            all_ += 1
            shares.append(f"{100 * inside / all_:.0f} %" if all_ else "-")
        print(scenario, "|", " | ".join(shares), flush=True)


main()
