"""One world twice: as `deadzone run` simulates it, and as `deadzone live` puts real programs into it. Both come back as traces."""
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
# Phones, each with the dice and the timers' phase of its own: a kernel that is asked once gives one value of many.
PHONES = 64
# What carries packets goes before whoever sends them, and both before all else that the machine does: a packet that waits for a
# processor is in a round trip, and from there in every wait that is doubled.
CARRIER, SENDER = 2, 1


def deadzone(words, text=None, before=()):
    """What the command printed; a run that misses an expectation is none of our errors."""
    done = subprocess.run([*before, BINARY, *words], input=text, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"deadzone {' '.join(words)}: {done.stderr}")
    return done.stdout


def ranked(rank, otherwise=()):
    """The words before a command that give it this rank, where the kernel lets us."""
    words = ["chrt", "--rr", str(rank)]
    try:
        allowed = subprocess.run([*words, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        allowed = False
    return words if allowed else list(otherwise)


def scenario(world, strategies, traffic=None, phones=1):
    """A scenario in JSON, which is YAML. Spans are numbers of seconds here."""
    document = {
        "version": 1, "name": "truth", "duration": f"{world['until']}s", "phones": phones, "replicas": 1,
        "phone": {"radios": {"wifi": "wifi-galaxy-s2"}, **world.get("phone", {})},
        "links": {"wifi": world.get("link", {"delay": "25ms"})},
        "timeline": [{"at": "0s", "wifi": "home"}, *world["timeline"]],
        "strategies": strategies}
    for key in ("server", "middleboxes"):
        if key in world:
            document[key] = world[key]
    if traffic:
        document["traffic"] = traffic
    return json.dumps(document)


def live(world, client, server=None, strategy=None):
    """The programs' world in real time; the document that `deadzone live --json` prints."""
    words = ["live", "-", "--json", "-q", "--exit-zero"] + (["--server", server] if server else []) + ["--", *ranked(SENDER, ["nice"]), *client]
    return json.loads(deadzone(words, scenario(world, strategy or {"a": {"strategy": "patient"}}), ranked(CARRIER)))


def simulated(world, strategy):
    """The document of `deadzone run --json`."""
    return json.loads(deadzone(["run", "-", "--json", "-q", "--exit-zero"], scenario(world, {"a": strategy})))


def live_traces(world, rows, client, server):
    """What a program of this folder wrote of its connections. `server` may have a place for its own file: {out}."""
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
    """The same of each phone of a simulated run: its first connection."""
    with tempfile.TemporaryDirectory() as folder:
        events = f"{folder}/events"
        deadzone(["run", "-", "-q", "--events", events, "--exit-zero"], scenario(world, {"a": strategy}, traffic, phones))
        traces = [{"begun": None, "writes": [], "repeats": [], "heard": None, "end": None, "full": None, "latencies": [], "acknowledged": []}
                  for _ in range(phones)]
        for line in open(events):
            note(json.loads(line), traces)
    return traces


def model_starts(world, strategy, after):
    """When each simulated phone first tries to connect after this moment."""
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
        # Nothing else comes down: each says that what was written has come.
        trace["acknowledged"].append(at)
    elif kind == "bytes" and event["cause"] == "retransmit":
        # One packet stands for what leaves at once.
        trace["repeats"] += [at] * -(-event["bytes"] // 1500)
    elif kind == "socket_filled" and trace["full"] is None:
        trace["full"] = at
        # The write that no longer fitted.
        trace["writes"].pop()
