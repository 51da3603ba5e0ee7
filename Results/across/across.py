"""Writes Results/across/README.md: whether the rankings of ten shipped scenarios depend on the network.

page.md is the template.

usage: across.py BINARY [REPLICAS]    REPLICAS: fewest of each scenario on each network, by default 10
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
REPLICAS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENARIOS = [
    "handoff/elevator", "handoff/elevator-calls", "handoff/wifi-to-wifi", "doze/wake-to-dead-peer",
    "articles/pitfalls-1-idle-pings", "articles/polling-headers", "battery/tunnel-keepalive",
    "battery/unreachable-server", "keepalive/forty-minutes", "resume/lossy-train",
]
STABILITIES = ["holds", "ties", "turns", "alike"]
# Networks that a cell of the page names; the others are counted.
MOST = 6


def run(name):
    """The comparison across networks of one shipped scenario."""
    path = f"Scenarios/{name}.yaml"
    own = re.search(r"^replicas: (\d+)", (ROOT / path).read_text(), re.MULTILINE)
    replicas = max(REPLICAS, int(own[1]) if own else 1)
    words = [BINARY, "run", path, "--across", "profiles", "--replicas", str(replicas), "--json", "-q"]
    done = subprocess.run(words + ["--exit-zero"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr}")
    document = json.loads(done.stdout)
    (report,) = document["across"]
    joules = collections.defaultdict(list)
    for cell in document["runs"]:
        for strategy in cell["strategies"]:
            joules[strategy["name"]].append(strategy["metrics"]["battery.above_idle_joules"])
    report["factor"] = max(max(each) / min(each) for each in joules.values())
    return report


def row(cells):
    return "| " + " | ".join(cells) + " |"


def named(networks):
    shown = ", ".join(f"`{name}`" for name in networks[:MOST])
    return shown + (f" and {len(networks) - MOST} more" if len(networks) > MOST else "")


def summary(reports):
    lines = [row(["scenario", "strategies", "networks", *STABILITIES, "expectations hold on"]), row(["---"] * 8)]
    for name, report in reports.items():
        found = collections.Counter(ranking["stability"] for ranking in report["rankings"])
        expect = report.get("expect")
        kept = f"{expect['kept']} of {expect['of']}" if expect else "-"
        counts = [str(found[stability]) for stability in STABILITIES]
        lines.append(row([f"`{name}`", str(len(report["strategies"])), str(len(report["networks"])), *counts, kept]))
    return lines


def turns(reports):
    """A line for each pair of strategies with opposite orders on two networks."""
    lines = [row(["scenario", "metric", "on most networks", "opposite on", "tie on"]), row(["---"] * 5)]
    for name, report in reports.items():
        for ranking in report["rankings"]:
            for pair in ranking["pairs"]:
                if not (pair["before"] and pair["after"]):
                    continue
                one, other = pair["first"], pair["second"]
                most, least = ("before", "after") if len(pair["before"]) >= len(pair["after"]) else ("after", "before")
                order = f"{one} before {other}" if most == "before" else f"{other} before {one}"
                lines.append(row([
                    f"`{name}`", f"`{ranking['metric']}`", f"{order} ({len(pair[most])})", named(pair[least]),
                    named(pair["tie"]) or "-",
                ]))
    return lines


def by_metric(reports):
    """How often the ranking by each metric holds, ties or turns."""
    counts = collections.defaultdict(collections.Counter)
    for report in reports.values():
        for ranking in report["rankings"]:
            counts[ranking["metric"]][ranking["stability"]] += 1
    lines = [row(["metric", *STABILITIES]), row(["---"] * 5)]
    lines += [row([f"`{metric}`", *[str(found[word]) for word in STABILITIES]]) for metric, found in counts.items()]
    return lines


def odd_networks(reports):
    """On how many pairs each network has the opposite order of most networks."""
    found, seen = collections.Counter(), set()
    for report in reports.values():
        seen.update(network["name"] for network in report["networks"])
        for ranking in report["rankings"]:
            for pair in ranking["pairs"]:
                if pair["before"] and pair["after"]:
                    found.update(min(pair["before"], pair["after"], key=len))
    lines = [row(["network", "pairs in the opposite order"]), row(["---"] * 2)]
    return lines + [row([f"`{name}`", str(found[name])]) for name in sorted(seen, key=lambda name: (-found[name], name))]


def main():
    reports = {}
    for name in SCENARIOS:
        print(name, file=sys.stderr)
        reports[name] = run(name)
    rankings = [ranking for report in reports.values() for ranking in report["rankings"]]
    pairs = [pair for ranking in rankings for pair in ranking["pairs"]]
    decided = [pair for pair in pairs if pair["before"] or pair["after"]]
    turned = [pair for pair in decided if pair["before"] and pair["after"]]
    energy = [ranking for ranking in rankings if ranking["metric"] == "battery.above_idle_joules"]
    expect = [report["expect"] for report in reports.values() if "expect" in report]
    page = (pathlib.Path(__file__).parent / "page.md").read_text()
    values = {
        "replicas": REPLICAS, "scenarios": len(reports),
        "networks": max(len(report["networks"]) for report in reports.values()), "rankings": len(rankings),
        "turning": sum(ranking["stability"] == "turns" for ranking in rankings),
        "alike": sum(ranking["stability"] == "alike" for ranking in rankings),
        "energies": len(energy), "turning_energies": sum(ranking["stability"] == "turns" for ranking in energy),
        "factor": round(max(report["factor"] for report in reports.values())),
        "everywhere": sum(bound["kept"] == bound["of"] for bound in expect), "expecting": len(expect),
        "pairs": len(decided), "turned": len(turned),
        "summary": "\n".join(summary(reports)), "turns": "\n".join(turns(reports)),
        "metrics": "\n".join(by_metric(reports)), "odd": "\n".join(odd_networks(reports)),
    }
    for key, value in values.items():
        page = page.replace("{" + key + "}", str(value))
    (ROOT / "Results" / "across" / "README.md").write_text(page)


main()
