"""Rows of the kernel: a world, sockets in it, and what is read off them. Each is measured and simulated from the same words."""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import mean, median, quantiles
from time import sleep

from worlds import PHONES, PROGRAMS, PYTHON, live_traces, model_traces

# Nobody speaks before all interpreters have started: what they take would be in the round trips, and from there in all that is doubled.
LEAD = 40
CUT = LEAD + 20.25
WARM = list(range(LEAD + 1, LEAD + 11))
SILENCE = {"until": LEAD + 1030, "dark": CUT, "timeline": [{"at": f"{CUT}s", "wan-cut": "10h"}]}
NEAR = SILENCE | {"link": {"delay": "1ms"}}
LOSSY = {"until": LEAD + 260, "dark": 0, "timeline": [], "link": {"delay": "25ms", "loss": "2%"}}
AWAY = {"until": LEAD + 80, "dark": LEAD + 10, "timeline": [
    {"at": f"{LEAD + 10}s", "wan-cut": "20s"}, {"at": f"{LEAD + 15}s", "server": "down", "for": "5s"}]}
SLOW = {"until": LEAD + 60, "dark": LEAD + 10.5, "timeline": [], "link": {"delay": "25ms", "rate": "100kbps"}}
QUIET = {"until": LEAD + 20, "dark": 0, "timeline": []}
DOUBT = {"until": LEAD + 40, "dark": CUT, "timeline": [{"at": f"{LEAD + 20.95}s", "wan-cut": "0.8s"}]}
MUTE = {"until": 80, "dark": 0, "timeline": [{"at": "0s", "wan-cut": "10h"}]}
# Its idle timer would end who is silent for so long: these worlds begin later instead.
QUIC = {"until": 120, "dark": CUT - LEAD, "timeline": [{"at": f"{CUT - LEAD}s", "wan-cut": "10h"}], "server": {"quic-idle": "30s"}}


def shadow(seconds):
    # The timers of one machine have one clock: flows that begin together recover together, so it is asked at several moments.
    return {"until": int(CUT + 3 * seconds + 20), "dark": CUT, "copies": 6, "timeline": [{"at": f"{CUT}s", "wan-cut": f"{seconds}s"}]}


# MARK: What is read off traces

def asked(trace, row):
    """The first word into silence; of an attempt to connect, its SYN."""
    return next((at for at in trace["writes"] if at > row.world["dark"]), trace["begun"])


def spans(traces, moment):
    """Whoever did not come to it is left out; where most did not, nobody did."""
    found = [value for value in map(moment, traces) if value is not None]
    return [median(found)] if 2 * len(found) > len(traces) else [None]


def minus(end, beginning):
    return None if end is None else end - beginning


def ends(traces, row):
    return spans(traces, lambda trace: minus(trace["end"], asked(trace, row)))


def ends_idle(traces, _):
    return spans(traces, lambda trace: minus(trace["end"], trace["heard"]))


def moments(traces, _):
    return spans(traces, lambda trace: trace["end"])


def repeats(count):
    def read(traces, row):
        after = [[at - asked(trace, row) for at in trace["repeats"] if at > asked(trace, row)] for trace in traces]
        return [spans(after, lambda one: one[number] if number < len(one) else None)[0] for number in range(count)]
    return read


def taken(traces, row):
    """Bytes of whole writes between the first word into silence and the one that no longer fitted."""
    size = row.writes["size"]
    return spans(traces, lambda trace: minus(trace["full"], 0) and size * sum(at > row.world["dark"] for at in trace["writes"]))


def repeated(traces, row):
    """Segments."""
    return spans(traces, lambda trace: sum(at > asked(trace, row) for at in trace["repeats"]))


def final(traces, _):
    return spans(traces, lambda trace: trace["latencies"][-1])


def acknowledged(count):
    """After so long, each of the last words."""
    def read(traces, _):
        def wait(trace, number):
            asked = trace["writes"][number]
            return minus(next((at for at in trace["acknowledged"] if at > asked), None), asked)
        return [spans(traces, lambda trace: wait(trace, number))[0] for number in range(-count, 0)]
    return read


def spread(count):
    """From the first to the last arrival of so many words that were written at once."""
    def read(traces, _):
        return spans(traces, lambda trace: max(arrivals(trace)[-count:]) - min(arrivals(trace)[-count:]))
    return read


def arrivals(trace):
    return [at + span for at, span in zip(trace["writes"], trace["latencies"])]


def latencies(share):
    def read(traces, _):
        all = [span for trace in traces for span in trace["latencies"]]
        return [mean(all) if share is None else quantiles(all, n=100)[share - 1]]
    return read


def last_latency(traces, _):
    return [median(last_latencies(traces))]


