public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneProtocols
import DeadzoneTransport

/// Connections that the strategy opens and closes, and what it is told when one is gone.
extension PhoneEnd {
    /// Another connection takes the slot.
    public mutating func renew(
        _ slot: Int, _ terms: UnsafePointer<Terms>, resuming: Resuming, over interface: Interface, epoch: UInt16
    ) {
        lines.renew(slot, Line(terms, generation: lines[slot].generation &+ 1))
        lines[slot].interface = interface
        lines[slot].epoch = epoch
        lines[slot].resuming = resuming
        lines[slot].talk.moves.isAllowed = terms.pointee.canMove
        if let window = window(slot) { lines[slot].talk.taken = WindowsTaken(window: window) }
    }

    /// It sets out for the server: for its address first, where that has to be asked for.
    public mutating func setOut(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        if !resolves(slot, at: now, session, &out) {
            setUp(slot, at: now, session, &out)
        }
    }

    /// The address is known: the first packet of the connection leaves.
    mutating func setUp(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        guard !lines[slot].isDatagram else { return out.append(.sendsDatagrams(slot: slot)) }
        var packets = Departures()
        lines[slot].belief = .opening
        lines[slot].client.connect(at: now, phase: clockPhase, lines[slot].upward, &packets)
        leave(packets, slot, &out)
        if lines[slot].terms.pointee.isEarly { beginSetup(slot, at: now, session, &out) }
    }

    /// The server takes datagrams, and goes on with this message.
    public mutating func sendDatagrams(
        _ slot: Int, resumedAt: UInt32, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].isAnswered = true
        open(slot, expecting: resumedAt, confirmed: 0, session, &out)
    }

    /// By the client's own decision.
    /// - Parameter isDone: It wants none any more.
    public mutating func close(
        _ slot: Int, isDone: Bool, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        let belief = lines[slot].belief
        guard belief != .closed else { return }
        let stands = lines[slot].client.phase == .open
        lines[slot].belief = .closed
        lines[slot].client.close()
        if stands { sayGoodbye(slot, at: now, &out) }
        guard belief == .open else { return }
        // Leaving for a better network is no mistake.
        let isOnDefaultPath =
            lines[slot].interface == session.path && lines[slot].epoch == session.handle
        if !isDone && isOnDefaultPath { giveUp(slot, &out) }
        out.append(.disbelieved(slot: slot))
        if isDone { out.append(.wantsNone) }
        out.note(.closed, .byClient, value: number(slot))
        if lines[slot].isDatagram { out.append(.leftDatagrams(slot: slot)) }
    }

    func giveUp(_ slot: Int, _ out: inout Steps<PhoneEndStep>) {
        // A server that has said goodbye wanted it so.
        if !lines[slot].isDismissed { out.append(.gaveUp(slot: slot)) }
    }

    /// The client believes in the connection from now on.
    mutating func open(
        _ slot: Int, expecting next: UInt32, confirmed: UInt32, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].belief = .open
        out.append(.opened(slot: slot))
        // The first of all has nothing to go on from.
        if case .from(let cursor) = lines[slot].resuming, wasOpen {
            out.note(.resumed, value: Int64(cursor.position))
        }
        wasOpen = true
        hear(slot, &out)
        if session.acknowledged < confirmed { out.append(.confirmed(slot: slot, before: confirmed)) }
        out.append(.tell(.opened(name(slot), resumedAt: Cursor(next))))
    }

    /// The server was heard, on a connection that it serves.
    @inline(__always)
    func hear(_ slot: Int, _ out: inout Steps<PhoneEndStep>) {
        if lines[slot].belief == .open && lines[slot].isAnswered { out.append(.heard(slot: slot)) }
    }

    /// The end of a connection as its owner is told it.
    mutating func lose(_ slot: Int, _ reason: CloseReason, _ leave: Leave, _ out: inout Steps<PhoneEndStep>) {
        guard lines[slot].belief == .open else { return }
        guard leave.runs else {
            // It goes on believing until it runs again.
            if lines[slot].untoldLoss == nil { lines[slot].untoldLoss = reason }
            return out.append(.died(slot: slot))
        }
        lines[slot].untoldLoss = nil
        lines[slot].belief = .closed
        out.append(.disbelieved(slot: slot))
        out.note(.closed, CloseCode(reason), value: number(slot))
        out.append(.tell(.closed(name(slot), reason)))
    }

    /// The app runs again and finds out which of its connections are gone.
    public mutating func learnLosses(at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        for slot in Self.slots {
            guard let reason = lines[slot].untoldLoss else { continue }
            lose(slot, reason, Leave(runs: true, mayTalk: true), &out)
            if reason == .ended { endInTurn(slot, at: now, &out) }
        }
    }

    /// An app that knows of the server's end says its own.
    mutating func endInTurn(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        guard lines[slot].belief == .closed else { return }
        lines[slot].client.close()
        sayGoodbye(slot, at: now, &out)
    }

    /// The process ends: the kernel ends its connections in order, and nobody is left to be told.
    public mutating func abandon(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        let belief = lines[slot].belief
        lines[slot].belief = .closed
        lines[slot].client.close()
        guard belief == .open else { return }
        let isGone = lines[slot].untoldLoss != nil
        lines[slot].untoldLoss = nil
        out.append(.ended(slot: slot))
        out.note(.closed, .byClient, value: number(slot))
        if !isGone && !lines[slot].isDatagram { sayGoodbye(slot, at: now, &out) }
    }

    mutating func fail(_ slot: Int, _ failure: Failure, _ out: inout Steps<PhoneEndStep>) {
        lines[slot].belief = .closed
        lines[slot].client.close()
        out.note(.failed, FailureCode(failure), value: number(slot))
        out.append(.tell(.failed(name(slot), failure)))
    }

    /// The server, or somebody in its name, has ended the connection.
    public mutating func loseToPeer(
        _ slot: Int, _ reason: CloseReason, _ leave: Leave, _ out: inout Steps<PhoneEndStep>
    ) {
        switch lines[slot].belief {
        case .closed: break
        case .opening: fail(slot, .refused, &out)
        case .open: lose(slot, reason, leave, &out)
        }
    }

    /// The operating system took the network away and says so.
    public mutating func loseByError(_ slot: Int, _ leave: Leave, _ out: inout Steps<PhoneEndStep>) {
        switch lines[slot].belief {
        case .closed: break
        case .opening: fail(slot, .noPath, &out)
        case .open: lose(slot, .pathLost, leave, &out)
        }
    }

    /// Its kernel lets the connection go, before anybody is told.
    public mutating func letGo(_ slot: Int) { lines[slot].client.close() }
}

extension CloseCode {
    init(_ reason: CloseReason) {
        switch reason {
        case .pathLost: self = .pathLost
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .ended: self = .ended
        case .denied: self = .denied
        }
    }
}

extension FailureCode {
    init(_ failure: Failure) {
        switch failure {
        case .noPath: self = .noPath
        case .timedOut: self = .timedOut
        case .refused: self = .refused
        case .unresolved: self = .unresolved
        case .untrusted: self = .untrusted
        case .turnedAway: self = .turnedAway
        }
    }
}
