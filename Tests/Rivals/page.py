"""Writes the results of rivals.py as a page."""
from collections import Counter


def number(value):
    if isinstance(value, dict):
        return f"over {number(value['at_least'])}"
    if value in (None, "never"):
        return "never"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value < 1 else f"{value:.4g}"


SHORT = {
    "battery.joules": "J", "latency.down.p95": "p95 down, ms", "latency.up.p95": "p95 up, ms", "latency.call.p95": "p95 of calls, ms",
    "delivery.down.lost": "lost down", "delivery.up.lost": "lost up", "delivery.down.pending": "pending down",
    "delivery.up.pending": "pending up", "calls.failed": "calls failed", "zombie.max": "longest dead, s",
    "zombie.frozen.max": "longest dead while frozen, s"}


def told(rival):
    better = "; ".join(
        f"{SHORT[name]}: {number(rival['measures'][name][1])} instead of {number(rival['measures'][name][0])}" for name in rival["better"])
    return f"`{rival['preset']}` ({better})"


def row(cell):
    first, *others = sorted(cell["beaten_by"], key=lambda rival: (-len(rival["better"]), rival["preset"]))
    more = f" and {len(others)} more: {', '.join('`' + rival['preset'] + '`' for rival in others)}" if others else ""
    return f"| {cell['scenario']} | {label(cell['cell'])} | {told(first)}{more} |"


def label(cell):
    """The values of the matrix in the name of a cell; the scenario's title before them repeats the first column."""
    return cell[cell.rindex(" [") + 2:-1] if cell.endswith("]") else "-"


def counted(beaten):
    """Presets with their number of cells; in brackets the cells in which no other preset is better."""
    all, alone = Counter(), Counter()
    for cell in beaten:
        all.update(rival["preset"] for rival in cell["beaten_by"])
        if len(cell["beaten_by"]) == 1:
            alone[cell["beaten_by"][0]["preset"]] += 1
    for preset, times in sorted(all.items(), key=lambda one: (-one[1], one[0])):
        yield f"`{preset}` {times}" + (f" ({alone[preset]} alone)" if alone[preset] else "")


def page(document):
    cells, ours = document["cells"], document["ours"]
    beaten = [cell for cell in cells if cell["beaten_by"]]
    folders = ", ".join(f"`{name}`" for name in sorted({cell["scenario"].split("/")[0] for cell in cells}))
    percent = {name: f"{100 * document[name]:.0f} %" for name in ("chance", "apart", "near")}
    lines = [
        f"# Presets that are better than `{ours}`", "",
        f"This page shows in which scenarios another preset dominates `{ours}`. [recommended.md](../recommended.md) discusses the result.", "",
        "Made by `make rivals`, which judges every cell again. No test compares this page.", "",
        "## Result", "",
        f"`{ours}` is dominated in **{len(beaten)} of {len(cells)} cells of {len({cell['scenario'] for cell in cells})} scenarios**, by "
        f"{len({rival['preset'] for cell in beaten for rival in cell['beaten_by']})} of {len(document['rivals'])} presets. "
        "The goal is that no preset dominates it.", "",
        "## Rule", "",
        "- A preset dominates if no measure is worse and at least one is better.",
        f"- Every preset runs in each shipped scenario of {folders}, with seed 1. Each cell of a matrix is judged separately.",
        f"- The measures are {', '.join(f'`{name}`' for name in document['measures'])}.",
        "- A message that never arrives counts as later than every number. A pending message counts with its age.",
        "- Better and worse are decided by a permutation test, paired by replica under the same weather. The probability must be below "
        f"{percent['chance']} after Holm's correction over these measures. The difference must be at least {percent['apart']}.",
        f"- First, {document['few']} replicas select the presets that are at most {percent['near']} worse in every measure. "
        f"Then {document['many']} replicas decide.", "",
        "These scenarios are left out:", ""]
    lines += [f"- `{name}`: {why}." for name, why in document["left_out"].items()]
    if document["refused"]:
        lines += ["", "These scenarios could not be judged:", "", *(f"- `{one['scenario']}`: {one['why']}" for one in document["refused"])]
    lines += [
        "", "## Better presets, by number of cells", "",
        "The number in brackets counts the cells in which only this preset is better.", "", ", ".join(counted(beaten)) + ".", "",
        "## Cells", "",
        "The table has one row per cell. It gives the figures of the first preset, instead of those of "
        f"`{ours}`, and names the others.", ""]
    lines += ["| scenario | cell | better presets |", "| --- | --- | --- |", *map(row, beaten), ""]
    return "\n".join(lines)
