"""Two connections of aioquic, one idle and one that writes into silence, and their outcomes: quic.py SPEC OUT."""
import asyncio
import json
import ssl
import sys

from aioquic.asyncio import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated

from sockets import now


class Watched(QuicConnectionProtocol):
    """Records when datagrams were sent or received, and when the connection ended."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.sent, self.heard, self.end = [], None, None

    def connection_made(self, transport):
        send = transport.sendto
        transport.sendto = lambda *arguments: (self.sent.append(now()), send(*arguments))[1]
        super().connection_made(transport)

    def datagram_received(self, data, address):
        self.heard = now()
        super().datagram_received(data, address)

    def quic_event_received(self, event):
        if isinstance(event, ConnectionTerminated):
            self.end = now()
        super().quic_event_received(event)


async def knock(configuration):
    """An unanswered connection attempt."""
    made = []

    def make(*arguments, **named):
        made.append(Watched(*arguments, **named))
        return made[0]

    try:
        async with connect("server.test", 8080, configuration=configuration, create_protocol=make):
            pass
    except ConnectionError:
        pass
    first, *repeats = made[0].sent
    return {"begun": first, "repeats": repeats, "heard": None, "end": made[0].end}


async def one(row):
    configuration = QuicConfiguration(alpn_protocols=["echo"], verify_mode=ssl.CERT_NONE, idle_timeout=row["idle"])
    trace = {"row": row["name"], "begun": now(), "writes": []}
    if row["writes"] is None:
        return trace | await knock(configuration)
    async with connect("server.test", 8080, configuration=configuration, create_protocol=Watched) as client:
        _, writer = await client.create_stream()
        for due in row["writes"]["at"]:
            await asyncio.sleep(max(0, due - now()))
            trace["writes"].append(now())
            writer.write(b"0\n")
        await client.wait_closed()
    last = trace["writes"][-1]
    # The first datagram carries the message itself, the later ones repeat it.
    return trace | {"repeats": [at for at in client.sent if at > last][1:], "heard": client.heard, "end": client.end}


async def main():
    rows = json.load(open(sys.argv[1]))["rows"]
    json.dump(await asyncio.gather(*map(one, rows)), open(sys.argv[2], "w"))


asyncio.run(main())
