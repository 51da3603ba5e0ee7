"""Records real clients on two timelines, estimates their settings from one recording with `deadzone fit`, simulates the
other timeline with these settings, and compares that with the other recording. Both directions are done.

    predict.py PAGE [FOLDER]      FOLDER keeps the recordings; recordings that are already there are used again.
                                  Without it they are made anew.

The recordings take four minutes in real time, all clients side by side. Linux only.
"""
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import page

HERE = Path(__file__).parent
BINARY = os.environ.get("DEADZONE_BINARY", str(HERE.parent.parent / ".build/release/deadzone"))
PROGRAMS = HERE / "Programs"
# Replicas of a simulation: the real client is one of many, with its own dice and phases.
REPLICAS = 40
# Clients that run at the same time. A loaded machine delays their timers.
AT_ONCE = int(os.environ.get("DEADZONE_CLIENTS_AT_ONCE", "20"))


@dataclass(frozen=True)
class Disturbance:
    name: str
    at: float
    """Length of the dead zone, or of the time without a server; 0 for an instant."""
    length: float
    """Time after the beginning that is looked at."""
    window: float

    @property
    def entry(self):
        at = f"{self.at}s"
        return {"dead zone": {"at": at, "dead-zone": f"{self.length}s"},
                "refusing server": {"at": at, "server": "down", "for": f"{self.length}s"},
                "silent readdress": {"at": at, "readdress": "cellular", "old-path": "silent"}}[self.name]


# The two timelines differ in the order, the length and the phase of every disturbance.
FIRST = [Disturbance("refusing server", 15, 22, 45), Disturbance("dead zone", 61, 28, 57), Disturbance("silent readdress", 120, 0, 60)]
SECOND = [Disturbance("silent readdress", 17, 0, 60), Disturbance("dead zone", 80, 41, 68), Disturbance("refusing server", 150, 33, 60)]
TIMELINES = {"first": FIRST, "second": SECOND}
KINDS = ["dead zone", "refusing server", "silent readdress"]
MEASURES = ["first attempt", "detection", "recovery"]


@dataclass(frozen=True)
class Client:
    library: str
    server: str
    """Traffic of the scenario; what an application knows about itself."""
    traffic: dict
    transport: str = "websocket"
    """Name of the function in Programs/clients.py."""
    function: str = ""
    """A program that must be installed."""
    program: str | None = None

    @property
    def name(self):
        return self.function or self.library

    def server_command(self, folder):
        return self.server.format(python=sys.executable, programs=PROGRAMS, folder=folder, program=found(self.program))


SENDS = {"up": {"every": "1s", "size": "10B"}}
ASKS = {"calls": {"every": "1s", "size": "200B", "answer": "200B"}}
# The server sends each message back.
ECHOES = {"calls": {"every": "1s", "size": "10B", "answer": "10B"}}
HEARS = {"down": {"every": "1s", "size": "20B"}}
OWN = "{python} {programs}/servers.py "
CLIENTS = [
    Client("websockets", OWN + "websocket", ECHOES),
    Client("websocket-client", OWN + "websocket", ECHOES, function="websocket_client"),
    Client("aiohttp", OWN + "websocket", ECHOES),
    Client("paho-mqtt", "{program} -c {folder}/mosquitto.conf", SENDS, "mqtt", "paho", "mosquitto"),
    Client("redis", "{program} --port 6379 --save '' --protected-mode no --dir {folder}", ASKS, program="redis-server"),
    Client("nats-py", "{program} -a 0.0.0.0 -p 4222", SENDS, function="nats", program="nats-server"),
    Client("httpx", OWN + "stream", HEARS, "sse"),
    Client("requests", OWN + "stream", ASKS),
    Client("grpcio", OWN + "grpc", ECHOES, "grpc", "grpc"),
    Client("aioquic", OWN + "quic {folder}", ASKS, "quic"),
]


