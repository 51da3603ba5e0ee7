import DeadzoneClient
import DeadzonePrimitives

/// What `composed` makes of what it is told.
extension Composed {
    /// An open connection has something to say.
    func hear(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // Where pings only stand in for the server's beats, those are worth as much as a pong.
        var isPong = event.isPong
        switch event {
        case .greeted:
            state.isGreeted = true
            stayBusy(&state, &session)
            return retry.greeted(&state.retry)
        case .received(_, let cursor, _):
            retry.received(&state.retry)
            resume.received(cursor, over: state.line, &state.resume, &session, &out)
        case .answered(_, let call):
            deadlines.answered(call, &state.calls, &session)
        case .rejected(_, let call, let refusal):
            deadlines.rejected(call, refusal, over: state.line, .open, &state.calls, &session, &out)
        case .goingAway(_, let code): return leave(code, &state, &session, &out)
        case .heartbeat(_, let interval):
            if keepsAlive {
                keepalive.asked(for: interval, &state.keepalive, &session)
                keepalive.beaten(every: interval, &state.keepalive, &session)
            }
            isPong = state.keepalive.hearsBeats
        case .stalled:
            if keepsAlive { keepalive.stalled(&state.keepalive) }
            return writeLimit.stalled(&state.write, &session)
        case .writable:
            if keepsAlive { keepalive.writable(&state.keepalive, &session) }
            return writeLimit.writable(&state.write, &session)
        default: break
        }
        state.heardAt = session.now
        stayBusy(&state, &session)
        heard(isPong: isPong, &state, &session, &out)
        if case .acknowledged = event {
            queue.confirmed(state.line, &state.queue, session, &out)
            take(life.confirmed(state.life, session), &state, &session, &out)
        }
    }

    func fired(_ slot: TimerSlot, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch slot {
        // Held, it goes on waiting, for the foreground. Without leave for an attempt its alarm may have brought that.
        case Self.retrySlot where state.phase == .waiting || state.phase == .resting:
            if retry.holds(session) { break }
            if state.phase == .waiting && channel?.afterFailure == .idle {
                goIdle(&state, &session, &out)
            } else {
                begin(&state, &session, &out)
            }
        case Self.channelSlot:
            if state.isIdling {
                state.isIdling = false
                return goIdle(&state, &session, &out, isDone: true)
            }
            deadlines.retryFired(over: state.line, state.readiness, &state.calls, &session, &out)
        case Self.beatSlot where state.phase == .open && keepsAlive:
            follow(keepalive.beatFired(&state.keepalive, &session), &state, &session, &out)
        case Self.replySlot where state.phase == .open:
            if keepsAlive && keepalive.replyFired(&state.keepalive, &session) == .nothing { return }
            if state.isProbing {
                reconnect(&state, &session, &out)
            } else {
                giveUp(&state, &session, &out, wasSilent: true)
            }
        case Self.openSlot where state.phase == .opening, Self.writeSlot where state.phase == .open:
            giveUp(&state, &session, &out)
        case Self.settleSlot: react(path.settled(&state.path, session), &state, &session, &out)
        case Self.callSlot:
            switch deadlines.fired(&state.calls, &session, &out) {
            case .probe where state.phase == .open: probe(&state, &session, &out)
            case .reconnect where state.phase == .open: reconnect(&state, &session, &out)
            default: closeOld(&state, &out)
            }
        case Self.resumeSlot:
            resume.fired(over: state.phase == .open ? state.line : nil, &state.resume, &session, &out)
        case Self.lifeSlot: take(life.fired(&state.life, &session), &state, &session, &out)
        case Self.staySlot: take(life.stayed(state.life), &state, &session, &out)
        default: break
        }
    }

    func hear(_ change: NetworkChange, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        deadlines.heard(&state.calls, &session, &out)
        let reaction = path.heard(change, &state.path, &session)
        if reaction > .ignore { return react(reaction, &state, &session, &out) }
        guard state.phase == .resting, connect.allows(session.network) else { return }
        react(path.gateOpened(&state.path, &session), &state, &session, &out)
    }

