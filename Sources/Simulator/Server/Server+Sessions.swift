package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Attaches a client's session to a connection, resumes it there, and detaches it when the connection ends.
extension Server {
    // MARK: Initiated by the phone

    /// Records that the phone has given up this connection, which the server still considers open.
    package mutating func abandonConnection(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        guard ends[slot].isHeld, ends[slot].isAttached, !ends[slot].isDatagram else {
            return recordHoldTime(slot, at: now, &out)
        }
        endHalfOpenConnection(at: now, &out)
        halfOpenConnection = HalfOpenConnection(
            slot: UInt8(slot), generation: ends[slot].generation, until: giveUpTime(slot, at: now),
            heldSince: ends[slot].heldSince, instance: ends[slot].instance)
        ends[slot].instance = nil
    }

    /// Replaces the connection in the slot by a new one.
    package mutating func renew(_ slot: Int, generation: UInt16, _ opening: ConnectionRequest) {
        // A DTLS session with a connection id belongs to no address.
        let hasSession =
            ends[slot].isDatagram && ends[slot].isAccepted
            && opening.config.pointee.transport.datagrams.hasConnectionID
        ends.replace(slot, ServerEnd(opening, generation: generation, profile))
        if hasSession { ends[slot].isAccepted = true }
    }

    /// Attaches the session to a datagram transport, which needs no handshake.
    package mutating func openDatagrams(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        if isSecondPath(slot) { openSecondPath(slot, &out) } else { attach(slot, introduction, at: now, &out) }
    }

    package mutating func closeDatagrams(_ slot: Int) {
        ends[slot].isHeld = false
        ends[slot].isAttached = false
    }

    // MARK: Session start

