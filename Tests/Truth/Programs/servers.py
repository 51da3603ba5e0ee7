"""Minimal servers for libraries that only need a connection, each named like its protocol: servers.py NAME [frozen].
`servers.py silent` accepts and never answers."""
import asyncio
import json
import os
import signal
import socket
import sys
import time


def silent():
    """The kernel accepts connections, and no program reads or writes."""
    # Some clients check the network at a second port.
    listeners = [socket.create_server(("", port), backlog=4096) for port in (8080, 8081)]
    time.sleep(1e6)
    del listeners


async def nats():
    async def serve(reader, writer):
        writer.write(b"INFO " + json.dumps({"server_id": "a", "version": "2", "max_payload": 1 << 20}).encode() + b"\r\n")
        while line := await reader.readline():
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")

    async with await asyncio.start_server(serve, port=8080) as server:
        await server.serve_forever()


async def mqtt():
    """Answers CONNECT and PINGREQ, whose lengths are a single byte here."""
    async def serve(reader, writer):
        while len(head := await reader.read(2)) == 2:
            await reader.readexactly(head[1])
            writer.write(b"\x20\x02\x00\x00" if head[0] >> 4 == 1 else b"\xd0\x00" if head[0] >> 4 == 12 else b"")

    async with await asyncio.start_server(serve, port=8080, reuse_port=True) as server:
        await server.serve_forever()


async def phoenix():
    from websockets.asyncio.server import serve

    async def answer(connection):
        async for text in connection:
            asked, reply = json.loads(text), {"status": "ok", "response": {}}
            # The second version of the protocol has lists.
            answer = asked | {"event": "phx_reply", "payload": reply} if isinstance(asked, dict) else [*asked[:3], "phx_reply", reply]
            await connection.send(json.dumps(answer))

    async with serve(answer, "", 8080):
        await asyncio.Future()


async def discord():
    from websockets.asyncio.server import serve

    async def answer(connection):
        await connection.send(json.dumps({"op": 10, "d": {"heartbeat_interval": 41_250}}))
        async for text in connection:
            if json.loads(text)["op"] == 1:
                await connection.send(json.dumps({"op": 11}))

    async with serve(answer, "", 8080):
        await asyncio.Future()


def socketio():
    import aiohttp.web
    import socketio

    server, app = socketio.AsyncServer(async_mode="aiohttp"), aiohttp.web.Application()
    server.attach(app)
    aiohttp.web.run_app(app, port=8080, print=None)


async def sockets(greet, answer=None, every=None, beat=None, subprotocols=None):
    """Serves WebSockets: `greet` is sent first, `answer` gives the reply to a message, `beat` is sent again and again."""
    from websockets.asyncio.server import serve

    async def beats(connection):
        while True:
            await asyncio.sleep(every)
            await connection.send(beat())

    async def talk(connection):
        if greet:
            await connection.send(greet)
        beating = asyncio.ensure_future(beats(connection)) if every else None
        async for text in connection:
            reply = answer(text) if answer else None
            if reply is not None:
                await connection.send(reply)
        if beating:
            beating.cancel()

    async with serve(talk, "", 8080, ping_interval=None, subprotocols=subprotocols):
        await asyncio.Future()


async def plain():
    await sockets(None)


async def graphql():
    await sockets(None, lambda text: json.dumps({"type": "connection_ack"}), subprotocols=["graphql-transport-ws"])


async def pusher():
    data = json.dumps({"socket_id": "1.2", "activity_timeout": 120})

    def answer(text):
        return json.dumps({"event": "pusher:pong", "data": {}}) if json.loads(text)["event"] == "pusher:ping" else None

    await sockets(json.dumps({"event": "pusher:connection_established", "data": data}), answer)


async def centrifugo():
    def answer(text):
        asked = json.loads(text.splitlines()[0])
        reply = {"client": "a", "version": "6", "ping": 25, "pong": True}
        return json.dumps({"id": asked["id"], "connect": reply}) if "connect" in asked else None

    await sockets(None, answer, 25, lambda: "{}")


async def actioncable():
    def beat():
        return json.dumps({"type": "ping", "message": int(time.time())})

    await sockets(json.dumps({"type": "welcome"}), None, 3, beat, ["actioncable-v1-json"])


async def ably():
    details = {"clientId": "a", "connectionKey": "k", "maxIdleInterval": 15_000, "connectionStateTtl": 120_000, "maxMessageSize": 65_536}
    greet = {"action": 4, "connectionId": "c", "connectionKey": "k", "connectionDetails": details}
    await sockets(json.dumps(greet), None, 15, lambda: json.dumps({"action": 0}))


async def firebase():
    greet = {"t": "c", "d": {"t": "h", "d": {"ts": 1, "v": "5", "h": "server.test:8080", "s": "session"}}}

    def answer(text):
        asked = json.loads(text)
        if asked == 0 or asked["t"] != "d":
            return None
        return json.dumps({"t": "d", "d": {"r": asked["d"]["r"], "b": {"s": "ok", "d": {}}}})

    await sockets(json.dumps(greet), answer)


def over_http(open_path, opened, greet, answer, every, beat):
    """Serves a request that opens a session, and then its WebSocket."""
    from aiohttp import web

    async def open_session(request):
        return web.json_response(opened)

    async def beats(connection):
        while True:
            await asyncio.sleep(every)
            await beat(connection)

    async def talk(request):
        connection = web.WebSocketResponse()
        await connection.prepare(request)
        if greet:
            await connection.send_str(greet)
        beating = asyncio.ensure_future(beats(connection))
        async for message in connection:
            reply = answer(message.data)
            if reply is not None:
                await connection.send_str(reply)
        beating.cancel()
        return connection

    app = web.Application()
    app.router.add_post(open_path, open_session)
    app.router.add_get("/{path:.*}", talk)
    web.run_app(app, port=8080, print=None, reuse_port=True)


def signalr():
    transports = [{"transport": "WebSockets", "transferFormats": ["Text", "Binary"]}]
    opened = {"negotiateVersion": 1, "connectionId": "a", "connectionToken": "b", "availableTransports": transports}
    over_http("/hub/negotiate", opened, None, lambda text: "{}\x1e" if "protocol" in text else None, 15,
              lambda connection: connection.send_str('{"type":6}\x1e'))


def slack():
    opened = {"ok": True, "url": "ws://server.test:8080/link"}
    over_http("/api/apps.connections.open", opened, json.dumps({"type": "hello", "num_connections": 1}), lambda text: None, 10,
              lambda connection: connection.ping(b"ping"))


def freeze(server):
    """After 15 s, ends the server and its connections, and accepts new connections in silence."""
    time.sleep(15)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("", 8080))
    listener.listen(4096)
    os.kill(server, signal.SIGKILL)
    os.waitpid(server, 0)
    time.sleep(1e6)


server = os.fork() if sys.argv[2:] == ["frozen"] else 0
if server:
    freeze(server)
started = globals()[sys.argv[1]]
asyncio.run(started()) if asyncio.iscoroutinefunction(started) else started()
