"""A minimal MQTT 3.1.1 broker for clients that only need a connection: CONNACK, and PINGRESP."""
import socket
import threading


def serve(connection):
    try:
        while head := connection.recv(2, socket.MSG_WAITALL):
            if len(head) < 2 or (head[1] and not connection.recv(head[1], socket.MSG_WAITALL)):
                return
            if head[0] >> 4 == 1:
                connection.sendall(b"\x20\x02\x00\x00")
            elif head[0] >> 4 == 12:
                connection.sendall(b"\xd0\x00")
    except OSError:
        pass
    finally:
        connection.close()


listener = socket.create_server(("", 8080))
while True:
    threading.Thread(target=serve, args=[listener.accept()[0]], daemon=True).start()
