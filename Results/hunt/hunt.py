"""Measures the search of `deadzone hunt`: with planted faults, with the stories of the shipped scenarios, and in the
shipped clients. hunt.py BINARY [SEEDS] [BUDGET]: writes hunt.json beside this script, and ../hunt.md.
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
STORY_BUDGET = 2_000


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


def stories():
    """Returns scenario, strategy and demand of each story."""
    lines = (HERE / "stories.tsv").read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


def story_table(finds):
    """A row for each story, those with a find first, and how many have a find of at most three entries."""
    rows, short_finds = [], 0
    for (scenario, strategy, demand), find in sorted(finds.items(), key=lambda item: (item[1] is None, item[0])):
        place = f"[{scenario}](../Scenarios/{scenario}.yaml)"
        if find is None:
            rows.append(f"| {place} | {strategy} | {demand} | - | none | - |")
            continue
        short_finds += len(find["entries"]) <= 3
        rows.append(f"| {place} | {strategy} | {demand} | {find['world']} | {short(find)} | {find['seeds']['broken']} |")
    head = ["| scenario | strategy | demand | worlds | world found | seeds broken of 50 |", "|---|---|---|---|---|---|"]
    return "\n".join(head + rows), short_finds


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


def short(find):
    """The entries of a find in a few words, without their times."""
    words = []
    for entry in find["entries"]:
        pairs = dict(re.findall(r"([a-z-]+): ([^,}]+)", entry["text"]))
        pairs.pop("at", "")
        pairs.pop("screen", None)
        text = ", ".join(f"{key} {value}" for key, value in pairs.items())
        words.append(text)
    return "; ".join(words + find["messages"]) if words else "; ".join(["no disturbance"] + find["messages"])


def page(rows, finds):
    names = [name for name, _ in planted()]
    demands = dict(planted())
    text = (HERE / "page.md").read_text().replace("@SEEDS@", f"{SEEDS} seed" + "s" * (SEEDS != 1)).replace("@BUDGET@", f"{BUDGET:,}")
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
    table, count = story_table(finds)
    text = text.replace("@STORIES@", table).replace("@FOUND@", str(count)).replace("@STORY_COUNT@", str(len(finds)))
    text = text.replace("@STORY_BUDGET@", f"{STORY_BUDGET:,}")
    lines = ["| world | demand | shipped clients that break it |", "|---|---|---|"]
    worlds = {}
    for (mode, name, _), value in rows.items():
        find = value["find"]
        if mode == "guided" and find:
            worlds.setdefault((short(find), find["metric"], find["bound"]), find)
    for (world, metric, bound), find in sorted(worlds.items(), key=lambda item: (item[0][1], len(item[1]["casualties"]))):
        broken = find["casualties"]
        whole = len(broken) + find["survivor_count"]
        lines.append(f"| {world} | {metric} {bound} | {len(broken)} of {whole}: {', '.join(broken) or 'none'} |")
    text = text.replace("@CLIENTS@", "\n".join(lines))
    (HERE.parent / "hunt.md").write_text(text)


def main():
    with ThreadPoolExecutor(2) as pool:
        searches = {
            story: pool.submit(
                hunt, f"../../Scenarios/{story[0]}.yaml", story[1], story[2], "--budget", str(STORY_BUDGET))
            for story in stories()
        }
        finds = {story: search.result()["find"] for story, search in searches.items()}
        rows = search(pool)
    kept = {" | ".join(map(str, key)): value for key, value in rows.items()}
    kept["stories"] = {
        " | ".join(story): find and {key: find[key] for key in ("world", "entries", "messages", "seeds")}
        for story, find in finds.items()
    }
    (HERE / "hunt.json").write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    page(rows, finds)


main()
