import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// What the program says by itself: messages, heartbeats, goodbyes, and what it asks of the push service.
extension Server {
    /// There is a new message for this phone: it is written to the connection that the session is on, if any.
    public mutating func write(
        at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        guard let course = said.pointee.downCourse else { return }
        let index = written.index
        out.note(.sentDown, value: Int64(index))
        written.advance(course)
        guard !isFrozen else { return }
        let push = profile.pointee.push
        if push != .none && !isDown && isUnattached {
            out.append(.push(isUrgent: push == .high, isForPending: false))
        }
        writeToGhost(at: now)
        out.append(.wrote)
        for slot in Self.slots where ends[slot].isAttached && !ends[slot].isPassedOn {
            if ends[slot].isDatagram {
                guard !isDown else { continue }
                let packet = Packet(
                    .datagram, cause: .payload, bytes: Wire.udp + said.pointee.down.bytes(of: index), first: index,
                    last: index + 1, stamp: now)
                leave(packet, slot, at: now, &out)
            } else {
                ends[slot].offer(upTo: index + 1)
                flush(slot, at: now, &out)
            }
        }
    }

    // MARK: Push

    /// It has messages that the phone may not have, and no connection of it.
    func announcePending(_ out: inout Steps<ServerStep>) {
        let push = profile.pointee.push
        guard push != .none, !isFrozen, !isDown, isUnattached else { return }
        out.append(.push(isUrgent: push == .high, isForPending: true))
    }

    // MARK: Care

    func careRules(_ slot: Int) -> CareRules {
        CareRules(profile, ends[slot].terms, isPassedOn: ends[slot].isPassedOn)
    }

    /// A call was opened or answered: the connection is in use, or idle from now on.
    mutating func noteStreams(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].isHTTP2, ends[slot].isAttached, !ends[slot].isEnding else { return }
        let hasStreams = ends[slot].hasStreams
        ends[slot].care.streams(hasStreams, careRules(slot), at: now)
        if !hasStreams { follow(ends[slot].draining.streamsEnded(), slot, at: now, &out) }
    }

    mutating func expireCare(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let rules = careRules(slot)
        if let reason = ends[slot].care.expireLimits(rules, at: now) {
            out.note(.serverExpired, ExpiryCode(reason), value: Int64(ends[slot].generation))
            beginDraining(slot, grace: rules.limits.grace(reason), at: now, &out)
        }
        follow(ends[slot].care.expireKeepalive(rules, at: now), of: rules.keepalive, slot, at: now, &out)
        follow(ends[slot].care.expireHeartbeat(rules, at: now), of: rules.heartbeat, slot, at: now, &out)
    }

    private mutating func follow(
        _ step: Heartbeat.Step, of beats: Heartbeat?, _ slot: Int, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        guard let beats else { return }
        switch step {
        case .nothing: break
        case .beat: beat(beats, slot, &out)
        case .over:
            out.note(.serverExpired, .unanswered, value: Int64(ends[slot].generation))
            end(slot, at: now, &out)
        }
    }

    private mutating func beat(
        _ beats: Heartbeat, _ slot: Int, _ out: inout Steps<ServerStep>
    ) {
        let number = ends[slot].care.count()
        out.note(.serverPinged, value: Int64(number))
        let rules = ends[slot].terms.downward
        switch beats.kind {
        // A ping of the protocol, which the client's library answers.
        case .asks:
            _ = ends[slot].kernel.write(.ping, number, bytes: rules.pointee.framing.ping, cause: .keepalive, rules)
        case .beats, .expects:
            let payload = max(beats.bytes, said.pointee.envelope.heartbeat(written.index))
            _ = ends[slot].kernel.write(
                .control, Word.heartbeat.item, bytes: rules.pointee.framing.message(payload), cause: .keepalive, rules)
            ends[slot].policy.spoke()
        }
    }

    // MARK: Goodbyes

    /// The client has pinged more often than it may.
    mutating func dismiss(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        ends[slot].draining.dismiss()
        ends[slot].say(.tooManyPings)
        end(slot, at: now, &out)
    }

    mutating func drain(
        at now: Instant, _ out: inout Steps<ServerStep>
    ) -> Bool {
        var found = false
        for slot in Self.slots where ends[slot].isAttached && !ends[slot].isDatagram {
            found = true
            beginDraining(slot, at: now, &out)
        }
        return found
    }

    /// HTTP/2 says goodbye in two stages, everything else just ends.
    private mutating func beginDraining(
        _ slot: Int, grace: TimeSpan? = nil, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].isHTTP2 else { return end(slot, at: now, &out) }
        follow(ends[slot].draining.begin(at: now, grace: grace), slot, at: now, &out)
        flush(slot, at: now, &out)
    }

    mutating func follow(
        _ step: HTTP2Draining.Step, _ slot: Int, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        switch step {
        case .nothing: break
        case .warn:
            ends[slot].say(.goAway)
            let rules = ends[slot].terms.downward
            _ = ends[slot].kernel.write(.ping, 0, bytes: rules.pointee.framing.ping, cause: .connect, rules)
        case .settle:
            ends[slot].say(.goAwaySettled)
            if !ends[slot].hasStreams { finishDraining(slot, at: now, &out) }
        case .close: end(slot, at: now, &out)
        }
    }

    /// No stream is open any more.
    private mutating func finishDraining(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        if ends[slot].draining.streamsEnded() == .close { end(slot, at: now, &out) }
    }
}
