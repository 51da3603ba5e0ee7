"""Writes the results of truth.py as a page."""
from itertools import groupby

import presets


def number(value):
    if value is None:
        return "never"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value < 1 else f"{value:.4g}"


def values(numbers):
    return " ".join(map(number, numbers))


def table(*lines):
    head, *rows = lines
    return "\n".join(["| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows)]) + "\n"


def count(rows):
    judged = [row for row in rows if not row.get("unclear")]
    return f"{sum(row['within'] for row in judged)} of {len(judged)}"


def kernel_verdict(row):
    if row["within"]:
        return "within"
    return f"unclear: {row['cause']}" if row.get("unclear") else f"**off**. {row['cause']}".strip()


def kernel(rows):
    yield f"## The kernel: {count(rows)} rows\n"
    yield ("The tables compare sockets of this kernel in a scenario of `deadzone live` with sockets of 64 simulated phones in the same\n"
           "scenario. Values are medians in seconds, or in bytes for a send buffer. In a row with several values, the worst error counts.\n"
           "Sockets use CUBIC, the default of Linux. In rows about waits, a flow is left out if its timeout was longer than its path\n"
           "requires, because the machine was busy then. This applies if less than half of the flows are affected.\n")
    yield ("Rows about losses have a mean and a mean of the slowest tenth of some thousand messages. Percentiles are not compared there:\n"
           "latencies have modes, such as with or without a timeout, and a percentile near the border of two modes is one or the other.\n"
           "After the error stands its standard error. It is large where few messages of a sample lost a packet. A row is *unclear* if the\n"
           "standard error is above the tolerance and the error is less than two of it: the sample cannot tell. Such rows are not counted.\n")
    for group, own in groupby(rows, lambda row: row["group"]):
        own = list(own)
        yield f"### {group[0].upper()}{group[1:]}: {count(own)}\n"
        yield table(["row", "model", "measured", "error", ""], *(
            [row["row"], values(row["model"]), values(row["measured"]), error(row),
             kernel_verdict(row)] for row in own))
    apart = [row for row in rows if "distance" in row]
    if apart:
        yield "### Distribution of the latencies after an outage\n"
        yield ("The table has the distance of both distributions (Kolmogorov and Smirnov). One of twenty pairs from the same distribution\n"
               "exceeds the limit.\n")
        yield table(["row", "flows", "distance", "limit", ""], *(
            [row["row"], f"{row['sockets'] - row['disturbed'] or row['sockets']} of {row['sockets']}", number(row["distance"]), number(row["distance_limit"]),
             "within" if row["distance"] <= row["distance_limit"] else "**off**"] for row in apart))


def error(row):
    """The error, and for a sample of random packets its standard error."""
    if row["error"] is None:
        return ""
    return f"{100 * row['error']:+.1f} %" + (f" ± {100 * row['sampling_error']:.1f} %" if "sampling_error" in row else "")


def clients(rows, versions, read_at, causes):
    yield f"## Clients: {count(rows)} attempts\n"
    yield ("The table has the time from one attempt to the next, compared with `deadzone schedule` for the preset. For a connection that\n"
           "dies silently, it has the time from the first attempt to the next one, compared with `deadzone run`. The column *preset* names\n"
           "the version that the preset describes, if another version runs here. Rows with *changed options* compare a second set of options\n"
           "with the preset and the same settings; `Tests/Truth/clients.py` has both.\n")
    lines = []
    for (client, preset, what), own in groupby(rows, lambda row: (row["client"], row["preset"], row["what"])):
        own = list(own)
        outside = [row for row in own if not row["within"]]
        cause = causes.get(client, {}).get(what.split(",")[0], "")
        off = cause if outside and cause else "; ".join(f"attempt {row['attempt']}: {values([row['measured']])} s instead of {values([row['least'], row['most']])}"
                        for row in outside)
        gaps = " ".join(number(row["measured"]) for row in own[:12]) + (" …" if len(own) > 12 else "")
        read = f"`{preset}`" + (f", read {read_at[client]}" if client in read_at else "")
        lines.append([f"{client} {versions[client]}", read, what, gaps, count(own), off])
    yield table(["client", "preset", "attempts", "seconds", "within", "off"], *lines)


def run_presets(document):
    """The presets with a client that was run, and the list of the others."""
    rows, versions, measured = document["clients"], document["versions"], document.get("measured", {})
    own = sorted({(row["preset"], row["client"]) for row in rows})
    run = {preset for preset, _ in own}
    yield f"## Presets: {len(run)} of {len(presets.names())} were run\n"
    yield ("A preset is run if its library is available here: refused, dropped, accepted but silent, and dying in silence. JavaScript clients\n"
           "run from the sources of their repositories in Node 20, with Debian's `ws` as the WebSocket. The column *measured* has the day and\n"
           "the load of the two processors at the start. Above 2, programs waited for a processor, and attempts may be late.\n")
    lines = [["preset", "read at", "run at version", "attempts in bounds", "measured"]]
    for preset, client in own:
        at = measured.get(client, {})
        when = f"{at['date']}, load {at['load']}" if at else "see above"
        mine = [row for row in rows if (row["preset"], row["client"]) == (preset, client)]
        lines.append([f"`{preset}`", presets.read_at(preset), f"{client} {versions[client]}", count(mine), when])
    yield table(*lines)
    yield "No client of these presets can be run here:\n"
    reasons = {}
    for name, reason in presets.UNRUN.items():
        reasons.setdefault(reason, []).append(f"`{name}`")
    yield table(["presets", "reason"], *([", ".join(names), reason] for reason, names in reasons.items()))
    absent = presets.missing(run)
    if absent:
        yield f"Not run, although a client is listed: {', '.join(f'`{name}`' for name in absent)}.\n"


def doze(rows):
    yield f"## Doze: {count(rows)} rows, and {sum(is_allowed(row) for row in rows)} in the range of Android's rules\n"
    yield ("The tables compare the model with battery histories of four phones in public repositories. The numbers were copied by hand into\n"
           "`Tests/Truth/doze.py`; the histories are not part of this repository. `deadzone day` drives the model with the same screen and\n"
           "charger. *Android* is the platform with the numbers of Android's source. *Adjusted* has the times that the history shows, as the\n"
           "scenario of `deadzone day --to-scenario` does, and windows with the recorded jobs. Values are seconds, and the worst error\n"
           "counts. A row is *within* if the adjusted values differ by at most 5 %, or half a second.\n")
    yield ("Some times depend on a random number of the phone, or on alarms of other apps, which a history does not list. No setting can\n"
           "repeat them. Such a row is *in range* if each recorded value is in the range that Android's source allows, or at most 5 %\n"
           "outside. Four phones are a small sample, and all lay still.\n")
    for phone, own in groupby(rows, lambda row: row["phone"]):
        own = list(own)
        yield f"### {phone[0].upper()}{phone[1:]}: {count(own)}\n"
        yield f"Source: {own[0]['source']}.\n"
        yield table(["row", own[0]["platform"], "adjusted", "recorded", "error", ""], *(
            [row["row"], values(row["model"]), values(row["adjusted"]), values(row["recorded"]),
             "" if row["error"] is None else f"{100 * row['error']:+.1f} %",
             verdict(row)] for row in own))


def is_allowed(row):
    """True for a row outside the tolerance whose recorded values Android's rules allow."""
    return not row["within"] and row.get("allowed", False)


def verdict(row):
    if row["within"]:
        return "within"
    if is_allowed(row):
        ranges = ", ".join(f"from {values([low])}" if high is None else f"{values([low])} to {values([high])}" for low, high in row["range"])
        return f"in range: {ranges}. {row['rule'][:1].upper()}{row['rule'][1:]}."
    return "**off**. The cause is not known."


def result(document):
    if document["kernel"]:
        unclear = sum(row.get("unclear", False) for row in document["kernel"])
        yield f"- Kernel and QUIC: {count(document['kernel'])} rows are within the tolerance. {unclear} more rows have samples too small to tell."
    if document["clients"]:
        yield f"- Clients: {count(document['clients'])} attempts are within the bounds of their presets."
    if document.get("doze"):
        allowed = sum(is_allowed(row) for row in document["doze"])
        yield f"- Doze: {count(document['doze'])} rows are within the tolerance, {allowed} more in the range that Android's rules allow."
    yield ""


def page(document):
    versions = document["versions"]
    parts = [
        "# The model compared with real kernels, clients and phones\n",
        "This page compares the simulated TCP, QUIC and clients with a real Linux kernel and real client libraries, and simulated Doze with\n"
        "battery histories of real phones.\n",
        "Made by `make truth`, which measures all rows again, or those of the clients in `CLIENTS`. `truth.json` has every number. No test\n"
        "compares this page.\n",
        "## Result\n",
        *result(document),
        f"A row of the kernel is *within* if the model differs from the measurement by at most {100 * document['tolerance']:.0f} %. An attempt\n"
        "of a client is *within* if it is between the bounds of the preset. It may be 30 ms earlier, and 150 ms and 1 % later.\n",
        f"Versions: Linux {versions['kernel']}, CPython {versions['python']}, aioquic {versions['aioquic']}.\n"]
    if own := document.get("measured", {}).get("kernel"):
        parts.append(f"The rows of the kernel and of QUIC were measured on {own['date']}. The load of the two processors was {own['load']} at the start.\n")
    if "note" in document:
        parts.append(document["note"] + "\n")
    parts += kernel(document["kernel"]) if document["kernel"] else []
    parts += clients(document["clients"], versions, document["read_at"], document.get("causes", {})) if document["clients"] else []
    parts += run_presets(document) if document["clients"] else []
    parts += doze(document["doze"]) if document.get("doze") else []
    return "\n".join(parts)
