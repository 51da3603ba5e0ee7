"""Runs one scenario twice: simulated by `deadzone run`, and with real programs by `deadzone live`. Both return traces.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE / "Programs"
BINARY = os.environ.get("DEADZONE_BINARY", str(HERE.parent.parent / ".build/release/deadzone"))
PYTHON = sys.executable
# Number of phones, each with its own dice and timer phase. A real kernel that is measured once gives one value of many.
PHONES = 64
# Scheduling ranks: the carrier of packets runs before the senders, and both before everything else on the machine. A
# packet that waits for a processor lengthens a round trip, and with it every wait that is doubled.
CARRIER, SENDER = 2, 1


def deadzone(words, text=None, before=()):
    """Returns the output of the command. A run that misses an expectation is not an error here."""
    done = subprocess.run([*before, BINARY, *words], input=text, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"deadzone {' '.join(words)}: {done.stderr}")
    return done.stdout


def ranked(rank, otherwise=()):
    """Returns the prefix that starts a command with this scheduling rank, if the kernel permits it."""
    words = ["chrt", "--rr", str(rank)]
    try:
        allowed = subprocess.run([*words, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        allowed = False
    return words if allowed else list(otherwise)


def scenario(world, strategies, traffic=None, phones=1):
    """Returns a scenario in JSON, which is valid YAML. Time spans are numbers of seconds here."""
    document = {
        "version": 1, "name": "truth", "duration": f"{world['until']}s", "phones": phones, "replicas": 1,
        "phone": {"radios": {"wifi": "wifi-galaxy-s2"}, **world.get("phone", {})},
        "links": {"wifi": world.get("link", {"delay": "25ms"}), **({"others": world["others"]} if "others" in world else {})},
        "timeline": [{"at": "0s", "wifi": "home"}, *world["timeline"]],
        "strategies": strategies}
    for key in ("server", "middleboxes"):
        if key in world:
            document[key] = world[key]
    if traffic:
        document["traffic"] = traffic
    return json.dumps(document)


def live(world, client, server=None, strategy=None):
    """Runs the programs in real time and returns the document of `deadzone live --json`."""
    words = ["live", "-", "--json", "-q", "--exit-zero"] + (["--server", server] if server else []) + ["--", *ranked(SENDER, ["nice"]), *client]
    return json.loads(deadzone(words, scenario(world, strategy or {"a": {"strategy": "patient"}}), ranked(CARRIER)))


def simulated(world, strategy):
    """Runs the simulation and returns the document of `deadzone run --json`."""
    return json.loads(deadzone(["run", "-", "--json", "-q", "--exit-zero"], scenario(world, {"a": strategy})))


def live_traces(world, rows, client, server):
    """Returns the traces of its connections that a program of this folder wrote. `server` may contain a placeholder for
    its own file: {out}."""
    with tempfile.TemporaryDirectory() as folder:
        asked, said, heard = (f"{folder}/{name}" for name in ("rows", "traces", "arrivals"))
        Path(asked).write_text(json.dumps({"until": world["until"] - 1, "rows": rows}))
        live(world, [PYTHON, str(PROGRAMS / client), asked, said], server.format(out=heard))
        traces = json.loads(Path(said).read_text())
        arrivals = map(json.loads, Path(heard).read_text().splitlines()) if Path(heard).exists() else ()
        for number, sent, arrived in arrivals:
            traces[number].setdefault("latencies", []).append(arrived - sent)
    return traces


def model_traces(world, strategy, traffic=None, phones=PHONES):
    """Returns the same traces for a simulated run: the first connection of each phone."""
    with tempfile.TemporaryDirectory() as folder:
        events = f"{folder}/events"
        deadzone(["run", "-", "-q", "--events", events, "--exit-zero"], scenario(world, {"a": strategy}, traffic, phones))
        traces = [{"begun": None, "writes": [], "repeats": [], "heard": None, "end": None, "full": None, "latencies": [], "acknowledged": []}
                  for _ in range(phones)]
        for line in open(events):
            note(json.loads(line), traces)
    return traces


def model_starts(world, strategy, after):
    """Returns the times at which the simulated phones first try to connect after `after`."""
    with tempfile.TemporaryDirectory() as folder:
        events = f"{folder}/events"
        deadzone(["run", "-", "-q", "--events", events, "--exit-zero"], scenario(world, {"a": strategy}, phones=PHONES))
        first = {}
        for event in map(json.loads, open(events)):
            if event["event"] == "connecting" and event["at_ns"] / 1e9 > after:
                first.setdefault(event["phone"], event["at_ns"] / 1e9)
    return list(first.values())


def note(event, traces):
    trace, kind, at = traces[event["phone"]], event["event"], event["at_ns"] / 1e9
    if trace["end"] is not None:
        return
    if kind == "connecting":
        trace["begun"] = at
    elif kind in ("closed", "failed"):
        trace["end"] = at
    elif kind == "sent_up" and trace["full"] is None:
        trace["writes"].append(at)
    elif kind == "delivered_up":
        trace["latencies"].append(event["after_ns"] / 1e9)
    elif kind == "bytes" and event["direction"] == "down":
        trace["heard"] = at
        # Nothing else is sent down: each of these packets acknowledges what was written.
        trace["acknowledged"].append(at)
    elif kind == "bytes" and event["cause"] == "retransmit":
        # One event stands for all packets that are sent at once.
        trace["repeats"] += [at] * -(-event["bytes"] // 1500)
    elif kind == "socket_filled" and trace["full"] is None:
        trace["full"] = at
        # Drop the write that no longer fitted.
        trace["writes"].pop()
