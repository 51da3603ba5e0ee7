import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// What a strategy does with its connections, and what it is told of them.
extension Lane {
    mutating func perform(_ action: Action, _ stage: inout Stage) {
        switch action {
        case .connect(let slot, let carrier, let resuming):
            connect(Int(slot.index), carrier, resuming, &stage)
        case .close(let slot): close(Int(slot.index), &stage)
        case .send(let slot, let from, let upTo):
            send(Int(slot.index), from.position, min(upTo, session.produced).position, &stage)
        case .ping(let slot): ping(Int(slot.index), &stage)
        case .deliver(let cursor): show(upTo: cursor, &stage)
        case .forget(let cursor): forgottenUp = max(forgottenUp, min(cursor, session.produced).position)
        }
    }

    private mutating func connect(
        _ slot: Int, _ carrier: Carrier, _ resuming: Resuming, _ stage: inout Stage
    ) {
        close(slot, &stage)
        let name = ConnectionSlot(UInt8(slot))
        guard let path = session.path else { return tell(.failed(name, .noPath), &stage) }
        lines[slot].generation &+= 1
        lines[slot].carrier = carrier
        lines[slot].interface = path
        lines[slot].epoch = announcedEpoch ?? 0
        lines[slot].serverHolds = false
        lines[slot].isQueued = false
        lines[slot].resuming = resuming
        journal(.connecting, value: number(slot), &stage)
        if resuming != .fresh { journal(.resumed, value: Int64(session.cursor.position), &stage) }
        switch carrier {
        case .stream:
            var out = Departures()
            lines[slot].belief = .opening
            lines[slot].handshake = Handshake(
                legs: HandshakeLeg.tcpTLSUpgrade, resuming: lines[slot].isResuming, at: now, &out)
            sendUp(out, slot, &stage)
        case .datagram:
            attach(slot, &stage)
            open(slot, expecting: lines[slot].server.acknowledged, confirmed: 0, &stage)
        }
    }

    /// Which connection of its slot this is, from 1.
    private func number(_ slot: Int) -> Int64 { Int64(lines[slot].generation) }

    /// By the client's own decision. What it was not told of the connection yet it will not be told: the slot may be another
    /// connection's by then.
    private mutating func close(_ slot: Int, _ stage: inout Stage) {
        stage.notices.removeAll(about: ConnectionSlot(UInt8(slot)))
        let name = lines[slot].belief
        guard name != .closed else { return }
        lines[slot].belief = .closed
        lines[slot].handshake = nil
        guard name == .open else { return }
        if lines[slot].truth == .working { journal(.falseDrop, value: number(slot), &stage) }
        disbelieve(slot, &stage)
        journal(.closed, value: number(slot), &stage)
        if lines[slot].carrier == .stream {
            sendUp(Packet(.goodbye, cause: .connect, bytes: Wire.tcp, stamp: now), slot, &stage)
        } else {
            lines[slot].serverHolds = false
        }
    }

    private mutating func send(_ slot: Int, _ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        guard lines[slot].belief == .open, from < upTo else { return }
        switch lines[slot].carrier {
        case .stream:
            let offered = lines[slot].client.offered
            if from > offered || (from < offered && lines[slot].client.isPristine) {
                guard lines[slot].client.acknowledged == offered else {
                    return stop(.sentOutOfOrder, value: Int64(from), &stage)
                }
                // The bytes of a stream have no holes: both ends count on from here.
                lines[slot].client.skip(to: from)
                lines[slot].server.expect(from)
                skipUp(to: from, &stage)
            }
            var out = Departures()
            lines[slot].client.write(upTo: upTo, at: now, sizes: stage.sizesUp, cause: .payload, &out)
            sendUp(out, slot, &stage)
        case .datagram:
            for index in from..<upTo {
                sendUp(datagram(index, bytes: stage.sizesUp.bytes(of: index)), slot, &stage)
            }
        }
    }

    private mutating func ping(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .open else { return }
        journal(.pinged, &stage)
        switch lines[slot].carrier {
        case .stream:
            var out = Departures()
            lines[slot].client.ping(at: now, &out)
            sendUp(out, slot, &stage)
        case .datagram:
            sendUp(Packet(.ping, cause: .keepalive, bytes: Wire.udp, stamp: now), slot, &stage)
        }
    }

    /// The client believes in the connection from now on.
    mutating func open(_ slot: Int, expecting next: UInt32, confirmed: UInt32, _ stage: inout Stage) {
        lines[slot].belief = .open
        lines[slot].handshake = nil
        let resumedUp = max(confirmed, session.acknowledged.position)
        lines[slot].client = StreamEnd(sending: .up, from: resumedUp, expecting: next)
        // An acknowledgement on another connection may have come since the server answered.
        lines[slot].server.expect(resumedUp)
        lines[slot].since = now
        lines[slot].truth = truth(of: slot)
        journal(.opened, value: number(slot), &stage)
        if lines[slot].truth == .working { served(&stage) }
        let name = ConnectionSlot(UInt8(slot))
        if session.acknowledged.position < confirmed {
            confirmUp(before: confirmed, &stage)
            tell(.acknowledged(name, Cursor(confirmed)), &stage)
        }
        tell(.opened(name, resumedAt: Cursor(next)), &stage)
    }

    /// The end of a connection as its owner is told it.
    mutating func lose(_ slot: Int, _ reason: CloseReason, _ stage: inout Stage) {
        guard lines[slot].belief == .open else { return }
        lines[slot].belief = .closed
        disbelieve(slot, &stage)
        journal(.closed, tag: UInt16(reason.rawValue) + 1, value: number(slot), &stage)
        tell(.closed(ConnectionSlot(UInt8(slot)), reason), &stage)
    }

    mutating func fail(_ slot: Int, _ failure: Failure, _ stage: inout Stage) {
        lines[slot].belief = .closed
        lines[slot].handshake = nil
        journal(.failed, tag: UInt16(failure.rawValue) + 1, value: number(slot), &stage)
        tell(.failed(ConnectionSlot(UInt8(slot)), failure), &stage)
    }

    /// The operating system took the network away and says so.
    mutating func loseByError(_ slot: Int, _ stage: inout Stage) {
        switch lines[slot].belief {
        case .closed: break
        case .opening: fail(slot, .noPath, &stage)
        case .open:
            become(truth(of: slot), slot, &stage)
            lose(slot, .pathLost, &stage)
        }
    }
}
