"""Rows about the kernel: a world, the sockets in it, and the values read from them. Each row is measured and simulated
from the same description."""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from statistics import mean, median, quantiles, stdev
from time import sleep

from worlds import PHONES, PROGRAMS, PYTHON, live_traces, model_traces

# No packets before all interpreters have started: their start would lengthen the round trips, and everything that is
# doubled from them.
LEAD = 40
CUT = LEAD + 20.25
WARM = list(range(LEAD + 1, LEAD + 11))
SILENCE = {"until": LEAD + 1030, "dark": CUT, "timeline": [{"at": f"{CUT}s", "wan-cut": "10h"}]}
NEAR = SILENCE | {"link": {"delay": "1ms"}}
AWAY = {"until": LEAD + 80, "dark": LEAD + 10, "timeline": [
    {"at": f"{LEAD + 10}s", "wan-cut": "20s"}, {"at": f"{LEAD + 15}s", "server": "down", "for": "5s"}]}
SLOW = {"until": LEAD + 60, "dark": LEAD + 10.5, "timeline": [], "link": {"delay": "25ms", "rate": "100kbps"}}
QUIET = {"until": LEAD + 20, "dark": 0, "timeline": []}
DOUBT = {"until": LEAD + 40, "dark": CUT, "timeline": [{"at": f"{LEAD + 20.95}s", "wan-cut": "0.8s"}]}
MUTE = {"until": 80, "dark": 0, "timeline": [{"at": "0s", "wan-cut": "10h"}]}
# QUIC's idle timer would end a connection that is silent during LEAD; these worlds start later instead.
# A dozing radio would add up to a beacon to each round trip above its tail of 220 ms.
AWAKE = {"radios": {"wifi": {"profile": "wifi-galaxy-s2", "tail-time": "10m"}}}
ROUND_TRIPS = (20, 70, 170, 420)
# The SYN meets a slow link, as behind a radio that wakes. Afterwards a round trip takes 70 ms.
SLOW_SYN = {"until": LEAD + 120, "dark": CUT, "phone": AWAKE, "link": {"delay": "35ms"}, "others": {"waking": {"delay": "167ms"}}, "timeline": [
    {"at": "0s", "conditions": {"wifi": "waking"}}, {"at": f"{LEAD + 8.9}s", "conditions": {"wifi": "usual"}},
    {"at": f"{CUT}s", "wan-cut": "10h"}]}
ONLY_DOWN, ONLY_UP = ({"until": LEAD + 120, "dark": CUT, "phone": AWAKE, "timeline": [{"at": f"{CUT}s", "one-way": way}]} for way in ("down", "up"))
MOVED = SILENCE | {"phone": AWAKE, "timeline": [{"at": f"{CUT}s", "readdress": "wifi", "old-path": "silent"}]}
QUIC = {"until": 120, "dark": CUT - LEAD, "timeline": [{"at": f"{CUT - LEAD}s", "wan-cut": "10h"}], "server": {"quic-idle": "30s"}}


def shadow(seconds):
    # All timers of one machine share a clock, so flows that begin together recover together. Several copies start at
    # different times.
    return {"until": int(CUT + 3 * seconds + 20), "dark": CUT, "copies": 6, "timeline": [{"at": f"{CUT}s", "wan-cut": f"{seconds}s"}]}


def silence(round_trip):
    """A path with this round trip in milliseconds that falls silent."""
    return SILENCE | {"phone": AWAKE, "link": {"delay": f"{round_trip / 2}ms"}}


def outage(round_trip, seconds):
    return shadow(seconds) | {"copies": 4, "phone": AWAKE, "link": {"delay": f"{round_trip / 2}ms"}}


def half(seconds, way):
    """A path on which for a time only this direction passes packets."""
    return shadow(seconds) | {"copies": 3, "phone": AWAKE, "timeline": [{"at": f"{CUT}s", "one-way": way, "for": f"{seconds}s"}]}


