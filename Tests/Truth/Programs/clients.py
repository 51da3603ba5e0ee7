"""Runs a library with its own reconnection and its own defaults, started as in its manual: clients.py LIBRARY
[keepalive | throttled | changed]. `changed` selects the second set of options."""
import asyncio
import sys
import time

HOST, PORT = "server.test", 8080
CHANGED = sys.argv[-1] == "changed"


def changed(**options):
    return options if CHANGED else {}


def grpcio():
    import grpc

    # Keepalive is off by default, and throttled on an idle channel.
    throttled = [("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 20_000), ("grpc.keepalive_permit_without_calls", 1)]
    quick = [("grpc.initial_reconnect_backoff_ms", 300), ("grpc.max_reconnect_backoff_ms", 9000), ("grpc.min_reconnect_backoff_ms", 4000)]
    options = {"throttled": throttled, "changed": quick, "keepalive": throttled + [("grpc.http2.max_pings_without_data", 0)]}
    channel = grpc.insecure_channel(f"{HOST}:{PORT}", options=options.get(sys.argv[-1]))
    while True:
        # A channel goes idle after a loss; the app must connect again.
        channel.subscribe(lambda state: None, try_to_connect=True)
        time.sleep(0.05)


def paho():
    import paho.mqtt.client as mqtt

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    if CHANGED:
        client.reconnect_delay_set(2, 45)
    client.connect_async(HOST, PORT, **changed(keepalive=20))
    client.loop_start()
    time.sleep(1e6)


async def nats():
    import nats

    async def shrug(error):
        pass

    options = {"max_reconnect_attempts": -1} | changed(
        reconnect_time_wait=0.7, max_reconnect_attempts=25, connect_timeout=3, ping_interval=17, max_outstanding_pings=3)
    await nats.connect(f"nats://{HOST}:{PORT}", error_cb=shrug, **options)
    await asyncio.Future()


async def realtime():
    from realtime import AsyncRealtimeClient

    client = AsyncRealtimeClient(f"ws://{HOST}:{PORT}", "token", **changed(max_retries=3, initial_backoff=0.6))
    try:
        await client.connect()
    except Exception:
        # By default it gives up after five attempts.
        pass
    await asyncio.Future()


async def websockets():
    from websockets.asyncio.client import connect

    async for connection in connect(f"ws://{HOST}:{PORT}", **changed(open_timeout=4, ping_interval=7, ping_timeout=5, close_timeout=2)):
        await connection.wait_closed()


async def socketio():
    import socketio

    client = socketio.AsyncClient(**changed(reconnection_delay=2, reconnection_delay_max=17, randomization_factor=0.3))
    await client.connect(f"http://{HOST}:{PORT}", retry=True)
    await asyncio.Future()


async def centrifuge():
    from centrifuge import Client

    # The minimum delay of its JavaScript sibling, from which the preset is derived; its own is 0.1 s.
    options = {"min_reconnect_delay": 0.5} | changed(min_reconnect_delay=1.2, max_reconnect_delay=9, timeout=3)
    await Client(f"ws://{HOST}:{PORT}", **options).connect()
    await asyncio.Future()


async def slixmpp():
    import slixmpp

    client = slixmpp.ClientXMPP(f"phone@{HOST}", "word")
    client.connect(HOST, PORT)
    await asyncio.Future()


async def discord():
    import aiohttp
    import discord
    import yarl

    # The address of its gateway comes from an API that does not exist here.
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{HOST}:{PORT}")
    client = discord.Client(intents=discord.Intents.none())
    await client._async_setup_hook()
    client.http._HTTPClient__session = aiohttp.ClientSession()
    await client.connect()


started = globals()[sys.argv[1]]
asyncio.run(started()) if asyncio.iscoroutinefunction(started) else started()
