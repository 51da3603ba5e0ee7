import DeadzoneClient
import DeadzonePrimitives

/// How a connection of `composed` begins and ends.
extension Composed {
    /// An attempt, if the gate is open; there is no connection and no attempt now.
    func begin(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard !state.connect.isDenied else {
            state.phase = .parked
            return deadlines.wentDown(&state.calls, &session, &out)
        }
        guard connect.allows(session.network) else {
            session.disarm(Self.retrySlot)
            state.phase = .resting
            // An alarm may open what Doze has closed; nothing else would, as long as it lasts.
            if session.network.isBlocked { retry.waitIfItWakes(state.retry, &session) }
            return deadlines.wentDown(&state.calls, &session, &out)
        }
        retry.began(&state.retry, &session)
        state.phase = .opening
        state.isGreeted = false
        let resuming = resume.resuming(state.resume, session)
        state.awaitsPlace = resuming != .fresh
        path.began(&state.path, session)
        connect.began(insteadOf: retry.connectTimeout(state.retry), &session)
        var carrier = carrying.carrier(isFirst: !state.hasBeenOpen)
        if keepsAlive, keepalive.limitsKernel, keepalive.interval < Keepalive.never, carrier.isTCP,
            carrier.userTimeout == nil
        {
            carrier.userTimeout = keepalive.timeout
        }
        out.append(.connect(state.line, carrier, resuming: resuming))
    }

    func opened(at cursor: Cursor, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.openSlot)
        state.phase = .open
        state.hasBeenOpen = true
        state.heardAt = session.now
        retry.opened(&state.retry, session)
        hold(.connected, true, &state, &out)
        if keepsAlive {
            let step = keepalive.opened(&state.keepalive, hasStreams: hasStreams(&state), &session)
            follow(step, &state, &session, &out)
        }
        resume.opened(state.line, at: cursor, &state.resume, &out)
        queue.opened(state.line, done: state.done, &state.queue, session, &out)
        state.done = nil
        deadlines.opened(state.line, &state.calls, &session, &out)
        stayBusy(&state, &session)
        closeOld(&state, &out)
    }

    /// A visit goes on.
    func stayBusy(_ state: inout State, _ session: inout Session) {
        guard life.quiet != nil else { return }
        let isAnswered = state.isGreeted && !state.awaitsPlace
        life.busy(here: resume.here(state.resume), isAnswered: isAnswered, state.life, &session)
    }

    /// The server has said where it stands.
    func resumed(_ greeting: Greeting, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let isOpen = state.phase == .open
        guard isOpen || state.phase == .opening else { return }
        state.awaitsPlace = false
        life.greeted(greeting, &state.life, session)
        let done = resume.answered(greeting, over: state.line, isOpen: isOpen, &state.resume, session, &out)
        if isOpen, let done { queue.discard(below: done, &state.queue, &out) } else { state.done = done }
        if isOpen { stayBusy(&state, &session) }
    }

    /// The transport has said that the attempt or the connection is over.
    func lost(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // Without a word of the server the attempt has failed.
        let wasReady = state.phase == .open && state.isGreeted
        settle(&state, &session, &out)
        if state.life.isFlushing { return rest(&state, &session, &out) }
        if wasReady && channel?.afterLoss == .idle {
            state.phase = .idle
            return goIdle(&state, &session, &out)
        }
        wait(&state, &session, &out)
    }

    /// The server does not want this client: it is for the app to change that.
    func exhaust(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        settle(&state, &session, &out)
        if state.life.isFlushing { return rest(&state, &session, &out) }
        state.phase = .exhausted
        deadlines.wentDown(&state.calls, &session, &out)
    }

    /// The channel is idle, and connects at once for whoever calls.
    func goIdle(_ state: inout State, _ session: inout Session, _ out: inout Outbox, isDone: Bool = false) {
        drop(&state, &session, &out, isDone: isDone)
        session.disarm(Self.retrySlot)
        state.phase = .idle
        guard channel?.isWanted(state.calls, session) == false else { return begin(&state, &session, &out) }
    }

    /// Closes what there is; the next attempt is for the caller to ask for.
    /// - Parameter isDone: Nobody doubts the connection: it is not needed any more.
    func drop(_ state: inout State, _ session: inout Session, _ out: inout Outbox, isDone: Bool = false) {
        abandonOld(&state, &out)
        guard state.phase == .opening || state.phase == .open else { return }
        out.append(isDone ? .leave(state.line) : .close(state.line))
        settle(&state, &session, &out)
    }

    /// Closed, and tried again after a wait.
    /// - Parameter wasSilent: Found dead, not said to be.
    func giveUp(_ state: inout State, _ session: inout Session, _ out: inout Outbox, wasSilent: Bool = false) {
        if state.phase == .open && state.isGreeted && channel?.afterLoss == .idle {
            return goIdle(&state, &session, &out)
        }
        drop(&state, &session, &out)
        wait(&state, &session, &out, wasSilent: wasSilent)
    }

    /// A new connection at once, in place of whatever there is.
    func reconnect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if channel?.isLazy == true { return goIdle(&state, &session, &out) }
        drop(&state, &session, &out)
        begin(&state, &session, &out)
    }

    /// No connection until something calls for one.
    func park(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        drop(&state, &session, &out, isDone: true)
        rest(&state, &session, &out)
    }

    /// A visit that has done what it came for is over.
    func leaveWhenDone(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard life.leavesWhenDone, state.phase == .open, state.calls.isEmpty,
            let received = resume.received(state.resume),
            life.isDone(received: received, state.life, session)
        else { return }
        park(&state, &session, &out)
    }

    private func rest(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.retrySlot)
        path.rested(&state.path, &session)
        state.phase = .parked
        life.parked(&state.life, &session)
        hold(.errand, false, &state, &out)
        deadlines.wentDown(&state.calls, &session, &out)
    }

    private func wait(
        _ state: inout State, _ session: inout Session, _ out: inout Outbox, wasSilent: Bool = false
    ) {
        let goesOn = retry.wait(
            wasOpen: state.phase == .open, wasSilent: wasSilent, &state.retry, &session)
        state.phase = goesOn ? .waiting : .exhausted
        connect.lengthen(Self.retrySlot, state.connect, &session)
        deadlines.wentDown(&state.calls, &session, &out)
    }

    /// No timer of a connection outlives it. The phase is the caller's to change.
    private func settle(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        disarm(&state, &session, &out)
        deadlines.closed(&state.calls, &session, &out)
    }

    /// What belongs to the connection of the phase and to no other.
    func disarm(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        disarmConnection(&session)
        state.write = WriteLimit.State()
        if keepsAlive { keepalive.closed(&state.keepalive, &session) }
        state.isProbing = false
        state.done = nil
        resume.lost(&state.resume, &session, &out)
        hold(.connected, false, &state, &out)
        hold(.beat, false, &state, &out)
    }

    /// Keeps the processor awake, or lets it sleep, where that is this moment's affair.
    func hold(_ moment: LifeCycle.Holding, _ isHeld: Bool, _ state: inout State, _ out: inout Outbox) {
        if life.holding == moment { life.hold(moment, isHeld, &state.life, &out) }
    }

    /// The timers of a connection or an attempt.
    func disarmConnection(_ session: inout Session) {
        session.disarm(Self.beatSlot)
        session.disarm(Self.replySlot)
        session.disarm(Self.openSlot)
        session.disarm(Self.writeSlot)
    }
}
