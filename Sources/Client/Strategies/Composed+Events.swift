import DeadzoneBase

/// Reactions of the strategy `composed`, after dispatch: events of the open connection, fired timers, network changes,
/// the app's return to the foreground.
extension Composed {
    func pushServiceCalled(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .pushWoken: apply(life.pushReceived(&state.life, &session), &state, &session, &out)
        case .pushesDiscarded: apply(life.pushesDiscarded(&state.life, &session), &state, &session, &out)
        default: if life.pushToken == .onChange { out.append(.registerPushToken) }
        }
    }

    /// Handles an event of the open connection.
    func process(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // With `serverBeatGrace`, a heartbeat of the server counts as a pong.
        var isPong = event.isPong
        switch event {
        case .serverResponded:
            state.hasServerResponded = true
            // Only with early data does the time limit of the attempt still run.
            if session.isArmed(Self.openSlot) { confirmOpening(&state, &session) }
            life.serverResponded(&state.life)
            transportSettings.ladder?.answered(&state.ladder, session)
            extendVisit(&state, &session)
            return retry.serverResponded(&state.retry)
        case .received(_, let cursor, _):
            retry.received(&state.retry)
            state.credentials.isNew = false
            resume.received(cursor, over: state.connection, &state.resume, &session, &out)
        case .answered(_, let call):
            deadlines.answered(call, &state.calls, &session)
        case .rejected(_, let call, let refusal):
            if refusal.needsCredentials, holdCall(call, &state, &session, &out) { break }
            deadlines.rejected(call, refusal, over: state.connection, .open, &state.calls, &session, &out)
        case .goingAway(_, let code): return handleGoAway(code, &state, &session, &out)
        case .heartbeat(_, let interval):
            if keepsAlive {
                keepalive.serverRequested(for: interval, &state.keepalive, &session)
                keepalive.serverBeat(every: interval, &state.keepalive, &session)
            }
            isPong = state.keepalive.serverSendsBeats
        case .stalled:
            if keepsAlive { keepalive.stalled(&state.keepalive) }
            return writeLimit.stalled(&state.write, &session)
        case .writable:
            if keepsAlive { keepalive.writable(&state.keepalive, &session) }
            return writeLimit.writable(&state.write, &session)
        default: break
        }
        state.lastReceivedAt = session.now
        extendVisit(&state, &session)
        signOfLife(isPong: isPong, &state, &session, &out)
        if case .offsetStated = event { queue.offsetStated(state.connection, &state.queue, session, &out) }
        if case .messageRefused(_, let cursor, let refusal) = event {
            queue.refused(
                cursor, refusal, over: state.connection, isOpen: state.phase == .open, &state.queue, &session, &out)
        }
        if case .acknowledged = event {
            queue.confirmed(state.connection, &state.queue, session, &out)
            apply(life.confirmed(state.life, session), &state, &session, &out)
        }
    }

    func fired(_ slot: TimerSlot, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch slot {
        // While held, it keeps waiting for the foreground. Without a usable network, the alarm may have unblocked it.
        case Self.retrySlot where state.phase == .waiting || state.phase == .awaitingNetwork:
            if retry.holds(session) { break }
            if state.phase == .waiting && channel?.afterFailure == .idle {
                goIdle(&state, &session, &out)
            } else {
                startAttempt(&state, &session, &out)
            }
        case Self.channelSlot: channelTimerFired(&state, &session, &out)
        case Self.beatSlot where state.phase == .open && keepsAlive:
            apply(keepalive.beatFired(&state.keepalive, &session), &state, &session, &out)
        case Self.replySlot where state.phase == .open:
            if keepsAlive && keepalive.replyFired(&state.keepalive, &session) == .nothing { return }
            if state.isProbing {
                reconnect(&state, &session, &out)
            } else {
                giveUp(.silent, &state, &session, &out, wasSilent: true)
            }
        case Self.openSlot where state.phase == .opening || state.phase == .open:
            giveUp(.unanswered, &state, &session, &out)
        case Self.writeSlot where state.phase == .open: giveUp(.silent, &state, &session, &out)
        case Self.debounceSlot: react(path.debounceFired(&state.path, session), &state, &session, &out)
        case Self.callSlot:
            switch deadlines.deadlineFired(&state.calls, &session, &out) {
            case .probe where state.phase == .open: probe(&state, &session, &out)
            case .reconnect where state.phase == .open: reconnect(&state, &session, &out)
            default: closeDrainedConnection(&state, &out)
            }
        case Self.resumeSlot:
            resume.fired(over: openConnection(state), &state.resume, &session, &out)
        case Self.flowSlot: flowTimerFired(&state, &session, &out)
        case Self.pollSlot: apply(life.pollTimerFired(&state.life, &session), &state, &session, &out)
        case Self.visitEndSlot: apply(life.visitEndFired(state.life), &state, &session, &out)
        default: break
        }
    }

    /// The use of timer 10, which several facets share. `check` refuses a batch beside the others. The idle timer runs only
    /// while no call is active, so no call waits for its retry then.
    private enum ChannelTimer { case sendBatch, idleTimeout, callRetry }

    private func channelTimer(_ state: State) -> ChannelTimer {
        if queue.batch != nil { return .sendBatch }
        return state.isIdleTimerRunning ? .idleTimeout : .callRetry
    }

    private func channelTimerFired(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch channelTimer(state) {
        case .sendBatch:
            queue.batchFired(over: openConnection(state), &state.queue, session, &out)
            keepaliveSent(&state, &session, &out)
            connectForApp(&state, &session, &out)
        case .idleTimeout:
            state.isIdleTimerRunning = false
            goIdle(&state, &session, &out, isDone: true)
        case .callRetry:
            deadlines.retryFired(over: state.connection, state.readiness, &state.calls, &session, &out)
        }
    }

    /// The use of timer 11, which several facets share: `check` refuses two of them in one strategy.
    private enum FlowTimer { case refusedMessages, credentials, messageFlow }

    private var flowTimer: FlowTimer {
        if queue.onRefusal?.backoff != nil { return .refusedMessages }
        return credentials != nil ? .credentials : .messageFlow
    }

    private func flowTimerFired(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch flowTimer {
        case .refusedMessages:
            queue.retryFired(over: openConnection(state), &state.queue, &session, &out)
            keepaliveSent(&state, &session, &out)
            connectForApp(&state, &session, &out)
        case .credentials: refreshCredentials(&state, &session, &out)
        // `applyMessageFlow` follows every event.
        case .messageFlow: break
        }
    }

    /// The connection if it is open; `nil` otherwise.
    func openConnection(_ state: State) -> ConnectionSlot? { state.phase == .open ? state.connection : nil }

    func process(_ change: NetworkChange, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if state.queue.hold == .waiting, change.kind == .available {
            queue.triggered(.path, over: openConnection(state), &state.queue, &session, &out)
        }
        deadlines.networkChanged(&state.calls, &session, &out)
        if change.kind == .available, session.hasPath, connect.reached(.path, &state.connect), state.phase == .exhausted
        {
            retry.restartBackoff(&state.retry)
            return startAttempt(&state, &session, &out)
        }
        let reaction = path.networkChanged(change, &state.path, &session)
        if reaction > .ignore { return react(reaction, &state, &session, &out) }
        guard state.phase == .awaitingNetwork, connect.allows(session.network) else { return }
        react(path.networkBecameUsable(&state.path, &session), &state, &session, &out)
    }

    /// Applies a decision of the life-cycle policy: connects, probes or closes the connection.
    func apply(
        _ step: LifeCyclePolicy.LifeCycleDecision, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        setWakeLock(.backgroundActivity, state.life.isActiveInBackground, &state, &out)
        switch step {
        case .nothing: break
        case .park: park(&state, &session, &out)
        case .visit where state.phase == .open: probe(&state, &session, &out)
        case .visit where state.phase == .parked && channel?.isLazy == true: goIdle(&state, &session, &out)
        case .visit where state.phase != .opening: startAttempt(&state, &session, &out)
        case .visit: break
        case .probe where state.phase == .open && !life.needsProbe(silence: session.now - state.lastReceivedAt): break
        case .probe: react(.probe, &state, &session, &out)
        case .reconnect: react(.reconnect, &state, &session, &out)
        }
    }

    /// Connects because the app has a message or call while the client is parked (stays without a connection).
    func connectForApp(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // Without a network it would only keep the processor awake.
        guard state.phase == .parked, connect.allows(session.network) else { return }
        apply(life.appRequested(&state.life, &session), &state, &session, &out)
    }

    /// Called when the app is in the foreground again: ends a wait that was long, or held, because of the background.
    /// - Parameter wasHeld: `true` if the client made no attempt before the app entered the foreground.
    func returnedToForeground(
        wasHeld: Bool, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        let endsWait = retry.inBackground != .retry && state.phase == .waiting
        guard endsWait || (wasHeld && state.phase == .exhausted) else { return }
        retry.restartBackoff(&state.retry)
        startAttempt(&state, &session, &out)
    }

    /// Applies a reaction to a network change, or to the app's return to the foreground. A parked client (without a
    /// connection on purpose) does nothing.
    private func react(
        _ reaction: PathReaction.Reaction, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        guard reaction > .ignore, state.phase != .parked else { return }
        if reaction == .drop {
            if state.phase == .opening || state.phase == .open { giveUp(.pathLost, &state, &session, &out) }
            return
        }
        if path.resetsBackoff { retry.restartBackoff(&state.retry) }
        switch state.phase {
        case .parked, .idle: break
        case .awaitingNetwork, .waiting, .exhausted:
            if channel?.isLazy == true { goIdle(&state, &session, &out) } else { startAttempt(&state, &session, &out) }
        case .opening:
            // An attempt over a network that is gone cannot succeed.
            if reaction == .reconnect || (reaction > .hurry && path.networkHasChanged(state.path, session)) {
                reconnect(&state, &session, &out)
            }
        case .open:
            switch reaction {
            case .ignore, .hurry, .drop: break
            case .probe: probe(&state, &session, &out)
            case .migrate:
                guard session.hasPath else { return }
                guard transportSettings.canMigrate(state.ladder) else { return reconnect(&state, &session, &out) }
                path.began(&state.path, session)
                out.append(.migrate(state.connection))
            case .reconnect: reconnect(&state, &session, &out)
            }
        }
    }

    /// Tests the connection: sends a ping with a short timeout. An earlier deadline of the keepalive stays.
    private func probe(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        ping(&state, &out)
        state.isProbing = true
        session.armEarlier(Self.replySlot, after: probeTimeout)
    }

    /// Applies a decision of the keepalive: sends a ping, or closes the dead connection.
    func apply(
        _ step: Keepalive.KeepaliveDecision, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        switch step {
        case .ping: ping(&state, &out)
        case .dead: giveUp(.silent, &state, &session, &out, wasSilent: true)
        case .nothing: break
        }
    }

    private func ping(_ state: inout State, _ out: inout Outbox) {
        out.append(.ping(state.connection))
        // A client that never checks for an answer has no reason to stay awake.
        if !keepsAlive || keepalive.failureDetection != .never { setWakeLock(.beat, true, &state, &out) }
    }

    private func signOfLife(isPong: Bool, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if keepsAlive {
            if isPong || !keepalive.needsPong { state.isProbing = false }
            apply(keepalive.received(isPong: isPong, &state.keepalive, &session), &state, &session, &out)
            if !state.keepalive.awaitsAnswer { setWakeLock(.beat, false, &state, &out) }
        } else {
            session.disarm(Self.replySlot)
            setWakeLock(.beat, false, &state, &out)
        }
        if !session.isArmed(Self.replySlot) { state.isProbing = false }
    }
}

extension Event {
    fileprivate var isPong: Bool {
        if case .pong = self { true } else { false }
    }
}

extension Session {
    /// Arms the timer in this slot, unless it is armed and due earlier. The span is measured by the clock that
    /// continues during sleep.
    fileprivate mutating func armEarlier(_ slot: TimerSlot, after span: TimeSpan) {
        let timer = timers[slot]
        if timer.at != .never && timer.at - now(timer.clock) <= span { return }
        arm(slot, after: span)
    }
}
