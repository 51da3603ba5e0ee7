"""Compares clients with the presets that are named after them: the times of their attempts with `deadzone schedule`,
and the time until they detect a dead connection with `deadzone run`."""
import importlib.metadata
import json
import subprocess
from dataclasses import dataclass, field

import debian
from worlds import PROGRAMS, PYTHON, deadzone, live, model_starts, simulated

LIVE_PROGRAMS = PROGRAMS.parent.parent / "LiveTests/Programs"
SPAN = 900
# `schedule` has no round trip.
LINK = {"delay": "1ms"}
# The ways in which attempts fail: the timeline and the server of each.
FAILURES = {
    "refused": ([], None),
    "blackhole": ([{"at": "0s", "wan-cut": "10h"}], None),
    "frozen": ([], f"{PYTHON} {PROGRAMS}/servers.py silent")}
LOSES = 15
FALLS_SILENT = 20
# The time after which the kernel ends an unanswered attempt.
GIVES_UP = 135
# The longest time that a server's interpreter needs to start.
HEAD_START = 4


def silence_at(seconds):
    return {"until": 430, "link": LINK, "timeline": [{"at": f"{seconds}s", "wan-cut": "1ms", "nat": "forget"}],
            "middleboxes": {"wifi": [{"tcp": "2h", "udp": "30s"}]}}


# Tolerance in seconds for a machine that does other things, in addition to 1 %.
EARLY, LATE = 0.03, 0.15


@dataclass(frozen=True)
class Client:
    library: str
    """The name on PyPI, or the library's own name."""
    function: str | None
    """The function in clients.py; None if `program` is used."""
    preset: str
    server: str | None = None
    """The server of the row in which a connection dies in silence; None if there is no such row."""
    keepalive: dict = field(default_factory=dict)
    beats: str | None = None
    slack: float = 0
    """Additional tolerance for a clock of whole seconds."""
    rounds: float = 0
    """Additional delay if its timeouts end at whole seconds of its clock."""
    failures: tuple = tuple(FAILURES)
    doubles: tuple = ()
    """Failures for which the first two waits of its backoff are one wait, if the client was never connected."""
    connects_first: bool = False
    """True if it only retries a connection that was open before."""
    program: debian.Program | None = None
    read_at: str = ""
    """The version that the preset was derived from, if another version runs."""
    reopens: bool = False
    """True if the library never retries and its app reconnects at once."""

    @property
    def version(self):
        return self.program.version if self.program else importlib.metadata.version(self.library)

    def row(self, what, number, low, high, measured):
        early, late = EARLY + self.slack, LATE + self.slack + self.rounds
        if None in (low, high, measured):
            within = low is high is measured is None
        else:
            within = low - early <= measured <= high * 1.01 + late
        return {"client": self.library, "preset": self.preset, "what": what, "attempt": number, "least": low, "most": high,
                "measured": measured, "within": within}

    def command(self, server, *words):
        starts = self.program.command if self.program else [PYTHON, str(PROGRAMS / "clients.py"), self.function]
        own = [*starts, *words]
        return ["sh", "-c", f'sleep {HEAD_START} && exec "$@"', "sh", *own] if server else own


def own(name):
    return f"{PYTHON} {PROGRAMS}/servers.py {name}"


def shared(name):
    return f"{PYTHON} {LIVE_PROGRAMS}/{name}"


BEATS = {"interval": "20s", "timeout": "20s"}
# OkHttp's pingInterval, as described in the limits of the preset.
MISSED = {"interval": "20s", "verdict": "next-beat", "postponed-by": "nothing", "answered-by": "pong"}

CLIENTS = [
    Client("grpcio", "grpcio", "grpc-core", shared("grpc_server.py"), BEATS | {"send-limit": {"without-data": 0}}),
    Client("grpc-go", None, "grpc-go", shared("grpc_server.py"), BEATS, program=debian.GRPC_GO, read_at="at 4793ad0"),
    Client("grpc-java", None, "grpc-java", shared("grpc_server.py"), BEATS, program=debian.GRPC_JAVA, read_at="at 5fda0c7"),
    Client("okhttp", None, "okhttp-websocket", shared("websockets_server.py"), MISSED,
           failures=("blackhole", "frozen"), program=debian.OKHTTP, read_at="in Kotlin, 4 or later", reopens=True),
    Client("paho-mqtt", "paho", "paho-python", shared("broker.py"), doubles=("refused", "blackhole")),
    Client("nats-py", "nats", "nats-py", own("nats")),
    Client("realtime", "realtime", "realtime-py", own("phoenix")),
    Client("websockets", "websockets", "websockets", shared("websockets_server.py")),
    # aiohttp's timeouts end at whole seconds of its clock.
    Client("python-socketio", "socketio", "python-socketio", own("socketio"), beats="socket.io", slack=0.5),
    Client("centrifuge-python", "centrifuge", "centrifuge-js"),
    Client("slixmpp", "slixmpp", "slixmpp", failures=("refused",)),
    # The same timeouts of aiohttp, here of 30 s.
    Client("discord.py", "discord", "discord.py", own("discord"), failures=("refused", "blackhole"), connects_first=True, rounds=1),
]


