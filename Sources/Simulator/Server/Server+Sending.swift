package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server program's sending without a request: messages, heartbeats, closing of connections, and push requests.
extension Server {
    /// Creates the next message for this phone, and writes it to the connection of the phone's session, if there is
    /// one.
    /// - Parameter subscriptions: The phone's subscriptions, to one of which the message belongs; `nil` if none can end
    ///   alone.
    package mutating func write(
        at now: Instant, _ subscriptions: UnsafeMutablePointer<SubscriptionState>?,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let schedule = traffic.pointee.downSchedule else { return }
        let index = written.index
        out.note(.sentDown, value: Int64(index))
        written.advance(schedule)
        guard !isFrozen else { return }
        let push = pushPriority(of: index)
        if push != .none && !isDown && isUnattached {
            out.append(.push(isUrgent: push == .high, isForPending: false))
        }
        startHalfOpenTimeout(at: now)
        out.append(.messageWritten)
        for slot in Self.slots where ends[slot].isAttached && !ends[slot].isSuperseded {
            if ends[slot].isDatagram {
                guard !isDown, ends[slot].hasDatagramSession else { continue }
                let overhead = ends[slot].config.pointee.transport.datagrams.overhead
                let packet = Packet(
                    .datagram, cause: .payload, bytes: Wire.udp + overhead + traffic.pointee.down.bytes(of: index),
                    first: index, last: index + 1, stamp: now)
                transmit(packet, slot, at: now, &out)
            } else if let subscriptions {
                offerMessages(slot, subscriptions, at: now, &out)
            } else {
                ends[slot].offer(upTo: index + 1)
                flush(slot, at: now, &out)
            }
        }
    }

    // MARK: Push

    /// Requests a push for messages that the phone may not have, if the phone has no connection.
    func announcePending(_ out: inout EffectQueue<ServerEffect>) {
        let push = pushPriority(of: max(written.index, 1) - 1)
        guard push != .none, !isFrozen, !isDown, isUnattached else { return }
        out.append(.push(isUrgent: push == .high, isForPending: true))
    }

    private func pushPriority(of message: UInt32) -> PushPolicy {
        traffic.pointee.pushOptions(ofDown: message)?.options.priority ?? profile.pointee.push
    }

    // MARK: Keepalive

    func keepaliveRules(_ slot: Int) -> KeepaliveRules {
        KeepaliveRules(profile, ends[slot].config, isPassedOn: ends[slot].isSuperseded)
    }

    /// Updates the connection's idle limit and draining after a call was opened or answered.
    mutating func updateStreamUse(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].isHTTP2, ends[slot].isAttached, !ends[slot].isClosing else { return }
        let hasStreams = ends[slot].hasStreams
        ends[slot].keepaliveSupervisor.streamsChanged(hasStreams, keepaliveRules(slot), at: now)
        if !hasStreams { perform(ends[slot].draining.endStreams(), slot, at: now, &out) }
    }

    mutating func expireKeepaliveTimers(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let rules = keepaliveRules(slot)
        if let reason = ends[slot].keepaliveSupervisor.expireLimits(rules, at: now) {
            out.note(.serverExpired, ExpiryCode(reason), value: Int64(ends[slot].generation))
            guard reason != .session else { return completeSession(slot, at: now, &out) }
            beginDraining(slot, grace: rules.limits.grace(reason), at: now, &out)
        }
        perform(
            ends[slot].keepaliveSupervisor.expireKeepalive(rules, at: now), of: rules.keepalive, slot, at: now, &out)
        perform(
            ends[slot].keepaliveSupervisor.expireHeartbeat(rules, at: now), of: rules.heartbeat, slot, at: now, &out)
    }

    private mutating func perform(
        _ step: Heartbeat.DueAction, of beats: Heartbeat?, _ slot: Int, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let beats else { return }
        switch step {
        case .nothing: break
        case .send: sendHeartbeat(beats, slot, &out)
        case .timedOut:
            out.note(.serverExpired, .unanswered, value: Int64(ends[slot].generation))
            closeGracefully(slot, at: now, &out)
        }
    }

    private mutating func sendHeartbeat(
        _ beats: Heartbeat, _ slot: Int, _ out: inout EffectQueue<ServerEffect>
    ) {
        let number = ends[slot].keepaliveSupervisor.nextHeartbeatNumber()
        out.note(.serverPinged, value: Int64(number))
        let rules = ends[slot].config.downward
        switch beats.mode {
        // A protocol ping, which the client's library answers.
        case .asks:
            _ = ends[slot].tcp.write(.ping, number, bytes: rules.pointee.framing.ping, cause: .keepalive, rules)
        case .beats, .expects:
            let payload = max(beats.bytes, traffic.pointee.envelope.heartbeat(written.index))
            _ = ends[slot].tcp.write(
                .control, ControlFrame.heartbeat.item, bytes: rules.pointee.framing.message(payload), cause: .keepalive,
                rules)
            ends[slot].pingPolicy.sentData()
        }
    }

    // MARK: Goodbyes

    /// Closes the connection of a client that has sent too many pings.
    mutating func closeForExcessPings(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        ends[slot].draining.endAtOnce()
        ends[slot].send(.tooManyPings)
        closeGracefully(slot, at: now, &out)
    }

    mutating func drain(
        at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        var found = false
        for slot in Self.slots where ends[slot].isAttached && !ends[slot].isDatagram {
            found = true
            beginDraining(slot, at: now, &out)
        }
        return found
    }

    /// Starts to close a connection gracefully. HTTP/2 does it in two stages, other protocols at once.
    private mutating func beginDraining(
        _ slot: Int, grace: TimeSpan? = nil, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].isHTTP2 else { return closeGracefully(slot, at: now, &out) }
        perform(ends[slot].draining.begin(at: now, grace: grace), slot, at: now, &out)
        flush(slot, at: now, &out)
    }

    mutating func perform(
        _ step: HTTP2Draining.DrainAction, _ slot: Int, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        switch step {
        case .nothing: break
        case .sendFirstGoAway:
            ends[slot].send(.goAway)
            let rules = ends[slot].config.downward
            _ = ends[slot].tcp.write(.ping, 0, bytes: rules.pointee.framing.ping, cause: .connect, rules)
        case .sendFinalGoAway:
            ends[slot].send(.finalGoAway)
            if !ends[slot].hasStreams { finishDraining(slot, at: now, &out) }
        case .close: closeGracefully(slot, at: now, &out)
        }
    }

    /// Closes the connection if it is draining and no stream is open any more.
    private mutating func finishDraining(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        if ends[slot].draining.endStreams() == .close { closeGracefully(slot, at: now, &out) }
    }
}

extension Server {
    /// Sends the next probe to the phone's network stack.
    /// - Parameters:
    ///   - address: The address that the phone has; `nil` if it has none, so that the probe is lost at once.
    ///   - dice: Random sizes of probes.
    mutating func sendProbe(
        to address: PhoneAddress?, _ dice: Dice, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let schedule = traffic.pointee.probeSchedule else { return }
        let payload = MessageSizes.clamp(schedule.size.draw(dice.pair(at: UInt64(probes.index)).1))
        probes.advance(schedule)
        guard let address else { return out.note(.probeLost, value: 1) }
        let packet = Packet(.probe, cause: .probe, bytes: Wire.udp + payload, stamp: now)
        out.append(.transmitSystemPacket(packet, address))
    }
}
