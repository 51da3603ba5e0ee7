import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// What arriving packets and expiring timers do at the two ends of a connection.
extension Lane {
    mutating func receiveAtPhone(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        if packet.content == .probe {
            return sendUpReply(to: flight, &stage)
        }
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation else { return }
        guard lines[slot].belief != .closed else { return refuse(packet, slot, &stage) }
        if lines[slot].belief == .opening { return advanceHandshake(packet, slot, &stage) }
        if lines[slot].truth == .working { served(&stage) }
        let name = ConnectionSlot(UInt8(slot))
        switch packet.content {
        case .goodbye:
            become(.dead, slot, &stage)
            lose(slot, .reset, &stage)
        case .datagram:
            if receivedDown < packet.first { loseDown(before: packet.first, &stage) }
            receivedDown = max(receivedDown, packet.last)
            tell(.received(name, upTo: Cursor(receivedDown), bytes: packet.bytes), &stage)
        case .pong where lines[slot].carrier == .datagram:
            journal(.ponged, &stage)
            tell(.pong(name, after: now - packet.echo), &stage)
        case .data, .ping, .pong, .acknowledgement:
            var out = Departures()
            let arrival = lines[slot].client.receive(packet, at: now, sizes: stage.sizesUp, &out)
            sendUp(out, slot, &stage)
            if arrival.first < arrival.last {
                let known = min(arrival.last, receivedDown)
                if arrival.first < known { journal(.duplicatedDown, value: Int64(known - arrival.first), &stage) }
                receivedDown = max(receivedDown, arrival.last)
                tell(.received(name, upTo: Cursor(arrival.last), bytes: packet.bytes), &stage)
            }
            if arrival.acknowledgedMore {
                confirmUp(before: lines[slot].client.acknowledged, &stage)
                tell(.acknowledged(name, Cursor(lines[slot].client.acknowledged)), &stage)
            }
            if let after = arrival.pong {
                journal(.ponged, value: after.nanoseconds, &stage)
                tell(.pong(name, after: after), &stage)
            }
        case .hello, .helloReply, .probe, .probeReply: break
        }
    }

    /// The phone knows of no such connection, and resets it like any host; of a socket without connection it says nothing.
    private mutating func refuse(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        guard lines[slot].carrier == .stream, packet.content != .goodbye else { return }
        sendUp(
            Packet(.goodbye, cause: .connect, bytes: Wire.tcp, stamp: now, answering: packet), slot, &stage)
    }

    mutating func receiveAtServer(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        if packet.content == .probeReply {
            return journal(.probeAnswered, value: (now - packet.echo).nanoseconds, &stage)
        }
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation else { return }
        if packet.content == .hello { return answerHello(packet, slot, &stage) }
        guard lines[slot].serverHolds else {
            // A host that knows of no such connection resets it (RFC 9293 §3.5.2).
            if packet.content != .goodbye {
                sendDown(Packet(.goodbye, cause: .connect, bytes: Wire.tcp, stamp: now), slot, &stage)
            }
            return
        }
        switch packet.content {
        case .goodbye:
            lines[slot].serverHolds = false
        case .datagram:
            arriveUp(packet.first, packet.last, &stage)
            // No one acknowledges a datagram: that it arrived is all there is to know.
            skipUp(to: packet.last, &stage)
        case .ping where lines[slot].carrier == .datagram:
            sendDown(
                Packet(.pong, cause: .pong, bytes: Wire.udp, stamp: now, answering: packet), slot, &stage)
        default:
            var out = Departures()
            let arrival = lines[slot].server.receive(packet, at: now, sizes: stage.sizesDown, &out)
            if arrival.first < arrival.last { arriveUp(arrival.first, arrival.last, &stage) }
            sendDown(out, slot, &stage)
        }
    }

    private mutating func sendUpReply(to flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        let reply = Packet(.probeReply, cause: .pong, bytes: packet.bytes, stamp: now, answering: packet)
        leave(
            Flight(
                at: now, packet: reply, hop: .heldByPhone, interface: flight.interface, slot: .max, generation: 0,
                epoch: flight.epoch), &stage)
    }

    private mutating func advanceHandshake(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        var out = Departures()
        let progress = lines[slot].handshake?.receive(packet, at: now, legs: HandshakeLeg.tcpTLSUpgrade, &out)
        sendUp(out, slot, &stage)
        if case .done(let roundTrip) = progress {
            open(slot, expecting: packet.first, confirmed: packet.acknowledges, &stage)
            // Both ends saw the legs come back: the first loss does not wait the whole initial second.
            lines[slot].client.measure(roundTrip)
            lines[slot].server.measure(roundTrip)
        }
    }

