"""The client of the websockets library as in its manual: reconnects by itself, pings every three seconds."""
import asyncio

import websockets


async def main():
    number = 0
    async for socket in websockets.connect("ws://server.test:8080", ping_interval=3, ping_timeout=3, open_timeout=5):
        print("deadzone connected", flush=True)
        try:
            while True:
                number += 1
                print("deadzone sent", number, flush=True)
                await socket.send(str(number))
                await asyncio.wait_for(socket.recv(), 60)
                # Not a divisor of the ping interval; otherwise the pings could also be explained as postponed by
                # received data.
                await asyncio.sleep(1.3)
        except websockets.ConnectionClosed:
            print("deadzone lost", flush=True)


asyncio.run(main())
