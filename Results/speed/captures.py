"""Prints the table of README.md that compares replays of captures with libpcap's loop, in instructions per packet.

Each capture is repeated, each time later by its length. The figures are the differences of 100,000 and 50,000 packets,
so start-up does not count.

usage: captures.py BINARY    DEADZONE_CAPTURES is the folder of the captures
"""

import os
import pathlib
import sys
import tempfile

from callgrind import compile_loop, instructions, repeat

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
FOLDER = pathlib.Path(os.environ["DEADZONE_CAPTURES"])
CAPTURES = ["iphone", "whatsapp_login_call", "telegram", "signal", "googledns_android10", "KakaoTalk_chat"]

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    loop, counts = compile_loop(folder), (50_000, 100_000)
    print("| capture of nDPI | libpcap's loop | replayed | ratio |\n|---|--:|--:|--:|")
    for name in CAPTURES:
        files = [folder / f"{name}-{count}.pcap" for count in counts]
        for file, count in zip(files, counts):
            repeat(FOLDER / f"ndpi-{name}.pcap", file, count)
        bare, replayed = (
            (instructions(*words, files[1], *flags) - instructions(*words, files[0], *flags)) / (counts[1] - counts[0])
            for words, flags in (([loop], []), ([BINARY, "replay"], ["-q"])))
        print(f"| {name} | {bare:,.0f} | {replayed:,.0f} | {replayed / bare:.2f} |", flush=True)
