"""Servers for clients.py: servers.py websocket | stream | grpc | quic FOLDER"""
import asyncio
import subprocess
import sys
from pathlib import Path


async def websocket():
    import websockets

    async def echo(connection):
        async for text in connection:
            await connection.send(text)

    # The server does not ping, so that every ping is the client's.
    async with websockets.serve(echo, "", 8080, ping_interval=None):
        await asyncio.Future()


async def stream():
    """`/` is a stream of server-sent events, one a second; `/once` is a short answer."""
    async def events(writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"9\r\ndata: 1\n\n\r\n")
            await writer.drain()
            await asyncio.sleep(1)

    async def serve(reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if b" /once " not in head.split(b"\r\n")[0]:
                    return await events(writer)
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, port=8080) as server:
        await server.serve_forever()


def grpc():
    from concurrent import futures

    import grpc

    def echo(requests, _):
        yield from requests

    class Handler(grpc.GenericRpcHandler):
        def service(self, _):
            return grpc.stream_stream_rpc_method_handler(echo)

    server = grpc.server(futures.ThreadPoolExecutor(), handlers=[Handler()], options=[
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 1000), ("grpc.http2.max_ping_strikes", 0)])
    server.add_insecure_port("0.0.0.0:8080")
    server.start()
    server.wait_for_termination()


async def quic(folder):
    from aioquic.asyncio import QuicConnectionProtocol, serve
    from aioquic.quic.configuration import QuicConfiguration
    from aioquic.quic.events import StreamDataReceived

    class Echo(QuicConnectionProtocol):
        def quic_event_received(self, event):
            if isinstance(event, StreamDataReceived):
                self._quic.send_stream_data(event.stream_id, event.data)
                self.transmit()

    folder = Path(folder)
    if not (folder / "cert.pem").exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=server.test", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
            check=True, capture_output=True)
    settings = QuicConfiguration(is_client=False, alpn_protocols=["x"], idle_timeout=20)
    settings.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    await serve("0.0.0.0", 4433, configuration=settings, create_protocol=Echo)
    await asyncio.Future()


chosen = globals()[sys.argv[1]](*sys.argv[2:])
if chosen:
    asyncio.run(chosen)
