"""What rivals.py found, as a page."""
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
        f"{SHORT[name]}: {number(rival['measures'][name][1])} and not {number(rival['measures'][name][0])}" for name in rival["better"])
    return f"`{rival['preset']}` ({better})"


def row(cell):
    first, *others = sorted(cell["beaten_by"], key=lambda rival: (-len(rival["better"]), rival["preset"]))
    more = f" and {len(others)} more: {', '.join('`' + rival['preset'] + '`' for rival in others)}" if others else ""
    return f"| {cell['scenario']} | {cell['cell']} | {told(first)}{more} |"


def counted(beaten):
    """Presets by how often; in brackets where nobody else does."""
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
    lines = [
        "# Where our own client is beaten", "",
        f"Written by `make rivals`, which judges it anew. `{ours}` is meant to be dominated nowhere: no other preset may be as good on "
        "energy, latency, messages lost and the longest time with a dead connection, and better on one.", "",
        f"**{len(beaten)} of {len(cells)} cells of {len({cell['scenario'] for cell in cells})} scenarios**, by "
        f"{len({rival['preset'] for cell in beaten for rival in cell['beaten_by']})} of {len(document['rivals'])} presets.", "",
        "**The rule.** Every preset runs in the world of each shipped scenario of " + ", ".join(
            f"`{name}`" for name in sorted({cell["scenario"].split("/")[0] for cell in cells})) +
        f", each cell of a matrix by itself, seed 1. Measures: {', '.join(f'`{name}`' for name in document['measures'])}; what never "
        f"came counts as later than everything, what has not come yet with its age. Better and worse: paired by replica under the same weather, a permutation test below "
        f"{100 * document['chance']:.0f} % after Holm's correction over these measures, and at least {100 * document['apart']:.0f} % "
        f"apart. A preset dominates where nothing is worse and something is better. {document['few']} replicas find who is worse by more "
        f"than {100 * document['near']:.0f} % in nothing, {document['many']} decide.", ""]
    left_out = "; ".join(f"`{name}`, as {why}" for name, why in document["left_out"].items())
    lines.append(f"Left out: {left_out}.")
    for one in document["refused"]:
        lines.append(f"Not judged: `{one['scenario']}`: {one['why']}")
    lines += ["", "## Who beats it, in how many cells", "", ", ".join(counted(beaten)) + ".", "", "## Where", ""]
    lines += ["| scenario | cell | beaten by |", "| --- | --- | --- |", *map(row, beaten), ""]
    return "\n".join(lines)
