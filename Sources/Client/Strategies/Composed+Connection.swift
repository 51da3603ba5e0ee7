import DeadzoneBase

/// Opening, losing, replacing and closing the connection of the strategy `composed`.
extension Composed {
    /// Starts an attempt to connect, if the network meets the requirement. Called only without a connection or an
    /// attempt.
    func startAttempt(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.connect.barrier == .none else {
            session.disarm(Self.retrySlot)
            state.phase = state.connect.barrier == .process ? .parked : .exhausted
            return deadlines.wentDown(&state.calls, &session, &out)
        }
        guard connect.allows(session.network) else {
            session.disarm(Self.retrySlot)
            state.phase = .awaitingNetwork
            // An alarm may open a network that Doze has blocked. Nothing else would, as long as Doze lasts.
            if session.network.isBlocked { retry.waitIfItWakes(state.retry, &session) }
            return deadlines.wentDown(&state.calls, &session, &out)
        }
        if awaitsToken(&state, &session, &out) {
            session.disarm(Self.retrySlot)
            state.phase = .exhausted
            return deadlines.wentDown(&state.calls, &session, &out)
        }
        retry.began(&state.retry, &session)
        state.phase = .opening
        state.hasServerResponded = false
        let resuming = resume.resuming(state.resume, session)
        state.awaitsResumeResponse = resuming != .fresh
        path.began(&state.path, session)
        connect.began(&state.connect)
        transportSettings.ladder?.began(&state.ladder, session)
        let limit = transportSettings.ladder?.connectTimeout(state.ladder) ?? retry.connectTimeout(state.retry)
        connect.began(insteadOf: limit, &session)
        var transport = transportSettings.transport(hasBeenOpen: state.hasBeenOpen, state.ladder)
        if keepsAlive, keepalive.setsUserTimeout, keepalive.interval < Keepalive.never, transport.isTCP,
            transport.userTimeout == nil
        {
            transport.userTimeout = keepalive.timeout
        }
        out.append(.connect(state.connection, transport, resuming: resuming))
    }

    func opened(at cursor: Cursor, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // With early data, the attempt continues until the server answers.
        if !transportSettings.opensEarly(hasBeenOpen: state.hasBeenOpen, state.ladder) {
            confirmOpening(&state, &session)
        }
        state.phase = .open
        state.hasBeenOpen = true
        state.lastReceivedAt = session.now
        setWakeLock(.connected, true, &state, &out)
        if keepsAlive {
            let step = keepalive.opened(&state.keepalive, hasStreams: hasStreams(&state), &session)
            apply(step, &state, &session, &out)
        }
        resume.opened(state.connection, at: cursor, &state.resume, &out)
        queue.opened(state.connection, done: state.confirmedBeforeOpen, &state.queue, &session, &out)
        state.confirmedBeforeOpen = nil
        deadlines.opened(state.connection, &state.calls, &session, &out)
        extendVisit(&state, &session)
        closeDrainedConnection(&state, &out)
    }

    /// Ends the time limit of the attempt: its connection is open.
    func confirmOpening(_ state: inout State, _ session: inout Session) {
        session.disarm(Self.openSlot)
        retry.opened(&state.retry, session)
    }

    /// Extends the current visit (a short connection in the background), if the policy says so.
    func extendVisit(_ state: inout State, _ session: inout Session) {
        guard life.quietLimit != nil else { return }
        let isResumed = state.hasServerResponded && !state.awaitsResumeResponse
        life.extendVisit(receivedUpTo: resume.receivedUpTo(state.resume), isResumed: isResumed, state.life, &session)
    }

    /// Handles the server's answer to the resume request.
    func resumeResponded(
        _ greeting: ResumeResponse, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        let isOpen = state.phase == .open
        guard isOpen || state.phase == .opening else { return }
        state.awaitsResumeResponse = false
        life.resumeResponded(greeting, &state.life, session)
        let done = resume.resumeResponded(
            greeting, over: state.connection, isOpen: isOpen, &state.resume, session, &out)
        if isOpen, let done { queue.discard(below: done, &state.queue, &out) } else { state.confirmedBeforeOpen = done }
        if isOpen { extendVisit(&state, &session) }
    }

    /// Called when the transport has reported that the attempt or the connection is over.
    func lost(_ kind: EndKind, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let reaction = reaction(to: kind, &state, session)
        // A connection without an answer of the server counts as a failed attempt.
        let wasReady = state.isReady
        endConnection(&state, &session, &out)
        if reaction.endsRetries { return exhaust(reaction, &state, &session, &out) }
        if state.life.isFlushing { return enterParked(&state, &session, &out) }
        if wasReady && channel?.afterLoss == .idle {
            state.phase = .idle
            return goIdle(&state, &session, &out)
        }
        wait(as: reaction, isUnanswered: kind == .unanswered, &state, &session, &out)
    }

    /// Returns the reaction to an end, and forgets what the server has stated about it.
    private func reaction(to kind: EndKind, _ state: inout State, _ session: Session) -> EndReactions.EndReaction {
        let end = connect.ended(kind, &state.connect)
        let falls = !state.isReady && transportSettings.ladder?.failed(end.kind, &state.ladder) ?? false
        var reaction = retry.onEnd.isEmpty ? .usual : retry.onEnd.reaction(to: end.kind, code: end.code)
        if falls, reaction == .usual { return .wait(.zero) }
        if end.kind == .denied, reaction == .usual, refreshes(state) { reaction = .hold(.credentials) }
        guard reaction == .hold(.credentials) else { return reaction }
        // A token that was refused as soon as it was issued gets no better by another one.
        let helps = credentials?.helps(state.credentials, session) ?? false
        state.credentials.isNew = false
        return helps ? reaction : .usual
    }

