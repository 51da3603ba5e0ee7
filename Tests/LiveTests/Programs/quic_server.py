"""Echoes numbers over QUIC, with a self-made certificate that clients need not trust: quic_server.py [IDLE SECONDS]."""
import asyncio
import datetime
import sys

from aioquic.asyncio import serve
from aioquic.quic.configuration import QuicConfiguration
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec


async def echo(reader, writer):
    while line := await reader.readline():
        print("deadzone seen", line.decode().strip(), flush=True)
        writer.write(line)


async def main():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "server.test")])
    today = datetime.datetime.now()
    certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
                   .serial_number(1).not_valid_before(today - datetime.timedelta(days=2))
                   .not_valid_after(today + datetime.timedelta(days=9)).sign(key, hashes.SHA256()))
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["echo"], certificate=certificate, private_key=key,
                                      idle_timeout=float(sys.argv[1]) if sys.argv[1:] else 60)
    await serve("0.0.0.0", 8080, configuration=configuration,
                stream_handler=lambda reader, writer: asyncio.ensure_future(echo(reader, writer)))
    await asyncio.Future()


asyncio.run(main())
