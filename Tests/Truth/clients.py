"""Compares clients with the presets that are named after them: the times of their attempts with `deadzone schedule`,
and the time until they detect a dead connection with `deadzone run`."""
import importlib.metadata
import json
import os
import subprocess
from dataclasses import dataclass, field

import debian
import sources
from worlds import PROGRAMS, PYTHON, deadzone, live, model_starts, simulated

# A folder of presets that replace those of the program, so that a changed one can be measured before a build.
PRESETS = os.environ.get("DEADZONE_PRESETS")
LIVE_PROGRAMS = PROGRAMS.parent.parent / "LiveTests/Programs"
SPAN = 900
# The same with the second set of options.
CHANGED_SPAN = 300
# `schedule` has no round trip.
LINK = {"delay": "1ms"}
# The ways in which attempts fail: the timeline and the server of each.
FAILURES = {
    "refused": ([], None),
    "blackhole": ([{"at": "0s", "wan-cut": "10h"}], None),
    "frozen": ([], f"{PYTHON} {PROGRAMS}/servers.py silent")}
LOSES = 15
FALLS_SILENT = 20
# The time after which the kernel ends an unanswered attempt: the least, since its timers of a minute are coarse, and
# the longest.
GIVES_UP = (133, 135.2)
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
    beats: str | dict | None = None
    slack: float = 0
    """Additional tolerance for a clock of whole seconds."""
    rounds: float = 0
    """Additional delay if its timeouts end at whole seconds of its clock."""
    failures: tuple = tuple(FAILURES)
    doubles: tuple = ()
    """Failures for which the first two waits of its backoff are one wait, if the client was never connected."""
    connects_first: bool = False
    """True if it only retries a connection that was open before."""
    program: debian.Program | sources.Script | sources.JavaSource | None = None
    read_at: str = ""
    """The version that the preset was derived from, if another version runs."""
    reopens: bool = False
    """True if the library never retries and its app reconnects at once."""
    span: int = SPAN
    """Length of the world in which its attempts fail, in seconds."""
    changed: dict = field(default_factory=dict)
    """The preset's settings for the second set of options, which the program knows by the word `changed`."""
    apart: float = 0.02
    """Flows that start within this time are one attempt."""
    platform: dict = field(default_factory=dict)
    """Limits of Node that the preset does not have: failure to settings."""
    causes: dict = field(default_factory=dict)
    """Known causes of attempts outside the bounds: failure to a sentence."""
    skips: int = 0
    """Attempts of the schedule that stand for the loss of a connection, if it only retries then, or that have no wait before the next."""
    changed_failures: tuple = ("refused", "frozen")
    """The ways in which attempts fail with the second set of options."""
    changed_silence: dict = field(default_factory=dict)
    """The same for the row in which a connection dies in silence, if other settings matter there."""

    @property
    def strategy(self):
        return f"{PRESETS}/{self.preset}.yaml" if PRESETS else self.preset

    @property
    def version(self):
        return self.program.version if self.program else importlib.metadata.version(self.library)

    def row(self, what, number, low, high, measured):
        early, late = EARLY + self.slack, LATE + self.slack + self.rounds
        if None in (low, high, measured):
            within = low is None and measured is None
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
    Client("grpcio", "grpcio", "grpc-core", shared("grpc_server.py"), BEATS | {"send-limit": {"without-data": 0}},
           changed={"backoff": {"base": "300ms", "cap": "9s", "min-connect-timeout": "4s"}}),
    Client("grpc-go", None, "grpc-go", shared("grpc_server.py"), BEATS, program=debian.GRPC_GO, read_at="at 4793ad0"),
    Client("grpc-java", None, "grpc-java", shared("grpc_server.py"), BEATS, program=debian.GRPC_JAVA, read_at="at 5fda0c7"),
    Client("okhttp", None, "okhttp-websocket", shared("websockets_server.py"), MISSED,
           failures=("blackhole", "frozen"), program=debian.OKHTTP, read_at="in Kotlin, 4 or later", reopens=True),
    Client("paho-mqtt", "paho", "paho-python", shared("broker.py"), doubles=("refused", "blackhole"),
           changed={"backoff": {"base": "2s", "cap": "45s"}, "connect": {"timeout": "20s"}}),
    Client("nats-py", "nats", "nats-py", own("nats"),
           changed={"backoff": {"base": "700ms", "cap": "700ms", "give-up": {"retries": 25}}, "transport": {"address-timeout": "3s", "setup-timeout": "3s"}},
           changed_silence={"keepalive": {"interval": "17s", "unanswered": 3}}),
    Client("realtime", "realtime", "realtime-py", own("phoenix"), changed={"backoff": {"base": "600ms", "give-up": {"retries": 2}}}),
    Client("websockets", "websockets", "websockets", shared("websockets_server.py"), changed={"connect": {"timeout": "4s"}},
           changed_silence={"keepalive": {"interval": "7s", "timeout": "7s"}}),
    # aiohttp's timeouts end at whole seconds of its clock.
    Client("python-socketio", "socketio", "python-socketio", own("socketio"), beats="socket.io", slack=0.5,
           changed={"backoff": {"table": ["1700ms", "3700ms", "7700ms", "15700ms", "16700ms"], "jitter": {"plus": ["0s", "600ms"]}}}),
    Client("centrifuge-python", "centrifuge", "centrifuge-js",
           changed={"backoff": {"base": "1200ms", "cap": "9s", "plus": "1200ms"}, "connect": {"timeout": "3s"}}),
    Client("slixmpp", "slixmpp", "slixmpp", failures=("refused",)),
    # The same timeouts of aiohttp, here of 30 s.
    Client("nats.go", None, "nats", own("nats"), program=debian.NATS_GO, read_at="at 850f889, 1.53.1",
           changed={"backoff": {"base": "700ms", "cap": "700ms", "jitter": "none", "give-up": {"retries": 25}}, "transport": {"address-timeout": "3s", "setup-timeout": "3s"}},
           changed_silence={"keepalive": {"interval": "17s", "unanswered": 3}, "backoff": {"base": "700ms", "cap": "700ms", "jitter": "none"}}),
    Client("paho.mqtt.java", None, "paho-java", own("mqtt"), program=sources.PAHO_JAVA, connects_first=True, skips=1,
           changed={"backoff": {"cap": "16s"}, "transport": {"address-timeout": "7s"}}, changed_silence={"keepalive": {"interval": "25s", "timeout": "25s"}}),
    Client("socket.io-client", None, "socket.io", own("socketio"), beats="socket.io", program=sources.SOCKET_IO,
           changed={"backoff": {"base": "300ms", "cap": "20s", "jitter": {"parity": "20%"}}, "connect": {"timeout": "7s"}}),
    Client("reconnecting-websocket", None, "reconnecting-websocket", own("plain"), program=sources.RECONNECTING,
           changed={"backoff": {"base": "700ms", "cap": "25s", "multiplier": 1.7, "jitter": "none"}, "connect": {"timeout": "6s"}}),
    Client("graphql-ws", None, "graphql-ws", own("graphql"), program=sources.GRAPHQL,
           changed={"backoff": {"give-up": {"retries": 4}}}),
    Client("phoenix", None, "phoenix", own("phoenix"), program=sources.PHOENIX, apart=0.004,
           changed={"backoff": {"table": ["300ms", "700ms", "1900ms", "3s"]}},
           changed_silence={"keepalive": {"interval": "11s"}, "backoff": {"table": ["300ms", "700ms", "1900ms", "3s"], "after-silence": {"wait": "1800ms"}}}),
    Client("supabase realtime", None, "supabase-realtime", own("phoenix"), program=sources.SUPABASE,
           changed={"backoff": {"table": ["300ms", "700ms", "1900ms", "3s"]}},
           changed_silence={"keepalive": {"interval": "11s"}, "backoff": {"table": ["300ms", "700ms", "1900ms", "3s"], "after-silence": {"wait": "1800ms"}}}),
    Client("pusher-js", None, "pusher", own("pusher"), program=sources.PUSHER,
           changed_silence={"keepalive": {"interval": "40s", "timeout": "7s"}}),
    Client("centrifuge-js", None, "centrifuge-js", own("centrifugo"), beats="centrifugo", program=sources.CENTRIFUGE,
           changed={"backoff": {"base": "1200ms", "cap": "9s", "plus": "1200ms"}, "connect": {"timeout": "3s"}},
           changed_silence={"keepalive": {"stand-in": "4s", "timeout": "4s"}, "backoff": {"base": "1200ms", "plus": "1200ms"}}),
    Client("Action Cable", None, "actioncable", own("actioncable"), beats="actioncable", program=sources.ACTION_CABLE,
           causes={"blackhole": "The poll after the kernel's limit makes the attempt, 17 to 24 s later. The preset makes it at the limit."},
           changed={"backoff": {"base": "4s", "multiplier": 1.3, "cap": "55144ms", "jitter": {"times": [1, 1.3]}}}),
    Client("SignalR", None, "signalr", own("signalr"), beats={"kind": "beats", "every": "15s"}, program=sources.SIGNALR, read_at="at 049156e", connects_first=True, skips=1,
           changed={"backoff": {"table": ["300ms", "1200ms", "4s", "4s", "9s"], "give-up": {"retries": 5}}}),
    Client("Slack Socket Mode", None, "slack-socket-mode", own("slack"), program=sources.SLACK, changed_failures=("refused",),
           # Node ends an unanswered connection of its fetch after 10 s and a tick of its clock.
           platform={"blackhole": {"connect": {"timeout": "10490ms"}}},
           changed={"backoff": {"base": "400ms", "multiplier": 1.6, "give-up": {"retries": 12}}}),
    Client("ably-js", None, "ably", own("ably"), beats="ably", program=sources.ABLY,
           changed={"backoff": {"base": "6s", "step": "2s", "cap": "12s", "suspended": {"after": "2m", "wait": "9s", "restarts": "unanswered"}}}),
    Client("Firebase Realtime Database", None, "firebase-rtdb", program=sources.FIREBASE),
    Client("Cloud Firestore", None, "firestore", program=sources.FIRESTORE, failures=("refused",), skips=1),
    *(Client(f"AWS simulator, {name}", None, preset, program=sources.Formula(name), failures=("refused",), changed_failures=("refused",),
             apart=0.0005, span=120, changed={"backoff": {"base": base, "cap": "7s"}}) for name, preset, base in [
        ("ExpoBackoff", "aws-none", "100ms"), ("ExpoBackoffEqualJitter", "aws-equal", "100ms"),
        ("ExpoBackoffFullJitter", "aws-full", "100ms"), ("ExpoBackoffDecorr", "aws-decorrelated", "50ms")]),
    Client("discord.py", "discord", "discord.py", own("discord"), failures=("refused", "blackhole"), connects_first=True, rounds=1),
]


