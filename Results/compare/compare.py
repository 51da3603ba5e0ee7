"""Writes Results/compare.md: how often `compare` fails an unchanged client, and how often it misses a changed one.

page.md is the template.

usage: compare.py BINARY [SEEDS]    SEEDS: baselines for each row of the tables, by default 30
"""

import json
import pathlib
import subprocess
import sys
import tempfile

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REPLICAS = (6, 10, 20)

WORLD = """version: 1
name: {name}
duration: 40m
replicas: 10
phone: {{battery: 15.4Wh, radios: {{wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}}}
timeline:
  - {{at: 0s, wifi: home}}
{timeline}
traffic:
  down: {{every: 20s, arrivals: poisson, size: 300B}}
  up: {{every: 90s, arrivals: poisson, size: 200B}}
strategies:
{strategies}
"""
WORLDS = {
    "Commute": """  - {at: 10m, handoff: cellular, gap: 400ms, old-path: silent}
  - {at: 15m, dead-zone: {uniform: [20s, 150s]}, repeat: {every: 5m, times: 4}}""",
    "Office": """  - {at: {uniform: [5m, 10m]}, handoff: cellular, gap: 2s, old-path: silent}
  - {at: {uniform: [20m, 25m]}, handoff: wifi, name: office, overlap: 5s}""",
    "Flaky": """  - {at: 5m, handoff: cellular, gap: 400ms, old-path: silent}
  - {at: 8m, dead-zone: {uniform: [5s, 40s]}, repeat: {every: 2m, times: 15}}""",
}
CLIENT = {
    "keepalive": "{interval: 45s, timeout: 10s}", "resume": "cursor", "backoff": "{base: 1s, cap: 30s, jitter: full}",
    "strategy": "composed", "transport": "websocket", "on-path-change": "reconnect",
}
# A lossy client, so that a loss before the change has to be tested, too.
CLIENTS = {"careful": CLIENT, "lossy": CLIENT | {"resume": "nothing"}}

# Name of a change, the settings, and the metric that has to be found worse; None if nothing is worse.
TRIFLES = [("a ping 1 ms later", {"keepalive": "{interval: 45.001s, timeout: 10s}"})]
CHANGES = [
    ("no resumption: messages are lost", {"resume": "nothing"}, ["delivery.down.lost"], ["careful"]),
    ("no reaction to a new network", {"on-path-change": "ignore"}, ["zombie.max", "recovery.p95", "latency.down.p95"], None),
    ("ping timeout 60 s instead of 10 s", {"keepalive": "{interval: 45s, timeout: 60s}"}, ["zombie.max", "recovery.p95"], None),
    ("ping every 20 s instead of 45 s", {"keepalive": "{interval: 20s, timeout: 10s}"}, ["battery.above_idle_joules"], None),
    ("backoff from 20 s instead of 1 s", {"backoff": "{base: 20s, cap: 60s, jitter: full}"}, ["recovery.p95"], None),
]


def client(settings):
    return "{" + ", ".join(f"{key}: {value}" for key, value in settings.items()) + "}"


def write(folder, change):
    """Writes all worlds, with the settings of `change` in every client that it does not make lossier."""
    for name, timeline in WORLDS.items():
        strategies = "\n".join(f"  {who}: {client(own | change)}" for who, own in CLIENTS.items())
        (folder / f"{name}.yaml").write_text(WORLD.format(name=name, timeline=timeline, strategies=strategies))


def run(*words):
    process = subprocess.run([BINARY, *map(str, words), "-q"], cwd=ROOT, capture_output=True)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}: {process.returncode}\n{process.stderr.decode()}")
    return process.stdout


def save(folder, seed, replicas):
    path = folder / f"base-{seed}-{replicas}.json"
    if not path.exists():
        run("baseline", "save", *files(folder), "--baseline", path, "--seed", seed, "--replicas", replicas)
    return path


def files(folder):
    return [folder / f"{name}.yaml" for name in WORLDS]


def compare(folder, base, *words):
    """Returns the comparisons of one call: world, client, and the primary metrics that are worse; those that are worse by a fact."""
    document = json.loads(run("compare", *files(folder), "--baseline", base, "--json", *words))
    found = []
    for scenario in document["scenarios"]:
        for strategy in scenario["strategies"]:
            worse = {n: m for n, m in strategy["metrics"].items() if m["family"] == "primary" and m["decision"] == "worse"}
            found.append({
                "world": scenario["name"], "client": strategy["name"], "worse": set(worse),
                "facts": {n for n, m in worse.items() if m["fact"]},
                "differs": set(strategy["metrics"]),
                "isSame": strategy["unchanged_replicas"] == strategy["replicas_compared"],
                "undecided": {n for n, m in strategy["metrics"].items() if m["family"] == "primary" and m["decision"] == "undecided"},
            })
    return found


def share(count, of):
    """A rate with its 95 % interval (Wilson)."""
    z, p = 1.96, count / of
    middle, half = p + z * z / 2 / of, z * (p * (1 - p) / of + z * z / 4 / of / of) ** 0.5
    low, high = (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)
    return f"{100 * p:.1f} % ({100 * max(0, low):.1f} to {100 * high:.1f})"


def alarms(folder):
    rows, total = [], 0
    for replicas in REPLICAS:
        write(folder, {})
        bases = [save(folder, 1 + seed, replicas) for seed in range(SEEDS)]
        same = [one for base in bases[:5] for one in compare(folder, base)]
        other = [one for seed, base in enumerate(bases) for one in compare(folder, base, "--seed", 100_001 + seed)]
        trifle = []
        for name, change in TRIFLES:
            write(folder, change)
            trifle += [one for base in bases for one in compare(folder, base)]
        for words, all in [("same client, same seeds", same), ("same client, other seeds", other), ("ping 1 ms later, same seeds", trifle)]:
            tested = sum(1 for one in all if one["worse"] - one["facts"])
            facts = sum(1 for one in all if one["facts"])
            rows.append(f"| {words} | {replicas} | {len(all)} | {share(tested, len(all))} | {share(facts, len(all))} |")
            total += len(all)
    return rows, total


def misses(folder):
    rows, total = [], 0
    for name, change, metrics, clients in CHANGES:
        for replicas in REPLICAS:
            write(folder, {})
            bases = [save(folder, 1 + seed, replicas) for seed in range(SEEDS)]
            write(folder, change)
            all = [one for base in bases for one in compare(folder, base)]
            # In some worlds a change has no effect: nothing can be missed there.
            all = [
                one for one in all
                if (clients is None or one["client"] in clients) and not one["isSame"] and one["differs"] & set(metrics)
            ]
            missed = sum(1 for one in all if not one["worse"])
            expected = sum(1 for one in all if not one["worse"] & set(metrics))
            silent = sum(1 for one in all if not one["worse"] and not one["undecided"] & set(metrics))
            rows.append(
                f"| {name} | {replicas} | {len(all)} | {share(missed, len(all))} | {share(expected, len(all))} | {share(silent, len(all))} |")
            total += len(all)
    return rows, total


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    unchanged, quiet = alarms(folder)
    changed, loud = misses(folder)
page = (ROOT / "Results" / "compare" / "page.md").read_text()
for key, value in {
    "ALARMS": "\n".join(unchanged), "MISSES": "\n".join(changed), "UNCHANGED": f"{quiet:,}", "CHANGED": f"{loud:,}",
    "SEEDS": str(SEEDS),
}.items():
    page = page.replace("{" + key + "}", value)
(ROOT / "Results" / "compare.md").write_text(page)