    /// Accepts the session: answers its request, and writes the messages that the client has missed. With coupled
    /// phones, the phone's clock may already be past `acceptedAt`. The answer is sent at `acceptedAt`, and arrives in a
    /// later sync window.
    package mutating func accept(
        _ slot: Int, _ generation: UInt16, _ introduction: Introduction, at now: Instant, acceptedAt: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].generation == generation else { return }
        let pending = ends[slot].sessionRequest
        ends[slot].sessionRequest = .none
        if pending == .queued { out.note(.serverAccepted, value: Int64(generation)) }
        // Data that came meanwhile, such as a call that was sent without waiting, has waited in the kernel.
        defer { if pending != .none { out.append(.thaw(slot: slot)) } }
        guard ends[slot].isHeld, !ends[slot].isOrphaned else { return }
        ends[slot].lastReadAt = acceptedAt
        let setup = ends[slot].setup
        if setup.hasSettingsFlight && !ends[slot].isAccepted {
            ends[slot].isAccepted = true
            ends[slot].writeAnswer(toFlight: setup.firstProgramFlight)
            return flush(slot, at: now, sentAt: acceptedAt, &out)
        }
        if refusesLogins || refusesToken(at: acceptedAt, &out) {
            return refuseLogin(slot, at: now, sentAt: acceptedAt, &out)
        }
        if isSessionInUse(by: slot, at: now) {
            out.note(.sessionRefused, value: Int64(generation))
            return closeGracefully(slot, at: now, &out)
        }
        attach(slot, introduction, at: now, &out)
        ends[slot].writeAnswer(toFlight: ends[slot].setup.sessionFlight)
        writeSnapshot(slot, &out)
        flush(slot, at: now, sentAt: acceptedAt, &out)
    }

    /// Rejects the login after the connection was set up, as for an expired token or an account service that is down.
    /// To the client the connection is open, and the first data it receives is the rejection (close code 1008 of RFC
    /// 6455 §7.4.1, UNAUTHENTICATED, CONNACK 5 of MQTT).
    private mutating func refuseLogin(
        _ slot: Int, at now: Instant, sentAt: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        ends[slot].sessionStart.resumedAt = written.index
        if case .from(let cursor) = ends[slot].resuming { ends[slot].sessionStart.resumedAt = cursor.position }
        if let window = ends[slot].window { ends[slot].tcp.sendWindows = window }
        ends[slot].writeAnswer(toFlight: ends[slot].setup.sessionFlight)
        ends[slot].send(.loginRefused)
        ends[slot].send(.finish)
        ends[slot].isClosing = true
        flush(slot, at: now, sentAt: sentAt, &out)
    }

    /// First number of the random draws for sessions; greater than the numbers of the draws for calls.
    private static let sessionDiceBase: UInt64 = 1 << 40

    /// Rejects the session request if the server's fault settings produce an error for it. Returns `true` if it was
    /// rejected.
    mutating func rejectsSession(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        let (transient, permanent) = (
            profile.pointee.faults.sessionTransient, profile.pointee.faults.sessionPermanent
        )
        guard transient != .zero || permanent != .zero else { return false }
        let dice = traffic.pointee.dice(.serverErrors)
        sessionRequests &+= 1
        let isPermanent = permanent.hits(dice.at(Self.sessionDiceBase))
        guard isPermanent || transient.hits(dice.at(Self.sessionDiceBase + UInt64(sessionRequests))) else {
            return false
        }
        rejectSession(slot, isPermanent ? .permanent : .transient, at: now, &out)
        return true
    }

    mutating func rejectSession(
        _ slot: Int, _ code: RejectionCode, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        out.note(.serverRejected, code, value: Int64(ends[slot].generation))
        ends[slot].send(code == .permanent ? .sessionRefusedPermanently : .sessionRefused)
        closeGracefully(slot, at: now, &out)
    }

    /// `true` if this connection must be refused because an older connection of the same session still exists.
    private func isSessionInUse(by slot: Int, at now: Instant) -> Bool {
        guard !profile.pointee.session.replaces else { return false }
        if Self.slots.contains(where: { $0 != slot && ends[$0].isAttached }) { return true }
        return halfOpenConnection.map { now < $0.until } ?? false
    }

    /// Attaches the session to a connection: it continues at the client's cursor or with new messages. Releases an
    /// older connection.
    private mutating func attach(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        for other in Self.slots where other != slot && ends[other].isAttached { supersede(other, at: now, &out) }
        ends[slot].isHeld = true
        ends[slot].isAttached = true
        endHalfOpenConnection(at: now, &out)
        queue.restart()
        resumeSession(slot, introduction, at: now, &out)
        if let window = ends[slot].window { ends[slot].tcp.sendWindows = window }
        if !ends[slot].isDatagram && !ends[slot].config.pointee.serverOnlyAnswers {
            let word = traffic.pointee.dice(.serverAge).at(UInt64(ends[slot].generation) << 1 | UInt64(slot))
            ends[slot].keepaliveSupervisor.begin(
                keepaliveRules(slot), hasStreams: ends[slot].hasStreams, word: word, at: now)
        }
        if ends[slot].config.pointee.transport.keepsStreamOpen {
            ends[slot].tcp.offer(from: ends[slot].sessionStart.resumedAt, upTo: written.index)
        }
        out.append(.attached)
    }

    /// Releases an older connection of the phone. If that is draining and still has calls to finish, only marks it.
    private mutating func supersede(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        let draining = ends[slot].draining.stage
        guard ends[slot].isHTTP2, draining == .sentFirstGoAway || draining == .sentFinalGoAway else {
            return release(slot, at: now, &out)
        }
        ends[slot].isSuperseded = true
    }

    /// Resumes or begins the session: decides from which message on the server sends, or if it sends a snapshot
    /// instead.
    private mutating func resumeSession(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let isKnown = memory.isKnown(at: now)
        if !isKnown { memory.forget() }
        if let bytes = memory.begin() { out.note(.dedupMemory, value: Int64(bytes)) }
        let resuming = ends[slot].resuming
        if case .from(let cursor) = resuming {
            let behind = written.index - min(cursor.position, written.index)
            out.note(.drift, value: Int64(behind))
        }
        let position = memory.resumePosition(
            for: resuming, introduction, isKnown: isKnown, written: written.index, at: now, traffic.pointee)
        let next = position?.next ?? written.index
        if let position {
            let isForgotten = !isKnown || memory.countsAnew(for: resuming, introduction)
            let gap = position.isGap ? isForgotten ? LossPlace.serverSession : .serverHistory : nil
            out.append(.sessionResumed(slot: slot, at: next, gap: gap))
        } else {
            out.append(.sessionRestarted(slot: slot, at: next, isAsked: resuming == .snapshot))
        }
        ends[slot].needsSnapshot = position == nil
        ends[slot].sessionStart.resumedAt = next
        ends[slot].sessionStart.sent = written.index
        ends[slot].sessionStart.bringsSnapshot = position == nil
        ends[slot].sessionStart.confirmedUp = ends[slot].isResuming ? memory.receivedBelow : 0
        ends[slot].receipts = Receipts(from: memory.receivedBelow)
        memory.attach()
    }

    mutating func writeSnapshot(_ slot: Int, _ out: inout EffectQueue<ServerEffect>) {
        guard ends[slot].needsSnapshot, ends[slot].isAttached else { return }
        let rules = ends[slot].config.downward
        let payload = profile.pointee.history.snapshot
        let bytes = rules.pointee.framing.message(traffic.pointee.envelope.snapshot(payload, written.index))
        guard ends[slot].tcp.write(.snapshot, written.index, bytes: bytes, cause: .resume, rules) else { return }
        ends[slot].needsSnapshot = false
        out.note(.fullSync, value: Int64(payload))
    }

    // MARK: Session end

    /// Ends the session's stream with success, and then the connection. A client that wants to go on opens a new one.
    mutating func completeSession(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        ends[slot].send(.streamCompleted)
        closeGracefully(slot, at: now, &out)
    }

    /// Closes a connection gracefully: data that was written is still sent, then the end of the stream.
    mutating func closeGracefully(
        _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        ends[slot].send(.finish)
        ends[slot].isClosing = true
        if ends[slot].isAttached { memory.detach(at: now) }
        ends[slot].isAttached = false
        out.append(.connectionChanged)
        flush(slot, at: now, &out)
    }

    /// Releases a connection after its client is gone, and requests a push if the phone may lack messages.
    package mutating func dropClient(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        release(slot, at: now, &out)
        announcePending(&out)
    }

    private mutating func release(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        recordHoldTime(slot, at: now, &out)
        if ends[slot].isAttached { memory.detach(at: now) }
        ends[slot].release()
    }

    /// Ends the server's hold on a connection: records how long it was held, and releases its instance.
    mutating func recordHoldTime(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        recordHoldTime(since: ends[slot].heldSince, at: now, &out)
        releaseInstance(ends[slot].instance, &out)
        ends[slot].instance = nil
    }

    private func recordHoldTime(
        since begin: Instant, until end: Instant = .never, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard begin != .never else { return }
        out.note(.serverHeld, value: max((min(end, now) - begin).nanoseconds, 0))
    }

    /// Reports to the cluster that the instance has lost a connection, if the cluster counts connections.
    func releaseInstance(_ instance: UInt8?, _ out: inout EffectQueue<ServerEffect>) {
        guard profile.pointee.cluster.countsConnections, let instance else { return }
        out.append(.connectionReleased(instance: instance))
    }

    // MARK: Half-open connections

    /// Returns the time at which the server gives up a connection from which nothing more arrives. `.never` if it has
    /// no limit.
    package func giveUpTime(_ slot: Int, at now: Instant) -> Instant {
        var until = ends[slot].lastReadAt + ends[slot].idleTimeout
        if ends[slot].tcp.hasUnacknowledged { until = min(until, now + Self.retransmissionLimit) }
        return until
    }

    /// Time after which Linux gives up a connection with unacknowledged data: 924.6 s (`net/ipv4/tcp_timer.c`,
    /// tcp_model_timeout with 15 retries and a first timeout of 200 ms).
    package static let retransmissionLimit = TimeSpan.milliseconds(924_600)

    mutating func endHalfOpenConnection(at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        guard let halfOpenConnection else { return }
        recordHoldTime(since: halfOpenConnection.heldSince, until: halfOpenConnection.until, at: now, &out)
        releaseInstance(halfOpenConnection.instance, &out)
        self.halfOpenConnection = nil
    }

    /// Starts the retransmission limit of the half-open connection, because the server has written a message to it.
    mutating func startHalfOpenTimeout(at now: Instant) {
        if halfOpenConnection?.until == .never { halfOpenConnection?.until = now + Self.retransmissionLimit }
    }
}