def began(document, apart):
    """Returns the start times of attempts. Flows that start together are one attempt (with and without TLS, or over
    both address families). Name queries are not attempts, nor are checks of the network at another port."""
    starts = sorted(flow["began_s"] for flow in document["strategies"][0]["flows"] if flow["flow"].endswith(" 8080"))
    return [at for before, at in zip([-1, *starts], starts) if at - before > apart]


def flags(settings):
    """Returns the words of the command line that set these settings of a preset."""
    return [word for section, values in settings.items() for key, value in values.items()
            for word in ("--set", f"{section}.{key}={value if isinstance(value, str) else json.dumps(value)}")]


def schedule(client, failure, settings):
    more = flags(settings) + (["--set", "backoff.give-up=~"] if client.reopens else [])
    hours = "1h" if client.reopens else "12h"
    return json.loads(deadzone(["schedule", client.strategy, "--failure", failure, "--for", hours, "--json", *more]))


def bounds(attempts, failure):
    """Yields the shortest and the longest time from the start of one attempt to the start of the next."""
    for one, other in zip(attempts, attempts[1:]):
        low, high = sorted((other["delay_min_s"], other["delay_max_s"]))
        usual, least, most = (one[key] for key in ("timeout_s", "timeout_min_s", "timeout_max_s"))
        if failure == "blackhole" and least is not None and (most is None or most >= GIVES_UP[0]):
            # Its own limit may be longer than the kernel's.
            least, most = min(least, GIVES_UP[0]), GIVES_UP[1]
        if failure != "refused" and None not in (usual, least, most):
            # The attempt's time plus the wait after it, or the longer of the two.
            is_added = abs(other["at_s"] - one["at_s"] - usual - other["delay_s"]) < 0.001
            low, high = (least + low, most + high) if is_added else (max(least, low), max(most, high))
        yield low, high


