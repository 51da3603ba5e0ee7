import DeadzoneDevice
import DeadzoneFit
import DeadzoneJournal
import DeadzonePrimitives

/// What packets tell: attempts, handshakes, resets, repeats, silence, signs of life where a protocol is plain. It writes the records
/// that a simulated phone writes of the same, so that the same folds and pictures read them; what packets do not show has no record.
struct FlowWatch: Sendable {
    private(set) var records: [Record] = []
    private(set) var flows: [LiveFlow] = []
    private(set) var packets: [SeenPacket] = []
    /// Packets beyond `SeenPacket.most`.
    private(set) var unkept = 0
    private(set) var book = LineBook<FlowName>()
    private var index: [FlowName: Int] = [:]

    // MARK: Packets

    /// - Parameter interface: nil: its source is no address of the phone any more.
    /// - Returns: why the packet was sent.
    mutating func phoneSent(
        _ packet: Datagram, _ name: FlowName, on interface: Interface?, at now: Instant
    ) -> Cause {
        let isAttempt = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        let place = flow(name, isNew: isAttempt, on: interface, at: now)
        if isAttempt, flows[place].attempts == 0 { begin(place, at: now) }
        if isAttempt { flows[place].attempts += 1 }
        let cause = flows[place].up.cause(of: packet, answering: flows[place].down)
        flows[place].note(packet, .up, cause)
        if packet.isTCP { book.take(.init(packet, .up, cause), of: name, at: now) }
        if !packet.flags.isDisjoint(with: [.fin, .rst]) { end(place, .byClient, at: now) }
        if cause == .keepalive, packet.payloadLength > 0 { journal(.pinged, at: now) }
        return cause
    }

    mutating func serverSent(_ packet: Datagram, _ name: FlowName) -> Cause {
        guard let place = index[name] else { return .payload }
        let cause = flows[place].down.cause(of: packet, answering: flows[place].up)
        flows[place].note(packet, .down, cause)
        return cause
    }

    mutating func phoneGot(_ packet: Datagram, _ name: FlowName, at now: Instant) {
        guard let place = index[name] else { return }
        flows[place].hear(packet, at: now)
        if packet.isTCP { book.take(.init(packet, .down, .payload), of: name, at: now) }
        if packet.flags.isSuperset(of: [.syn, .ack]), flows[place].openedAt == nil {
            flows[place].openedAt = now
            journal(.opened, value: flows[place].number, at: now)
        }
        if packet.payloadLength > 0, let brokenAt {
            self.brokenAt = nil
            journal(.recovered, value: (now - brokenAt).nanoseconds, at: now)
        }
        if packet.flags.contains(.rst) {
            flows[place].resets += 1
            end(place, .reset, at: now)
        } else if packet.flags.contains(.fin) {
            end(place, .ended, at: now)
        }
    }

    mutating func serverGot(_ packet: Datagram, _ name: FlowName) {
        guard let place = index[name] else { return }
        flows[place].up.received(packet)
    }

    mutating func lose(_ name: FlowName, _ direction: Direction) {
        guard let place = index[name] else { return }
        if direction == .up { flows[place].up.lost += 1 } else { flows[place].down.lost += 1 }
    }

    /// Bits are on the air.
    mutating func flowed(
        _ flight: Flight, _ direction: Direction, technology: UInt8, level: PowerLevel?, at now: Instant
    ) {
        let tag = BytesTag(
            interface: flight.interface, technology: technology, direction: direction, cause: flight.cause)
        records.append(
            Record(at: now, lane: 0, kind: .bytes, tag: tag.bits, value: Int64(flight.packet.length)))
        guard packets.count < SeenPacket.most else {
            unkept += 1
            return
        }
        packets.append(
            SeenPacket(
                at: now, interface: flight.interface, direction: direction, cause: flight.cause, level: level,
                waited: now - flight.askedAt, length: flight.packet.length,
                head: Array(flight.packet.bytes.prefix(SeenPacket.keptBytes))))
    }

    // MARK: Radios and boxes

    mutating func promoted(_ interface: Interface, at now: Instant) {
        records.append(Record(at: now, lane: 0, kind: .promotion, tag: interface.bits))
    }

    mutating func spent(
        _ span: TimeSpan, at level: PowerLevel, for cause: Cause, on interface: Interface, technology: UInt8,
        _ now: Instant
    ) {
        let tag = RadioTag(interface: interface, technology: technology, level: level, cause: cause)
        records.append(Record(at: now, lane: 0, kind: .residency, tag: tag.bits, value: span.nanoseconds))
    }

    mutating func forgotten(_ name: FlowName, _ interface: Interface, isDead: Bool, at now: Instant) {
        guard let place = index[name], flows[place].isOpen else { return }
        records.append(Record(at: now, lane: 0, kind: .mappingExpired, tag: interface.bits))
        if isDead { kill(place, at: now) }
    }

    /// No packet of this address will ever be answered again.
    mutating func die(of address: HostAddress, at now: Instant) {
        for place in flows.indices where flows[place].name.phone.host == address && flows[place].isOpen {
            kill(place, at: now)
        }
    }

    /// The next sequence numbers that the ends of a connection expect of each other.
    func ends(of name: FlowName) -> (phone: UInt32, server: UInt32)? {
        guard let place = index[name], flows[place].isOpen, !name.isUDP else { return nil }
        return (flows[place].down.expected, flows[place].up.expected)
    }

    /// Open TCP connections of an address.
    func open(on address: HostAddress) -> [FlowName] {
        flows.filter { $0.name.phone.host == address && $0.isOpen && !$0.name.isUDP }.map(\.name)
    }

