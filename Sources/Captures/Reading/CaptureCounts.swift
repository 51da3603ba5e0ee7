import DeadzonePrimitives

/// What a capture comes to, of the packets that the filter lets through.
public struct CaptureCounts: Equatable, Sendable {
    public var packets: UInt64 = 0
    /// Original lengths: what was on the wire.
    public var bytes: UInt64 = 0
    public var capturedBytes: UInt64 = 0
    /// Packets of which less was captured than was on the wire.
    public var clippedPackets: UInt64 = 0
    /// Packets that are stamped before the packet in front of them.
    public var timeReversals: UInt64 = 0
    /// Packets that the file has no time for; they take that of the packet before.
    public var unstampedPackets: UInt64 = 0

    public var ipv4TCP: UInt64 = 0
    public var ipv6TCP: UInt64 = 0
    public var ipv4UDP: UInt64 = 0
    public var ipv6UDP: UInt64 = 0
    public var laterFragments: UInt64 = 0
    public var otherPackets: UInt64 = 0

    public var upPackets: UInt64 = 0
    public var downPackets: UInt64 = 0
    public var upBytes: UInt64 = 0
    public var downBytes: UInt64 = 0

    /// Packets without an IP header that could be read.
    public var nonIPPackets: UInt64 = 0
    /// Steps of more than a month from one packet to the next, forward or back, and the first of them. No phone is silent for
    /// as long: somebody has set a clock, or put captures together.
    public var jumps: UInt64 = 0
    public var firstJump: TimeJump?
    private var talkPackets = [UInt64](repeating: 0, count: NeighbourTalk.allCases.count)
    private var talkBytes = [UInt64](repeating: 0, count: NeighbourTalk.allCases.count)

    /// In the order of the file.
    public var first: Stamp?
    public var last: Stamp?
    public var earliest: Stamp?
    public var latest: Stamp?

    public init() {}

    /// Neither up nor down.
    public var unknownPackets: UInt64 { packets - upPackets - downPackets }

    /// What a cellular network would not carry, by kind.
    public func talk(_ kind: NeighbourTalk) -> (packets: UInt64, bytes: UInt64) {
        (talkPackets[Int(kind.rawValue)], talkBytes[Int(kind.rawValue)])
    }

    /// Packets of which every field is final.
    mutating func add(_ batch: UnsafeBufferPointer<Packet>) {
        guard let front = batch.first else { return }
        if first == nil { (first, earliest, latest, last) = (front.stamp, front.stamp, front.stamp, front.stamp) }
        var before = last ?? front.stamp
        var reversals: UInt64 = 0
        // By class of packet and by direction: a table is faster than a ladder of questions.
        var kinds: InlineArray<16, UInt64> = .init(repeating: 0)
        var directions: InlineArray<3, UInt64> = .init(repeating: 0)
        var directed: InlineArray<3, UInt64> = .init(repeating: 0)
        for packet in batch {
            bytes &+= UInt64(packet.wireLength)
            capturedBytes &+= UInt64(packet.capturedLength)
            if packet.capturedLength < packet.wireLength { clippedPackets &+= 1 }
            if packet.stamp < before { reversals &+= 1 }
            before = packet.stamp
            let isLater = packet.fragment == .later
            kinds[isLater ? 15 : Int(packet.network.rawValue) &* 4 &+ Int(packet.transport.rawValue)] &+= 1
            directions[Int(packet.direction.rawValue)] &+= 1
            directed[Int(packet.direction.rawValue)] &+= UInt64(packet.wireLength)
            if packet.talk != .none {
                talkPackets[Int(packet.talk.rawValue)] &+= 1
                talkBytes[Int(packet.talk.rawValue)] &+= UInt64(packet.wireLength)
            }
        }
        if reversals > 0 || TimeJump.least < before - (last ?? before) { findJumps(batch) }
        last = before
        timeReversals &+= reversals
        if reversals > 0 {
            for packet in batch { spread(to: packet.stamp) }
        } else {
            spread(to: before)
        }
        packets &+= UInt64(batch.count)
        nonIPPackets &+= kinds[8] &+ kinds[9] &+ kinds[10] &+ kinds[11]
        ipv4TCP &+= kinds[0]
        ipv4UDP &+= kinds[1]
        ipv6TCP &+= kinds[4]
        ipv6UDP &+= kinds[5]
        laterFragments &+= kinds[15]
        otherPackets &+= UInt64(batch.count) &- kinds[0] &- kinds[1] &- kinds[4] &- kinds[5] &- kinds[15]
        upPackets &+= directions[0]
        downPackets &+= directions[1]
        upBytes &+= directed[0]
        downBytes &+= directed[1]
    }

    private mutating func findJumps(_ batch: UnsafeBufferPointer<Packet>) {
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

    private mutating func spread(to stamp: Stamp) {
        earliest = earliest.map { min($0, stamp) } ?? stamp
        latest = latest.map { max($0, stamp) } ?? stamp
    }
}

/// Where time jumps: at this packet, counted from 1 in the order of the file.
public struct TimeJump: Equatable, Sendable {
    static let least = TimeSpan.hours(24 * 30)

    public let packet: UInt64
    public let from: Stamp
    public let to: Stamp
}
