"""Writes the tables of Results/captures.md: the energy of three captures on five radios, and of two other clients.

The sentences of the page are written by hand; `--check` prints the figures from which they are taken, and fails if a
table of the page differs from this version of the program.

usage: captures.py BINARY [--check]    DEADZONE_CAPTURES is the folder of the captures
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
FOLDER = pathlib.Path(os.environ["DEADZONE_CAPTURES"])
PAGE = pathlib.Path(__file__).resolve().parent.parent / "captures.md"

CAPTURES = ["KakaoTalk_chat", "googledns_android10", "whatsapp_login_call"]
RADIOS = [
    ("3G", "umts-att-i997"), ("LTE 2012", "lte-att-2012-aro"), ("LTE 2021", "lte-verizon-2021"),
    ("5G over LTE", "nr-nsa-low-tmobile-2021"), ("5G stand-alone", "nr-sa-low-tmobile-2021"),
]
CLIENTS = "naive: {preset: websocket-naive}\nrecommended: {preset: deadzone-recommended}\n"
TAILS = {"fach", "tail", "short_drx", "long_drx"}


def replay(capture, radio, clients):
    words = [BINARY, "replay", FOLDER / f"ndpi-{capture}.pcap", "--profile", radio, "--until", "tail", "--strategies", clients, "--json"]
    return json.loads(subprocess.run(list(map(str, words)), check=True, capture_output=True).stdout)


def number(value):
    """One decimal below ten, as `3.4`, and none above, as `16`."""
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"


def energy(result):
    return f"{result['radio']['joules']:.1f}"


def tails(result):
    states = result["radio"]["states"]
    total = sum(state["joules"] for state in states)
    return f"{100 * sum(state['joules'] for state in states if state['state'] in TAILS) / total:.0f}"


def other_clients(result):
    simulated = [each["metrics"]["battery.joules"] for each in result["what_if"]["strategies"]]
    return "; ".join(f"{joules:.1f}" for joules in [result["as_captured"]["joules"], *simulated])


def lost(result):
    def total(each, what):
        return each["metrics"][f"delivery.down.{what}"] + each["metrics"][f"delivery.up.{what}"]

    naive, recommended = result["what_if"]["strategies"]
    return f"{number(total(naive, 'lost'))} → {number(total(recommended, 'lost'))} of {number(total(naive, 'sent'))}"


# The first words of each table's header, and its cells.
TABLES = {
    "| J |": energy, "| % of the energy in tails |": tails, "| J: as captured;": other_clients, "| messages lost:": lost,
}


def with_table(lines, header, rows):
    """Replaces the rows below a header."""
    first = next(index for index, line in enumerate(lines) if line.startswith(header)) + 2
    last = next(index for index in range(first, len(lines)) if not lines[index].startswith("|"))
    return lines[:first] + rows + lines[last:]


with tempfile.TemporaryDirectory() as name:
    clients = pathlib.Path(name) / "clients.yaml"
    clients.write_text(CLIENTS)
    results = {(radio, capture): replay(capture, radio, clients) for _, radio in RADIOS for capture in CAPTURES}

lines = PAGE.read_text().split("\n")
for header, cell in TABLES.items():
    rows = [f"| {title}, `{radio}` | " + " | ".join(cell(results[radio, one]) for one in CAPTURES) + " |" for title, radio in RADIOS]
    lines = with_table(lines, header, rows)
text = "\n".join(lines)
if "--check" not in sys.argv:
    PAGE.write_text(text)
    sys.exit()
for (radio, capture), result in results.items():
    local = result["neighbours"]
    without = f"{local['packets']} local packets, {local['joules_without']:.1f} J without them; " if local else ""
    print(
        f"{capture} on {radio}: {result['capture']['packets']} packets, {result['capture']['bytes']} bytes; "
        f"{len(result['bursts'])} bursts; {without}"
        f"calls of {[call['packets'] for call in result['calls']]} packets; "
        + "; ".join(f"{habit['habit']}: {habit['joules']:.1f} J" for habit in result["habits"]))
if text != PAGE.read_text():
    sys.exit("Results/captures.md differs from this version of the program")
