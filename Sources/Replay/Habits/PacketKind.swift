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
    private struct Side: Sendable, BitwiseCopyable {
        var next: UInt32 = 0
        var acknowledged: UInt32 = 0
        var isSeen = false
        var wasProbed = false
        var hasSentSince = false
    }

    private var sides: [Side] = []

    /// Packets in the order of the file.
    mutating func kind(_ packet: Packet) -> PacketKind {
        guard packet.isTCP else { return packet.isUDP ? .data : .other }
        let index = Int(packet.flow.index)
        guard index < FlowShares.bound else { return packet.payloadLength > 0 ? .data : .acknowledgement }
        if sides.count <= 2 * index + 1 { grow(to: index) }
        let own = 2 * index + (packet.side == .opener ? 0 : 1)
        let other = own ^ 1
        defer {
            sides[own].acknowledged = packet.acknowledgement
            sides[own].isSeen = true
        }
        if !packet.flags.isDisjoint(with: [.syn, .fin, .rst]) {
            sides[own].next = packet.sequence &+ packet.payloadLength &+ 1
            return packet.flags.contains(.syn) && !packet.flags.contains(.ack) ? .opening : .control
        }
        let side = sides[own]
        if packet.payloadLength <= 1, side.isSeen, packet.sequence == side.next &- 1 {
            sides[other].wasProbed = true
            return .keepalive
        }
        guard packet.payloadLength > 0 else {
            let isAgain = side.isSeen && packet.acknowledgement == side.acknowledged && !side.hasSentSince
            sides[own].hasSentSince = false
            if side.wasProbed {
                sides[own].wasProbed = false
                return .keepaliveAnswer
            }
            return isAgain && !packet.flags.isEmpty ? .duplicateAcknowledgement : .acknowledgement
        }
        sides[own].hasSentSince = true
        let end = packet.sequence &+ packet.payloadLength
        if side.isSeen, Int32(bitPattern: end &- side.next) <= 0 { return .retransmission }
        sides[own].next = end
        return .data
    }

    private mutating func grow(to index: Int) {
        let missing = max(2 * index + 2, min(2 * sides.count, 2 * FlowShares.bound)) - sides.count
        sides.append(contentsOf: repeatElement(Side(), count: missing))
    }
}