    // MARK: Timeline and app

    mutating func changed(_ change: Int, tookEffect: Bool, at now: Instant) {
        records.append(
            Record(at: now, lane: 0, kind: .weather, tag: UInt16(clamping: change), value: tookEffect ? 1 : 0))
    }

    mutating func journal(_ kind: Kind, value: Int64 = 0, at now: Instant) {
        records.append(Record(at: now, lane: 0, kind: kind, value: value))
    }

    mutating func note(_ note: Note, at now: Instant) {
        records.append(Record(at: now, lane: 0, kind: note.kind, tag: note.tag, value: note.value))
    }

    /// There is a working path again where there was none.
    mutating func pathIsBack(at now: Instant) { if brokenAt != nil { brokenAt = now } }

    /// The app says that it knows: what is dead is so no longer in secret.
    mutating func appKnows(at now: Instant) {
        for place in flows.indices where flows[place].diedAt != nil && flows[place].isOpen { detect(place, at: now) }
    }

    mutating func finish(at end: Instant) {
        for place in flows.indices {
            flows[place].finish(at: end)
            if flows[place].isOpen { stopWorking(place, at: end) }
            guard flows[place].isOpen, let died = flows[place].diedAt, !flows[place].isDetected else { continue }
            journal(.undetected, value: (end - died).nanoseconds, at: end)
            journal(.zombie, value: (end - died).nanoseconds, at: end)
        }
        journal(.finished, value: end.nanoseconds, at: end)
    }

    // MARK: Connections

    /// Since when there has been no connection that works, and somebody has lost one.
    private var brokenAt: Instant?

    private mutating func flow(_ name: FlowName, isNew: Bool, on interface: Interface?, at now: Instant) -> Int {
        if let place = index[name], !(isNew && flows[place].endedAt != nil) { return place }
        index[name] = flows.count
        flows.append(LiveFlow(name, number: Int64(flows.count + 1), interface: interface, at: now))
        return flows.count - 1
    }

    /// An attempt: of what the client tried before to the same place nothing more is expected, and it knows of what has died.
    private mutating func begin(_ place: Int, at now: Instant) {
        let name = flows[place].name
        flows[place].joins = isSecondAddress(place)
        for other in flows.indices where other != place && flows[other].isOpen {
            guard flows[other].name.server == name.server, flows[other].name.serverPort == name.serverPort else {
                continue
            }
            if flows[other].openedAt == nil {
                end(other, .timedOut, at: now)
            } else if flows[other].diedAt != nil {
                // Linux has no route for the goodbye of a socket whose address is gone.
                end(other, .byClient, at: now)
            }
        }
        guard !flows[place].joins else { return }
        records.append(Record(at: now, lane: 0, kind: .connecting, tag: false.bits, value: flows[place].number))
    }

    /// The client tries the other address of the server's name before it has a connection by the first: as a race (RFC 8305), or
    /// because it was refused there. That is one attempt.
    private func isSecondAddress(_ place: Int) -> Bool {
        let name = flows[place].name
        let before = flows[..<place].last { $0.attempts > 0 && $0.name.leadsWhere(name) }
        guard let before, before.name.server != name.server else { return false }
        return before.openedAt == nil && !before.joins
    }

    private mutating func kill(_ place: Int, at now: Instant) {
        guard flows[place].diedAt == nil else { return }
        stopWorking(place, at: now)
        flows[place].diedAt = now
        if flows[place].openedAt != nil { brokenAt = now }
    }

    /// It was open, and true as far as the road knows.
    private mutating func stopWorking(_ place: Int, at now: Instant) {
        guard let opened = flows[place].openedAt, flows[place].diedAt == nil, !flows[place].name.isUDP else { return }
        journal(.available, value: (now - opened).nanoseconds, at: now)
    }

    private mutating func detect(_ place: Int, at now: Instant) {
        guard let died = flows[place].diedAt, !flows[place].isDetected, flows[place].openedAt != nil else { return }
        flows[place].isDetected = true
        journal(.detected, value: (now - died).nanoseconds, at: now)
        journal(.zombie, value: (now - died).nanoseconds, at: now)
    }

    private mutating func end(_ place: Int, _ code: CloseCode, at now: Instant) {
        guard flows[place].isOpen, !flows[place].name.isUDP else { return }
        detect(place, at: now)
        stopWorking(place, at: now)
        flows[place].endedAt = now
        flows[place].ending = code
        let value = flows[place].number
        if flows[place].openedAt != nil {
            records.append(Record(at: now, lane: 0, kind: .closed, tag: code.bits, value: value))
            if code != .byClient { brokenAt = now }
        } else {
            let failure: FailureCode = code == .reset ? .refused : .timedOut
            records.append(Record(at: now, lane: 0, kind: .failed, tag: failure.bits, value: value))
        }
    }
}

extension LineBook.Segment {
    fileprivate init(_ packet: Datagram, _ direction: Direction, _ cause: Cause) {
        self.init(isUp: direction == .up)
        begins = packet.flags.contains(.syn)
        acknowledges = packet.flags.contains(.ack)
        ends = packet.flags.contains(.fin)
        resets = packet.flags.contains(.rst)
        // What a kernel repeats nobody has said.
        carriesBytes = packet.payloadLength > 0 && cause != .retransmit
        // A kernel's own probes are `transport.keep-alive`.
        isPing = cause == .keepalive && packet.payloadLength > 1
        sequence = packet.sequence
    }
}
