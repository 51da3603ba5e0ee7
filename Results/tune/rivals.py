"""Compares the search of `deadzone tune` with other optimisers at equal numbers of simulations.
rivals.py BINARY OUT [SEEDS [LARGE_SEEDS [METHOD]]]: writes OUT/rivals.json and OUT/../tune.md. Needs the Python packages optuna and
moocore. The larger budget is searched with LARGE_SEEDS seeds, by default half as many; 0 keeps the rows of an earlier measurement. Rows
that the same binary has measured before are kept, so an interrupted measurement continues. With METHOD (tune), all rows of the other
methods are kept too: use it if only the search has changed.
"""
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import moocore
import numpy
import optuna

HERE = Path(__file__).resolve().parent
SCENARIOS = Path(os.environ.get("DEADZONE_SCENARIOS", HERE.parent.parent / "Scenarios"))
WORLDS = ("handoff/elevator", "battery/backoff-cap", "resume/lossy-train", "keepalive/how-patient", "doze/wake-to-dead-peer",
          "resume/mass-resync")
GOALS = ("battery.above_idle_joules", "latency.down.p95")
CLIENT = {
    "strategy": "composed", "transport": "websocket", "on-path-change": "reconnect", "resume": "cursor",
    "keepalive": {"interval": "45s", "timeout": "10s"}, "connect": {"timeout": "20s"},
    "backoff": {"base": "500ms", "cap": "32s", "multiplier": 2, "jitter": "full"}}
# Path, lowest and highest value in milliseconds (or plain numbers), or words.
SPACE = (
    ("keepalive.interval", 10_000, 1_800_000), ("keepalive.timeout", 1_000, 60_000), ("connect.timeout", 2_000, 60_000),
    ("backoff.base", 100, 30_000), ("backoff.cap", 1_000, 600_000), ("backoff.multiplier", 1.0, 4.0),
    ("backoff.jitter", ("none", "full", "equal")))
# Of a search, of a point's true place, and of the true change that an interval has to contain.
REPLICAS, TRUE_REPLICAS, INTERVAL_REPLICAS = 2, 30, 300
BATCH = 60
# Ratios to the present settings beyond this one dominate nothing.
WORST = 5.0
optuna.logging.set_verbosity(optuna.logging.ERROR)


def written(name, value):
    if isinstance(value, str):
        # The values of `tune` are YAML texts.
        return float(value) if name == "backoff.multiplier" else value
    return round(value, 4) if name == "backoff.multiplier" else f"{round(value)}ms"


def client(values):
    """Returns the strategy with these values, as YAML on one line."""
    whole = json.loads(json.dumps(CLIENT))
    for name, value in values.items():
        *keys, last = name.split(".")
        place = whole
        for key in keys:
            place = place[key]
        place[last] = written(name, value)
    return json.dumps(whole)


