"""Measures the search of `deadzone hunt`, and shows what breaks the shipped clients.
hunt.py BINARY [SEEDS] [BUDGET]: writes hunt.json beside this script, and ../hunt.md.
"""
import json
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = sys.argv[1]
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
BUDGET = int(sys.argv[3]) if len(sys.argv) > 3 else 4_000
# Worlds for each demand of a shipped client.
CLIENT_BUDGET = 1_000
DEMANDS = (
    ("zombie.max: under 2m", "dead connection unnoticed for 2 min"),
    ("recovery.max: under 2m", "no byte 2 min after the network is back"),
    ("delivery.down.lost: 0", "message to the app lost"),
    ("delivery.up.lost: 0", "message to the server lost"),
    ("delivery.down.pending: 0", "message still missing 10 min after all is well"),
)


def hunt(scenario, strategy, demand, *flags):
    words = [BINARY, "hunt", scenario, "--strategy", strategy, "--demand", demand, "--json", "--jobs", "1", "-q", *flags]
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    answer = json.loads(done.stdout)
    return {"find": answer["finds"][0] if answer["finds"] else None, "effort": answer["effort"]}


def planted():
    """Returns the demand of each broken client."""
    text = (HERE / "planted.yaml").read_text().split("x-demands:\n")[1]
    return re.findall(r'^  (.+?): "(.+)"$', text, re.M)


def median(values):
    """Median of worlds to the find. A search that found nothing counts as longer than its budget."""
    middle = statistics.median(BUDGET * 10 if value is None else value for value in values)
    return f"over {BUDGET:,}" if middle > BUDGET else f"{middle:,.0f}"


def search(pool):
    rows = {}
    for mode, flags in (("guided", []), ("unguided", ["--unguided"])):
        for name, demand in planted():
            for seed in range(1, SEEDS + 1):
                rows[mode, name, seed] = pool.submit(
                    hunt, "planted.yaml", name, demand, "--seed", str(seed), "--budget", str(BUDGET), *flags)
    return {key: future.result() for key, future in rows.items()}


def clients(pool):
    listed = json.loads(subprocess.run([BINARY, "list", "strategies", "--json"], capture_output=True, text=True).stdout)
    names = [row["name"] for row in listed["items"]]
    table = {}
    for name in names:
        flags = [] if name == "patient" else ["--with", name]
        for demand, _ in DEMANDS:
            table[name, demand] = pool.submit(
                hunt, "chat.yaml", name, demand, "--budget", str(CLIENT_BUDGET), *flags)
    return {key: future.result() for key, future in table.items()}


def short(find):
    """The entries of a find in a few words, without their times."""
    words = []
    for entry in find["entries"]:
        pairs = dict(re.findall(r"([a-z-]+): ([^,}]+)", entry["text"]))
        at = pairs.pop("at", "")
        pairs.pop("screen", None)
        text = ", ".join(f"{key} {value}" for key, value in pairs.items())
        words.append(text if at != "0s" or not text.startswith("app ") else "")
    return "; ".join(word for word in words if word) or "no disturbance"


def page(rows, table):
    names = [name for name, _ in planted()]
    demands = dict(planted())
    text = (HERE / "page.md").read_text().replace("@SEEDS@", str(SEEDS)).replace("@BUDGET@", f"{BUDGET:,}")
    lines = ["| broken facet | demand | worlds, guided | worlds, random | entries found | entries left | seeds broken of 50 |",
             "|---|---|---|---|---|---|---|"]
    for name in names:
        runs = {mode: [rows[mode, name, seed]["find"] for seed in range(1, SEEDS + 1)] for mode in ("guided", "unguided")}
        worlds = {mode: [find and find["world"] for find in finds] for mode, finds in runs.items()}
        found = [find for find in runs["guided"] if find]
        cells = [name, demands[name], median(worlds["guided"]), median(worlds["unguided"])]
        for key in ("found_entries", None, "seeds"):
            values = [len(find["entries"]) if key is None else find["seeds"]["broken"] if key == "seeds" else find[key]
                      for find in found]
            cells.append(f"{statistics.median(values):g}" if values else "-")
        lines.append("| " + " | ".join(cells) + " |")
    text = text.replace("@PLANTED@", "\n".join(lines))
    every = sorted({name for name, _ in table})
    lines = ["| client | " + " | ".join(title for _, title in DEMANDS) + " |", "|---" * (len(DEMANDS) + 1) + "|"]
    for name in every:
        cells = [name]
        for demand, _ in DEMANDS:
            find = table[name, demand]["find"]
            cells.append(short(find) if find else "holds")
        lines.append("| " + " | ".join(cells) + " |")
    text = text.replace("@CLIENTS@", "\n".join(lines)).replace("@CLIENT_BUDGET@", f"{CLIENT_BUDGET:,}")
    (HERE.parent / "hunt.md").write_text(text)


def main():
    with ThreadPoolExecutor(2) as pool:
        rows, table = search(pool), clients(pool)
    kept = {"planted": {" | ".join(map(str, key)): value for key, value in rows.items()},
            "clients": {" | ".join(key): value for key, value in table.items()}}
    (HERE / "hunt.json").write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    page(rows, table)


main()
