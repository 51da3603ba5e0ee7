"""Badly behaved and unusual clients: one that forks, one that crashes, one that never connects, one that floods the
link (with a server that keeps reading), ten in one, and one that asks once at a name and a port."""
import os
import signal
import socket
import subprocess
import sys
import time

kind = sys.argv[1]
if kind == "forks":
    for _ in range(5):
        subprocess.Popen(["sleep", sys.argv[2]], start_new_session=True)
    socket.create_connection(("server.test", 8080))
    time.sleep(1)
elif kind == "crashes":
    os.kill(os.getpid(), signal.SIGSEGV)
elif kind == "never":
    time.sleep(100)
elif kind == "fills":
    connection = socket.create_connection(("server.test", 8080))
    data = bytes(1 << 20)
    while True:
        connection.sendall(data)
elif kind == "swallows":
    connection = socket.create_server(("", 8080)).accept()[0]
    while connection.recv(1 << 20):
        pass
elif kind == "asks":
    connection = socket.create_connection((sys.argv[2], int(sys.argv[3])))
    connection.sendall(b"7\n")
    print("heard", connection.recv(100).decode().strip(), flush=True)
elif kind == "ten":
    for number in range(10):
        if os.fork() == 0:
            connection = socket.create_connection(("server.test", 8080))
            for message in range(5):
                connection.sendall(b"%d\n" % (number * 100 + message))
                connection.recv(100)
                time.sleep(0.3)
            os._exit(0)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