def queue(size, rate, wait, round_trip):
    """A path with a bounded queue. One message at a time crosses it."""
    return {"until": LEAD + 40, "dark": 0, "timeline": [], "phone": AWAKE, "size": size,
            "link": {"delay": f"{round_trip / 2}ms", "rate": rate, "queue": wait}}


def lossy(percent, size):
    return {"until": LEAD + 900, "dark": 0, "timeline": [], "phone": AWAKE, "size": size, "link": {"delay": "25ms", "loss": f"{percent}%"}}


def reordered(percent, late, size):
    """A path on which this share of the packets arrives late by this many milliseconds."""
    return {"until": LEAD + 600, "dark": 0, "timeline": [], "phone": AWAKE, "size": size,
            "link": {"delay": "25ms", "rate": "20Mbps", "reordering": {"share": f"{percent}%", "by": f"{late}ms"}}}


def resting(round_trip, rest):
    return {"until": LEAD + 45, "dark": 0, "timeline": [], "phone": AWAKE, "rest": rest, "link": {"delay": f"{round_trip / 2}ms"}}


# MARK: Values read from traces

def asked(trace, row):
    """Returns the time of the first message into silence, or of the SYN if the connection was never open."""
    return next((at for at in trace["writes"] if at > row.world["dark"]), trace["begun"])


def spans(traces, moment):
    """Returns the median over all traces that have the value; None if most of them do not."""
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
    """Bytes of complete writes between the first message into silence and the write that no longer fitted."""
    size = row.writes["size"]
    return spans(traces, lambda trace: minus(trace["full"], 0) and size * sum(at > row.world["dark"] for at in trace["writes"]))


def repeated(traces, row):
    """Number of retransmitted segments."""
    return spans(traces, lambda trace: sum(at > asked(trace, row) for at in trace["repeats"]))


def repeated_each(traces, row):
    """Number of retransmitted segments of a message."""
    return [mean([sum(at > row.world["dark"] for at in trace["repeats"]) / max(len(trace["writes"]), 1) for trace in traces])]


def final(traces, _):
    return spans(traces, lambda trace: trace["latencies"][-1])


def last_message(traces, _):
    """Time until the last message was read."""
    return spans(traces, lambda trace: trace["latencies"][-1])


def acknowledged(count):
    """Times until the acknowledgement of each of the last `count` messages."""
    def read(traces, _):
        def wait(trace, number):
            asked = trace["writes"][number]
            return minus(next((at for at in trace["acknowledged"] if at > asked), None), asked)
        return [spans(traces, lambda trace: wait(trace, number))[0] for number in range(-count, 0)]
    return read


def spread(count):
    """Time between the first and the last arrival of `count` messages that were written at once."""
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


