import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneFit

/// Derives connection events from real packets, such as attempts, handshakes, resets, retransmissions and silence. It
/// also detects pings if the protocol is not encrypted.
///
/// It writes the same records as a simulated phone, so the same metrics and charts can read them. An event that
/// packets do not show has no record.
struct FlowObserver: Sendable {
    private(set) var records: [Record] = []
    var flows: [LiveFlow] = []
    private(set) var packets: [ObservedPacket] = []
    /// Number of packets beyond `ObservedPacket.maxKept`.
    private(set) var discardedPackets = 0
    var connectionTracker = ConnectionTracker<LiveFlowKey>()
    var flowIndices: [LiveFlowKey: Int] = [:]
    /// Connection ID of the QUIC Initial that is being handled.
    var newConnectionID: ArraySlice<UInt8> = []

    // MARK: Packets

    /// Returns why the packet was sent.
    mutating func phoneSent(_ packet: Datagram, _ name: LiveFlowKey, at now: Instant) -> (cause: Cause, account: Cause)
    {
        let header = packet.isUDP ? QUICHeader(packet.payload) : nil
        let isAttempt = packet.isFirstSegment || header == .initial
        if header == .initial { endReplacedConnection(name, packet.payload, at: now) }
        let place = migratedFlow(name, header, at: now) ?? flow(name, isNew: isAttempt, at: now)
        if isAttempt, flows[place].attempts == 0 { beginAttempt(place, at: now) }
        if isAttempt { flows[place].attempts += 1 }
        let (cause, account) = flows[place].recordSent(packet, .up)
        if packet.isTCP { connectionTracker.add(.init(packet, .up, cause), of: name, at: now) }
        if let header, flows[place].isQUIC { quicSent(header, place, at: now) }
        if packet.handshake == .request { flows[place].awaitsUpgrade = true }
        if !packet.flags.isDisjoint(with: [.fin, .rst]), flows[place].isOpen {
            endFlow(place, .byClient, at: now)
            flows[place].isEndInferred = !connectionTracker.knowsEnd(of: name)
        }
        if cause == .keepalive, packet.payloadLength > 0 { appendRecord(.pinged, at: now) }
        return (cause, account)
    }

    mutating func serverSent(_ packet: Datagram, _ name: LiveFlowKey) -> (cause: Cause, account: Cause) {
        guard let place = flowIndices[name] else { return (.payload, .payload) }
        return flows[place].recordSent(packet, .down)
    }

    mutating func phoneReceived(_ packet: Datagram, _ name: LiveFlowKey, at now: Instant) {
        guard let place = flowIndices[name] else { return }
        if flows[place].isQUIC, let header = QUICHeader(packet.payload) { quicReceived(header, place, at: now) }
        flows[place].recordReceived(packet, at: now)
        if packet.isTCP { connectionTracker.add(.init(packet, .down, .payload), of: name, at: now) }
        if packet.flags.isSuperset(of: [.syn, .ack]), flows[place].openedAt == nil {
            recordOpening(place, at: now)
        }
        if flows[place].awaitsUpgrade {
            let answer = packet.handshake
            if answer == .accepted { flows[place].awaitsUpgrade = false }
            if answer == .refused { return endFlow(place, .reset, at: now) }
        }
        if packet.payloadLength > 0, let outageSince {
            self.outageSince = nil
            appendRecord(.recovered, value: (now - outageSince).nanoseconds, at: now)
        }
        if packet.flags.contains(.rst) {
            flows[place].resets += 1
            endFlow(place, .reset, at: now)
        } else if packet.flags.contains(.fin) {
            endFlow(place, flows[place].awaitsUpgrade ? .reset : .ended, at: now)
        }
    }

    mutating func recordOpening(_ place: Int, at now: Instant) {
        (flows[place].openedAt, flows[place].periodBegan) = (now, now)
        appendRecord(.opened, value: flows[place].number, at: now)
    }

    /// Until the server accepts a WebSocket, the client has no connection: its attempt failed.
    private mutating func retractOpening(_ place: Int) {
        flows[place].openedAt = nil
        let number = flows[place].number
        if let opening = records.lastIndex(where: { $0.kind == .opened && $0.value == number }) {
            records.remove(at: opening)
        }
    }

    mutating func serverReceived(_ packet: Datagram, _ name: LiveFlowKey) {
        guard let place = flowIndices[name] else { return }
        flows[place].up.recordReceived(packet)
    }

    mutating func recordLoss(_ name: LiveFlowKey, _ direction: Direction) {
        guard let place = flowIndices[name] else { return }
        if direction == .up { flows[place].up.lost += 1 } else { flows[place].down.lost += 1 }
    }

    /// Records that the packet is on the air.
    mutating func recordTransmission(
        _ pending: PendingPacket, _ direction: Direction, technology: UInt8, level: PowerLevel?, at now: Instant
    ) {
        let tag = BytesTag(
            interface: pending.interface, technology: technology, direction: direction, cause: pending.cause)
        records.append(
            Record(at: now, phone: 0, kind: .bytes, tag: tag.bits, value: Int64(pending.packet.length)))
        guard packets.count < ObservedPacket.maxKept else {
            discardedPackets += 1
            return
        }
        packets.append(
            ObservedPacket(
                at: now, interface: pending.interface, direction: direction, cause: pending.cause, level: level,
                waited: now - pending.offeredAt, length: pending.packet.length,
                head: ObservedPacket.head(of: pending.packet)))
    }

