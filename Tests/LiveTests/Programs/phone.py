"""What the phone around a program does to it: whether it stands still, what names lead to, who answers."""
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
        with socket.create_connection(("server.test", 8080), timeout=2) as connection:
            connection.sendall(b"7\n")
            tell("heard", connection.recv(100).split()[0].decode())
        time.sleep(0.3)


{"gaps": gaps, "names": names, "asks": asks, "page": page}[sys.argv[1]]()
