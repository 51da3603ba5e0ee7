"""Where our own client is beaten: every preset in every world beside `deadzone-recommended`, judged by paired replicas.
rivals.py OUT [SCENARIO…]: of these anew, such as handoff/elevator; what OUT has of others stays."""
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
# Folders of worlds in which something goes wrong; herds are about servers, battery about curves.
FOLDERS = ("articles", "doze", "flow", "handoff", "keepalive", "resume")
LEFT_OUT = {
    "flow/unbounded-queue": "its billions of bytes for every client take too long",
    "keepalive/latency-after-idle": "two hundred phones are asked by the network and answer without a client"}
# Less is better in each of them.
MEASURES = (
    "battery.joules", "latency.down.p95", "latency.up.p95", "latency.call.p95", "delivery.down.lost", "delivery.up.lost",
    "delivery.down.pending", "delivery.up.pending", "calls.failed", "zombie.max", "zombie.frozen.max")
FEW, MANY = 3, 12
# Who is worse by more than this in a few replicas is not looked at again.
NEAR = 0.03
# Half a per cent is nobody's reason to choose.
APART, CHANCE = 0.01, 0.05


def deadzone(*words):
    done = subprocess.run([BINARY, *words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"deadzone {' '.join(words)}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def cells(scenario, presets, replicas, folder):
    """The comparison of each cell: rivals with their measures beside ours."""
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
    """No scenario has a strategy of this name, whose settings would be mixed with the preset's."""
    return "its-" + preset.replace(".", "-")


def number(value):
    """What never came counts as later than everything, what has not come yet with its age."""
    if isinstance(value, dict):
        return float(value["at_least"])
    return float("inf") if value in (None, "never") else float(value)


def change(measure):
    """How much more the rival has, as a share of ours."""
    ours, its = number(measure["old"]), number(measure["new"])
    if ours == its:
        return 0.0
    return (its - ours) / ours if 0 < ours < float("inf") else (float("inf") if its > ours else float("-inf"))


def measures(rival):
    return {name: rival["metrics"][name] for name in MEASURES if name in rival["metrics"]}


def is_near(rival):
    return all(change(measure) <= NEAR for measure in measures(rival).values())


def verdict(rival):
    """Measures in which it is better and worse, beyond chance (Holm over these measures) and by a per cent."""
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