def slowest_tenth(traces, _):
    all = sorted(span for trace in traces for span in trace["latencies"])
    return [mean(all[-max(len(all) // 10, 1):])]


def last_latency(traces, _):
    return [median(last_latencies(traces))]


def last_latencies(traces):
    return [trace["latencies"][-1] for trace in traces if len(trace["latencies"]) == len(WARM) + 1]


BUSY = "The machine was busy. Round trips contained its waits, and timeouts their variation."


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
    """The reason for a deviation, if there is one."""
    is_alone: bool = False
    greets: bool = False
    """Whether the socket begins with a request, as the model's connection does. It matters to young connections."""
    linear_syns: int | None = None
    phone: dict = field(default_factory=dict)
    kind: str = "websocket"

    @property
    def asks(self):
        """The row in the format that sockets.py reads."""
        words = {"name": self.name, "options": self.options, "writes": self.writes, "sockets": self.sockets,
                 "shift": self.shift, "begins": self.begins, "alone": self.is_alone, "greets": self.greets, "idle": 60}
        return words if self.linear_syns is None else words | {"linear_syns": self.linear_syns}

    def simulated(self):
        """Returns the simulated traces. In a shadow, flows write at different times, and so do the phones."""
        if self.read is not last_latency:
            # A full buffer does not depend on the granularity of a timer.
            return self.simulated_at(0, PHONES if self.sockets > 1 else 2)
        return [trace for number in range(self.sockets) for trace in self.simulated_at(number * self.shift, PHONES // self.sockets)]

    def simulated_at(self, shift, phones):
        """Sizes in sockets.py are those of the stream. A WebSocket message has a header of 6 or 8 bytes (RFC 6455
        §5.2)."""
        transport = {"kind": self.kind} | ({} if self.kind == "quic" else {"tls": "none"})
        for name, value in self.options.items():
            if name == "user-timeout":
                value = f"{value}s"
            elif name == "send-buffer":
                value = f"{value}B"
            elif name == "tcp-keepalive":
                value = {"idle": f"{value[0]}s", "interval": f"{value[1]}s", "count": value[2]}
            transport[name] = value
        world, traffic = self.world | {"phone": self.world.get("phone", {}) | self.phone}, None
        if self.writes is None:
            world = world | {"timeline": [{"at": "0s", "wan-cut": "10h"}], "until": 200}
        else:
            size, asks = self.writes["size"], self.writes.get("answered", ())
            words = {"size": f"{max(0, size - (6 if size < 132 else 8 if size < 65_544 else 14))}B"}
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
    """Returns writes into silence on a connection that has sent little before."""
    return {"size": size, "at": WARM + [round(LEAD + 21 + every * each, 4) for each in range(count)]}


def bulk(count):
    return into_silence(0.0001, 1448, count)


def each(seconds, size):
    return {"size": size, "every": seconds}


def kernel_rows():
    def connect(name, read, **more):
        return Row("connecting", name, SILENCE, read, **{"begins": LEAD + 25} | more)

    # The sysctl applies to the whole network namespace. The newer behaviour's connections have ended by then.
    old = {"linear_syns": 0, "phone": {"kernel": "linux-6.1"}, "begins": LEAD + 200}
    yield connect("SYN times, before Linux 6.5", repeats(6), **old)
    yield connect("connect() fails, before Linux 6.5", ends, **old)
    yield connect("SYN times, since Linux 6.5", repeats(10))
    yield connect("connect() fails, since Linux 6.5", ends)
    for seconds in (5, 30):
        yield connect(f"connect() under TCP_USER_TIMEOUT {seconds} s", ends, options={"user-timeout": seconds})

    def silent(group, name, read=ends, world=SILENCE, writes=once(), **options):
        return Row(group, name, world, read, options={key.replace("_", "-"): value for key, value in options.items()}, writes=writes)

    yield silent("retransmissions", "first retransmission", repeats(1))
    yield Row("retransmissions", "retransmissions 1 to 9", SILENCE, repeats(9), writes=once(),
              cause="On a busy machine, round trips vary. The first wait contains their variation, and each further wait doubles it.")
    yield silent("retransmissions", "ETIMEDOUT, 50 ms")
    yield silent("retransmissions", "ETIMEDOUT, 2 ms", world=NEAR)
    for seconds in (6, 10, 20, 60):
        yield silent("user timeout", f"{seconds} s", user_timeout=seconds)
    yield silent("user timeout", "20 s, a write every second", writes=each(1, 200), user_timeout=20)
    yield silent("user timeout", "20 s, 2 ms", world=NEAR, user_timeout=20)

    probing = [(3, 1, 3), (15, 5, 3), (45, 10, 3)]
    for numbers, user in [*((one, None) for one in probing), ((3, 1, 3), 6), ((30, 10, 3), 20), ((30, 10, 9), 45)]:
        name = "/".join(map(str, numbers)) + (f" and TCP_USER_TIMEOUT {user} s" if user else "")
        user = {"user_timeout": user} if user else {}
        yield silent("keepalive", name, ends_idle, writes={"size": 200, "at": WARM}, tcp_keepalive=numbers, **user)
    yield silent("keepalive", "3/1/3, a byte in flight", writes=once(16), tcp_keepalive=(3, 1, 3))
    yield silent("keepalive", "3/1/3 and TCP_USER_TIMEOUT 6 s, a byte in flight", writes=once(16), tcp_keepalive=(3, 1, 3), user_timeout=6)

    for seconds in (3, 7, 20, 30, 45):
        yield Row("recovery after an outage", f"a message sent during an outage of {seconds} s", shadow(seconds), last_latency,
                  writes=once(at=CUT + 0.05), sockets=4, shift=0.4181)

    yield Row("reset", "in flight since 11 s, outage from 10 to 30 s", AWAY, moments, writes={"size": 200, "at": [*WARM[:3], LEAD + 11]}, shift=0)
    yield Row("reset", "idle, writes at 32 s", AWAY, moments, writes={"size": 200, "at": [*WARM[:3], LEAD + 32]}, shift=0)

    def buffer(name, writes, size=None, read=taken):
        return Row("send buffer", name, SILENCE, read, writes=writes, options={"send-buffer": size} if size else {}, sockets=1, is_alone=True)

    yield buffer("default, at once", bulk(60))
    yield buffer("default, 200 B a second", into_silence(1, 200, 400))
    yield buffer("default, 28 B every 0.1 s", into_silence(0.1, 28, 5_000))
    yield buffer("default, 28 B every 0.1 s, also before the outage", each(0.1, 28))
    yield buffer("64 KiB, at once", bulk(150), 65_536)
    yield buffer("64 KiB, 28 B every 0.1 s", into_silence(0.1, 28, 5_000), 65_536)
    yield buffer("64 KiB, 32 KiB a second", each(1, 32_768), 65_536)
    yield buffer("16 KiB, 28 B every 0.1 s", into_silence(0.1, 28, 5_000), 16_384)
    yield buffer("2,560 B, 28 B every 0.1 s", into_silence(0.1, 28, 5_000), 2_560)
    yield buffer("256 B, 28 B every 0.1 s", into_silence(0.1, 28, 5_000), 256)
    for size in (256, 512, 1_024, 2_560, 4_096, 16_384, 65_536):
        yield buffer(f"{size:,} B, 28 B every 5 s: time of the failure", each(5, 28), size, ends)

    def words(name, count, answered=()):
        return Row("delayed acknowledgements", name, QUIET, acknowledged(count), shift=0.0013, writes={
            "size": 200, "at": WARM + [LEAD + 12, LEAD + 13], "answered": answered}, cause="The difference is about a jiffy. It depends on which process waits for a processor.")

    yield words("messages without an answer", 2)
    yield words("two messages after some with answers", 2, tuple(range(len(WARM))))

    for count, name in ((6, "no new data to send"), (14, "new data is sent first")):
        yield Row("spurious timeouts", f"{count} segments during an outage of 0.8 s, {name}: from the first arrival to the last", DOUBT, spread(count), sockets=4, shift=0.05, writes={
            "size": 1448, "at": WARM + [round(LEAD + 21 + 0.0001 * each, 4) for each in range(count)]}, is_alone=True, cause="The machine was busy during some round trips.")

    for name, read in (("segments retransmitted", repeated), ("arrival of the last", final)):
        yield Row("slow link", f"25 segments at once over 100 kbit/s: {name}", SLOW, read, shift=0, writes={
            "size": 1448, "at": WARM + [round(LEAD + 11 + 0.0001 * each, 4) for each in range(25)]}, sockets=1)

    for round_trip in ROUND_TRIPS:
        for messages in (1, 3, 10):
            yield Row("round trips of 20 to 420 ms", f"{round_trip} ms, message {messages + 1} into silence: retransmissions 1 to 4",
                      silence(round_trip), repeats(4), writes={"size": 200, "at": WARM[10 - messages:] + [LEAD + 21.0]}, greets=True)
        yield Row("round trips of 20 to 420 ms", f"{round_trip} ms: ETIMEDOUT", silence(round_trip), ends, writes=once(), greets=True)
    for round_trip, seconds in ((170, 3), (170, 20), (420, 7)):
        yield Row("round trips of 20 to 420 ms", f"{round_trip} ms, a message sent during an outage of {seconds} s", outage(round_trip, seconds),
                  last_latency, writes=once(at=CUT + 0.05), sockets=4, shift=0.4181, greets=True)
    for messages in (1, 3, 10):
        yield Row("a slow first round trip", f"SYN 334 ms, then 70 ms, message {messages + 1} into silence: retransmissions 1 to 4", SLOW_SYN, repeats(4),
                  writes={"size": 200, "at": [LEAD + 9 + each for each in range(11 - messages, 11)] + [LEAD + 21.0]}, begins=LEAD + 8.2, shift=0.04, greets=True)

    for world, name in ((ONLY_DOWN, "only downward packets pass"), (ONLY_UP, "only upward packets pass")):
        yield Row("one direction", f"{name}: retransmissions 1 to 6", world, repeats(6), writes=once())
    yield Row("one direction", "only downward packets pass for 7 s: a message", half(7, "down"), last_latency, writes=once(at=CUT + 0.05), sockets=4, shift=0.4181)
    yield Row("one direction", "only upward packets pass for 7 s: acknowledgement of a message", half(7, "up"), acknowledged(1), writes=once(at=CUT + 0.05))
    yield Row("one direction", "a new address, and the old path is silent: ETIMEDOUT", MOVED, ends, writes=once())

    bulks = [(500_000, "1Mbps", "1s"), (1_000_000, "3Mbps", "500ms"), (2_000_000, "10Mbps", "200ms"),
             (500_000, "1Mbps", "200ms"), (1_000_000, "3Mbps", "100ms"), (2_000_000, "10Mbps", "50ms")]
    for round_trip in (50, 170):
        for size, rate, wait in bulks:
            yield Row("queues", f"{round_trip} ms, {size:,} B over {rate} with a queue of {wait}", queue(size, rate, wait, round_trip), last_message,
                      writes={"size": size, "at": [LEAD + 2], "whole": True}, sockets=3, shift=12, is_alone=True,
                      cause="Slow start ends one round trip sooner or later than in the model.")

    for round_trip in (20, 50, 170, 420):
        for rest in (0.3, 1.2, 20):
            # The second socket sends while the first one pauses.
            yield Row("rest", f"{round_trip} ms, 64,000 B again after {rest} s", resting(round_trip, rest), last_message, sockets=2, shift=0.75,
                      writes={"size": 64_000, "at": [LEAD + 2 + 1.5 * each for each in range(5)] + [LEAD + 8 + rest], "whole": True}, is_alone=True)

    # Measured without losses, 64,000 B take 1.3 % longer in the model.
    grouped = "Up to four segments are one packet in the model, so acknowledgements arrive about a millisecond later in each round trip."
    # A percentile at the border of two modes, as with or without a timeout, varies by the distance of the modes.
    for percent in (0.5, 1, 2, 5):
        for size, seconds in ((200, 0.6), (20_000, 1.2), (64_000, 2)):
            for name, share in (("median", 50), ("mean", None)):
                yield Row("losses of 0.5 to 5 %", f"{size:,} B, {percent} % lost each way: {name}", lossy(percent, size), latencies(share), sockets=4,
                          shift=seconds / 4 + 0.011, writes=each(seconds, size) | {"whole": True}, is_alone=True, cause=grouped)
            yield Row("losses of 0.5 to 5 %", f"{size:,} B, {percent} % lost each way: mean of the slowest tenth", lossy(percent, size), slowest_tenth, sockets=4,
                      shift=seconds / 4 + 0.011, writes=each(seconds, size) | {"whole": True}, is_alone=True, cause=grouped)

    # The first repair that shows it was after 8 to 28 messages of 200,000 B in four sockets, and after 3 to 20 in twelve simulated ones.
    notices = "Sockets notice later than the model that packets overtake each other, and retransmit more until then."
    for percent, late in ((2, 5), (2, 20), (2, 80), (10, 20)):
        for size, seconds in ((20_000, 1.2), (200_000, 2)):
            for name, read in (("mean", latencies(None)), ("mean of the slowest tenth", slowest_tenth), ("segments retransmitted", repeated_each)):
                yield Row("packets that overtake each other", f"{size:,} B, {percent} % late by {late} ms: {name}", reordered(percent, late, size), read, sockets=4,
                          shift=seconds / 4 + 0.011, writes=each(seconds, size) | {"whole": True}, is_alone=True, cause=notices)

    def quic(name, read, writes):
        return Row("QUIC", name, QUIC, read, writes=writes, kind="quic", sockets=1, shift=0,
                   cause="aioquic's round trips include the waits of its interpreter. Their variation counts four times.")

    def knocking(name, read):
        return Row("QUIC", name, MUTE, read, options={"library": "aioquic"}, kind="quic", sockets=1, shift=0)

    yield knocking("aioquic, no answer: retransmissions 1 to 8", repeats(8))
    yield knocking("aioquic, no answer: connecting fails", ends)
    yield quic("aioquic, idle: end of the connection", ends_idle, {"size": 2, "at": sooner(WARM)})
    yield quic("aioquic, a message during an outage: end of the connection", ends, {"size": 2, "at": sooner(once()["at"])})
    yield quic("aioquic, a message during an outage: first probe", repeats(1), {"size": 2, "at": sooner(once()["at"])})


# Rows about bulk transfers, and rows about some thousand messages on a path with losses or late packets. Other programs lengthen
# the round trips of both, and so change when slow start ends and which timeouts are spurious.
TRANSFERS, RANDOM = {"spurious timeouts", "slow link", "queues", "rest"}, {"losses of 0.5 to 5 %", "packets that overtake each other"}


def kernel_runs(rows):
    """Returns one function per world, which runs as long as its world, in three lists: worlds of waits, of bulk transfers, and of
    random packets. A function returns another one that computes the rows once no measurement is running any more. Rows with the same
    settings in the same world share its sockets."""
    worlds = {}
    for row in rows:
        shared = worlds.setdefault(repr(row.world), {})
        shared.setdefault(repr((row.asks | {"name": ""}, row.kind)), []).append(row)
    waits, transfers, random = [], [], []
    for shared in worlds.values():
        groups = list(shared.values())
        name = groups[0][0].group
        (transfers if name in TRANSFERS else random if name in RANDOM else waits).append(lambda groups=groups: measure(groups))
    return waits, transfers, random


def measure(groups):
    first = groups[0][0]
    if first.kind == "quic":
        programs = "quic.py", f"{PYTHON} {PROGRAMS.parent.parent}/LiveTests/Programs/quic_server.py 30"
    else:
        programs = "sockets.py", f"{PYTHON} {PROGRAMS}/sink.py {{out}}"
    asks = [group[0].asks for group in groups]
    with ThreadPoolExecutor() as pool:
        def copy(number):
            # Neither this delay nor the distance of flows is a multiple of a timer's granularity, so that each has its
            # own phase.
            sleep(number * 1.391 + (LEAD if first.kind == "quic" else 0))
            return live_traces(first.world, asks, *programs)
        traces = [trace for copied in pool.map(copy, range(first.world.get("copies", 1))) for trace in copied]
    return lambda: list(compared(groups, traces))


# A timeout that consists of the path only ends in the next jiffy of 4 ms. With one jiffy more, all its doublings fall
# into coarser timer buckets: 64 of them, not 63.
SPARE = 0.0035


def calm(row, traces):
    """Returns the traces with a timeout equal to that of the path, if they are more than half, else None. Delays by
    interpreters and queues lengthen a round trip and every wait that is doubled from it."""
    longest = 2 * float(row.world.get("link", {"delay": "25ms"})["delay"].removesuffix("ms")) / 1000 + 0.2 + SPARE
    found = [trace for trace in traces if (trace.get("timeout") or 0) <= longest]
    return found if 2 * len(found) > len(traces) else None


def sampling_error(row, model, own):
    """Returns the standard error of the deviation from the model as a share of the measured value. Blocks of messages are
    drawn again, because a loss delays the messages after it, too."""
    blocks, dice = [block for trace in own for block in in_blocks(trace)], Random(1)
    drawn = [row.read(dice.choices(blocks, k=len(blocks)), row)[0] for _ in range(100)]
    # The sample of the model is larger, so its error is smaller by the root of the sizes.
    sizes = [sum(len(trace["latencies"]) for trace in traces) for traces in (own, model)]
    return stdev(drawn) * (1 + sizes[0] / sizes[1]) ** 0.5 / max(mean(drawn), 1e-9)


def in_blocks(trace, size=20):
    """Returns a trace as several traces of a few messages."""
    for first in range(0, min(len(trace["writes"]), len(trace["latencies"])) - size + 1, size):
        own = trace["writes"][first : first + size]
        yield trace | {"writes": own, "latencies": trace["latencies"][first : first + size],
                       "repeats": [at for at in trace["repeats"] if own[0] <= at < own[-1] + own[1] - own[0]]}


def compared(groups, traces):
    for group in groups:
        all = [trace for trace in traces if trace["row"] == group[0].name]
        model = group[0].simulated()
        for row in group:
            own = (calm(row, all) if row.group in CALM else all) or all
            found = {"group": row.group, "row": row.name, "model": row.read(model, row), "measured": row.read(own, row)}
            found["sockets"], found["disturbed"] = len(all), len(all) - len(calm(row, all) or []) if row.group in CALM else 0
            if row.group in RANDOM:
                found["sampling_error"] = sampling_error(row, model, own)
            if row.read is last_latency:
                found["distance"], found["distance_limit"] = apart(last_latencies(model), last_latencies(own))
            judged = verdict(found["model"], found["measured"], BUSY if found.get("disturbed") == len(all) else row.cause)
            yield found | judged | unclear(judged, found.get("sampling_error", 0))


TOLERANCE = 0.05
# Groups whose values are multiples of the timeout.
CALM = {"retransmissions", "user timeout", "recovery after an outage", "reset"}


def verdict(model, own, cause):
    """Compares all values of a row; the largest error counts."""
    if None in own and own == model:
        return {"error": 0, "within": True}
    if None in own or None in model:
        return {"error": None, "within": False, "cause": cause}
    error = max(((one - other) / other if other else float(one) for one, other in zip(model, own)), key=abs)
    within = abs(error) <= TOLERANCE
    return {"error": error, "within": within} | ({} if within else {"cause": cause})


def unclear(judged, sampling_error):
    """Marks a row whose sample cannot tell: its standard error is above the tolerance, and the difference is less than two of it.
    Such a row is not within either, however small the difference is. If only the difference is less than two standard errors, that
    is the cause."""
    if abs(judged["error"] or 0) >= 2 * sampling_error:
        return {}
    if sampling_error > TOLERANCE:
        return {"within": False, "unclear": True, "cause": "too few such messages in the sample"}
    return {} if judged["within"] else {"cause": "The difference is below two standard errors of the sample."}


def apart(one, other):
    """Returns the Kolmogorov-Smirnov distance of two samples, and the limit that one in twenty pairs from the same
    distribution exceeds (1.358, two samples)."""
    def share(sample, value):
        return sum(each <= value for each in sample) / len(sample)

    distance = max(abs(share(one, value) - share(other, value)) for value in one + other)
    return distance, 1.358 * ((len(one) + len(other)) / (len(one) * len(other))) ** 0.5
