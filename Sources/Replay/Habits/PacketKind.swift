import DeadzoneBase
import DeadzoneCaptures

/// The kind of a captured packet, such as data or retransmission, by which its energy is attributed.
enum PacketKind: UInt8, Sendable, BitwiseCopyable {
    /// Carries new data.
    case data
    case acknowledgement, duplicateAcknowledgement
    /// SYN, FIN or RST; `opening` is the first SYN of a connection.
    case control, opening
    /// A TCP keepalive probe (at most one byte, just before the acknowledged data), and its answer.
    case keepalive, keepaliveAnswer
    case retransmission
    /// Traffic of another host, which is in the replay with neighbours only.
    case ofNeighbour
    case other
}

/// A set of kinds of packets.
struct PacketKinds: Sendable, BitwiseCopyable {
    private var bits: UInt16 = 0

    @inline(__always) mutating func insert(_ kind: PacketKind) { bits |= 1 &<< UInt16(kind.rawValue) }

    mutating func formUnion(_ others: Self) { bits |= others.bits }

    func contains(_ kind: PacketKind) -> Bool { bits &>> UInt16(kind.rawValue) & 1 != 0 }
}

/// Classifies captured packets, above all new TCP data against retransmissions. It keeps two sequence numbers for each
/// direction of a flow.
struct TCPClassifier: Sendable {
    fileprivate struct TCPSideState: Sendable, BitwiseCopyable {
        var next: UInt32 = 0
        var acknowledged: UInt32 = 0
        var isSeen = false
        var wasProbed = false
        var hasSentSince = false
    }

    /// Two entries for each flow, the opener's first.
    private var sides: [TCPSideState] = []

    mutating func reserve(_ flows: Int) {
        guard sides.count < 2 * flows else { return }
        let missing = max(2 * flows, min(2 * sides.count, 2 * FlowCosts.bound)) - sides.count
        sides.append(contentsOf: repeatElement(TCPSideState(), count: missing))
    }

    /// Converts and classifies packets, which come in file order.
    /// - Parameter separate: The kinds of traffic that become `.ofNeighbour`.
    mutating func read(
        _ packets: Span<CapturedPacket>, since origin: Timestamp, excluding excluded: TrafficKinds,
        separating separate: TrafficKinds = TrafficKinds(), into replayPackets: inout [ReplayPacket], at first: Int
    ) -> AppendedPackets {
        var sides = sides.mutableSpan
        var replayPackets = replayPackets.mutableSpan
        var appended = AppendedPackets()
        for index in packets.indices {
            let traffic = packets[index].neighbourTraffic
            if traffic != .none, excluded.contains(traffic) { continue }
            let isSeparate = traffic != .none && separate.contains(traffic)
            if isSeparate { appended.ofNeighbours &+= 1 }
            let kind = isSeparate ? .ofNeighbour : Self.kind(packets[index], &sides)
            let replayPacket = ReplayPacket(packets[index], since: origin, kind: kind)
            replayPackets[first &+ appended.count] = replayPacket
            appended.add(at: replayPacket.at)
        }
        return appended
    }

    @inline(__always)
    private static func kind(_ packet: CapturedPacket, _ sides: inout MutableSpan<TCPSideState>) -> PacketKind {
        // Not with `isTCP` and `isUDP`, which are calls from another module.
        guard packet.fragment != .later else { return .other }
        switch packet.transport {
        case .tcp: break
        case .udp: return .data
        case .other, .none: return .other
        }
        guard packet.hasSequenceNumbers else { return kindWithoutNumbers(packet) }
        // No branch on the side: it alternates too often to be predicted.
        let place = 2 &* Int(packet.flow.index) &+ Int(packet.side.rawValue)
        guard place < sides.count else { return packet.payloadLength > 0 ? .data : .acknowledgement }
        let kind = sides[place].classify(packet)
        if kind == .keepalive { sides[place ^ 1].wasProbed = true }
        return kind
    }

    /// Classifies a TCP packet without sequence numbers. Retransmissions count as data, and keepalive probes as
    /// acknowledgements.
    private static func kindWithoutNumbers(_ packet: CapturedPacket) -> PacketKind {
        if !packet.flags.isDisjoint(with: [.syn, .fin, .rst]) {
            return packet.flags.contains(.syn) && !packet.flags.contains(.ack) ? .opening : .control
        }
        return packet.payloadLength > 0 ? .data : .acknowledgement
    }
}

extension TCPClassifier.TCPSideState {
    @inline(__always)
    fileprivate mutating func classify(_ packet: CapturedPacket) -> PacketKind {
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
