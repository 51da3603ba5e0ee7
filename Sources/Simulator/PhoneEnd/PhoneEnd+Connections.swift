package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Opens and closes connections, handles their loss, and sends the strategy the events about it.
extension PhoneEnd {
    /// Puts a new, closed connection into the slot. It runs over this interface and address (`addressNumber`).
    /// - Parameter address: The server's present address. A phone that must resolve the name does not use it.
    package mutating func renew(
        _ slot: Int, _ terms: UnsafePointer<ConnectionConfig>, resuming: ResumeRequest, over interface: Interface,
        addressNumber: UInt16, address: UInt16 = 0
    ) {
        let previousAddress = connections[slot].address
        connections.replace(slot, ClientConnection(terms, generation: connections[slot].generation &+ 1))
        connections[slot].interface = interface
        connections[slot].addressNumber = addressNumber
        connections[slot].address = address
        connections[slot].previousAddress = previousAddress
        connections[slot].resuming = resuming
        connections[slot].protocolState.pathMigration.isAllowed = terms.pointee.canMigrate
        if let window = window(slot) {
            connections[slot].protocolState.consumedWindows = HTTP2ReceiveWindows(window: window)
        }
    }

    /// Connects to the server: resolves its address first, if that is needed.
    /// - Parameter choice: The decision of the client's library. Without a resolver it is not used.
    package mutating func connect(
        _ slot: Int, _ choice: NamePolicy.AddressChoice = .ask(orElse: nil), at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        if !startResolution(slot, choice, at: now, session, &out) {
            startHandshake(slot, at: now, session, &out)
        }
    }

    /// Starts the handshake once the server's address is known: sends the first packet of the connection.
    mutating func startHandshake(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        useAddress(slot)
        guard !connections[slot].isDatagram else { return out.append(.sendsDatagrams(slot: slot)) }
        var packets = OutgoingPackets()
        connections[slot].belief = .opening
        connections[slot].tcp.connect(at: now, phase: clockPhase, connections[slot].upward, &packets)
        transmit(packets, slot, &out)
        if connections[slot].config.pointee.sendsEarlyData { beginSetup(slot, at: now, session, &out) }
    }

