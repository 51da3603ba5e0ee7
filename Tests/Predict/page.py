"""Writes the page of predict.py."""
import statistics

# A prediction holds within this share of the real value, or within this many seconds.
SHARE, SECONDS = 0.1, 1.0


def text(value):
    return "none" if value is None else f"{value:.1f}"


def error(real, predicted):
    """Returns the difference in seconds; None if neither happened; infinite if one did not happen."""
    if real is None and predicted is None:
        return None
    return float("inf") if real is None or predicted is None else abs(real - predicted)


def holds(real, predicted):
    difference = error(real, predicted)
    return difference is None or difference <= max(SECONDS, SHARE * abs(real or 0))


def median_text(differences):
    found = [difference for difference in differences if difference is not None]
    if not found:
        return "nothing to compare"
    middle = statistics.median_low(found)
    return "did not happen" if middle == float("inf") else f"{middle:.1f} s"


def describe(timeline):
    words = [f"{one.name} at {one.at} s" + (f" for {one.length} s" if one.length else "") for one in timeline]
    return ", ".join(words)


def write(target, rows, kinds, measures, recorded, predicted):
    held = [(holds(*pair), row) for row in rows for pair in row.values.values()]
    lines = [
        "# Prediction of real clients", "",
        "Made by `make predict`, which measures everything again. No test compares this page.", "",
        f"Each client runs in `deadzone live` on a first timeline: {describe(recorded)}. `deadzone fit` estimates its",
        f"settings from that recording alone. `deadzone run` simulates a second timeline with them: {describe(predicted)}.",
        "The real client also runs on the second timeline. Each cell is `real / predicted`, in seconds.", "",
        "- First attempt: from the beginning of the disturbance to the first attempt to connect.",
        "- Detection: from the beginning of the disturbance to the end of the connection at the client.",
        "- Recovery: from the end of the disturbance to the next open connection.", "",
        "A predicted value is the median of forty replicas; a real value is one run. \"none\" means that it does not happen in",
        f"the time that is looked at. A prediction holds if it is within {SHARE:.0%} or {SECONDS:.0f} s. A cell that does not hold is bold.", "",
        f"**{sum(one for one, _ in held)} of {len(held)} predictions hold.**", "",
        "## Median error", "",
        "| | " + " | ".join(measures) + " |", "|---|" + "---|" * len(measures)]
    for kind in kinds:
        cells = [median_text([error(*row.values[kind, measure]) for row in rows if row.values]) for measure in measures]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    for kind in kinds:
        lines += ["", f"## {kind.capitalize()}", "", "| client | " + " | ".join(measures) + " |", "|---|" + "---|" * len(measures)]
        for row in rows:
            if not row.values:
                continue
            cells = []
            for measure in measures:
                pair = row.values[kind, measure]
                cell = f"{text(pair[0])} / {text(pair[1])}"
                cells.append(cell if holds(*pair) else f"**{cell}**")
            lines.append(f"| {row.client.library} {row.version} | " + " | ".join(cells) + " |")
    lines += ["", "## Estimated settings", "", "| client | settings |", "|---|---|"]
    for row in rows:
        settings = ", ".join(f"`{name}: {value}`" for name, value in sorted(row.fitted.items())) or "none"
        if row.notes:
            settings += "; not written, because the recording contradicts them: " + "; ".join(row.notes)
        lines.append(f"| {row.client.library} {row.version} | {settings} |")
    target.write_text("\n".join(lines) + "\n")
