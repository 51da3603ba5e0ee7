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


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---|" + "---|" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows)]


def cell(row, key):
    real, predicted = row.values[key]
    shown = f"{text(real)} / {text(predicted)}"
    if holds(real, predicted):
        return shown
    return f"*{shown}*" if key in row.among else f"**{shown}**"


def name(row):
    return f"{row.client.library} {row.version}"


def goal_lines(clients, rows, kinds, measures):
    """Says for how many clients at least half of the predictions hold, and names the others."""
    lines = [f"The goal is a median error within {SHARE:.0%} or {SECONDS:.0f} s, for at least eight clients:", ""]
    for measure in measures:
        missed = []
        for one in clients:
            pairs = [row.values[kind, measure] for row in rows if row.values and name(row) == one for kind in kinds]
            pairs = [pair for pair in pairs if pair != (None, None)]
            if not pairs or 2 * sum(holds(*pair) for pair in pairs) < len(pairs):
                missed.append(one.split(" ")[0])
        reached = len(clients) - len(missed)
        lines.append(f"- {measure}: {reached} of {len(clients)}" + (f"; not {', '.join(missed)}" if missed else ""))
    return lines + [""]


def write(target, kinds, measures, timelines, directions, replicas):
    rows = [row for some in directions.values() for row in some]
    pairs = [pair for row in rows for pair in row.values.values()]
    happened = [pair for pair in pairs if pair != (None, None)]
    lines = [
        "# Prediction of real clients", "",
        "Made by `make predict`, which measures everything again. No test compares this page.", "",
        "Each client runs in `deadzone live` on two timelines, with the traffic of one message or request a second:", ""]
    lines += [f"- {key}: {describe(timeline)}" for key, timeline in timelines.items()]
    lines += [
        "", "`deadzone fit` estimates the client's settings from one recording alone, and `deadzone run` simulates the other timeline with",
        "them. The result is compared with the other recording. Each cell is `real / predicted`, in seconds.",
        "Each disturbance is simulated by itself, from the beginning of the connection that it met in the recording.", "",
        "- First attempt: from the beginning of the disturbance to the first attempt to connect.",
        "- Detection: from the beginning of the disturbance to the end of the connection at the client.",
        "- Recovery: from the end of the disturbance to the next open connection.", "",
        f"A predicted value is the median of {replicas} replicas; a real value is one run. \"none\" means that it does not happen in the",
        f"time that is looked at. A prediction holds if it is within {SHARE:.0%} or {SECONDS:.0f} s, or if neither happens.",
        "",
        "The waits of many clients are random. A cell in italics does not hold, but the real value lies between those of the replicas:",
        "at least one in twenty is earlier or equal, and one in twenty later or equal. Other cells are bold.", "",
        f"**{sum(holds(*pair) for pair in pairs)} of {len(pairs)} predictions hold; of {len(happened)} in which something happens, "
        f"{sum(holds(*pair) for pair in happened)}.** In {sum(not holds(*row.values[key]) for row in rows for key in row.among)} of the "
        "others the real value lies between those of the replicas.", "",
        "## Median error", ""]
    lines += table(["", *measures], [
        [kind] + [median_text([error(*row.values[kind, measure]) for row in rows if row.values]) for measure in measures] for kind in kinds])
    lines += ["", "## Error of each client", "", "Median over both directions and all disturbances.", ""]
    clients = list(dict.fromkeys(name(row) for row in rows))
    lines += goal_lines(clients, rows, kinds, measures)
    lines += table(["client", *measures, "hold"], [
        [one] + [median_text([error(*row.values[kind, measure]) for row in rows if row.values and name(row) == one for kind in kinds])
                 for measure in measures]
        + ["{} of {}".format(*(sum(found) if index == 0 else len(found) for index, found in enumerate(
            [[holds(*pair) for row in rows if name(row) == one for pair in row.values.values()]] * 2)))]
        for one in clients])
    for (source, goal), some in directions.items():
        for kind in kinds:
            lines += ["", f"## {kind.capitalize()}, {goal} timeline from the {source}", ""]
            lines += table(["client", *measures], [
                [name(row)] + [cell(row, (kind, measure)) for measure in measures] for row in some if row.values])
    for (source, _), some in directions.items():
        lines += ["", f"## Settings estimated from the {source} timeline", ""]
        lines += table(["client", "settings"], [[name(row), settings(row)] for row in some])
    target.write_text("\n".join(lines) + "\n")


def settings(row):
    found = ", ".join(f"`{key}: {value}`" for key, value in sorted(row.fitted.items())) or "none"
    return found + ("; not written, because the recording contradicts them: " + "; ".join(row.notes) if row.notes else "")