def attempts(client, failure, settings=None):
    """Returns the rows: the gap after each attempt, and the range of the preset. With `settings`, both have the second
    set of options."""
    timeline, server = FAILURES[failure]
    if client.connects_first:
        lost = [] if failure == "frozen" else [{"at": f"{LOSES}s", "server": "down"}]
        timeline = lost + [entry | {"at": f"{LOSES + 0.05}s"} for entry in timeline]
        server = client.server + (" frozen" if failure == "frozen" else "")
    world = {"until": min(client.span, CHANGED_SPAN) if settings else client.span, "link": LINK, "timeline": timeline}
    found = began(live(world, client.command(server, *(["changed"] if settings else [])), server), client.apart)
    # The clock of a server that ends itself may be a little early.
    found = [at for at in found if not client.connects_first or at > LOSES - 1]
    skipped = 1 if failure in client.doubles else 0
    gaps = [0] * skipped + [later - earlier for earlier, later in zip(found, found[1:])]
    what = failure + (", changed options" if settings else "")

    def rows():
        planned = schedule(client, failure, client.platform.get(failure, {}) | (settings or {}))
        limits = list(bounds(planned["attempts"], failure))[client.skips:]
        if not limits:
            # The first attempt never ends, or is the only one.
            return [client.row(what, 1, None, None, gaps[0] if gaps else None)]
        if not gaps and limits[0][0] < world["until"] / 2:
            return [client.row(what, 1, *limits[0], None)]
        pairs = list(enumerate(zip(gaps, limits), start=1))
        found = [client.row(what, number, low, high, gap) for number, (gap, (low, high)) in pairs[2 * skipped:]]
        if planned["gave_up"] and len(gaps) > len(limits):
            found.append(client.row(what, len(limits) + 1, None, None, gaps[len(limits)]))
        return found
    return rows


