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

    init(at: Int64, bytes: UInt32, isUp: Bool, flow: UInt32 = FlowID.none.index) {
        self.at = at
        self.bytes = bytes
        self.flow = flow
        self.isUp = isUp
    }
}

/// Moments further from the origin than this, about 127 years, count as so far away: differences then fit in 64 bits.
let farthest: Int64 = 4_000_000_000_000_000_000

extension Stamp {
    /// Nanoseconds since the origin.
    func nanoseconds(since origin: Stamp) -> Int64 {
        let difference = nanoseconds &- origin.nanoseconds
        if difference >= Int128(truncatingIfNeeded: farthest) { return farthest }
        if difference <= Int128(truncatingIfNeeded: -farthest) { return -farthest }
        return Int64(truncatingIfNeeded: difference)
    }
}