    /// Opens the connection for datagrams. The server continues at message `resumedAt`.
    package mutating func sendDatagrams(
        _ slot: Int, resumedAt: UInt32, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].isAnswered = true
        open(slot, expecting: resumedAt, confirmed: 0, session, &out)
    }

    /// Closes a connection by the client's decision.
    /// - Parameter isDone: `true` if the client needs no connection any more.
    package mutating func close(
        _ slot: Int, isDone: Bool, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let belief = connections[slot].belief
        guard belief != .closed else { return }
        let stands = connections[slot].tcp.phase == .open
        let isUnconfirmed = connections[slot].isUnconfirmed
        connections[slot].belief = .closed
        connections[slot].tcp.close()
        if stands { sendGoodbye(slot, at: now, &out) }
        guard belief == .open else { return }
        // A change to a better network does not count as giving up.
        if !isDone && isOnDefaultPath(slot, session) { reportGiveUp(slot, &out) }
        out.append(.believedClosed(slot: slot))
        if isDone { out.append(.wantsNoConnection) }
        if !isUnconfirmed { out.note(.closed, .byClient, value: number(slot)) }
        if connections[slot].isDatagram { out.append(.closedDatagrams(slot: slot)) }
    }

    /// `true` if the slot's connection, or the last one, uses the phone's default network. A tunnel is always on it.
    func isOnDefaultPath(_ slot: Int, _ session: SessionView) -> Bool {
        settings.pointee.keepsAddress
            || (connections[slot].interface == session.path && connections[slot].addressNumber == session.handle)
    }

    func reportGiveUp(_ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>) {
        // After GOAWAY the server expects the client to close.
        if !connections[slot].hasReceivedGoAway { out.append(.gaveUp(slot: slot)) }
    }

    /// Marks the connection as open in the client's view: the app may send on it.
    mutating func open(
        _ slot: Int, expecting next: UInt32, confirmed: UInt32, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].belief = .open
        connections[slot].resolutionDeadline = .never
        if !connections[slot].isUnconfirmed { out.append(.opened(slot: slot)) }
        // The very first connection has nothing to resume.
        if case .from(let cursor) = connections[slot].resuming, wasOpen {
            out.note(.resumed, value: Int64(cursor.position))
        }
        wasOpen = true
        reportHeard(slot, &out)
        if session.acknowledged < confirmed { out.append(.confirmed(slot: slot, before: confirmed)) }
        out.append(.notify(.opened(name(slot), resumedAt: Cursor(next))))
    }

    /// Reports that the server sent data, if the connection is open in the client's view and the server has accepted
    /// it.
    @inline(__always)
    func reportHeard(_ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>) {
        if connections[slot].belief == .open && connections[slot].isAnswered { out.append(.heard(slot: slot)) }
    }

    /// Carries out what is due in the kernel of a connection. The connection ends if its kernel gives it up.
    package mutating func expire(
        _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        var packets = OutgoingPackets()
        var goesOn = expirePath(slot, at: now, &out)
        if goesOn && connections[slot].tcp.deadline <= now {
            goesOn = connections[slot].tcp.expire(at: now, connections[slot].upward, &packets)
        }
        self.transmit(packets, slot, &out)
        guard !goesOn else { return }
        // The idle timeout that both ends of QUIC have agreed on, with nothing in flight, is not the client's own
        // decision.
        let isAgreed = connections[slot].tcp.idleDeadline <= now && !connections[slot].tcp.hasUnacknowledged
        if !isAgreed { reportGiveUp(slot, &out) }
        connections[slot].tcp.close()
        if connections[slot].belief == .opening {
            fail(slot, .timedOut, &out)
        } else {
            reportDeath(slot, &out)
            reportLoss(slot, .timedOut, permissions, &out)
        }
    }

    /// Notifies the app that a connection is lost. A suspended app is notified when it runs again.
    mutating func reportLoss(
        _ slot: Int, _ reason: CloseReason, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open else { return }
        guard permissions.runs else {
            // A suspended app considers it open until it runs again.
            if connections[slot].unreportedLoss == nil { connections[slot].unreportedLoss = reason }
            return reportDeath(slot, &out)
        }
        let isUnconfirmed = connections[slot].isUnconfirmed
        connections[slot].unreportedLoss = nil
        connections[slot].belief = .closed
        out.append(.believedClosed(slot: slot))
        if isUnconfirmed {
            out.note(.failed, FailureCode(reason), value: number(slot))
        } else {
            out.note(.closed, CloseCode(reason), value: number(slot))
        }
        switch reason {
        case .ended, .denied, .completed: out.append(.endedByServer(slot: slot, reason))
        case .pathLost, .timedOut, .reset: break
        }
        out.append(.notify(.closed(name(slot), reason)))
    }

    /// Reports that an open connection works no more. An attempt with early data was never open.
    func reportDeath(_ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>) {
        if !connections[slot].isUnconfirmed { out.append(.died(slot: slot)) }
    }

    /// Notifies the app of the connections that were lost while it was suspended.
    package mutating func reportPendingLosses(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        for slot in Self.slots {
            guard let reason = connections[slot].unreportedLoss else { continue }
            reportLoss(slot, reason, AppPermissions(runs: true, mayUseNetwork: true), &out)
            if [.ended, .denied, .completed].contains(reason) { closeInReply(slot, at: now, &out) }
        }
    }

    /// Closes the phone's side of a connection after the server has ended its stream and the app was notified.
    mutating func closeInReply(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard connections[slot].belief == .closed else { return }
        connections[slot].tcp.close()
        sendGoodbye(slot, at: now, &out)
    }

    /// Closes a connection because the app's process has ended: the kernel closes it gracefully, and the app is not
    /// notified.
    package mutating func abandon(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        let (belief, isUnconfirmed) = (connections[slot].belief, connections[slot].isUnconfirmed)
        connections[slot].belief = .closed
        connections[slot].tcp.close()
        guard belief == .open else { return }
        let isGone = connections[slot].unreportedLoss != nil
        connections[slot].unreportedLoss = nil
        out.append(.closedByExit(slot: slot))
        if !isUnconfirmed { out.note(.closed, .byClient, value: number(slot)) }
        if !isGone && !connections[slot].isDatagram { sendGoodbye(slot, at: now, &out) }
    }

    mutating func fail(_ slot: Int, _ failure: ConnectFailure, _ out: inout EffectQueue<PhoneEndEffect>) {
        connections[slot].belief = .closed
        connections[slot].tcp.close()
        out.note(.failed, FailureCode(failure), value: number(slot))
        out.append(.notify(.failed(name(slot), failure)))
    }

    /// Handles the end of a connection that the server, or a middlebox on its behalf, has closed.
    package mutating func handlePeerClose(
        _ slot: Int, _ reason: CloseReason, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        switch connections[slot].belief {
        case .closed: break
        case .opening: fail(slot, .refused, &out)
        case .open: reportLoss(slot, reason, permissions, &out)
        }
    }

    /// Handles a connection that failed because the operating system removed its network.
    package mutating func handleNetworkLoss(
        _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        switch connections[slot].belief {
        case .closed: break
        case .opening: fail(slot, .noPath, &out)
        case .open: reportLoss(slot, .pathLost, permissions, &out)
        }
    }

    /// Releases the connection in the phone's kernel, before the app is notified.
    package mutating func release(_ slot: Int) { connections[slot].tcp.close() }
}

extension CloseCode {
    init(_ reason: CloseReason) {
        switch reason {
        case .pathLost: self = .pathLost
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .ended: self = .ended
        case .denied: self = .denied
        case .completed: self = .completed
        }
    }
}

extension TransportCode {
    init(_ kind: Transport.TransportKind) {
        switch kind {
        case .webSocket: self = .webSocket
        case .datagram: self = .datagram
        case .http2: self = .http2
        case .grpc: self = .grpc
        case .quic: self = .quic
        case .polling: self = .polling
        case .longPolling: self = .longPolling
        case .serverSentEvents: self = .serverSentEvents
        case .mqtt: self = .mqtt
        case .tcp: self = .tcp
        }
    }
}

extension FailureCode {
    /// The failure of an attempt with early data, after the app has lost its connection for this reason.
    fileprivate init(_ reason: CloseReason) {
        switch reason {
        case .pathLost: self = .noPath
        case .timedOut: self = .timedOut
        case .reset, .ended, .denied, .completed: self = .refused
        }
    }

    init(_ failure: ConnectFailure) {
        switch failure {
        case .noPath: self = .noPath
        case .timedOut: self = .timedOut
        case .refused: self = .refused
        case .unresolved: self = .unresolved
        case .untrusted: self = .untrusted
        case .sessionRefused: self = .turnedAway
        }
    }
}
