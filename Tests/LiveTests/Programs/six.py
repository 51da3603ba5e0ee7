"""IPv6. server: echoes by TCP and UDP on ::, for both families. client: connects by name, by address and by UDP, and
again over each new address. races: connects according to RFC 8305, and prints the winning family and the time."""
import asyncio
import socket
import sys
import threading
import time

BEGAN = time.monotonic()


def say(*words):
    print(f"{time.monotonic() - BEGAN:.3f}", *words, flush=True)


def serve():
    ear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    ear.bind(("::", 8080))
    threading.Thread(target=echo, args=[ear], daemon=True).start()
    listener = socket.create_server(("::", 8080), family=socket.AF_INET6, dualstack_ipv6=True)
    while True:
        connection, _ = listener.accept()
        said = connection.recv(100)
        if said.startswith(b"pour"):
            count = len(said)
            while more := connection.recv(65536):
                count += len(more)
            said = b"%d" % count
        connection.sendall(said)
        connection.close()


def echo(ear):
    while True:
        data, peer = ear.recvfrom(100)
        ear.sendto(data, peer)


def ask(host):
    with socket.create_connection((host, 8080), timeout=3) as connection:
        connection.sendall(b"7")
        heard = connection.recv(100)
        say("tcp", connection.getsockname()[0], connection.getpeername()[0], heard.decode())


def ask_by_datagram(host):
    family, _, _, _, place = socket.getaddrinfo(host, 8080, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, socket.SOCK_DGRAM) as mouth:
        mouth.settimeout(3)
        mouth.connect(place)
        mouth.send(b"8")
        say("udp", mouth.getsockname()[0], mouth.recv(100).decode())


def client():
    for _ in range(3):
        try:
            ask("server.test")
            ask("203.0.113.1")
            ask_by_datagram("server.test")
        except OSError as error:
            say("failed", type(error).__name__)
        time.sleep(2)


async def race():
    reader, writer = await asyncio.open_connection("server.test", 8080, happy_eyeballs_delay=0.25)
    writer.write(b"9")
    heard = await reader.read(100)
    say("raced", writer.get_extra_info("peername")[0], heard.decode())


{"server": serve, "client": client, "races": lambda: asyncio.run(race())}[sys.argv[1]]()
