import DeadzoneBase
import DeadzoneFit

/// The kind of a QUIC packet, by the part of its header that is not encrypted (RFC 8999; RFC 9000, section 17; RFC 9369).
enum QUICHeader: Sendable {
    /// Packet of type Initial, with which a client begins a connection.
    case initial
    /// Any other packet of the handshake.
    case handshake
    /// Packet of an established connection.
    case established

    private static let versions: [UInt32] = [1, 0x6b33_43cf]
    /// Type bits of Initial, in the order of `versions`.
    private static let initialTypes: [UInt8] = [0, 1]

    /// `nil` if the payload is no packet of QUIC 1 or 2. Other UDP payloads can look like a short header, so it only
    /// means something in a flow that began with an Initial.
    init?(_ payload: ArraySlice<UInt8>) {
        guard payload.count >= 21, let first = payload.first, first & 0x40 != 0 else { return nil }
        guard first & 0x80 != 0 else {
            self = .established
            return
        }
        let start = payload.startIndex
        let version = payload[start + 1...start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let place = Self.versions.firstIndex(of: version), payload[start + 5] <= 20 else { return nil }
        self = first >> 4 & 3 == Self.initialTypes[place] ? .initial : .handshake
    }
}

extension QUICHeader {
    /// Source and destination connection ID of a long header (RFC 8999, section 5.1); empty if they are cut off.
    static func connectionIDs(_ payload: ArraySlice<UInt8>) -> (
        source: ArraySlice<UInt8>, destination: ArraySlice<UInt8>
    ) {
        func field(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> { rest.dropFirst().prefix(Int(rest.first ?? 0)) }
        let destination = field(payload.dropFirst(5))
        return (field(payload.dropFirst(6 + destination.count)), destination)
    }
}

/// QUIC connections. Their content is encrypted, so packets show attempts, the end of the handshake and silence. The end
/// of a connection is the end of its UDP socket.
extension FlowObserver {
    /// An acknowledgement leaves at most 25 ms after its packet (RFC 9000, section 18.2, max_ack_delay). A packet that
    /// the phone sends this long after the last received one has content of its own.
    private static let acknowledgementTime = TimeSpan.milliseconds(50)

    /// A connection that continues from another address of the phone: the same port, and no new handshake.
    mutating func migratedFlow(_ name: LiveFlowKey, _ header: QUICHeader?, at now: Instant) -> Int? {
        guard header == .established, flowIndices[name] == nil else { return nil }
        let known = flows.indices.last { place in
            let own = flows[place]
            return own.isQUIC && own.isOpen && own.name.phonePort == name.phonePort
                && own.name.hasSameDestination(name)
        }
        guard let known else { return nil }
        flowIndices[name] = known
        if flows[known].diedAt != nil {
            (flows[known].diedAt, flows[known].periodBegan, flows[known].isBlocked) = (nil, now, false)
        }
        return known
    }

    /// A client may use one UDP port for several connections. An Initial belongs to a new one if the old one was open, or
    /// if it has another connection ID. The ID of the client stays the same during a handshake. If it is empty, the ID
    /// of the server does, until the server answers.
    mutating func endReplacedConnection(_ name: LiveFlowKey, _ payload: ArraySlice<UInt8>, at now: Instant) {
        let ids = QUICHeader.connectionIDs(payload)
        let id = ids.source.isEmpty ? ids.destination : ids.source
        guard let place = flowIndices[name], flows[place].isQUIC, flows[place].isOpen else {
            return newConnectionID = id
        }
        let isSame =
            flows[place].connectionID == id || ids.source.isEmpty && flows[place].down.packets > 0
        newConnectionID = isSame ? flows[place].connectionID : id
        guard flows[place].openedAt != nil || !isSame else { return }
        connectionTracker.endByClient(name, at: now)
        endFlow(place, flows[place].openedAt == nil ? .timedOut : .byClient, at: now)
        flows[place].isEndInferred = true
    }

    mutating func quicSent(_ header: QUICHeader, _ place: Int, at now: Instant) {
        let own = flows[place]
        var segment = ConnectionTracker<LiveFlowKey>.Segment(isUp: true)
        if header == .initial, own.openedAt == nil {
            flows[place].connectionID = newConnectionID
            segment.isSYN = true
        } else if header == .established {
            if own.openedAt == nil, own.down.packets > 0 { quicOpened(place, at: now) }
            segment.carriesBytes = now - own.lastReceivedAt >= Self.acknowledgementTime
        }
        connectionTracker.add(segment, of: own.name, at: now)
    }

    mutating func quicReceived(_ header: QUICHeader, _ place: Int, at now: Instant) {
        guard header == .established else { return }
        if flows[place].openedAt == nil { quicOpened(place, at: now) }
        var segment = ConnectionTracker<LiveFlowKey>.Segment(isUp: false)
        segment.carriesBytes = true
        connectionTracker.add(segment, of: flows[place].name, at: now)
    }

    private mutating func quicOpened(_ place: Int, at now: Instant) {
        guard flows[place].isOpen else { return }
        recordOpening(place, at: now)
        var segment = ConnectionTracker<LiveFlowKey>.Segment(isUp: false)
        (segment.isSYN, segment.isACK) = (true, true)
        connectionTracker.add(segment, of: flows[place].name, at: now)
    }
}
