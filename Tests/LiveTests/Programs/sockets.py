"""Three connections that use the kernel's own timers: keepalive, user timeout, and both with a write each second.
Prints when each ended."""
import select
import socket
import sys
import time

HOST = "server.test"


def opened(keepalive, user_timeout):
    connection = socket.create_connection((HOST, 8080))
    if keepalive:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 3)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
    if user_timeout:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 6000)
    return connection


def main():
    connections = {"keepalive": opened(True, False), "user-timeout": opened(False, True), "both": opened(True, True)}
    writes = {"user-timeout", "both"}
    began = time.monotonic()
    due = began
    while connections:
        if due <= time.monotonic():
            due += 1
            for name in writes & connections.keys():
                try:
                    connections[name].send(b"1\n")
                except OSError as error:
                    report(name, error, began, connections)
        for connection in select.select(list(connections.values()), [], [], 0.1)[0]:
            name = next(name for name, other in connections.items() if other is connection)
            try:
                if not connection.recv(65536):
                    report(name, "end", began, connections)
            except OSError as error:
                report(name, error, began, connections)


def report(name, error, began, connections):
    print("ended", name, "%.2f" % (time.monotonic() - began), str(error).replace(" ", "-"), file=sys.stderr, flush=True)
    print("ended", name, "%.2f" % (time.monotonic() - began), flush=True)
    connections.pop(name).close()


main()
