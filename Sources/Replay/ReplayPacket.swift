import DeadzoneBase
import DeadzoneCaptures

/// A captured packet, reduced to the fields that a radio model needs for a replay.
struct ReplayPacket: Sendable, BitwiseCopyable {
    /// Nanoseconds since the origin of the replay.
    var at: Int64
    /// Bytes without the link header and the trailer of the capture, which do not cross the radio.
    var bytes: UInt32
    /// Index of the packet's flow, if it has one.
    var flow: UInt32
    /// Transport payload in bytes.
    var payload: UInt32 = 0
    var kind = PacketKind.data
    var isUp: Bool

    init(at: Int64, bytes: UInt32, isUp: Bool) {
        self.at = at
        self.bytes = bytes
        flow = FlowID.none.index
        self.isUp = isUp
    }

    @inline(__always) init(_ packet: CapturedPacket, since origin: Timestamp, kind: PacketKind) {
        at = packet.stamp.nanoseconds(since: origin)
        bytes = packet.networkLength
        flow = packet.flow.index
        payload = packet.payloadLength
        self.kind = kind
        isUp = packet.direction == .up
    }
}

/// Limit of time offsets, about 127 years: offsets beyond it are clamped, so that differences fit in 64 bits.
let farthest: Int64 = 4_000_000_000_000_000_000

extension Timestamp {
    /// Nanoseconds since the origin, clamped to ±`farthest`.
    @inline(__always) func nanoseconds(since origin: Timestamp) -> Int64 {
        let difference = nanoseconds &- origin.nanoseconds
        // Shifted by `farthest` and compared as an unsigned number: one branch for both limits.
        guard UInt128(bitPattern: difference &+ Int128(farthest)) <= UInt128(2 * UInt64(farthest)) else {
            return difference < 0 ? -farthest : farthest
        }
        return Int64(truncatingIfNeeded: difference)
    }
}