def found(program):
    return program and (shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/bin"))


def scenario(disturbances, client, strategy, replicas=1, start=0):
    """Returns a scenario in JSON, which is valid YAML. It begins at `start` of the timeline."""
    last = disturbances[-1]
    return json.dumps({
        "version": 1, "name": "prediction", "duration": f"{last.at + last.window - start:.3f}s", "replicas": replicas,
        "phone": {"radios": {"wifi": "wifi-galaxy-s2", "cellular": "lte-verizon-2021"}},
        "timeline": [{"at": "0s", "cellular": "on", "app": "foreground"}, *[one.entry | {"at": f"{one.at - start:.3f}s"} for one in disturbances]],
        "traffic": client.traffic, "strategies": {"a": strategy}})


def deadzone(words, text=None):
    done = subprocess.run([BINARY, *words], input=text, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"deadzone {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def record(client, disturbances, folder):
    """Runs the real client. Returns the file of its recording."""
    kept = folder / "live.json"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mosquitto.conf").write_text("listener 1883\nallow_anonymous true\nuser root\n")
        document = deadzone(
            ["live", "-", "--json", "-q", "--exit-zero", "--server", client.server_command(folder), "--",
             sys.executable, PROGRAMS / "clients.py", client.name],
            scenario(disturbances, client, {"strategy": "composed"}))
        kept.write_text(document)
    return kept


def real_times(recording):
    """Returns the attempts, the ends and the openings of the real client."""
    client = json.loads(recording.read_text())["strategies"][0]
    lines = [line for line in client["lines"]]
    return ([line["began_s"] for line in lines],
            [line["ended_s"] for line in lines if line["opened_s"] and line["ended_s"]],
            [line["opened_s"] for line in lines if line["opened_s"]])


def real_connections(recording):
    """Returns the beginning and the opening of each connection of the real client."""
    client = json.loads(recording.read_text())["strategies"][0]
    return [(line["began_s"], line["opened_s"]) for line in client["lines"] if line["opened_s"]]


def simulated_times(client, preset, disturbances, folder, start):
    """Returns the same for each replica of the simulation. Its client starts with the real one, whose interpreter needs some
    time."""
    strategy = {"strategy": str(preset.resolve()), "transport": {"kind": client.transport}}
    if client.transport == "quic":
        # The socket of aioquic has no address of its own: packets after a change of the address come from the new one.
        strategy |= {"transport": {"kind": "quic", "library": client.library}, "on-path-change": "migrate"}
    else:
        strategy["transport"]["tls"] = "none"
    events = folder / "events.ndjson"
    deadzone(["run", "-", "-q", "--exit-zero", "--events", events], scenario(disturbances, client, strategy, REPLICAS, start))
    times = [([], [], []) for _ in range(REPLICAS)]
    for event in map(json.loads, open(events)):
        kind, at = event["event"], start + event["at_ns"] / 1e9
        for index, name in enumerate(("connecting", "closed", "opened")):
            if kind == name:
                times[event["replica"]][index].append(at)
    return times


def measures(times, disturbance):
    """Returns first attempt, detection and recovery after a disturbance, in seconds; None for what does not happen in
    the window. A connection that survives needs no attempt."""
    attempts, ends, openings = times
    begin, end = disturbance.at, disturbance.at + disturbance.window
    first = min((at - begin for at in attempts if begin <= at < end), default=None)
    lost = min((at - begin for at in ends if begin <= at < end), default=None)
    back = begin + disturbance.length
    served = None if first is None else min((at - back for at in openings if max(back, begin + first) <= at < end), default=None)
    return [first, lost, served]


def late(value):
    """What does not happen counts as later than everything."""
    return float("inf") if value is None else value


def middle(values):
    """Returns the median."""
    return sorted(values, key=late)[len(values) // 2]


def is_among(value, guesses):
    """Returns True if one of twenty guesses or more is at most as late as the value, and one or more at least as late."""
    least = len(guesses) / 20
    return sum(late(one) <= late(value) for one in guesses) >= least and sum(late(one) >= late(value) for one in guesses) >= least


@dataclass
class Row:
    client: Client
    version: str
    fitted: dict
    notes: list
    """By disturbance and measure: the real value and the predicted value."""
    values: dict = field(default_factory=dict)
    """Disturbances and measures whose real value lies between those of the replicas."""
    among: set = field(default_factory=set)


def row(client, folder, source, goal):
    """Predicts the timeline `goal` from the recording of the timeline `source`."""
    own = folder / client.name
    preset = own / f"fit-{source}.yaml"
    preset.unlink(missing_ok=True)
    document = json.loads(deadzone(["fit", str(own / source / "live.json"), "--json", "--exit-zero"]))
    if document["yaml"] and not document["unexplained"]:
        preset.write_text(document["yaml"])
    result = Row(client, importlib.metadata.version(client.library), {one["setting"]: one["value"] for one in document["found"]},
                 document["unexplained"])
    if not preset.exists():
        return result
    real = real_times(own / goal / "live.json")
    for disturbance in TIMELINES[goal]:
        # Each disturbance is predicted by itself, from the connection that it meets: an error in one would otherwise move
        # the pings and attempts of the next.
        begins = [begin for begin, opened in real_connections(own / goal / "live.json") if opened < disturbance.at]
        models = simulated_times(client, preset, [disturbance], own, max(begins))
        predicted = zip(*(measures(times, disturbance) for times in models))
        for name, value, guesses in zip(MEASURES, measures(real, disturbance), predicted):
            result.values[disturbance.name, name] = value, middle(guesses)
            if is_among(value, guesses):
                result.among.add((disturbance.name, name))
    return result


def main():
    target = Path(sys.argv[1])
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    chosen = []
    for client in CLIENTS:
        if client.program and not found(client.program):
            print(f"left out: {client.library}, as there is no {client.program}", file=sys.stderr)
            continue
        chosen.append(client)

    def started(place, client, name, timeline):
        # Interpreters that start at the same time delay each other.
        time.sleep(place * 0.7)
        return record(client, timeline, folder / client.name / name)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [pool.submit(started, place % AT_ONCE, client, name, timeline) for place, (client, name, timeline) in enumerate(
            (client, name, timeline) for client in chosen for name, timeline in TIMELINES.items())]
        for job in jobs:
            job.result()
    directions = [("first", "second"), ("second", "first")]
    page.write(target, KINDS, MEASURES, TIMELINES, {
        way: [row(client, folder, *way) for client in chosen] for way in directions}, REPLICAS)


if __name__ == "__main__":
    main()