    // MARK: Radios and boxes

    mutating func recordPromotion(_ interface: Interface, at now: Instant) {
        records.append(Record(at: now, phone: 0, kind: .promotion, tag: interface.bits))
    }

    mutating func recordResidency(
        _ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface, technology: UInt8,
        _ now: Instant
    ) {
        let tag = RadioTag(interface: interface, technology: technology, level: level, cause: cause)
        records.append(Record(at: now, phone: 0, kind: .residency, tag: tag.bits, value: span.nanoseconds))
    }

    mutating func recordMappingExpiry(_ name: LiveFlowKey, _ interface: Interface, isDead: Bool, at now: Instant) {
        guard let place = flowIndices[name], flows[place].isOpen else { return }
        records.append(Record(at: now, phone: 0, kind: .mappingExpired, tag: interface.bits))
        if isDead { markDead(place, at: now) }
    }

    /// Records that a middlebox blocks the protocol of a flow.
    mutating func recordBlocking(_ name: LiveFlowKey, _ interface: Interface, at now: Instant) {
        records.append(Record(at: now, phone: 0, kind: .protocolBlocked, tag: interface.bits))
        guard let place = flowIndices[name], flows[place].isOpen else { return }
        markDead(place, at: now)
    }

    /// Marks every open flow of this address as dead: no packet of it will ever be answered again.
    mutating func markAllDead(of address: HostAddress, at now: Instant) {
        for place in flows.indices where flows[place].name.phone.host == address && flows[place].isOpen {
            markDead(place, at: now)
        }
    }

    /// Records that the network of this address passes packets between phone and server from now on, or no longer.
    mutating func pathChanged(of address: HostAddress, isBlocked: Bool, at now: Instant) {
        for place in flows.indices
        where flows[place].name.phone.host == address && flows[place].isOpen && flows[place].isBlocked != isBlocked {
            recordPeriod(place, at: now)
            flows[place].isBlocked = isBlocked
        }
    }

    /// The next sequence numbers that both ends of an open TCP connection expect. `nil` for other flows.
    func expectedSequences(of name: LiveFlowKey) -> (phone: UInt32, server: UInt32)? {
        guard let place = flowIndices[name], flows[place].isOpen, !name.isUDP else { return nil }
        return (flows[place].down.expected, flows[place].up.expected)
    }

    /// Attempts and TCP connections of this run that have not ended.
    var openConnections: [LiveFlowKey] { flows.filter(\.isWatched).map(\.name) }
    var hasOpenConnections: Bool { flows.contains(where: \.isWatched) }

    /// Open TCP connections of an address.
    func openConnections(on address: HostAddress) -> [LiveFlowKey] {
        flows.filter { $0.name.phone.host == address && $0.isOpen && !$0.name.isUDP }.map(\.name)
    }

    // MARK: Sockets of the phone

    mutating func socketFound(_ name: LiveFlowKey) {
        if let place = flowIndices[name] { flows[place].hasSocket = true }
    }

    /// The client has closed the connection, or given up the attempt.
    mutating func socketClosed(_ name: LiveFlowKey, at now: Instant) {
        guard let place = flowIndices[name], flows[place].isOpen else { return }
        connectionTracker.endByClient(flows[place].name, at: now)
        endFlow(place, flows[place].openedAt == nil ? .timedOut : .byClient, at: now)
    }

    /// The kernel has no socket of this flow. A socket that was never found may be bound to a device, so that a lookup
    /// by its addresses does not find it.
    mutating func socketVanished(_ name: LiveFlowKey, at now: Instant) {
        guard let place = flowIndices[name], flows[place].hasSocket else { return }
        socketClosed(name, at: now)
    }

    // MARK: Timeline and app

    mutating func recordChange(_ change: Int, tookEffect: Bool, at now: Instant) {
        records.append(
            Record(at: now, phone: 0, kind: .weather, tag: UInt16(clamping: change), value: tookEffect ? 1 : 0))
    }

    mutating func appendRecord(_ kind: RecordKind, value: Int64 = 0, at now: Instant) {
        records.append(Record(at: now, phone: 0, kind: kind, value: value))
    }

    mutating func appendEntry(_ note: JournalEntry, at now: Instant) {
        records.append(Record(at: now, phone: 0, kind: note.kind, tag: note.tag, value: note.value))
    }

    /// Restarts the outage clock when a path is available again, if there is an outage.
    mutating func pathRestored(at now: Instant) { if outageSince != nil { outageSince = now } }

    /// The app reports that it noticed the loss. This counts as detection of every dead connection that is still open.
    mutating func appDetectedLoss(at now: Instant) {
        for place in flows.indices where flows[place].diedAt != nil && flows[place].isOpen {
            recordDetection(place, at: now)
        }
    }