    /// Makes no further attempt until an event triggers one, as the reaction says. The connection has ended.
    private func exhaust(
        _ reaction: EndReactions.EndReaction, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        if case .hold(let barrier) = reaction { state.connect.barrier = barrier }
        if reaction == .hold(.credentials) { refreshCredentials(&state, &session, &out) }
        if state.life.isFlushing { return enterParked(&state, &session, &out) }
        state.phase = state.connect.barrier == .process ? .parked : .exhausted
        deadlines.wentDown(&state.calls, &session, &out)
    }

    /// Lets the channel become idle: closes the connection, and connects again at once if a call or message needs it.
    func goIdle(_ state: inout State, _ session: inout Session, _ out: inout Outbox, isDone: Bool = false) {
        drop(&state, &session, &out, isDone: isDone)
        session.disarm(Self.retrySlot)
        state.phase = .idle
        guard channel?.isNeeded(state.calls, session) == false else { return startAttempt(&state, &session, &out) }
    }

    /// Closes the connection or attempt. The caller decides about the next attempt.
    /// - Parameter isDone: `true` if the connection still works but is no longer needed.
    func drop(_ state: inout State, _ session: inout Session, _ out: inout Outbox, isDone: Bool = false) {
        closeDrainingNow(&state, &out)
        guard state.phase == .opening || state.phase == .open else { return }
        out.append(isDone ? .closeGracefully(state.connection) : .close(state.connection))
        endConnection(&state, &session, &out)
    }

    /// Closes the connection, then waits or stops, as the reaction to this kind of end says; or becomes idle if the
    /// channel says so.
    /// - Parameter wasSilent: `true` if the client received nothing on the connection.
    func giveUp(
        _ kind: EndKind, _ state: inout State, _ session: inout Session, _ out: inout Outbox, wasSilent: Bool = false
    ) {
        let reaction = reaction(to: kind, &state, session)
        if reaction.endsRetries {
            drop(&state, &session, &out)
            return exhaust(reaction, &state, &session, &out)
        }
        if state.isReady && channel?.afterLoss == .idle {
            return goIdle(&state, &session, &out)
        }
        drop(&state, &session, &out)
        wait(as: reaction, wasSilent: wasSilent, isUnanswered: kind == .unanswered, &state, &session, &out)
    }

    /// Opens a new connection at once, in place of the present one.
    func reconnect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if channel?.isLazy == true { return goIdle(&state, &session, &out) }
        drop(&state, &session, &out)
        startAttempt(&state, &session, &out)
    }

    /// Closes the connection and stays without one until something needs it.
    func park(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        drop(&state, &session, &out, isDone: true)
        enterParked(&state, &session, &out)
    }

    /// Closes the connection if it is a visit (a short connection in the background) that has nothing left to do.
    func parkWhenVisitDone(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard life.endsVisitWhenDone, state.phase == .open, state.calls.isEmpty,
            let received = resume.passedOnUpTo(state.resume),
            life.isVisitDone(received: received, state.life, session)
        else { return }
        park(&state, &session, &out)
    }

    private func enterParked(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.retrySlot)
        path.parked(&state.path, &session)
        state.phase = .parked
        life.parked(&state.life, &session)
        setWakeLock(.backgroundActivity, false, &state, &out)
        deadlines.wentDown(&state.calls, &session, &out)
    }

    private func wait(
        as reaction: EndReactions.EndReaction, wasSilent: Bool = false, isUnanswered: Bool, _ state: inout State,
        _ session: inout Session, _ out: inout Outbox
    ) {
        let willRetry = retry.wait(
            wasOpen: state.phase == .open && state.retry.hasOpened, wasSilent: wasSilent, isUnanswered: isUnanswered,
            reaction: reaction, &state.retry, &session)
        state.phase = willRetry ? .waiting : .exhausted
        connect.extendWait(Self.retrySlot, state.connect, &session)
        deadlines.wentDown(&state.calls, &session, &out)
    }

    /// Ends a connection and its timers. The caller changes the phase.
    private func endConnection(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if state.isReady { transportSettings.ladder?.ended(&state.ladder) }
        disarm(&state, &session, &out)
        let first = state.isDraining ? state.firstCallOnNew : 0
        deadlines.closed(from: first, &state.calls, &session, &out)
    }

    /// Disarms the timers, and clears the state, that belong only to the present connection.
    func disarm(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        disarmConnection(&session)
        state.write = WriteLimit.State()
        if keepsAlive { keepalive.closed(&state.keepalive, &session) }
        state.isProbing = false
        state.confirmedBeforeOpen = nil
        resume.lost(&state.resume, &session, &out)
        setWakeLock(.connected, false, &state, &out)
        setWakeLock(.beat, false, &state, &out)
    }

    /// Takes or releases the wake lock, if the policy holds it at this `moment`.
    func setWakeLock(
        _ moment: LifeCyclePolicy.WakeLockPolicy, _ isHeld: Bool, _ state: inout State, _ out: inout Outbox
    ) {
        if life.wakeLock == moment { life.setWakeLock(moment, isHeld, &state.life, &out) }
    }

    /// Disarms the timers of a connection or an attempt.
    func disarmConnection(_ session: inout Session) {
        session.disarm(Self.beatSlot)
        session.disarm(Self.replySlot)
        session.disarm(Self.openSlot)
        session.disarm(Self.writeSlot)
    }
}
