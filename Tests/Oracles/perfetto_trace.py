"""Reads a trace with the protobuf bindings of the package `perfetto`: its tracks as a tree, in our order, and counts.

Prints JSON. Fails on anything that the UI would reject: an unknown track, a slice that does not end, time that runs backwards
on a track, a flow arrow with only one end.
"""

import json
import sys

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackDescriptor, TrackEvent

trace = Trace()
trace.ParseFromString(sys.stdin.buffer.read())

tracks, children, depth, last, counts = {}, {}, {}, {}, {}
sent, seen, slices, units = set(), set(), {}, {}
# By the parent's name, which is the strategy: the last value of each counter, and the seconds in each slice.
finals, seconds, begun = {}, {}, {}
for packet in trace.packet:
    assert packet.trusted_packet_sequence_id == 1
    if packet.HasField("track_descriptor"):
        track = packet.track_descriptor
        assert track.uuid not in tracks, f"track {track.uuid} twice"
        assert track.child_ordering == TrackDescriptor.EXPLICIT
        assert track.sibling_merge_behavior == TrackDescriptor.SIBLING_MERGE_BEHAVIOR_NONE
        assert not track.HasField("counter") or track.counter.y_axis_share_key == track.name
        tracks[track.uuid] = track
        if track.HasField("parent_uuid"):
            assert track.parent_uuid in tracks, "a parent comes first"
            children.setdefault(track.parent_uuid, []).append(track)
        if track.HasField("counter"):
            units[track.name] = track.counter.unit_name
        continue
    event = packet.track_event
    assert event.track_uuid in tracks, f"no track {event.track_uuid}"
    track = tracks[event.track_uuid]
    is_counter = event.type == TrackEvent.TYPE_COUNTER
    assert is_counter == track.HasField("counter"), "a counter has a track of its own"
    owner = tracks[track.parent_uuid].name
    if is_counter:
        finals.setdefault(owner, {})[track.name] = event.double_counter_value
    if event.type == TrackEvent.TYPE_SLICE_BEGIN:
        begun[track.uuid] = (event.name, packet.timestamp)
    if event.type == TrackEvent.TYPE_SLICE_END:
        name, start = begun[track.uuid]
        own = seconds.setdefault(owner, {})
        own[name] = own.get(name, 0) + (packet.timestamp - start) / 1e9
    if event.type == TrackEvent.TYPE_SLICE_BEGIN:
        depth[track.uuid] = depth.get(track.uuid, 0) + 1
        slices.setdefault(track.name, set()).add(event.name)
    if event.type == TrackEvent.TYPE_SLICE_END:
        depth[track.uuid] = depth.get(track.uuid, 0) - 1
        assert depth[track.uuid] >= 0, "an end without a beginning"
    if event.type in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END, TrackEvent.TYPE_COUNTER):
        assert packet.timestamp >= last.get(track.uuid, 0), f"time runs back on {track.name}"
        last[track.uuid] = packet.timestamp
    sent.update(event.flow_ids)
    seen.update(event.terminating_flow_ids)
    counts[TrackEvent.Type.Name(event.type)] = counts.get(TrackEvent.Type.Name(event.type), 0) + 1

assert all(open == 0 for open in depth.values()), "a slice does not end"
assert sent == seen, "an arrow with one end"
for siblings in children.values():
    ranks = [track.sibling_order_rank for track in siblings]
    assert len(set(ranks)) == len(ranks), "two tracks in one place"


def tree(track):
    below = sorted(children.get(track.uuid, []), key=lambda child: child.sibling_order_rank)
    return {"name": track.name, "tracks": [tree(child) for child in below]}


roots = [track for track in tracks.values() if not track.HasField("parent_uuid")]
print(json.dumps({
    "tree": [tree(track) for track in roots], "counts": counts, "arrows": len(sent), "units": units,
    "slices": {name: sorted(names) for name, names in slices.items()},
    "finals": finals, "seconds": seconds,
    "last_ns": max((packet.timestamp for packet in trace.packet), default=0),
}))
