"""Attempts that wait as a class of AWS' simulator says: aws.py FILE CLASS [changed]. Its numbers are milliseconds."""
import socket
import sys
import time

HOST, PORT = "server.test", 8080


def simulator(file):
    """Returns the classes of the file. Where it begins to simulate, it is written for Python 2."""
    text, names = open(file).read(), {}
    exec(text[:text.index("# The main loop of the simulation")], names)
    return names


base, cap = (50, 7000) if sys.argv[-1] == "changed" else (5, 2000)
backoff, number = simulator(sys.argv[1])[sys.argv[2]](base, cap), 0
address = (socket.gethostbyname(HOST), PORT)
while True:
    number += 1
    try:
        socket.create_connection(address).close()
    except OSError:
        pass
    time.sleep(backoff.backoff(number) / 1000)
