"""Client and server of `.ci/fidelity`: what they measure is printed, a line each. usage: measure.py WHAT client|server [RATE]"""
import socket
import sys
import threading
import time

what, side = sys.argv[1], sys.argv[2]
SECONDS = 8
SERVER = ("server.test", 8080)


def tell(*words):
    print("measured", *words, flush=True)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def delay_server():
    """Answers what comes."""
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    ear.bind(("", 8080))
    buffer = bytearray(200)
    while True:
        count, peer = ear.recvfrom_into(buffer)
        ear.sendto(memoryview(buffer)[:count], peer)


def delay_client():
    """So many a second of 100 bytes each, and the round trip of each."""
    rate = int(sys.argv[3])
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    mouth.connect(SERVER)
    trips = []

    def hear():
        while True:
            sent = int.from_bytes(mouth.recv(200)[:8], "big")
            trips.append(time.monotonic_ns() - sent)

    threading.Thread(target=hear, daemon=True).start()
    began, count = time.monotonic(), 0
    while (now := time.monotonic()) < began + SECONDS:
        while count < (now - began) * rate:
            mouth.send(time.monotonic_ns().to_bytes(8, "big") + bytes(92))
            count += 1
        time.sleep(0.0005)
    time.sleep(1)
    tell(count, len(trips), quantile(trips, 0.5) / 1e6, quantile(trips, 0.99) / 1e6)


def swallow(connection):
    """Bits in a second, but for the first, in which a window opens."""
    buffer, total, began = bytearray(1 << 20), 0, time.monotonic()
    from_second = None
    while (now := time.monotonic()) < began + SECONDS:
        if from_second is None and now > began + 1:
            from_second, total = now, 0
        total += connection.recv_into(buffer)
    tell(total * 8 / (time.monotonic() - from_second) / 1e6)


def pour(connection):
    try:
        while True:
            connection.sendall(bytes(1 << 18))
    except OSError:
        pass


def flow_server(act):
    act(socket.create_server(("", 8080)).accept()[0])
    time.sleep(60)


def flow_client(act):
    act(socket.create_connection(SERVER))


def beat_server():
    """Hears, and says nothing."""
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.bind(("", 8080))
    while True:
        ear.recv(200)


def beat_client():
    """A datagram every thirty seconds, as the traffic of the scenario has it."""
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.connect(SERVER)
    began = time.monotonic()
    for number in range(1, 1000):
        time.sleep(max(0, began + 30 * number - time.monotonic()))
        mouth.send(bytes(72))


{
    ("delay", "server"): delay_server, ("delay", "client"): delay_client,
    ("up", "server"): lambda: flow_server(swallow), ("up", "client"): lambda: flow_client(pour),
    ("down", "server"): lambda: flow_server(pour), ("down", "client"): lambda: flow_client(swallow),
    ("beat", "server"): beat_server, ("beat", "client"): beat_client,
}[what, side]()
