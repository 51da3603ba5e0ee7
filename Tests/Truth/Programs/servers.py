"""Minimal servers for libraries that only need a connection: servers.py silent | nats | phoenix | discord | socketio.
"""
import asyncio
import json
import socket
import sys
import time


def silent():
    """The kernel accepts connections, and no program reads or writes."""
    listener = socket.create_server(("", 8080), backlog=4096)
    time.sleep(1e6)
    listener.close()


async def nats():
    async def serve(reader, writer):
        writer.write(b"INFO " + json.dumps({"server_id": "a", "version": "2", "max_payload": 1 << 20}).encode() + b"\r\n")
        while line := await reader.readline():
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")

    async with await asyncio.start_server(serve, port=8080) as server:
        await server.serve_forever()


async def phoenix():
    from websockets.asyncio.server import serve

    async def answer(connection):
        async for text in connection:
            asked = json.loads(text)
            await connection.send(json.dumps(asked | {"event": "phx_reply", "payload": {"status": "ok", "response": {}}}))

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


started = globals()[sys.argv[1]]
asyncio.run(started()) if asyncio.iscoroutinefunction(started) else started()
