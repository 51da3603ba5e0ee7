import DeadzoneBase

/// Totals of a capture, such as packets and bytes, over the packets that the filter accepts.
package struct CaptureCounts: Equatable, Sendable {
    package var packets: UInt64 = 0
    /// Bytes on the wire (original lengths).
    package var bytes: UInt64 = 0
    package var capturedBytes: UInt64 = 0
    /// Packets with fewer captured bytes than bytes on the wire.
    package var clippedPackets: UInt64 = 0
    /// Packets with an earlier timestamp than the previous packet.
    package var timeReversals: UInt64 = 0
    /// Packets without a timestamp in the file; they take the previous packet's.
    package var unstampedPackets: UInt64 = 0

    package var ipv4TCP: UInt64 = 0
    package var ipv6TCP: UInt64 = 0
    package var ipv4UDP: UInt64 = 0
    package var ipv6UDP: UInt64 = 0
    /// Packets in a file that does not state the IP version.
    package var unstatedTCP: UInt64 = 0
    package var unstatedUDP: UInt64 = 0
    package var laterFragments: UInt64 = 0
    package var otherPackets: UInt64 = 0

    package var upPackets: UInt64 = 0
    package var downPackets: UInt64 = 0
    package var upBytes: UInt64 = 0
    package var downBytes: UInt64 = 0

    /// Packets without a readable IP header.
    package var nonIPPackets: UInt64 = 0
    /// Time steps of more than a month between two packets, forward or back, and the first of them. No phone is silent
    /// for that long: a clock was set, or captures were concatenated.
    package var jumps: UInt64 = 0
    package var firstJump: TimeJump?
    private var neighbourPackets = [UInt64](repeating: 0, count: NeighbourTraffic.allCases.count)
    private var neighbourBytes = [UInt64](repeating: 0, count: NeighbourTraffic.allCases.count)

    /// First and last timestamp in file order.
    package var first: Timestamp?
    package var last: Timestamp?
    package var earliest: Timestamp?
    package var latest: Timestamp?

    package init() {}

    /// Packets of all IP versions, without later fragments.
    package var tcp: UInt64 { ipv4TCP + ipv6TCP + unstatedTCP }
    package var udp: UInt64 { ipv4UDP + ipv6UDP + unstatedUDP }

    /// Packets with neither direction.
    package var unknownPackets: UInt64 { packets - upPackets - downPackets }

    /// Packets and bytes of one kind of neighbour traffic, which a cellular network would not carry.
    package func neighbourTraffic(_ kind: NeighbourTraffic) -> (packets: UInt64, bytes: UInt64) {
        (neighbourPackets[Int(kind.rawValue)], neighbourBytes[Int(kind.rawValue)])
    }

    /// Adds packets with final fields only.
    mutating func add(_ batch: UnsafeBufferPointer<CapturedPacket>) {
        guard let front = batch.first else { return }
        if first == nil { (first, earliest, latest, last) = (front.stamp, front.stamp, front.stamp, front.stamp) }
        var before = last ?? front.stamp
        var reversals: UInt64 = 0
        var classes = PacketClasses()
        var totals = classes.totals.mutableSpan
        for packet in batch {
            capturedBytes &+= UInt64(packet.capturedLength)
            if packet.capturedLength < packet.wireLength { clippedPackets &+= 1 }
            if packet.stamp < before { reversals &+= 1 }
            before = packet.stamp
            totals[PacketClasses.place(packet)].add(packet.wireLength)
            if packet.neighbourTraffic != .none {
                neighbourPackets[Int(packet.neighbourTraffic.rawValue)] &+= 1
                neighbourBytes[Int(packet.neighbourTraffic.rawValue)] &+= UInt64(packet.wireLength)
            }
        }
        if reversals > 0 || TimeJump.least < before - (last ?? before) { findJumps(batch) }
        last = before
        timeReversals &+= reversals
        if reversals > 0 {
            for packet in batch { extendRange(to: packet.stamp) }
        } else {
            extendRange(to: before)
        }
        packets &+= UInt64(batch.count)
        add(classes)
    }

    private mutating func add(_ classes: PacketClasses) {
        let (up, down) = (classes.total(of: .up), classes.total(of: .down))
        bytes &+= up.bytes &+ down.bytes &+ classes.total(of: .unknown).bytes
        (upPackets, downPackets) = (upPackets &+ up.packets, downPackets &+ down.packets)
        (upBytes, downBytes) = (upBytes &+ up.bytes, downBytes &+ down.bytes)
        ipv4TCP &+= classes.packets(.ipv4, .tcp)
        ipv4UDP &+= classes.packets(.ipv4, .udp)
        ipv6TCP &+= classes.packets(.ipv6, .tcp)
        ipv6UDP &+= classes.packets(.ipv6, .udp)
        unstatedTCP &+= classes.packets(.unstated, .tcp)
        unstatedUDP &+= classes.packets(.unstated, .udp)
        laterFragments &+= classes.laterFragments
        for transport in [TransportProtocol.tcp, .udp, .other, .none] {
            nonIPPackets &+= classes.packets(.other, transport)
            otherPackets &+= classes.packets(.other, transport)
        }
        for network in [NetworkProtocol.ipv4, .ipv6, .unstated] {
            otherPackets &+= classes.packets(network, .other) &+ classes.packets(network, .none)
        }
    }

    private mutating func findJumps(_ batch: UnsafeBufferPointer<CapturedPacket>) {
        var before = last ?? batch[0].stamp
        for (index, packet) in batch.enumerated() {
            let step = packet.stamp - before
            if TimeJump.least < step || step < .zero - TimeJump.least {
                jumps &+= 1
                if firstJump == nil {
                    firstJump = TimeJump(packet: packets &+ UInt64(index) &+ 1, from: before, to: packet.stamp)
                }
            }
            before = packet.stamp
        }
    }

    private mutating func extendRange(to stamp: Timestamp) {
        earliest = earliest.map { min($0, stamp) } ?? stamp
        latest = latest.map { max($0, stamp) } ?? stamp
    }
}