def began(document):
    """Returns the start times of attempts. Flows that start together are one attempt (with and without TLS, or over
    both address families). Name queries are not attempts."""
    starts = sorted(flow["began_s"] for flow in document["strategies"][0]["flows"] if flow["flow"] != "udp 53")
    return [at for before, at in zip([-1, *starts], starts) if at - before > 0.02]


def bounds(client, failure):
    """Yields the shortest and the longest time from the start of one attempt to the start of the next."""
    more = ["--set", "backoff.give-up=~"] if client.reopens else []
    hours = "1h" if client.reopens else "12h"
    attempts = json.loads(deadzone(["schedule", client.preset, "--failure", failure, "--for", hours, "--json", *more]))["attempts"]
    for one, other in zip(attempts, attempts[1:]):
        low, high = other["delay_min_s"], other["delay_max_s"]
        usual, least, most = (one[key] for key in ("timeout_s", "timeout_min_s", "timeout_max_s"))
        if failure == "blackhole" and least is not None and most is None:
            # Its own limit may be longer than the kernel's.
            most = GIVES_UP
        if failure != "refused" and None not in (usual, least, most):
            # The attempt's time plus the wait after it, or the longer of the two.
            is_added = abs(other["at_s"] - one["at_s"] - usual - other["delay_s"]) < 0.001
            low, high = (least + low, most + high) if is_added else (max(least, low), max(most, high))
        yield low, high


def attempts(client, failure):
    """Returns the rows: the gap after each attempt, and the range of the preset."""
    timeline, server = FAILURES[failure]
    if client.connects_first:
        timeline = [{"at": f"{LOSES}s", "server": "down"}] + [entry | {"at": f"{LOSES + 0.05}s"} for entry in timeline]
        server = client.server
    found = began(live({"until": SPAN, "link": LINK, "timeline": timeline}, client.command(server), server))
    found = [at for at in found if not client.connects_first or at > LOSES]
    skipped = 1 if failure in client.doubles else 0
    gaps = [0] * skipped + [later - earlier for earlier, later in zip(found, found[1:])]

    def rows():
        limits = list(bounds(client, failure))
        if not limits:
            # The first attempt never ends.
            return [client.row(failure, 1, None, None, gaps[0] if gaps else None)]
        pairs = list(enumerate(zip(gaps, limits), start=1))
        return [client.row(failure, number, low, high, gap) for number, (gap, (low, high)) in pairs[2 * skipped:]]
    return rows


def silence(client):
    """Returns one row: the time from the first attempt to the attempt after the connection fell silent."""
    words = ["keepalive"] if client.keepalive else []
    found = began(live(silence_at(FALLS_SILENT), client.command(client.server, *words), client.server))
    after = [at - found[0] for at in found if at > FALLS_SILENT]

    def rows():
        strategy = {"strategy": client.preset} | ({"keepalive": client.keepalive} if client.keepalive else {})
        strategy |= {"backoff": {"give-up": None}} if client.reopens else {}
        server = {"server": {"think": "0s"} | ({"heartbeat": client.beats} if client.beats else {})}
        # Simulated clients start with their scenario, without a second for an interpreter.
        since = FALLS_SILENT - HEAD_START - 1
        tries = model_starts(silence_at(since) | server, strategy, after=since)
        return [client.row("dies silently", 1, min(tries), max(tries), after[0] if after else None)]
    return rows


# Pings of gRPC's core in 290 s of an idle open channel: two, and then one a minute (gRFC L116).
QUIET = {"until": 290, "link": LINK, "timeline": []}


def pings():
    client = CLIENTS[0]

    def count(document):
        return document["strategies"][0]["metrics"]["keepalive.pings"]

    measured = count(live(QUIET, client.command(client.server, "throttled"), client.server))

    def rows():
        # Both servers accept any number of pings.
        world = QUIET | {"server": {"think": "0s", "ping-strikes": 0}}
        model = count(simulated(world, {"strategy": client.preset, "keepalive": BEATS}))
        return [client.row(f"pings in {QUIET['until']} s without data", 1, model, model, measured)]
    return rows


def present():
    """Returns the clients that can run here."""
    return [client for client in CLIENTS if client.program is None or client.program.build()]


def warm_up(clients):
    """Starts each client once without a network, so that its program files are in memory and not only on disk."""
    for client in clients:
        subprocess.run(["unshare", "-rn", "timeout", "3", *client.command(None)], capture_output=True)


def client_runs(clients):
    yield pings
    for client in clients:
        for failure in client.failures:
            yield lambda client=client, failure=failure: attempts(client, failure)
        if client.server:
            yield lambda client=client: silence(client)
