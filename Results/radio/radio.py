#!/usr/bin/env python3
"""Writes Results/radio/README.md: what `deadzone fit --silences` finds in the raw probes of SIGCOMM'21, beside the profiles.

usage: radio.py BINARY FOLDER    FOLDER: RRC-Probe/data of github.com/SIGCOMM21-5G/artifact
"""

import json
import pathlib
import subprocess
import sys

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
PAGE = pathlib.Path(__file__).resolve().parent / "README.md"
PROBES = [
    ("S20US_162_Verizon_4G", "lte-verizon-2021"),
    ("SALMONBERRY_299_TMobile_4G", "lte-tmobile-2021"),
    ("SALMONBERRY_299_Verizon_NSAlow", "nr-nsa-low-verizon-2021"),
    ("RASPBERRY_670_Verizon_NSAlow", "nr-nsa-low-verizon-2021"),
    ("SALMONBERRY_299_Verizon_NSAmmwave", "nr-nsa-mmwave-verizon-2021"),
    ("RASPBERRY_670_TMobile_NSA", "nr-nsa-low-tmobile-2021"),
    ("S20US_TMobile_SA", "nr-sa-low-tmobile-2021"),
]
HEAD = """# Timers from raw probes

Written by `Results/radio/radio.py BINARY RRC-Probe/data`, which runs `deadzone fit --silences` on every file of round trips after
silences that [SIGCOMM21-5G/artifact](https://github.com/SIGCOMM21-5G/artifact) has, over the profile of that network. The profiles were
made from the same networks, some of their numbers from these very files: this says what the tool finds in raw data without being told, not
that a profile is right. In bold where the profile's number lies outside of what the data allow.

| file | profile | setting | profile | found | the data allow, s |
|---|---|---|--:|--:|---|
"""
TAIL = """
## What differs

A silence is looked at every 100 ms, around the release every 10 to 100; no answer is finer than that. `inactivity-time` is until the
first long cycle, and a short cycle that ends with it looks like it: where it is found longer than the profile's, the two are not told apart.
`long-drx-time` counts from the end of that time on, so that it is found shorter by what `inactivity-time` is found longer; their sum is
the release, within 0.35 s of the profile's in every file that has both.

## What the tool says beside it

"""


def seconds(value):
    return f"{value:.4g}"


def number(text):
    value = float(text.rstrip("ms"))
    return value / 1_000 if text.endswith("ms") else value


rows, notes = [], []
for name, profile in PROBES:
    done = subprocess.run(
        [BINARY, "fit", "--silences", FOLDER / f"{name}.csv", "--base", profile, "--json"], stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    for part in found["found"]:
        base = part["base"]
        isOutside = not part["min"] - 1e-9 <= number(base) <= part["max"] + 1e-9
        rows.append(
            f"| {name} | `{profile}` | `{part['setting']}` | {f'**{base}**' if isOutside else base} | {part['value']} "
            f"| {seconds(part['min'])} to {seconds(part['max'])} |\n")
    for text in found["not_told"]:
        notes.append(f"- {name}: {text if isinstance(text, str) else ': '.join(str(value) for value in text.values())}\n")
    for text in found["notes"]:
        notes.append(f"- {name}: {text}\n")
PAGE.write_text(HEAD + "".join(rows) + TAIL + "".join(notes))