def silence(client, settings=None):
    """Returns one row: the time from the first attempt to the attempt after the connection fell silent."""
    words = ["changed"] if settings else ["keepalive"] if client.keepalive else []
    found = began(live(silence_at(FALLS_SILENT), client.command(client.server, *words), client.server), client.apart)
    after = [at - found[0] for at in found if at > FALLS_SILENT]
    what = "dies silently" + (", changed options" if settings else "")

    def rows():
        strategy = {"strategy": client.strategy} | ({"keepalive": client.keepalive} if client.keepalive else {}) | (settings or {})
        strategy |= {"backoff": {"give-up": None}} if client.reopens else {}
        server = {"server": {"think": "0s"} | ({"heartbeat": client.beats} if client.beats else {})}
        # Simulated clients start with their scenario; a real one starts when its interpreter is ready.
        since = round(FALLS_SILENT - found[0], 2)
        tries = model_starts(silence_at(since) | server, strategy, after=since)
        return [client.row(what, 1, min(tries, default=None), max(tries, default=None), after[0] if after else None)]
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
        model = count(simulated(world, {"strategy": client.strategy, "keepalive": BEATS}))
        return [client.row(f"pings in {QUIET['until']} s without data", 1, model, model, measured)]
    return rows


def present(wanted):
    """Returns the clients that can run here, all or those of the wanted names."""
    return [client for client in CLIENTS if (not wanted or client.library in wanted) and (client.program is None or client.program.build())]


def warm_up(clients):
    """Starts each client once without a network, so that its program files are in memory and not only on disk."""
    for client in clients:
        subprocess.run(["unshare", "-rn", "timeout", "3", *client.command(None)], capture_output=True)


def client_runs(clients, all_options):
    """Returns the runs of these clients; without `all_options`, those with the second set of options only."""
    if all_options and CLIENTS[0] in clients:
        yield pings
    for client in clients:
        for failure in client.failures if all_options else ():
            yield lambda client=client, failure=failure: attempts(client, failure)
        if client.changed:
            for failure in client.changed_failures:
                yield lambda client=client, failure=failure: attempts(client, failure, client.changed)
        if all_options and client.server:
            yield lambda client=client: silence(client)
        if client.changed_silence:
            yield lambda client=client: silence(client, client.changed_silence)
