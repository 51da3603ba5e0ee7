"""closes.py client: sends every half second, and closes the connection two seconds after the last answer. Then it tries
again a second later, with a limit of 1.5 s for an attempt. It prints the times of its closes.
closes.py server DELAY: a UDP socket at once, and an echo on TCP after DELAY seconds."""
import socket
import sys
import time

if sys.argv[1] == "server":
    other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    other.bind(("", 9_999))
    time.sleep(float(sys.argv[2]))
    listener = socket.create_server(("", 8080))
    while True:
        connection = listener.accept()[0]
        while data := connection.recv(100):
            connection.sendall(data)
        connection.close()

began = time.monotonic()
while True:
    try:
        connection = socket.create_connection(("server.test", 8080), 1.5)
    except OSError:
        print(f"{time.monotonic() - began:.3f} gave-up now", flush=True)
        time.sleep(1)
        continue
    print(f"{time.monotonic() - began:.3f} opened now", flush=True)
    connection.settimeout(0.5)
    heard = time.monotonic()
    while time.monotonic() - heard < 2:
        connection.sendall(b"1")
        try:
            connection.recv(100)
            heard = time.monotonic()
            time.sleep(0.4)
        except OSError:
            pass
    connection.close()
    print(f"{time.monotonic() - began:.3f} closed now", flush=True)
    time.sleep(1)