def last_latencies(traces):
    return [trace["latencies"][-1] for trace in traces if len(trace["latencies"]) == len(WARM) + 1]


# MARK: Rows

@dataclass(frozen=True)
class Row:
    group: str
    name: str
    world: dict
    read: object
    options: dict = field(default_factory=dict)
    writes: dict | None = None
    sockets: int = 8
    shift: float = 0.31
    begins: float = LEAD + 0.5
    cause: str = ""
    """Why it is off, where it is."""
    is_alone: bool = False
    linear_syns: int | None = None
    phone: dict = field(default_factory=dict)
    kind: str = "websocket"

    @property
    def asks(self):
        """As sockets.py reads it."""
        words = {"name": self.name, "options": self.options, "writes": self.writes, "sockets": self.sockets,
                 "shift": self.shift, "begins": self.begins, "alone": self.is_alone, "idle": 60}
        return words if self.linear_syns is None else words | {"linear_syns": self.linear_syns}

    def simulated(self):
        """Flows of a shadow are written into it at different moments, and so are those of phones."""
        if self.read is not last_latency:
            # A full buffer has no grain of a clock.
            return self.simulated_at(0, PHONES if self.sockets > 1 else 2)
        return [trace for number in range(self.sockets) for trace in self.simulated_at(number * self.shift, PHONES // self.sockets)]

    def simulated_at(self, shift, phones):
        """Sizes of sockets.py are those of the stream: a message of a WebSocket has a head of 6 or 8 bytes (RFC 6455 §5.2)."""
        transport = {"kind": self.kind} | ({} if self.kind == "quic" else {"tls": "none"})
        for name, value in self.options.items():
            if name == "user-timeout":
                value = f"{value}s"
            elif name == "send-buffer":
                value = f"{value}B"
            elif name == "tcp-keepalive":
                value = {"idle": f"{value[0]}s", "interval": f"{value[1]}s", "count": value[2]}
            transport[name] = value
        world, traffic = self.world | {"phone": self.phone}, None
        if self.writes is None:
            world = world | {"timeline": [{"at": "0s", "wan-cut": "10h"}], "until": 200}
        else:
            size, asks = self.writes["size"], self.writes.get("answered", ())
            words = {"size": f"{max(0, size - (6 if size < 132 else 8))}B"}
            if "every" in self.writes:
                traffic = {"up": words | {"every": f"{self.writes['every']}s", "from": f"{LEAD}s"}}
            else:
                moments = [f"{round(at + shift, 4)}s" for at in self.writes["at"]]
                traffic = {"up": words | {"at": [at for number, at in enumerate(moments) if number not in asks]}}
                if asks:
                    traffic |= {"calls": words | {"at": [moments[number] for number in asks], "answer": "92B"}}
                    world = world | {"server": {"think": "0s"}}
        strategy = {"strategy": "composed", "transport": transport, "connect": {"timeout": "24h"}, "queue": "none",
                    "backoff": {"table": ["24h"], "jitter": "none"}}
        return model_traces(world, strategy, traffic, phones=phones)


def once(size=200, at=LEAD + 21.0):
    return {"size": size, "at": WARM + [at]}


def sooner(moments):
    return [at - LEAD for at in moments]


def into_silence(every, size, count):
    """The connection has said little before."""
    return {"size": size, "at": WARM + [round(LEAD + 21 + every * each, 4) for each in range(count)]}


def bulk(count):
    return into_silence(0.0001, 1448, count)


def each(seconds, size):
    return {"size": size, "every": seconds}


def kernel_rows():
    def connect(name, read, **more):
        return Row("connecting", name, SILENCE, read, **{"begins": LEAD + 25} | more)

    # The law is the whole network's: the newer one has ended by then.
    old = {"linear_syns": 0, "phone": {"kernel": "linux-6.1"}, "begins": LEAD + 200}
    yield connect("SYNs at, before Linux 6.5", repeats(6), **old)
    yield connect("gives up, before Linux 6.5", ends, **old)
    yield connect("SYNs at, since Linux 6.5", repeats(10))
    yield connect("gives up, since Linux 6.5", ends)
    for seconds in (5, 30):
        yield connect(f"connect() under TCP_USER_TIMEOUT {seconds} s", ends, options={"user-timeout": seconds})

    def silent(group, name, read=ends, world=SILENCE, writes=once(), **options):
        return Row(group, name, world, read, options={key.replace("_", "-"): value for key, value in options.items()}, writes=writes)

    yield silent("repeats", "first repeat", repeats(1))
    yield Row("repeats", "repeats 1 to 9", SILENCE, repeats(9), writes=once(),
              cause="On a busy machine round trips vary, and the first wait, which is doubled, has their variation in it.")
    yield silent("repeats", "ETIMEDOUT, 50 ms")
    yield silent("repeats", "ETIMEDOUT, 2 ms", world=NEAR)
    for seconds in (6, 10, 20, 60):
        yield silent("user timeout", f"{seconds} s", user_timeout=seconds)
    yield silent("user timeout", "20 s, a write each second", writes=each(1, 200), user_timeout=20)
    yield silent("user timeout", "20 s, 2 ms", world=NEAR, user_timeout=20)

    probing = [(3, 1, 3), (15, 5, 3), (45, 10, 3)]
    for numbers, user in [*((one, None) for one in probing), ((3, 1, 3), 6), ((30, 10, 3), 20), ((30, 10, 9), 45)]:
        name = "/".join(map(str, numbers)) + (f" and TCP_USER_TIMEOUT {user} s" if user else "")
        user = {"user_timeout": user} if user else {}
        yield silent("keepalive", name, ends_idle, writes={"size": 200, "at": WARM}, tcp_keepalive=numbers, **user)
    yield silent("keepalive", "3/1/3, a byte in flight", writes=once(16), tcp_keepalive=(3, 1, 3))
    yield silent("keepalive", "3/1/3 and TCP_USER_TIMEOUT 6 s, a byte in flight", writes=once(16), tcp_keepalive=(3, 1, 3), user_timeout=6)

    for seconds in (3, 7, 20, 30, 45):
        yield Row("shadow", f"a message into {seconds} s without a path", shadow(seconds), last_latency,
                  writes=once(at=CUT + 0.05), sockets=4, shift=0.4181)

    yield Row("reset", "in flight since 11 s, no path from 10 to 30 s", AWAY, moments, writes={"size": 200, "at": [*WARM[:3], LEAD + 11]}, shift=0)
    yield Row("reset", "idle, writes at 32 s", AWAY, moments, writes={"size": 200, "at": [*WARM[:3], LEAD + 32]}, shift=0)

    def buffer(name, writes, size=None, read=taken):
        return Row("send buffer", name, SILENCE, read, writes=writes, options={"send-buffer": size} if size else {}, sockets=1, is_alone=True)

    yield buffer("default, at once", bulk(60))
    yield buffer("default, 200 B a second", into_silence(1, 200, 400))
    yield buffer("default, 28 B each 0.1 s", into_silence(0.1, 28, 5_000))
    yield buffer("default, 28 B each 0.1 s, before silence as well", each(0.1, 28))
    yield buffer("64 KiB, at once", bulk(150), 65_536)
    yield buffer("64 KiB, 28 B each 0.1 s", into_silence(0.1, 28, 5_000), 65_536)
    yield buffer("64 KiB, 32 KiB a second", each(1, 32_768), 65_536)
    yield buffer("16 KiB, 28 B each 0.1 s", into_silence(0.1, 28, 5_000), 16_384)
    yield buffer("2,560 B, 28 B each 0.1 s", into_silence(0.1, 28, 5_000), 2_560)
    yield buffer("256 B, 28 B each 0.1 s", into_silence(0.1, 28, 5_000), 256)
    for size in (256, 512, 1_024, 2_560, 4_096, 16_384, 65_536):
        yield buffer(f"{size:,} B, 28 B each 5 s: the end", each(5, 28), size, ends)

    def words(name, count, answered=()):
        return Row("acknowledging", name, QUIET, acknowledged(count), shift=0.0013, writes={
            "size": 200, "at": WARM + [LEAD + 12, LEAD + 13], "answered": answered}, cause="It is a matter of a jiffy and of who waits for a processor.")

    yield words("words that nobody answers", 2)
    yield words("two words after some that were answered", 2, tuple(range(len(WARM))))

    for count, name in ((6, "there is nothing new to ask with"), (14, "it asks with something new first")):
        yield Row("doubt", f"{count} segments into 0.8 s without a path, {name}: from the first to the last", DOUBT, spread(count), sockets=4, shift=0.05, writes={
            "size": 1448, "at": WARM + [round(LEAD + 21 + 0.0001 * each, 4) for each in range(count)]}, is_alone=True, cause="Some round trips, in which the machine was busy.")

    for size in (200, 20_000):
        for name, share in (("median", 50), ("p95", 95), ("p99", 99), ("mean", None)):
            yield Row("loss", f"{size:,} B, 2 % lost each way: {name}", LOSSY, latencies(share), writes=each(1, size),
                      cause="Between the kernels packets wait for a processor: `deadzone live` says how late its own were.")

    for name, read in (("segments repeated", repeated), ("the last arrives after", final)):
        yield Row("slow link", f"25 segments at once over 100 kbit/s: {name}", SLOW, read, shift=0, writes={
            "size": 1448, "at": WARM + [round(LEAD + 11 + 0.0001 * each, 4) for each in range(25)]}, sockets=1)

    def quic(name, read, writes):
        return Row("QUIC", name, QUIC, read, writes=writes, kind="quic", sockets=1, shift=0,
                   cause="aioquic's round trips hold the waits of its interpreter, whose variation counts four times.")

    def knocking(name, read):
        return Row("QUIC", name, MUTE, read, options={"library": "aioquic"}, kind="quic", sockets=1, shift=0)

    yield knocking("aioquic, nobody answers: repeats 1 to 8", repeats(8))
    yield knocking("aioquic, nobody answers: gives up", ends)
    yield quic("aioquic, idle: the end", ends_idle, {"size": 2, "at": sooner(WARM)})
    yield quic("aioquic, a word into silence: the end", ends, {"size": 2, "at": sooner(once()["at"])})
    yield quic("aioquic, a word into silence: the first probe", repeats(1), {"size": 2, "at": sooner(once()["at"])})


def kernel_runs(rows):
    """One call a world, each as long as its world, and what is to be called for its rows when nobody measures any more. Rows that ask
    the same of the same world share its sockets."""
    worlds = {}
    for row in rows:
        shared = worlds.setdefault(repr(row.world), {})
        shared.setdefault(repr((row.asks | {"name": ""}, row.kind)), []).append(row)
    return [lambda groups=list(shared.values()): measure(groups) for shared in worlds.values()]


def measure(groups):
    first = groups[0][0]
    if first.kind == "quic":
        programs = "quic.py", f"{PYTHON} {PROGRAMS.parent.parent}/LiveTests/Programs/quic_server.py 30"
    else:
        programs = "sockets.py", f"{PYTHON} {PROGRAMS}/sink.py {{out}}"
    asks = [group[0].asks for group in groups]
    with ThreadPoolExecutor() as pool:
        def copy(number):
            # Neither this nor what lies between flows is a multiple of a timer's grain: each has a phase of its own.
            sleep(number * 1.391 + (LEAD if first.kind == "quic" else 0))
            return live_traces(first.world, asks, *programs)
        traces = [trace for copied in pool.map(copy, range(first.world.get("copies", 1))) for trace in copied]
    return lambda: list(compared(groups, traces))


# A timeout that has nothing but the path in it ends in the jiffy of 4 ms behind that. With one jiffy more all its doublings lie in
# coarser grains: 64 of them, and not 63.
SPARE = 0.0035
BUSY = "The machine was busy: round trips had its waits in them, and timeouts their variation."


def calm(row, traces):
    """Those whose timeout is that of the path, if they are more than half: what interpreters and queues add to a round trip is
    in every wait that is doubled from there."""
    longest = 2 * float(row.world.get("link", {"delay": "25ms"})["delay"].removesuffix("ms")) / 1000 + 0.2 + SPARE
    found = [trace for trace in traces if (trace.get("timeout") or 0) <= longest]
    return found if 2 * len(found) > len(traces) else None


def compared(groups, traces):
    for group in groups:
        all = [trace for trace in traces if trace["row"] == group[0].name]
        model = group[0].simulated()
        for row in group:
            own = (calm(row, all) if row.group in CALM else all) or all
            found = {"group": row.group, "row": row.name, "model": row.read(model, row), "measured": row.read(own, row)}
            if row.group in CALM:
                found["sockets"], found["disturbed"] = len(all), len(all) - len(calm(row, all) or [])
            if row.read is last_latency:
                found["distance"], found["distance_limit"] = apart(last_latencies(model), last_latencies(own))
            yield found | verdict(found["model"], found["measured"], BUSY if found.get("disturbed") == len(all) else row.cause)


TOLERANCE = 0.05
# What is counted in timeouts.
CALM = {"repeats", "user timeout", "shadow", "reset"}


def verdict(model, own, cause):
    """The worst of a row's values counts."""
    if None in own and own == model:
        return {"error": 0, "within": True}
    if None in own or None in model:
        return {"error": None, "within": False, "cause": cause}
    error = max(((one - other) / other if other else float(one) for one, other in zip(model, own)), key=abs)
    within = abs(error) <= TOLERANCE
    return {"error": error, "within": within} | ({} if within else {"cause": cause})


def apart(one, other):
    """The distance of two distributions by Kolmogorov and Smirnov, and what one in twenty of the same pass (1.358, two samples)."""
    def share(sample, value):
        return sum(each <= value for each in sample) / len(sample)

    distance = max(abs(share(one, value) - share(other, value)) for value in one + other)
    return distance, 1.358 * ((len(one) + len(other)) / (len(one) * len(other))) ** 0.5
