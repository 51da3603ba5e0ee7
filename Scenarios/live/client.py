"""Send a number each second and resend unanswered numbers. Close a connection that is silent for five seconds."""
import random
import select
import socket
import time

SILENCE = 5
pending = []
number = 0
retry = 0
due = time.monotonic()


def say(*words):
    print("deadzone", *words, flush=True)


def connect():
    global retry
    while True:
        try:
            connection = socket.create_connection(("server.test", 8080), timeout=SILENCE)
            retry = 0
            say("connected")
            return connection
        except OSError:
            time.sleep(random.uniform(0.5, 1) * min(2**retry, 8))
            retry += 1


def talk(connection):
    global number, due
    for old in pending:
        connection.sendall(b"%d\n" % old)
    heard = time.monotonic()
    rest = b""
    while time.monotonic() - heard < SILENCE:
        if due <= time.monotonic():
            due += 1
            number += 1
            pending.append(number)
            say("sent", number)
            connection.sendall(b"%d\n" % number)
        if not select.select([connection], [], [], max(0, min(1, due - time.monotonic())))[0]:
            continue
        data = connection.recv(65536)
        if not data:
            return
        heard = time.monotonic()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if int(line) in pending:
                pending.remove(int(line))
                say("acked", int(line))


while True:
    connection = connect()
    try:
        with connection:
            talk(connection)
    except OSError:
        pass
    say("lost")
