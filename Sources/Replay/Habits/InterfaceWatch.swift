public import DeadzoneCaptures
import DeadzonePrimitives

/// Sees when traffic moves from one interface of the capture to another: the old one has been silent for a second by the
/// time, and the new one was not.
public struct InterfaceWatch: Sendable {
    public struct Change: Sendable {
        public let at: Stamp
        public let from: UInt32
        public let to: UInt32
    }

    /// Silence that tells a move from interfaces in use together.
    private static let silence = TimeSpan.seconds(1)
    /// Changes that are kept.
    private static let bound = 1_000

    public private(set) var changes: [Change] = []
    public private(set) var unkept = 0
    private var current: UInt32?
    private var last = Stamp.epoch
    private var candidate: (interface: UInt32, since: Stamp)?

    public init() {}

    public mutating func take(_ packets: Span<Packet>) {
        for index in packets.indices {
            // Most captures have one interface.
            if packets[index].interface == current, candidate == nil {
                last = packets[index].stamp
            } else {
                take(packets[index])
            }
        }
    }

    private mutating func take(_ packet: Packet) {
        guard let old = current, packet.interface != old else {
            current = packet.interface
            last = packet.stamp
            candidate = nil
            return
        }
        if candidate?.interface != packet.interface { candidate = (packet.interface, packet.stamp) }
        guard let candidate, Self.silence <= packet.stamp - last else { return }
        if changes.count < Self.bound {
            changes.append(Change(at: candidate.since, from: old, to: packet.interface))
        } else {
            unkept += 1
        }
        current = packet.interface
        last = packet.stamp
        self.candidate = nil
    }
}