/// Packets and bytes of a batch by protocols and direction. One table lookup for each packet is faster than branches.
private struct PacketClasses {
    struct ClassTotal {
        var packets: UInt64 = 0
        var bytes: UInt64 = 0

        @inline(__always) mutating func add(_ length: UInt32) {
            packets &+= 1
            bytes &+= UInt64(length)
        }
    }

    private static let later = 16
    /// The rows are the pairs of network and transport protocol, then later fragments; the columns are directions.
    var totals = [ClassTotal](repeating: ClassTotal(), count: 4 * (later + 1))

    @inline(__always) private static func row(_ network: NetworkProtocol, _ transport: TransportProtocol) -> Int {
        Int(network.rawValue) &* 4 &+ Int(transport.rawValue)
    }

    @inline(__always) static func place(_ packet: CapturedPacket) -> Int {
        let row = packet.fragment == .later ? later : row(packet.network, packet.transport)
        return row &* 4 &+ Int(packet.direction.rawValue)
    }

    func packets(_ network: NetworkProtocol, _ transport: TransportProtocol) -> UInt64 {
        packets(inRow: Self.row(network, transport))
    }

    var laterFragments: UInt64 { packets(inRow: Self.later) }

    private func packets(inRow row: Int) -> UInt64 {
        totals[4 * row].packets &+ totals[4 * row + 1].packets &+ totals[4 * row + 2].packets
    }

    func total(of direction: PacketDirection) -> (packets: UInt64, bytes: UInt64) {
        var (packets, bytes): (UInt64, UInt64) = (0, 0)
        for row in 0...Self.later {
            packets &+= totals[4 * row + Int(direction.rawValue)].packets
            bytes &+= totals[4 * row + Int(direction.rawValue)].bytes
        }
        return (packets, bytes)
    }
}

/// A jump of more than 30 days between the timestamps of two packets of a capture. `packet` is the packet after the
/// jump, counted from 1 in file order.
package struct TimeJump: Equatable, Sendable {
    static let least = TimeSpan.hours(24 * 30)

    package let packet: UInt64
    package let from: Timestamp
    package let to: Timestamp
}
