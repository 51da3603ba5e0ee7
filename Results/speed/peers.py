"""Prints the tables of README.md that compare this program with others, in instructions for a client or a packet.

A herd is a thousand clients or more that connect to one server, lose their connections after a minute and connect
again. The server accepts all of them in ten seconds. They ping once a minute and get a message once a minute on average,
for three minutes. This program simulates storm.yaml, which is this herd with radios, TCP and TLS. The figures are the
differences of two sizes, so start-up does not count.

usage: peers.py BINARY PYTHON    PYTHON has the packages of peers/requirements.txt; DEADZONE_CAPTURES is the folder of the
captures, without which only herds are compared
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from callgrind import compile_loop, instructions, repeat

BINARY, PYTHON = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
HERE = pathlib.Path(__file__).resolve().parent
CAPTURE = "iphone"


def table(title, unit, rows):
    """Prints a row for each program: its name, and the two commands with the number of clients or packets of each."""
    print(f"| {title} | instructions of a {unit} | ratio |\n|---|--:|--:|")
    own = None
    for name, (small, large), (few, many) in rows:
        each = (instructions(*large) - instructions(*small)) / (many - few)
        own = own or each
        print(f"| {name} | {each:,.0f} | {each / own:.2f} |", flush=True)


def storm(folder, phones):
    text = (HERE / "worlds/storm.yaml").read_text()
    text = text.replace("phones: 1000", f"phones: {phones}").replace(
        "accepts-per-second: 100", f"accepts-per-second: {phones // 10}")
    (folder / f"storm-{phones}.yaml").write_text(text)
    return [BINARY, "run", folder / f"storm-{phones}.yaml", "--jobs", "1", "-q", "--exit-zero", "--no-cache"]


def herds(folder):
    subprocess.run(
        ["c++", "-O2", "-std=c++17", HERE / "peers/herd.cc", "-o", folder / "herd", "-lns3-core"], check=True)
    sizes, few = (2_000, 4_000), (500, 1_000)
    return [
        ("deadzone", [storm(folder, size) for size in sizes], sizes),
        ("ns-3's scheduler", [[folder / "herd", size] for size in sizes], sizes),
        ("SimPy", [[PYTHON, HERE / "peers/herd_simpy.py", size] for size in few], few),
        ("salabim", [[PYTHON, HERE / "peers/herd_salabim.py", size] for size in few], few),
    ]


def captures(folder):
    loop = compile_loop(folder)

    def files(counts):
        for count in counts:
            file = folder / f"{count}.pcap"
            repeat(pathlib.Path(os.environ["DEADZONE_CAPTURES"]) / f"ndpi-{CAPTURE}.pcap", file, count)
            yield file

    many, few = (50_000, 100_000), (2_000, 4_000)
    return [
        ("deadzone", [[BINARY, "replay", file, "-q"] for file in files(many)], many),
        ("libpcap's loop", [[loop, file] for file in files(many)], many),
        ("dpkt, Python", [[PYTHON, HERE / "peers/decode_dpkt.py", file] for file in files(few)], few),
        ("tshark", [["tshark", "-r", file, "-q", "-z", "io,stat,0"] for file in files(few)], few),
    ]


with tempfile.TemporaryDirectory() as folder:
    table("herd", "client", herds(pathlib.Path(folder)))
    if "DEADZONE_CAPTURES" in os.environ:
        print()
        table("capture", "packet", captures(pathlib.Path(folder)))