    mutating func finish(at end: Instant) {
        for place in flows.indices {
            flows[place].finish(at: end)
            if flows[place].isOpen { recordPeriod(place, at: end) }
            guard flows[place].isOpen, let died = flows[place].diedAt, !flows[place].isDetected else { continue }
            appendRecord(.undetected, value: (end - died).nanoseconds, at: end)
            appendRecord(.zombie, value: (end - died).nanoseconds, at: end)
        }
        appendRecord(.finished, value: end.nanoseconds, at: end)
    }

    // MARK: Connections

    /// Start of the current outage: when the phone lost a connection, or when a path became available again after
    /// that. `nil` if there is no outage.
    private var outageSince: Instant?

    private mutating func flow(_ name: LiveFlowKey, isNew: Bool, at now: Instant) -> Int {
        if let place = flowIndices[name], !(isNew && flows[place].endedAt != nil) { return place }
        flowIndices[name] = flows.count
        flows.append(LiveFlow(name, number: Int64(flows.count + 1), at: now))
        return flows.count - 1
    }

    /// Starts an attempt. It ends the client's unfinished attempts to the same address and port, and proves that the
    /// client has noticed the dead connections there.
    private mutating func beginAttempt(_ place: Int, at now: Instant) {
        let name = flows[place].name
        flows[place].continuesAttempt = isSecondAddress(place)
        for other in flows.indices where other != place && flows[other].isOpen {
            guard flows[other].name.server == name.server, flows[other].name.serverPort == name.serverPort else {
                continue
            }
            if flows[other].openedAt == nil {
                endFlow(other, .timedOut, at: now)
            } else if flows[other].diedAt != nil {
                // Linux has no route for the FIN of a socket after its address is gone.
                endFlow(other, .byClient, at: now)
                flows[other].isEndInferred = true
            }
        }
        guard !flows[place].continuesAttempt else { return }
        records.append(Record(at: now, phone: 0, kind: .connecting, tag: false.bits, value: flows[place].number))
    }

    /// `true` if the client tries the server's other address before it has a connection by the first: in a race (RFC
    /// 8305), or because the first was refused. Both count as one attempt.
    private func isSecondAddress(_ place: Int) -> Bool {
        let name = flows[place].name
        let before = flows[..<place].last { $0.attempts > 0 && $0.name.hasSameDestination(name) }
        guard let before, before.name.server != name.server else { return false }
        return before.openedAt == nil && !before.continuesAttempt
    }

    private mutating func markDead(_ place: Int, at now: Instant) {
        guard flows[place].diedAt == nil else { return }
        recordPeriod(place, at: now)
        flows[place].diedAt = now
        if flows[place].isEstablished { outageSince = now }
    }

    /// Records for how long the connection has worked, or has been blocked, and begins a new period.
    private mutating func recordPeriod(_ place: Int, at now: Instant) {
        let own = flows[place]
        guard let began = own.periodBegan, own.isEstablished, own.diedAt == nil, own.isConnection else { return }
        appendRecord(own.isBlocked ? .blocked : .available, value: (now - began).nanoseconds, at: now)
        flows[place].periodBegan = now
    }

    private mutating func recordDetection(_ place: Int, at now: Instant) {
        guard let died = flows[place].diedAt, !flows[place].isDetected, flows[place].openedAt != nil else { return }
        flows[place].isDetected = true
        appendRecord(.detected, value: (now - died).nanoseconds, at: now)
        appendRecord(.zombie, value: (now - died).nanoseconds, at: now)
    }

    mutating func endFlow(_ place: Int, _ code: CloseCode, at now: Instant) {
        guard flows[place].isOpen, flows[place].isConnection else { return }
        if flows[place].awaitsUpgrade { retractOpening(place) }
        recordDetection(place, at: now)
        recordPeriod(place, at: now)
        flows[place].endedAt = now
        flows[place].ending = code
        let value = flows[place].number
        if flows[place].openedAt != nil {
            records.append(Record(at: now, phone: 0, kind: .closed, tag: code.bits, value: value))
            if code != .byClient { outageSince = now }
        } else {
            let failure: FailureCode = code == .reset ? .refused : .timedOut
            records.append(Record(at: now, phone: 0, kind: .failed, tag: failure.bits, value: value))
        }
    }
}

extension ConnectionTracker.Segment {
    fileprivate init(_ packet: Datagram, _ direction: Direction, _ cause: Cause) {
        self.init(isUp: direction == .up)
        isSYN = packet.flags.contains(.syn)
        isACK = packet.flags.contains(.ack)
        isFIN = packet.flags.contains(.fin)
        isRST = packet.flags.contains(.rst)
        // Retransmissions come from the kernel and are no new data of the app.
        carriesBytes = packet.payloadLength > 0 && cause != .retransmit
        // Keepalive probes of the kernel belong to the setting `transport.keep-alive`.
        isPing = cause == .keepalive && packet.payloadLength > 1
        handshake = packet.handshake
        containsPing = direction == .up && cause == .payload && PingFrame.isHidden(in: packet.payload)
        sequence = packet.sequence
        length = packet.payloadLength
        acknowledgement = packet.acknowledgement
    }
}
