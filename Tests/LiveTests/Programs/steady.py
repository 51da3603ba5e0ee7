"""An MQTT client with its own constants. It waits 0.7 s, times three up to 5.9 s, counted from a failure, without
jitter, and limits an attempt to 1.3 s. It pings 1.7 s after the last received data, and disconnects 2.3 s later."""
import select
import socket
import time

BASE, FACTOR, CAP, CONNECT, INTERVAL, TIMEOUT = 0.7, 3, 5.9, 1.3, 1.7, 2.3


def answers(connection, span):
    return bool(select.select([connection], [], [], span)[0]) and bool(connection.recv(1000))


def talk(connection):
    connection.sendall(b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x3c\x00\x02me")
    if not answers(connection, TIMEOUT):
        return
    while True:
        if select.select([connection], [], [], INTERVAL)[0]:
            return
        connection.sendall(b"\xc0\x00")
        if not answers(connection, TIMEOUT):
            return


failed = 0
while True:
    try:
        with socket.create_connection(("server.test", 8080), timeout=CONNECT) as connection:
            failed = 0
            talk(connection)
    except OSError:
        time.sleep(min(BASE * FACTOR**failed, CAP))
        failed += 1
