"""Reads the messages of sockets.py, and records how long each one took: sink.py OUT. Its sockets end with a reset.
Messages that request an answer are answered at once."""
import json
import selectors
import socket
import struct
import sys
import time

HEAD = struct.Struct("!IId")
ASKS = 1 << 31
ready = selectors.DefaultSelector()
out = open(sys.argv[1], "a")


def read(connection, rest):
    try:
        data = connection.recv(1 << 20)
    except OSError:
        data = b""
    if not data:
        ready.unregister(connection)
        connection.close()
        return
    rest += data
    while len(rest) >= HEAD.size:
        number, size, sent = HEAD.unpack_from(rest)
        if not HEAD.size <= size <= len(rest):
            break
        del rest[:size]
        if number & ASKS:
            connection.send(bytes(100))
            continue
        json.dump([number, sent, time.monotonic()], out)
        out.write("\n")
    out.flush()


def main():
    listener = socket.create_server(("", 8080), backlog=512)
    ready.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in ready.select():
            if key.fileobj is listener:
                connection, _ = listener.accept()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                ready.register(connection, selectors.EVENT_READ, bytearray())
            else:
                read(key.fileobj, key.data)


main()
