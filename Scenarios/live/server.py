"""Echo lines, and report each line to `deadzone live` on standard output."""
import os
import socket
import threading


def serve(connection):
    rest = b""
    try:
        while data := connection.recv(65536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                # One call for each line: `print` writes in pieces, and another thread could write in between.
                os.write(1, b"deadzone seen %s\n" % line)
                connection.sendall(line + b"\n")
    except OSError:
        pass


def main():
    listener = socket.create_server(("", 8080))
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=[connection], daemon=True).start()


main()
