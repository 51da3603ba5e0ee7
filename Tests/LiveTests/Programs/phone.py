"""Shows the simulated phone's effects on a program: whether it is stopped, how names resolve, and which server answers.
"""
import socket
import sys
import time

began = time.monotonic()


def tell(*words):
    print("%.1f" % (time.monotonic() - began), *words, flush=True)


def gaps():
    last = began
    while True:
        time.sleep(0.05)
        now = time.monotonic()
        if now - last > 0.7:
            tell("stood", "%.2f" % (now - last))
        last = now


def names():
    while True:
        asked = time.monotonic()
        try:
            found = socket.getaddrinfo("server.test", 8080, type=socket.SOCK_STREAM)[0][4][0]
        except OSError:
            found = "nothing"
        tell("found", found, "%.2f" % (time.monotonic() - asked))
        time.sleep(0.3)


def asks():
    connection = None
    while True:
        try:
            connection = connection or socket.create_connection(("server.test", 8080), timeout=0.7)
            connection.sendall(b"7\n")
            tell("heard", connection.recv(100).split()[0].decode())
        except (OSError, IndexError) as error:
            tell("failed", type(error).__name__)
            connection = None
        time.sleep(0.3)


def page():
    while True:
        # The sign-in can cut off a connection.
        try:
            with socket.create_connection(("server.test", 8080), timeout=2) as connection:
                connection.sendall(b"7\n")
                for word in connection.recv(100).split()[:1]:
                    tell("heard", word.decode())
        except OSError as error:
            tell("failed", type(error).__name__)
        time.sleep(0.3)


def beats():
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.settimeout(0.3)
    while True:
        time.sleep(0.2)
        try:
            mouth.sendto(b"7", ("203.0.113.1", 8080))
            tell("heard", mouth.recv(100).decode())
        except OSError as error:
            tell("failed", type(error).__name__)


def guest():
    """A phone behind a gateway, which needs no DNS: 300 kB by TCP, then a datagram now and then."""
    with socket.create_connection(("203.0.113.1", 8080), timeout=5) as connection:
        connection.sendall(b"pour" + bytes(299_996))
        connection.shutdown(socket.SHUT_WR)
        tell("poured", connection.recv(100).decode())
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.settimeout(0.4)
    while True:
        asked = time.monotonic()
        try:
            mouth.sendto(b"7", ("203.0.113.1", 8080))
            tell("heard", mouth.recv(100).decode(), "%.3f" % (time.monotonic() - asked))
        except OSError as error:
            tell("failed", type(error).__name__)
        time.sleep(0.2)


{"beats": beats, "guest": guest, "gaps": gaps, "names": names, "asks": asks, "page": page}[sys.argv[1]]()
