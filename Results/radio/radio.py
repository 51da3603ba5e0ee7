#!/usr/bin/env python3
"""Writes Results/radio/README.md: the radio timers that `deadzone fit --silences` finds in the raw probes of SIGCOMM'21.

usage: radio.py BINARY FOLDER    FOLDER: the folder RRC-Probe/data of github.com/SIGCOMM21-5G/artifact
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
HEAD = """# Radio timers found in raw probes

This page shows the radio timers that `deadzone fit --silences` finds in raw probes, beside the numbers of the profiles.

Made by `python3 Results/radio/radio.py BINARY RRC-Probe/data`. The second argument is a folder of
[SIGCOMM21-5G/artifact](https://github.com/SIGCOMM21-5G/artifact). No test compares this page.

## Result

{inside} of {all} numbers of the profiles are inside the range that the data allow. The others are in bold.

| file | profile | setting | profile | found | range allowed by the data, s |
|---|---|---|--:|--:|---|
"""
TAIL = """
## How it is measured

Each file contains round trips after silences of different lengths. `deadzone fit --silences` reads it with the profile
of that network as its base. The profiles describe the same networks, and some of their numbers come from these files.
The page therefore shows how well the tool finds a number in raw data. It does not prove that a profile is right.

## Differences

The probes have a silence every 100 ms, and every 10 to 100 ms around the release. No result is more precise.

`inactivity-time` lasts until the first long cycle. A short cycle that ends with it looks the same in the probes. If the
found value is longer than the profile's, the tool has not separated the two.

`long-drx-time` starts when `inactivity-time` ends. It is found shorter by the time by which `inactivity-time` is found
longer. Their sum is the release. It is within 0.35 s of the profile's sum in every file that has both.

## Messages of the tool

In three files the tail lasts longer if the probe woke the radio. It then starts with the signalling after the wake.

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
        notes.append(f"{name}: {text if isinstance(text, str) else ': '.join(str(value) for value in text.values())}\n")
    for text in found["notes"]:
        notes.append(f"{name}: {text}\n")
head = HEAD.replace("{inside}", str(sum("**" not in row for row in rows))).replace("{all}", str(len(rows)))
PAGE.write_text(head + "".join(rows) + TAIL + "```\n" + "".join(notes) + "```\n")
