"""Finds where our own client is beaten: compares every preset with `deadzone-recommended` in every world, by paired
replicas.
rivals.py OUT [SCENARIO…]: runs only these scenarios again, such as handoff/elevator; the other results in OUT are kept.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from page import page

HERE = Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("DEADZONE_BINARY", str(HERE / ".build/release/deadzone"))
OURS = "deadzone-recommended"
# Folders of worlds in which failures happen; herds are about servers, battery about curves.
FOLDERS = ("articles", "doze", "flow", "handoff", "keepalive", "resume")
LEFT_OUT = {
    "flow/unbounded-queue": "its simulation of billions of bytes for every client takes too long",
    "keepalive/latency-after-idle": "the server sends to its two hundred phones, and they answer without a client"}
# Less is better for each measure.
MEASURES = (
    "battery.joules", "latency.down.p95", "latency.up.p95", "latency.call.p95", "delivery.down.lost", "delivery.up.lost",
    "delivery.down.pending", "delivery.up.pending", "calls.failed", "zombie.max", "zombie.frozen.max")
FEW, MANY = 3, 12
PART = 40
# A rival that is worse by more than this with few replicas is not examined further.
NEAR = 0.03
# Smaller differences, such as half a per cent, are no reason to choose a client.
APART, CHANCE = 0.01, 0.05


def deadzone(*words):
    done = subprocess.run([BINARY, *words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"deadzone {words[0]}: {(done.stderr or done.stdout).splitlines()[0]}")
    return done.stdout


def cells(scenario, presets, replicas, folder):
    """Returns the comparison of each cell: the rivals and their measures beside ours. A file has at most a hundred
    strategies, and some scenarios have one for each preset, so the rivals are compared in parts."""
    whole = []
    for first in range(0, len(presets), PART):
        part = compared(scenario, presets[first : first + PART], replicas, folder)
        for cell, more in zip(whole, part):
            cell["strategies"] += [strategy for strategy in more["strategies"] if strategy["name"] != OURS]
        whole = whole or part
    return whole


def compared(scenario, presets, replicas, folder):
    world = Path(folder) / "world.yaml"
    lines = [f"  {spelled(name)}: {{preset: {name}}}" for name in [OURS, *presets]]
    expects = ["expect: ~"] if "\nexpect:" in scenario.read_text() else []
    world.write_text("\n".join([f"extends: {scenario}", *expects, "strategies:", *lines, ""]))
    chosen = [word for name in [OURS, *presets] for word in ("--strategy", spelled(name))]
    told = deadzone(
        "compare", str(world), "--against", spelled(OURS), "--replicas", str(replicas), *chosen, "--json", "--exit-zero", "-q")
    names = {spelled(name): name for name in [OURS, *presets]}
    scenarios = json.loads(told)["scenarios"]
    for strategy in (strategy for cell in scenarios for strategy in cell["strategies"]):
        strategy["name"] = names[strategy["name"]]
    return scenarios


def spelled(preset):
    """Returns a strategy name that no scenario uses, because settings of the same name would be merged with the
    preset's."""
    return "its-" + preset.replace(".", "-")


def number(value):
    """Returns the value of a measure. `never` is infinite, and a value that is still pending counts with its age."""
    if isinstance(value, dict):
        return float(value["at_least"])
    return float("inf") if value in (None, "never") else float(value)


def change(measure):
    """Returns the relative change from ours to the rival's value."""
    ours, its = number(measure["old"]), number(measure["new"])
    if ours == its:
        return 0.0
    return (its - ours) / ours if 0 < ours < float("inf") else (float("inf") if its > ours else float("-inf"))


def measures(rival):
    return {name: rival["metrics"][name] for name in MEASURES if name in rival["metrics"]}


def is_near(rival):
    return all(change(measure) <= NEAR for measure in measures(rival).values())


def verdict(rival):
    """Returns the measures in which the rival is better and worse: beyond chance (Holm over these measures) and by at
    least one per cent."""
    own = measures(rival)
    better, worse, least = [], [], 0.0
    for rank, name in enumerate(sorted(own, key=lambda name: number(own[name]["p"]))):
        least = max(least, number(own[name]["p"]) * (len(own) - rank))
        by = change(own[name])
        if least < CHANCE and abs(by) >= APART:
            (better if by < 0 else worse).append(name)
    return better, worse


def presets():
    return sorted(path.stem for path in (HERE / "Scenarios/strategies").glob("*.yaml"))


def judge(scenario, rivals, folder):
    few = cells(scenario, rivals, FEW, folder)
    close = {rival["name"] for cell in few for rival in cell["strategies"] if rival["name"] != OURS and is_near(rival)}
    near = [name for name in rivals if name in close]
    found = []
    many = cells(scenario, near, MANY, folder) if near else []
    for cell in many or few:
        beaten = []
        for rival in cell["strategies"] if many else []:
            better, worse = verdict(rival)
            if rival["name"] in close and better and not worse:
                kept = {name: [measure["old"], measure["new"]] for name, measure in measures(rival).items()}
                beaten.append({"preset": rival["name"], "better": better, "measures": kept})
        found.append({"cell": cell["name"], "beaten_by": beaten})
    return found


def main():
    out, wanted, rivals = Path(sys.argv[1]), sys.argv[2:], [name for name in presets() if name != OURS]
    scenarios = [path for folder in FOLDERS for path in sorted((HERE / "Scenarios" / folder).glob("*.yaml"))]
    judged, refused = [], []
    known = json.loads((out / "rivals.json").read_text()) if wanted else {"cells": [], "refused": []}
    with tempfile.TemporaryDirectory() as folder:
        for path in scenarios:
            name = f"{path.parent.name}/{path.stem}"
            if name in LEFT_OUT:
                continue
            if wanted and name not in wanted:
                judged += [cell for cell in known["cells"] if cell["scenario"] == name]
                refused += [one for one in known["refused"] if one["scenario"] == name]
                continue
            try:
                judged += [{"scenario": name, **cell} for cell in judge(path, rivals, folder)]
            except RuntimeError as error:
                refused.append({"scenario": name, "why": str(error)})
            print(name, file=sys.stderr)
    document = {
        "schema": "deadzone/rivals/1", "ours": OURS, "rivals": rivals, "few": FEW, "many": MANY, "near": NEAR, "apart": APART,
        "chance": CHANCE, "measures": MEASURES, "left_out": LEFT_OUT, "refused": refused, "cells": judged}
    out.mkdir(parents=True, exist_ok=True)
    (out / "rivals.json").write_text(json.dumps(document, indent=1) + "\n")
    (out / "README.md").write_text(page(document))


main()
