"""What truth.py found, as a page."""
from itertools import groupby


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
    return f"{sum(row['within'] for row in rows)} of {len(rows)}"


def kernel(rows):
    yield f"## The kernel: {count(rows)} rows\n"
    yield ("Sockets of this kernel in a world of `deadzone live`, and those of 64 simulated phones in the same world; medians. Seconds, "
           "or bytes of what a send buffer takes. Of a row with several values the worst counts. Sockets have CUBIC, Linux's own default. "
           "Where waits are counted, flows whose timeout was longer than their path's are left out, if they are less than half: "
           "there the machine was busy.\n")
    for group, own in groupby(rows, lambda row: row["group"]):
        own = list(own)
        yield f"### {group[0].upper()}{group[1:]}: {count(own)}\n"
        yield table(["row", "model", "measured", "error", ""], *(
            [row["row"], values(row["model"]), values(row["measured"]), "" if row["error"] is None else f"{100 * row['error']:+.1f} %",
             "within" if row["within"] else f"**off**. {row['cause']}".strip()] for row in own))
    apart = [row for row in rows if "distance" in row]
    if apart:
        yield "### Latencies after an outage, the whole of them\n"
        yield ("The distance of both distributions (Kolmogorov and Smirnov), and what one of twenty pairs from the same distribution "
               "passes.\n")
        yield table(["row", "flows", "distance", "limit", ""], *(
            [row["row"], f"{row['sockets'] - row['disturbed'] or row['sockets']} of {row['sockets']}", number(row["distance"]), number(row["distance_limit"]),
             "within" if row["distance"] <= row["distance_limit"] else "**off**"] for row in apart))


def clients(rows, versions, read_at):
    yield f"## Clients: {count(rows)} attempts\n"
    yield ("From one attempt to the next, and from a client's first attempt to that after its connection fell silent, beside "
           "what `deadzone schedule` and `deadzone run` say of the preset. Where that was read at another version than the one that runs "
           "here, it says so.\n")
    lines = []
    for (client, preset, what), own in groupby(rows, lambda row: (row["client"], row["preset"], row["what"])):
        own = list(own)
        off = "; ".join(f"attempt {row['attempt']}: {values([row['measured']])} s, and not {values([row['least'], row['most']])}"
                        for row in own if not row["within"])
        gaps = " ".join(number(row["measured"]) for row in own[:12]) + (" …" if len(own) > 12 else "")
        read = f"`{preset}`" + (f", read {read_at[client]}" if client in read_at else "")
        lines.append([f"{client} {versions[client]}", read, what, gaps, count(own), off])
    yield table(["client", "preset", "attempts", "seconds", "within", "off"], *lines)


def page(document):
    versions = document["versions"]
    parts = [
        "# True to what runs\n",
        f"Written by `make truth`, which runs it anew: Linux {versions['kernel']}, CPython {versions['python']}, aioquic "
        f"{versions['aioquic']}. Within: {100 * document['tolerance']:.0f} % of what was measured; of clients between the preset's "
        "bounds, 30 ms early and 150 ms and 1 % late. `truth.json` has every number.\n"]
    parts += kernel(document["kernel"]) if document["kernel"] else []
    parts += clients(document["clients"], versions, document["read_at"]) if document["clients"] else []
    return "\n".join(parts)
