"""Makes random Perfetto traces with network packets, with Google's protobuf encoder, and says which packets are in them.

Arguments: seed, number of packets. Prints JSON: the trace in base64, and each packet in time order.

The package `perfetto` has the messages of a trace, but since 0.57 not those of android.network_packets. They are declared here;
their field numbers are those of perfetto 0.56, which has them, and of network_trace.proto.
"""

import base64
import json
import random
import sys
import zlib

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket

KIND = descriptor_pb2.FieldDescriptorProto
FIELDS = {
    "Event": [
        ("direction", 1, KIND.TYPE_INT32), ("network_interface", 2, KIND.TYPE_STRING), ("length", 3, KIND.TYPE_UINT32),
        ("uid", 4, KIND.TYPE_UINT32), ("tag", 5, KIND.TYPE_UINT32), ("ip_proto", 6, KIND.TYPE_UINT32),
        ("tcp_flags", 7, KIND.TYPE_UINT32), ("local_port", 8, KIND.TYPE_UINT32), ("remote_port", 9, KIND.TYPE_UINT32),
        ("icmp_type", 10, KIND.TYPE_UINT32), ("icmp_code", 11, KIND.TYPE_UINT32),
    ],
    "Bundle": [
        ("iid", 1, KIND.TYPE_UINT64), ("ctx", 2, "Event"), ("packet_timestamps", 3, "packed64"),
        ("packet_lengths", 4, "packed32"), ("total_packets", 5, KIND.TYPE_UINT32),
        ("total_duration", 6, KIND.TYPE_UINT64), ("total_length", 7, KIND.TYPE_UINT64),
    ],
    "Context": [("iid", 1, KIND.TYPE_UINT64), ("ctx", 2, "Event")],
    "Interned": [("packet_context", 30, "repeated Context")],
    "Packet": [("interned_data", 12, "Interned"), ("network_packet", 88, "Event"), ("network_packet_bundle", 92, "Bundle")],
}


def classes():
    file = descriptor_pb2.FileDescriptorProto(name="network.proto", package="network", syntax="proto2")
    for name, fields in FIELDS.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            made = message.field.add(name=field, number=number, label=KIND.LABEL_OPTIONAL)
            if kind in ("packed64", "packed32"):
                made.label = KIND.LABEL_REPEATED
                made.type = KIND.TYPE_UINT64 if kind == "packed64" else KIND.TYPE_UINT32
                made.options.packed = True
            elif isinstance(kind, str):
                made.label = KIND.LABEL_REPEATED if kind.startswith("repeated") else KIND.LABEL_OPTIONAL
                made.type = KIND.TYPE_MESSAGE
                made.type_name = ".network." + kind.split()[-1]
            else:
                made.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("network.Packet"))


Packet = classes()
dice = random.Random(int(sys.argv[1]))
BOOT, WALL = dice.randrange(1, 10**15), dice.randrange(10**18, 2 * 10**18)


def context():
    proto = dice.choice([6, 6, 6, 17, 1])
    return {
        "direction": dice.choice([1, 2]), "network_interface": dice.choice(["rmnet_data1", "wlan0", "lo", "tun0"]),
        "uid": dice.choice([0, 1000, 10123, 1010123, 2**32 - 1]), "tag": dice.randrange(2**32), "ip_proto": proto,
        "tcp_flags": dice.randrange(256) if proto == 6 else 0, "local_port": dice.randrange(1, 2**16),
        "remote_port": dice.choice([443, 53, 5228]),
    }


def events():
    contexts = [context() for _ in range(12)]
    time = BOOT
    for _ in range(int(sys.argv[2])):
        time += dice.choice([0, 1, 1000, 10**6, 10**8, 10**10])
        yield {"at": time, "length": dice.choice([20, 52, 100, 1400, 60000, 200000]), **dice.choice(contexts)}


records, iids = [], {}


def record(time, network, sequence=7, **fields):
    packet = TracePacket(timestamp=time, trusted_packet_sequence_id=sequence, **fields)
    # Two encoded messages in a row are merged, so this adds the fields that `TracePacket` does not declare.
    records.append(packet.SerializeToString() + network.SerializeToString())


def write(poll, style):
    """Writes the packets of one poll: one by one, or a bundle for each context, in any order of bundles."""
    groups = {}
    for event in poll:
        key = tuple(sorted((k, v) for k, v in event.items() if k not in ("at", "length")))
        groups.setdefault(key, []).append(event)
    groups = list(groups.items())
    dice.shuffle(groups)
    for key, group in groups:
        if style == "single":
            for event in group:
                record(event["at"], Packet(network_packet={"length": event["length"], **dict(key)}))
            continue
        dice.shuffle(group)
        start = min(event["at"] for event in group)
        network, fields = Packet(), {}
        bundle = network.network_packet_bundle
        if style == "interned":
            fields["sequence_flags"] = 2
            if key not in iids:
                if not iids:
                    fields["sequence_flags"] = 1
                iids[key] = dice.randrange(2**64)
                network.interned_data.packet_context.add(iid=iids[key], ctx=dict(key))
            bundle.iid = iids[key]
        else:
            for name, value in key:
                setattr(bundle.ctx, name, value)
        bundle.packet_timestamps.extend(event["at"] - start for event in group)
        bundle.packet_lengths.extend(event["length"] for event in group)
        record(start, network, **fields)


snapshot = TracePacket(trusted_packet_sequence_id=1)
for clock, time in ((6, BOOT), (1, WALL), (3, BOOT // 2)):
    snapshot.clock_snapshot.clocks.add(clock_id=clock, timestamp=time)
records.append(snapshot.SerializeToString())

sent, poll, style = list(events()), [], "interned"
for event in sent:
    if poll and event["at"] - poll[0]["at"] > 10**8:
        write(poll, style)
        poll, style = [], dice.choice(["interned", "inline", "single"])
    poll.append(event)
write(poll, style)


def framed(records):
    trace = b""
    for record in records:
        size, length = b"", len(record)
        while length > 127:
            size, length = size + bytes([length & 127 | 128]), length >> 7
        trace += b"\n" + size + bytes([length]) + record
    return trace


if dice.random() < 0.5:
    whole, records = records, []
    for first in range(0, len(whole), 50):
        records.append(TracePacket(compressed_packets=zlib.compress(framed(whole[first:first + 50]))).SerializeToString())
trace = framed(records)
Trace().ParseFromString(trace)

sent.sort(key=lambda event: event["at"])
for event in sent:
    event["at"] += WALL - BOOT
print(json.dumps({"trace": base64.b64encode(trace).decode(), "packets": sent}))
