import asyncio

import websockets


async def echo(socket):
    try:
        async for message in socket:
            print("deadzone seen", message, flush=True)
            await socket.send(message)
    except websockets.ConnectionClosed:
        pass


async def main():
    async with websockets.serve(echo, "0.0.0.0", 8080, ping_interval=None):
        await asyncio.Future()


asyncio.run(main())
