"""Clients of real libraries, with settings as an application would write them: clients.py NAME. Each sends or asks once
a second, and connects again after every failure."""
import asyncio
import itertools
import ssl
import sys
import threading
import time

HOST = "server.test"


def websockets():
    import websockets

    async def send(connection):
        for number in itertools.count():
            await asyncio.sleep(1)
            await connection.send(str(number))

    async def run():
        async for connection in websockets.connect(f"ws://{HOST}:8080"):
            sending = asyncio.create_task(send(connection))
            try:
                async for _ in connection:
                    pass
            except websockets.ConnectionClosed:
                pass
            finally:
                sending.cancel()

    asyncio.run(run())


def websocket_client():
    import websocket

    def opened(app):
        def send():
            while app.sock and app.sock.connected:
                try:
                    app.send("1")
                except Exception:
                    return
                time.sleep(1)

        threading.Thread(target=send, daemon=True).start()

    app = websocket.WebSocketApp(f"ws://{HOST}:8080", on_open=opened)
    while True:
        app.run_forever(ping_interval=9, ping_timeout=4, reconnect=0)
        time.sleep(3)


def aiohttp():
    import aiohttp

    async def send(socket):
        while True:
            await asyncio.sleep(1)
            await socket.send_str("1")

    async def run():
        wait = 0.7
        while True:
            limit = aiohttp.ClientTimeout(total=None, sock_connect=6)
            try:
                async with aiohttp.ClientSession(timeout=limit) as session:
                    async with session.ws_connect(f"http://{HOST}:8080", heartbeat=8) as socket:
                        wait = 0.7
                        sending = asyncio.create_task(send(socket))
                        async for _ in socket:
                            pass
                        sending.cancel()
            except (aiohttp.ClientError, OSError, asyncio.TimeoutError):
                pass
            await asyncio.sleep(wait)
            wait = min(wait * 2, 10)

    asyncio.run(run())


def paho():
    import paho.mqtt.client as mqtt

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="phone", clean_session=False)
    client.connect_async(HOST, 1883, keepalive=15)
    client.loop_start()
    while True:
        time.sleep(1)
        client.publish("t", "1", qos=1)


def redis():
    import redis
    from redis.backoff import ExponentialBackoff
    from redis.retry import Retry

    store = redis.Redis(
        host=HOST, port=6379, socket_timeout=3, socket_connect_timeout=3,
        retry=Retry(ExponentialBackoff(cap=4, base=0.25), 12), retry_on_error=[redis.ConnectionError, redis.TimeoutError])
    while True:
        try:
            store.incr("x")
        except redis.RedisError:
            pass
        time.sleep(1)


def nats():
    import nats

    async def run():
        async def ignore(_):
            pass

        client = await nats.connect(
            f"nats://{HOST}:4222", error_cb=ignore, ping_interval=5, max_outstanding_pings=2, max_reconnect_attempts=-1,
            reconnect_time_wait=2)
        while True:
            await asyncio.sleep(1)
            try:
                await client.publish("t", b"1")
            except nats.errors.Error:
                pass

    asyncio.run(run())


def httpx():
    import httpx

    wait = 1
    while True:
        try:
            with httpx.Client(timeout=httpx.Timeout(6.0, connect=4.0)) as client:
                with client.stream("GET", f"http://{HOST}:8080/") as answer:
                    wait = 1
                    for _ in answer.iter_lines():
                        pass
        except httpx.HTTPError:
            pass
        time.sleep(wait)
        wait = min(wait * 2, 16)


def requests():
    """One request a second on a kept connection. After a failure the application waits."""
    import requests

    session, wait = requests.Session(), 0.5
    while True:
        try:
            session.get(f"http://{HOST}:8080/once", timeout=(3, 5)).raise_for_status()
            wait = 0.5
            time.sleep(1)
        except requests.RequestException:
            time.sleep(wait)
            wait = min(wait * 2, 8)


def grpc():
    import grpc

    channel = grpc.insecure_channel(f"{HOST}:8080", options=[
        ("grpc.keepalive_time_ms", 10_000), ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.max_pings_without_data", 0)])
    call = channel.stream_stream("/a/b", request_serializer=None, response_deserializer=None)

    def beats():
        while True:
            time.sleep(1)
            yield b"1"

    while True:
        try:
            for _ in call(beats(), wait_for_ready=True):
                pass
        except grpc.RpcError:
            pass


def aioquic():
    from aioquic.asyncio import connect
    from aioquic.quic.configuration import QuicConfiguration

    async def run():
        wait = 1
        while True:
            settings = QuicConfiguration(is_client=True, alpn_protocols=["x"], verify_mode=ssl.CERT_NONE, idle_timeout=8)
            try:
                async with connect(HOST, 4433, configuration=settings) as connection:
                    wait = 1
                    reader, writer = await connection.create_stream()
                    while True:
                        writer.write(b"1\n")
                        if not await reader.readline():
                            raise ConnectionError
                        await asyncio.sleep(1)
            except (ConnectionError, OSError):
                pass
            await asyncio.sleep(wait)
            wait = min(wait * 2, 8)

    asyncio.run(run())


globals()[sys.argv[1]]()
