"""An aioquic client: sends a number each second, has an idle timeout of four seconds, and repeats unanswered numbers on
the next connection."""
import asyncio
import ssl

from aioquic.asyncio import connect
from aioquic.quic.configuration import QuicConfiguration

pending = []
number = 0


async def talk(client):
    global number
    reader, writer = await client.create_stream()

    async def listen():
        while line := await reader.readline():
            if int(line) in pending:
                pending.remove(int(line))
                print("deadzone acked", int(line), flush=True)

    ears = asyncio.ensure_future(listen())
    closed = asyncio.ensure_future(client.wait_closed())
    for old in pending:
        writer.write(b"%d\n" % old)
    while not closed.done():
        number += 1
        pending.append(number)
        print("deadzone sent", number, flush=True)
        writer.write(b"%d\n" % number)
        await asyncio.wait([closed], timeout=1)
    ears.cancel()


async def main():
    configuration = QuicConfiguration(alpn_protocols=["echo"], verify_mode=ssl.CERT_NONE, idle_timeout=4)
    while True:
        try:
            async with connect("server.test", 8080, configuration=configuration) as client:
                print("deadzone connected", flush=True)
                await talk(client)
        except (ConnectionError, OSError):
            await asyncio.sleep(0.5)
        print("deadzone lost", flush=True)


asyncio.run(main())