    /// What the life cycle asks for.
    func take(_ step: LifeCycle.Step, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        hold(.errand, state.life.hasErrand, &state, &out)
        switch step {
        case .nothing: break
        case .park: park(&state, &session, &out)
        case .visit where state.phase == .open: probe(&state, &session, &out)
        case .visit where state.phase == .parked && channel?.isLazy == true: goIdle(&state, &session, &out)
        case .visit where state.phase != .opening: begin(&state, &session, &out)
        case .visit: break
        case .probe where state.phase == .open && !life.doubts(silence: session.now - state.heardAt): break
        case .probe: react(.probe, &state, &session, &out)
        case .reconnect: react(.reconnect, &state, &session, &out)
        }
    }

    /// The app wants something of the server while the client rests.
    func speakUp(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        // Without a network it would only stay awake.
        guard state.phase == .parked, connect.allows(session.network) else { return }
        take(life.wanted(&state.life, &session), &state, &session, &out)
    }

    /// The app is in front of the user again: waits that were long for want of one are over.
    func returned(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard retry.hidden != .retry, state.phase == .waiting else { return }
        retry.revived(&state.retry)
        begin(&state, &session, &out)
    }

    /// A reaction to the path, or to the app's return: nothing is done for an app that rests.
    private func react(
        _ reaction: PathReaction.Reaction, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        guard reaction > .ignore, state.phase != .parked else { return }
        if reaction == .drop {
            if state.phase == .opening || state.phase == .open { giveUp(&state, &session, &out) }
            return
        }
        if path.resetsBackoff { retry.revived(&state.retry) }
        switch state.phase {
        case .parked, .idle: break
        case .resting, .waiting, .exhausted:
            if channel?.isLazy == true { goIdle(&state, &session, &out) } else { begin(&state, &session, &out) }
        case .opening:
            // An attempt over a network that is gone leads nowhere.
            if reaction == .reconnect || (reaction > .hurry && path.hasMoved(state.path, session)) {
                reconnect(&state, &session, &out)
            }
        case .open:
            switch reaction {
            case .ignore, .hurry, .drop: break
            case .probe: probe(&state, &session, &out)
            case .migrate:
                guard session.hasPath else { return }
                path.began(&state.path, session)
                out.append(.migrate(state.line))
            case .reconnect: reconnect(&state, &session, &out)
            }
        }
    }

    /// A ping with little patience. A verdict of the keepalive that is due earlier stays.
    private func probe(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        ping(&state, &out)
        state.isProbing = true
        session.armEarlier(Self.replySlot, after: probeTimeout)
    }

    /// What the keepalive asks for.
    func follow(
        _ step: Keepalive.Step, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        switch step {
        case .ping: ping(&state, &out)
        case .dead: giveUp(&state, &session, &out, wasSilent: true)
        case .nothing: break
        }
    }

    private func ping(_ state: inout State, _ out: inout Outbox) {
        out.append(.ping(state.line))
        // Who never looks for an answer has nothing to stay awake for.
        if !keepsAlive || keepalive.verdict != .never { hold(.beat, true, &state, &out) }
    }

    private func heard(isPong: Bool, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if keepsAlive {
            if isPong || !keepalive.needsPong { state.isProbing = false }
            follow(keepalive.heard(isPong: isPong, &state.keepalive, &session), &state, &session, &out)
            if !state.keepalive.awaitsAnswer { hold(.beat, false, &state, &out) }
        } else {
            session.disarm(Self.replySlot)
            hold(.beat, false, &state, &out)
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
    /// Unless the slot is due before that by the clock that goes on.
    fileprivate mutating func armEarlier(_ slot: TimerSlot, after span: TimeSpan) {
        let wish = timers[slot]
        if wish.at != .never && wish.at - now(wish.clock) <= span { return }
        arm(slot, after: span)
    }
}
