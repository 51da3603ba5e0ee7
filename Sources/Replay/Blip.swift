import DeadzoneCaptures
import DeadzonePrimitives

/// What a radio notices of a packet.
struct Blip: Sendable, BitwiseCopyable {
    /// Nanoseconds since the origin of the replay.
    var at: Int64
    /// Without the link header and trailer of the capture, which never cross the radio.
    var bytes: UInt32
    /// The index of its flow, where it has one.
    var flow: UInt32
    /// What the transport carries.
    var payload: UInt32 = 0
    var kind = PacketKind.data
    var isUp: Bool

    init(at: Int64, bytes: UInt32, isUp: Bool) {
        self.at = at
        self.bytes = bytes
        flow = FlowID.none.index
        self.isUp = isUp
    }

    @inline(__always) init(_ packet: Packet, since origin: Stamp, kind: PacketKind) {
        at = packet.stamp.nanoseconds(since: origin)
        bytes = packet.networkLength
        flow = packet.flow.index
        payload = packet.payloadLength
        self.kind = kind
        isUp = packet.direction == .up
    }
}

/// Moments further from the origin than this, about 127 years, count as so far away: differences then fit in 64 bits.
let farthest: Int64 = 4_000_000_000_000_000_000

extension Stamp {
    /// Nanoseconds since the origin.
    @inline(__always) func nanoseconds(since origin: Stamp) -> Int64 {
        let difference = nanoseconds &- origin.nanoseconds
        // From the farthest back on, as an unsigned number: one question for both ends.
        guard UInt128(bitPattern: difference &+ Int128(farthest)) <= UInt128(2 * UInt64(farthest)) else {
            return difference < 0 ? -farthest : farthest
        }
        return Int64(truncatingIfNeeded: difference)
    }
}
