"""Opens TCP sockets as described by rows, writes their messages, and records the kernel's state of each: sockets.py
ROWS OUT."""
import errno
import json
import os
import socket
import struct
import sys
import threading
import time

# Start time of this process, which is the start of the world: field 22 of /proc/self/stat.
ZERO = int(open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
# Offsets in `struct tcp_info` (include/uapi/linux/tcp.h).
STATE, RTO, UNACKED, LAST_ACK_RECV, TOTAL_RETRANS = 0, 8, 24, 56, 100
ESTABLISHED, CLOSE = 1, 7
# The congestion control of phones, and Linux's default (`net/ipv4/Kconfig`); a machine may be configured differently.
CONGESTION = b"cubic"
# Flag in a connection's number: the message requests an answer.
ASKS = 1 << 31
LINEAR_SYNS = "/proc/sys/net/ipv4/tcp_syn_linear_timeouts"


def now():
    return time.monotonic() - ZERO


class Socket:
    def __init__(self, number, row, shift):
        self.number, self.row = number, row
        self.begins = row["begins"] + (shift if row["writes"] is None else 0)
        self.dues = iter([]) if row["writes"] is None else self.due_times(row, shift)
        self.due = next(self.dues, None)
        self.trace = {"row": row["name"], "begun": None, "writes": [], "repeats": [], "heard": None, "end": None, "full": None, "timeout": None, "acknowledged": []}
        self.socket = None
        self.is_open = False
        # Number of messages so far, and whether one is unacknowledged. The server answers some of them.
        self.words = 0
        self.waits = False
        # Time of the last observed change, and time of the next check.
        self.changed = self.next = 0

    @staticmethod
    def due_times(row, shift):
        """Yields the times of writes. Warm-up times are the same for all sockets; writes into silence start at a
        different phase of each socket's clock."""
        number = 0
        while "every" in row["writes"] or number < len(row["writes"]["at"]):
            at = int(row["begins"]) + (number + 1) * row["writes"]["every"] if "every" in row["writes"] else row["writes"]["at"][number]
            yield at + shift
            number += 1

    def open(self, address):
        if "linear_syns" in self.row:
            open(LINEAR_SYNS, "w").write(str(self.row["linear_syns"]))
        self.socket = made = socket.socket()
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONGESTION)
        options = self.row["options"]
        if "send-buffer" in options:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, options["send-buffer"])
        if "user-timeout" in options:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(options["user-timeout"] * 1000))
        if "tcp-keepalive" in options:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in zip((socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT), options["tcp-keepalive"]):
                made.setsockopt(socket.IPPROTO_TCP, name, value)
        self.trace["begun"] = now()
        made.connect_ex(address)

    def greet(self):
        """Sends a request that the server answers, as a WebSocket's upgrade: one more round trip is measured."""
        self.socket.send(struct.pack("!IId", self.number | ASKS, 200, time.monotonic()) + bytes(184))

    def look(self):
        info = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        at = now()
        was_open, self.is_open = self.is_open, info[STATE] == ESTABLISHED
        if self.is_open and not was_open and self.row.get("greets"):
            self.greet()
        if self.is_open and not self.trace["repeats"]:
            # Before the first loss, the timeout is the one derived from round trips.
            self.trace["timeout"] = struct.unpack_from("I", info, RTO)[0] / 1e6
        repeats = self.trace["repeats"]
        repeats += [at] * (struct.unpack_from("I", info, TOTAL_RETRANS)[0] - len(repeats))
        if info[STATE] == CLOSE:
            self.trace["end"] = at
            self.trace["error"] = errno.errorcode.get(self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), "")
        else:
            self.trace["heard"] = at - struct.unpack_from("I", info, LAST_ACK_RECV)[0] / 1000
            if self.waits and struct.unpack_from("I", info, UNACKED)[0] == 0:
                self.waits = False
                self.trace["acknowledged"].append(self.trace["heard"])

    def write(self):
        size = self.row["writes"]["size"]
        is_answered = self.words in self.row["writes"].get("answered", ())
        self.words += 1
        # A flag in the number requests an answer.
        stamp = struct.pack("!IId", self.number | (ASKS if is_answered else 0), size, time.monotonic())
        content = (stamp if size >= len(stamp) else b"") + bytes(max(0, size - len(stamp)))
        try:
            if self.row["writes"].get("whole"):
                # A message larger than the send buffer: the kernel takes the rest as soon as it has room.
                self.socket.setblocking(True)
                self.socket.sendall(content[:size])
                self.socket.setblocking(False)
                whole = True
            else:
                whole = self.socket.send(content[:size]) == size
        except BlockingIOError:
            whole = False
        except OSError:
            self.due = None
            return
        self.waits = True
        if whole:
            if not is_answered:
                self.trace["writes"].append(now())
            self.due = next(self.dues, None)
        else:
            self.trace["full"] = now()
            self.due = None

    def step(self, address):
        """Performs due writes and checks the socket: soon after a change, rarely if nothing changes."""
        if self.socket is None:
            if now() < self.begins:
                self.next = self.begins
                return
            self.open(address)
            self.changed = now()
        while self.is_open and self.due is not None and now() >= self.due:
            self.write()
            self.changed = now()
        before = self.is_open, len(self.trace["repeats"]), len(self.trace["acknowledged"])
        self.look()
        at = now()
        if before != (self.is_open, len(self.trace["repeats"]), len(self.trace["acknowledged"])):
            self.changed = at
        self.next = at + min(max((at - self.changed) * PRECISION, SHORTEST), LONGEST)
        if self.is_open and self.due is not None:
            self.next = min(self.next, self.due)


# Check interval as a share of the time since the last change, and its limits in seconds. More frequent checks would
# take processor time from the carriers of packets.
PRECISION, SHORTEST, LONGEST = 0.01, 0.003, 0.1


def run(sockets, address, until):
    while now() < until and (sockets := [each for each in sockets if each.trace["end"] is None]):
        at = now()
        for each in sockets:
            if each.next <= at:
                each.step(address)
        time.sleep(max(0.001, min(each.next for each in sockets) - now()))


def await_server(address):
    """Waits for the server. Its interpreter and the network start together with this program."""
    while True:
        try:
            return socket.create_connection(address).close()
        except OSError:
            time.sleep(0.1)


def main():
    asked, out = json.load(open(sys.argv[1])), sys.argv[2]
    address = (socket.gethostbyname("server.test"), 8080)
    await_server(address)
    sockets = []
    for row in asked["rows"]:
        for each in range(row["sockets"]):
            sockets.append(Socket(len(sockets), row, each * row["shift"]))
    # One thread that writes to several sockets in turn takes pages in turn, and uses more of a buffer (`sk_page_frag`).
    groups = [[each] for each in sockets if each.row["alone"]] + [[each for each in sockets if not each.row["alone"]]]
    threads = [threading.Thread(target=run, args=[group, address, asked["until"]]) for group in groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open(out, "w") as file:
        json.dump([each.trace for each in sockets], file)


if __name__ == "__main__":
    main()