class World:
    """Evaluates settings in one scenario, and counts simulations."""

    def __init__(self, binary, name, folder):
        self.binary, self.name, self.folder, self.runs = binary, name, folder, 0
        path = SCENARIOS / f"{name}.yaml"
        text = path.read_text()
        self.head = f"extends: {path}\n" + ("expect: ~\n" if "\nexpect:" in text else "") + "strategies:\n"

    def deadzone(self, *words):
        done = subprocess.run([self.binary, *words, "--jobs", "1", "-q"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"deadzone {' '.join(words)[:200]}: {(done.stderr or done.stdout)[-600:]}")
        return json.loads(done.stdout)

    def file(self, clients):
        path = Path(self.folder) / "world.yaml"
        path.write_text(self.head + "".join(f"  its-{n}: {line}\n" for n, line in enumerate(clients)))
        return str(path)

    def evaluate(self, all_values, seed, replicas=REPLICAS):
        """Returns the two goals of each set of settings, as ratios to the present settings in the same weathers."""
        ratios = []
        for start in range(0, len(all_values), BATCH):
            part = [{}] + all_values[start:start + BATCH]
            names = [f"its-{n}" for n in range(len(part))]
            chosen = [word for name in names for word in ("--strategy", name)]
            document = self.deadzone(
                "run", self.file([client(values) for values in part]), *chosen, "--seed", str(seed), "--replicas",
                str(replicas), "--json")
            runs = document["runs"] if "runs" in document else [document]
            by_name = {strategy["name"]: strategy["metrics"] for strategy in runs[0]["strategies"]}
            points = [[number(by_name[name][goal]) for goal in GOALS] for name in names]
            ratios += [[own / present for own, present in zip(point, points[0])] for point in points[1:]]
            self.runs += (len(part) - 1) * replicas
        return ratios


    def mean_ratios(self, all_values, seed, replicas):
        """Returns the goals of each set of settings as ratios of the means over replicas, as `tune` prints changes."""
        strategies = [client({})] + [client(values) for values in all_values]
        names = [f"its-{n}" for n in range(len(strategies))]
        chosen = [word for name in names for word in ("--strategy", name)]
        base = Path(self.folder) / "base.json"
        base.unlink(missing_ok=True)
        subprocess.run(
            [self.binary, "baseline", "save", self.file(strategies), "--baseline", str(base), *chosen, "--seed", str(seed), "--replicas",
             str(replicas), "--jobs", "1", "-q"], check=True, capture_output=True)
        saved, = json.loads(base.read_text())["scenarios"].values()
        means = [[mean_of_replicas(saved["strategies"][name]["metrics"].get(goal)) for goal in GOALS] for name in names]
        return [[own / present for own, present in zip(point, means[0])] for point in means[1:]]


def mean_of_replicas(saved):
    """A list is the figure of the run, then one value for each replica. A single value is that of all replicas."""
    values = saved[1:] if isinstance(saved, list) else [saved]
    return statistics.fmean(math.inf if isinstance(value, str) else number(value) for value in values)


def number(value):
    if isinstance(value, dict):
        return float(value["at_least"])
    return math.inf if value is None else float(value)


def area(ratios):
    """Returns the area that the points dominate, in squared decades, down from WORST times the present values."""
    points = [[math.log10(max(own, 1e-3)) for own in pair] for pair in ratios if max(pair) < WORST]
    limit = [math.log10(WORST)] * 2
    return float(moocore.hypervolume(numpy.array(points), ref=limit)) if points else 0.0


def front(points):
    """Returns the settings that no other settings beat."""
    ratios = numpy.array([pair for _, pair in points])
    return [point for point, is_best in zip(points, moocore.is_nondominated(numpy.minimum(ratios, 1e9))) if is_best]


def drawn(rng):
    values = {}
    for name, *range_ in SPACE:
        if len(range_) == 1:
            values[name] = rng.choice(range_[0])
        else:
            low, high = range_
            values[name] = math.exp(rng.uniform(math.log(low), math.log(high)))
    return values


def by_random(world, budget, seed):
    rng = random.Random(seed)
    all_values = [drawn(rng) for _ in range(budget // REPLICAS)]
    return front(list(zip(all_values, world.evaluate(all_values, seed))))


def by_optuna(sampler, batch):
    def search(world, budget, seed):
        study = optuna.create_study(directions=["minimize"] * 2, sampler=sampler(seed))
        points = []
        while len(points) < budget // REPLICAS:
            trials = [study.ask() for _ in range(min(batch, budget // REPLICAS - len(points)))]
            all_values = [
                {name: trial.suggest_categorical(name, range_[0]) if len(range_) == 1
                 else trial.suggest_float(name, *range_, log=True) for name, *range_ in SPACE} for trial in trials]
            ratios = world.evaluate(all_values, seed)
            for trial, values, pair in zip(trials, all_values, ratios):
                study.tell(trial, [math.log10(min(max(own, 1e-3), 1e3)) for own in pair])
                points.append((values, pair))
        return front(points)
    return search


def by_tune(world, budget, seed):
    varied = [
        word for name, *range_ in SPACE for word in (
            "--vary", f"{name}={','.join(range_[0])}" if len(range_) == 1 else
            f"{name}={written(name, range_[0])}..{written(name, range_[1])}")]
    document = world.deadzone(
        "tune", world.file([client({})]), "--strategy", "its-0", "--for", ",".join(GOALS), "--subject-to",
        "battery.above_idle_joules: at least 0J", "--budget", str(budget), "--seed", str(seed), *varied, "--json")
    world.runs += document["effort"]["search_runs"]
    world.measured = document["rows"] + document["front"][::10]
    return [(point["values"], point["ratios"]) for point in document["points"] if point["front"]]


METHODS = {
    "tune": by_tune, "random": by_random,
    "Optuna NSGA-II": by_optuna(lambda seed: optuna.samplers.NSGAIISampler(seed=seed, population_size=50), 50),
    "Optuna TPE": by_optuna(lambda seed: optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True), 10)}


def covered(world, truth_seed):
    """Returns how many of the printed intervals contain the true change, and their number. Of the front, every tenth point."""
    rows = world.measured
    true = world.mean_ratios([row["values"] for row in rows], truth_seed, INTERVAL_REPLICAS)
    inside = [
        interval[0] <= ratio - 1 <= interval[1]
        for row, pair in zip(rows, true) for goal, ratio in zip(GOALS, pair)
        if (interval := row["changes"][goal]["ci95"]) is not None]
    return sum(inside), len(inside)


def share(document):
    rows = [row for row in document["results"] if "intervals" in row]
    # Intervals of an earlier program may have been made in another way.
    rows = [row for row in rows if row["version"] == rows[0]["version"]]
    inside, all_ = (sum(row["intervals"][key] for row in rows) for key in ("inside", "all"))
    return f"{inside} of {all_} ({100 * inside / max(1, all_):.0f} %)"


def tables(document):
    """Returns one table for each budget: the true area of each method in each scenario."""
    text = ""
    for budget in dict.fromkeys(row["budget"] for row in document["results"]):
        rows = [row for row in document["results"] if row["budget"] == budget]
        methods = list(dict.fromkeys(row["method"] for row in rows))
        common = seeds_of_all(rows)
        rows, seeds = [row for row in rows if row["seed"] in common], len(common)
        named = ", ".join(str(seed) for seed in sorted(common))
        programs = {row["method"]: row["version"] for row in rows}
        own, others = programs["tune"], sorted(set(programs.values()) - {programs["tune"]})
        measured_with = own + (f"; the other methods with {' and '.join(others)}, which has the same simulator" if others else "")
        text += f"### {budget:,} simulations, {seeds} seed{'s' if seeds > 1 else ''} ({named})\n\nMeasured with {measured_with}.\n\n"
        text += "| scenario | " + " | ".join(methods) + " |\n|---" + "|---" * len(methods) + "|\n"
        best = 0
        for name in dict.fromkeys(row["scenario"] for row in rows):
            means = {method: mean(rows, name, method, "true") for method in methods}
            best += means["tune"] >= max(means[method] for method in methods if method != "tune")
            cells = [
                ("**{:.3f}**" if means[method] == max(means.values()) else "{:.3f}").format(means[method]) + spread(rows, name, method)
                for method in methods]
            text += f"| {name} | " + " | ".join(cells) + " |\n"
        excess = [
            f"{method} {statistics.fmean(row['claimed'] - row['true'] for row in rows if row['method'] == method):+.3f}" for method in methods]
        text += f"\n`tune` has at least the area of every rival in {best} of {len(set(row['scenario'] for row in rows))} scenarios. "
        text += f"Area that the search claims minus the true area, mean: {', '.join(excess)}.\n\n"
    return text.rstrip()


def seeds_of_all(rows):
    """Returns the seeds with which every method has searched every scenario."""
    seeds = {}
    for row in rows:
        seeds.setdefault((row["scenario"], row["method"]), set()).add(row["seed"])
    return set.intersection(*seeds.values())


def mean(rows, name, method, key):
    return statistics.fmean(row[key] for row in rows if row["scenario"] == name and row["method"] == method)


def spread(rows, name, method):
    values = [row["true"] for row in rows if row["scenario"] == name and row["method"] == method]
    return f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else ""


def measured(binary, folder, budget, name, seed, method, search):
    """Returns the row of one search."""
    world = World(binary, name, folder)
    found = search(world, budget, seed)
    searched = world.runs
    true = world.evaluate([values for values, _ in found], 1_000_000 + seed, TRUE_REPLICAS)
    row = {
        "scenario": name, "budget": budget, "seed": seed, "method": method, "points": len(found), "runs": searched,
        "claimed": area([pair for _, pair in found]), "true": area(true)}
    if method == "tune":
        inside, all_ = covered(world, 2_000_000 + seed)
        row["intervals"] = {"inside": inside, "all": all_}
    print(name, budget, seed, f"{method} {row['true']:.3f}", file=sys.stderr, flush=True)
    return row


def main():
    binary, out, seeds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 3
    large = int(sys.argv[4]) if len(sys.argv) > 4 else (seeds + 1) // 2
    # TPE needs minutes to propose thousands of points.
    plans = [(1_000, seeds, METHODS), (5_000, large, {name: METHODS[name] for name in METHODS if name != "Optuna TPE"})]
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    file = out / "rivals.json"
    before = json.loads(file.read_text())["results"] if file.exists() else []
    only = sys.argv[5] if len(sys.argv) > 5 else None
    known = {
        (row["budget"], row["scenario"], row["seed"], row["method"]): row for row in before
        if row["version"] == version or (only and row["method"] != only)}
    skipped = {budget for budget, count, _ in plans if count == 0}
    results, old = [], [row for row in before if row["budget"] in skipped]
    with tempfile.TemporaryDirectory() as folder:
        for budget, count, methods in plans:
            for seed in range(1, count + 1):
                for name in WORLDS:
                    for method, search in methods.items():
                        row = known.get((budget, name, seed, method)) or {
                            **measured(binary, folder, budget, name, seed, method, search), "version": version}
                        results.append(row)
                write(out, results + old)


def write(out, results):
    document = {
        "schema": "deadzone/tune-rivals/2", "true_replicas": TRUE_REPLICAS, "interval_replicas": INTERVAL_REPLICAS, "results": results}
    out.mkdir(parents=True, exist_ok=True)
    (out / "rivals.json").write_text(json.dumps(document, indent=1) + "\n")
    template = (HERE / "page.md").read_text()
    (out.parent / "tune.md").write_text(template.replace("@TABLES@", tables(document)).replace("@INTERVALS@", share(document)))


if __name__ == "__main__":
    main()