    /// The last leg asks for the session; with a shared server it waits there for its turn.
    private mutating func answerHello(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        let isLast = Int(packet.number) + 1 == HandshakeLeg.tcpTLSUpgrade.count
        if isLast && !lines[slot].serverHolds && stage.world.isCoupled {
            guard !lines[slot].isQueued else { return }
            lines[slot].isQueued = true
            stage.arrivals.append(
                Arrival(
                    at: now, lane: phone.index, sequence: arrivalsSent, slot: slot,
                    generation: lines[slot].generation, hello: packet))
            arrivalsSent += 1
            return
        }
        if isLast {
            accept(packet, slot, lines[slot].generation, at: now, &stage)
        } else {
            replyToHello(packet, slot, at: now, &stage)
        }
    }

    /// The server has set the connection up: it answers, and writes what the client has missed. In a coupled world the lane
    /// may already be past this moment; the answer still leaves then, and arrives in a round to come.
    mutating func accept(
        _ hello: Packet, _ slot: Int, _ generation: UInt16, at acceptedAt: Instant, _ stage: inout Stage
    ) {
        guard lines[slot].generation == generation else { return }
        if lines[slot].isQueued {
            lines[slot].isQueued = false
            journal(.serverAccepted, value: Int64(generation), &stage)
        }
        if !lines[slot].serverHolds { attach(slot, &stage) }
        replyToHello(hello, slot, at: acceptedAt, &stage)
        var out = Departures()
        lines[slot].server.write(
            upTo: writtenDown.index, at: acceptedAt, sizes: stage.sizesDown, cause: .payload, &out)
        sendDown(out, slot, at: acceptedAt, &stage)
    }

    private mutating func replyToHello(
        _ packet: Packet, _ slot: Int, at sentAt: Instant, _ stage: inout Stage
    ) {
        var reply = Handshake.reply(
            to: packet, legs: HandshakeLeg.tcpTLSUpgrade, resuming: lines[slot].isResuming, at: sentAt)
        reply.first = lines[slot].server.acknowledged
        reply.acknowledges = lines[slot].isResuming ? arrivedUp.index : 0
        sendDown(reply, slot, at: sentAt, &stage)
    }

    /// The server's end: from the client's cursor on, or from what is new. An older connection of the phone is let go.
    mutating func attach(_ slot: Int, _ stage: inout Stage) {
        for other in Self.slots { lines[other].serverHolds = other == slot }
        let written = writtenDown.index
        var next = written
        if case .from(let cursor) = lines[slot].resuming { next = min(cursor.position, written) }
        if !lines[slot].isResuming || receivedDown < next { loseDown(before: next, &stage) }
        let expected =
            lines[slot].isResuming ? max(arrivedUp.index, session.acknowledged.position) : session.acknowledged.position
        lines[slot].server = StreamEnd(sending: .down, from: next, expecting: expected)
        // A connection that gives way to its successor is no outage.
        let wasBroken = isBroken
        reassess(&stage)
        if !wasBroken { mend() }
    }

    func clientDeadline(_ slot: Int) -> Instant {
        switch lines[slot].belief {
        case .closed: .never
        case .opening: lines[slot].handshake?.deadline ?? .never
        case .open: lines[slot].client.timer.deadline
        }
    }

    mutating func expireClient(_ slot: Int, _ stage: inout Stage) {
        var out = Departures()
        if lines[slot].belief == .opening {
            let goesOn = lines[slot].handshake?.expire(at: now, legs: HandshakeLeg.tcpTLSUpgrade, &out) ?? false
            sendUp(out, slot, &stage)
            if !goesOn { fail(slot, .timedOut, &stage) }
        } else {
            let goesOn = lines[slot].client.expire(at: now, sizes: stage.sizesUp, &out)
            sendUp(out, slot, &stage)
            if !goesOn {
                become(.dead, slot, &stage)
                lose(slot, .timedOut, &stage)
            }
        }
    }

    mutating func expireServer(_ slot: Int, _ stage: inout Stage) {
        var out = Departures()
        let goesOn = lines[slot].server.expire(at: now, sizes: stage.sizesDown, &out)
        sendDown(out, slot, &stage)
        if !goesOn {
            lines[slot].serverHolds = false
            reassess(&stage)
        }
    }
}

/// A shared server.
extension Lane {
    /// The server's queue has decided when the arrival is set up.
    mutating func admit(_ arrival: Arrival, at acceptedAt: Instant, roundEnd: Instant, _ stage: inout Stage) {
        guard !isStopped else { return }
        if acceptedAt < roundEnd {
            accept(arrival.hello, arrival.slot, arrival.generation, at: acceptedAt, &stage)
        } else {
            let interface = lines[arrival.slot].interface
            let flight = Flight(
                at: acceptedAt, packet: arrival.hello, hop: .queued, interface: interface, slot: UInt8(arrival.slot),
                generation: arrival.generation, epoch: lines[arrival.slot].epoch)
            stage.flights.insert(flight, into: &flights)
        }
    }
}
