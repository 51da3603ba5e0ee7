"""Measures the search of `deadzone hunt`: with planted faults, with the stories of the shipped scenarios, and in the
shipped clients. hunt.py BINARY [SEEDS] [BUDGET] [SECTION ...]: writes hunt.json beside this script, and ../hunt.md.
The sections are planted, deep and stories, or page, which only writes the page. A section that is not named keeps its
results in hunt.json.
"""
import json
import os
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = sys.argv[1]
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
BUDGET = int(sys.argv[3]) if len(sys.argv) > 3 else 2_000
SECTIONS = sys.argv[4:] or ["planted", "deep", "stories"]
STORY_BUDGET = 2_000
# Searches at once.
JOBS = int(os.environ.get("JOBS", "2"))
# The parts of the search were chosen with smaller seeds.
FIRST_SEED = 11
MODES = (("guided", []), ("unguided", ["--unguided"]))
# Guidance does not change the random worlds. With KEEP_RANDOM=1 their recorded results are used again.
KEEPS_RANDOM = os.environ.get("KEEP_RANDOM") == "1"


def hunt(scenario, strategy, demand, *flags):
    words = [BINARY, "hunt", scenario, "--strategy", strategy, "--demand", demand, "--json", "--jobs", "1", "-q", *flags]
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    answer = json.loads(done.stdout)
    return {"find": answer["finds"][0] if answer["finds"] else None, "effort": answer["effort"]}


def demands(section):
    """Returns the demand of each broken client."""
    text = (HERE / f"{section}.yaml").read_text().split("x-demands:\n")[1]
    return dict(re.findall(r'^  (.+?): "(.+)"$', text, re.M))


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


def median(finds, budget):
    """Median of worlds to the find. A search that found nothing counts as longer than its budget."""
    return statistics.median(budget * 10 if find is None else find["world"] for find in finds)


def median_text(value, budget):
    return f"over {budget:,}" if value > budget else f"{value:,.0f}"


def search(pool, section, recorded):
    """Runs the searches of a file of planted faults. Returns the finds by mode, client and seed after each seed, so that a
    measurement that is stopped keeps the complete seeds.
    - recorded: Finds of an earlier measurement with the same number of worlds."""
    kept = ("world", "entries", "found_entries", "messages", "metric", "bound", "seeds", "casualties", "survivor_count")
    finds = {}
    for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
        words = ["--seed", str(seed), "--budget", str(BUDGET)]
        answers = {
            f"{mode} | {name} | {seed}": pool.submit(hunt, f"{section}.yaml", name, demand, *words, *flags)
            for mode, flags in MODES for name, demand in demands(section).items()
            if not (KEEPS_RANDOM and mode == "unguided" and f"{mode} | {name} | {seed}" in recorded)
        }
        finds |= {key: find for key, find in recorded.items()
                  if KEEPS_RANDOM and key.startswith("unguided | ") and key.endswith(f" | {seed}")}
        for key, answer in answers.items():
            find = answer.result()["find"]
            finds[key] = find and {word: find[word] for word in kept}
        yield {"seeds": seed - FIRST_SEED + 1, "budget": BUDGET, "finds": finds}


def fault_table(section, kept):
    """A row for each broken client, and the ratio of random to guided worlds in the half that is hardest for random."""
    finds, budget = kept["finds"], kept["budget"]
    rows, medians = [], []
    for name, demand in demands(section).items():
        runs = {mode: [find for key, find in finds.items() if key.startswith(f"{mode} | {name} | ")]
                for mode, _ in MODES}
        if not runs["guided"]:
            continue
        worlds = {mode: median(found, budget) for mode, found in runs.items() if found}
        if len(worlds) == len(MODES):
            medians.append((worlds["unguided"], worlds["guided"]))
        # Some recorded finds have only the number of their world.
        full = [find for find in runs["guided"] if find and "entries" in find]
        cells = [name, demand] + [median_text(worlds[mode], budget) if runs[mode] else "-" for mode, _ in MODES]
        cells += [f"{sum(find is not None for find in runs[mode])}" if runs[mode] else "-" for mode, _ in MODES]
        for value in (lambda find: find["found_entries"], lambda find: len(find["entries"]),
                      lambda find: find["seeds"]["broken"]):
            cells.append(f"{statistics.median(map(value, full)):g}" if full else "-")
        rows.append("| " + " | ".join(cells) + " |")
    seeds = kept["seeds"]
    head = ["| broken facet | demand | worlds, guided | worlds, random | "
            f"found of {seeds}, guided | found of {seeds}, random | entries found | entries left | "
            "seeds broken of 50 |",
            "|---|---|---|---|---|---|---|---|---|"]
    medians.sort(reverse=True)
    return "\n".join(head + rows), summary(medians, budget)


