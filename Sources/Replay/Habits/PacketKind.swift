import DeadzoneCaptures
import DeadzonePrimitives

/// What a packet is to whoever pays for it.
enum PacketKind: UInt8, Sendable, BitwiseCopyable {
    /// Carries something that was not there before.
    case data
    case acknowledgement, duplicateAcknowledgement
    /// SYN, FIN or RST; the first SYN of a connection apart.
    case control, opening
    /// A byte or none, in front of what was acknowledged: TCP's own probe; and its answer.
    case keepalive, keepaliveAnswer
    case retransmission
    case other
}

/// Tells new data from old, flow by flow, with two sequence numbers each way.
struct TCPWatch: Sendable {
    fileprivate struct Side: Sendable, BitwiseCopyable {
        var next: UInt32 = 0
        var acknowledged: UInt32 = 0
        var isSeen = false
        var wasProbed = false
        var hasSentSince = false
    }

    /// Two of each flow, the opener's first.
    private var sides: [Side] = []

    /// What a radio notices of packets where nobody asks what they are to each other.
    static func readUntold(
        _ packets: Span<Packet>, since origin: Stamp, into blips: inout [Blip], at first: Int
    ) -> Newcomers {
        var blips = blips.mutableSpan
        var newcomers = Newcomers()
        for index in packets.indices {
            let blip = Blip(packets[index], since: origin, kind: .other)
            blips[first &+ index] = blip
            newcomers.add(at: blip.at)
        }
        return newcomers
    }

    mutating func hold(_ flows: Int) {
        guard sides.count < 2 * flows else { return }
        let missing = max(2 * flows, min(2 * sides.count, 2 * FlowShares.bound)) - sides.count
        sides.append(contentsOf: repeatElement(Side(), count: missing))
    }

    /// What a radio notices of packets, which come in the order of the file.
    mutating func read(
        _ packets: Span<Packet>, since origin: Stamp, leavingOutTalk: Bool, into blips: inout [Blip], at first: Int
    ) -> Newcomers {
        var sides = sides.mutableSpan
        var blips = blips.mutableSpan
        var newcomers = Newcomers()
        for index in packets.indices {
            if leavingOutTalk, packets[index].talk != .none { continue }
            let blip = Blip(packets[index], since: origin, kind: Self.kind(packets[index], &sides))
            blips[first &+ newcomers.count] = blip
            newcomers.add(at: blip.at)
        }
        return newcomers
    }

    @inline(__always)
    private static func kind(_ packet: Packet, _ sides: inout MutableSpan<Side>) -> PacketKind {
        guard packet.isTCP else { return packet.isUDP ? .data : .other }
        // No fork on the side: it changes with every other packet.
        let place = 2 &* Int(packet.flow.index) &+ Int(packet.side.rawValue)
        guard place < sides.count else { return packet.payloadLength > 0 ? .data : .acknowledgement }
        let kind = sides[place].take(packet)
        if kind == .keepalive { sides[place ^ 1].wasProbed = true }
        return kind
    }
}

extension TCPWatch.Side {
    @inline(__always)
    fileprivate mutating func take(_ packet: Packet) -> PacketKind {
        let wasSeen = isSeen
        let before = acknowledged
        isSeen = true
        acknowledged = packet.acknowledgement
        if !packet.flags.isDisjoint(with: [.syn, .fin, .rst]) {
            next = packet.sequence &+ packet.payloadLength &+ 1
            return packet.flags.contains(.syn) && !packet.flags.contains(.ack) ? .opening : .control
        }
        if packet.payloadLength <= 1, wasSeen, packet.sequence == next &- 1 { return .keepalive }
        guard packet.payloadLength > 0 else {
            let isAgain = wasSeen && packet.acknowledgement == before && !hasSentSince
            hasSentSince = false
            if wasProbed {
                wasProbed = false
                return .keepaliveAnswer
            }
            return isAgain && !packet.flags.isEmpty ? .duplicateAcknowledgement : .acknowledgement
        }
        hasSentSince = true
        let end = packet.sequence &+ packet.payloadLength
        if wasSeen, Int32(bitPattern: end &- next) <= 0 { return .retransmission }
        next = end
        return .data
    }
}
