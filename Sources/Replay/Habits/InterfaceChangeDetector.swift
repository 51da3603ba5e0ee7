import DeadzoneBase
package import DeadzoneCaptures

/// Detects in a capture that the traffic moves from one network interface to another. The sign is that the old one is
/// silent for a second while the new one is in use.
package struct InterfaceChangeDetector: Sendable {
    package struct InterfaceChange: Sendable {
        package let at: Timestamp
        package let from: UInt32
        package let to: UInt32
    }

    /// Silence that distinguishes a move from interfaces in use at the same time.
    private static let silence = TimeSpan.seconds(1)
    /// Limit of recorded changes.
    private static let bound = 1_000

    package private(set) var changes: [InterfaceChange] = []
    package private(set) var unkept = 0
    private var current: UInt32?
    private var last = Timestamp.epoch
    private var candidate: (interface: UInt32, since: Timestamp)?

    package init() {}

    /// - Parameter interface: The interface of all packets; `nil` if there are several, or if it is unknown.
    package mutating func add(_ packets: Span<CapturedPacket>, on interface: UInt32? = nil) {
        // Most captures have one interface: of its packets, only the time of the last one counts.
        if candidate == nil, let current, interface == current, !packets.isEmpty {
            last = packets[packets.count - 1].stamp
            return
        }
        var index = 0
        while index < packets.count {
            let begin = index
            if candidate == nil, let current {
                while index < packets.count, packets[index].interface == current { index &+= 1 }
            }
            if index > begin {
                last = packets[index &- 1].stamp
            } else {
                add(packets[index])
                index &+= 1
            }
        }
    }

    private mutating func add(_ packet: CapturedPacket) {
        // Loopback packets have an interface of their own, whatever network the phone is on.
        if packet.neighbourTraffic == .loopback { return }
        guard let old = current, packet.interface != old else {
            current = packet.interface
            last = packet.stamp
            candidate = nil
            return
        }
        if candidate?.interface != packet.interface { candidate = (packet.interface, packet.stamp) }
        guard let candidate, Self.silence <= packet.stamp - last else { return }
        if changes.count < Self.bound {
            changes.append(InterfaceChange(at: candidate.since, from: old, to: packet.interface))
        } else {
            unkept += 1
        }
        current = packet.interface
        last = packet.stamp
        self.candidate = nil
    }
}