def summary(medians, budget):
    """The medians of all faults and of the half that is hardest for random worlds, in a sentence."""
    hard = medians[:len(medians) // 2]
    texts = [median_text(statistics.median(pair[index] for pair in part), budget)
             for part in (medians, hard) for index in (1, 0)]
    less = sum(guided < random for random, guided in medians)
    more = sum(guided > random for random, guided in medians)
    return (f"The median over the {len(medians)} faults measured in both ways is {texts[0]} worlds guided and {texts[1]} random. In the "
            f"{len(hard)} faults that need most random worlds it is {texts[2]} guided and {texts[3]} random. Guided "
            f"search needs fewer worlds for {less} faults and more for {more}.")


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


def client_table(finds):
    """The worlds that the guided search found, and the shipped clients that break the same demand in each."""
    lines = ["| world | demand | shipped clients that break it |", "|---|---|---|"]
    worlds = {}
    for key, find in finds.items():
        if key.startswith("guided | ") and find and "entries" in find:
            worlds.setdefault((short(find), find["metric"], find["bound"]), find)
    order = sorted(worlds.items(), key=lambda item: (item[0][1], len(item[1]["casualties"])))
    for (world, metric, bound), find in order:
        broken = find["casualties"]
        count = len(broken) + find["survivor_count"]
        lines.append(f"| {world} | {metric} {bound} | {len(broken)} of {count}: {', '.join(broken) or 'none'} |")
    return "\n".join(lines)


def page(kept):
    text = (HERE / "page.md").read_text()
    for section in ("planted", "deep"):
        table, words = fault_table(section, kept[section])
        for mark, value in (("", table), ("_SUMMARY", words), ("_SEEDS", f"{kept[section]['seeds']}"),
                            ("_BUDGET", f"{kept[section]['budget']:,}")):
            text = text.replace(f"@{section.upper()}{mark}@", value)
    table, count = story_table({tuple(story.split(" | ")): find for story, find in kept["stories"].items()})
    text = text.replace("@STORIES@", table).replace("@FOUND@", str(count))
    text = text.replace("@STORY_COUNT@", str(len(kept["stories"]))).replace("@STORY_BUDGET@", f"{STORY_BUDGET:,}")
    text = text.replace("@CLIENTS@", client_table(kept["planted"]["finds"]))
    (HERE.parent / "hunt.md").write_text(text)


def story_finds(pool):
    searches = {
        story: pool.submit(hunt, f"../../Scenarios/{story[0]}.yaml", story[1], story[2], "--budget", str(STORY_BUDGET))
        for story in stories()
    }
    finds = {story: search.result()["find"] for story, search in searches.items()}
    return {
        " | ".join(story): find and {key: find[key] for key in ("world", "entries", "messages", "seeds")}
        for story, find in finds.items()
    }


def main():
    file = HERE / "hunt.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    with ThreadPoolExecutor(JOBS) as pool:
        for section in [section for section in SECTIONS if section != "page"]:
            earlier = kept.get(section, {})
            recorded = earlier.get("finds", {}) if earlier.get("budget") == BUDGET else {}
            for result in [story_finds(pool)] if section == "stories" else search(pool, section, recorded):
                kept[section] = result
                file.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    page(kept)


main()
