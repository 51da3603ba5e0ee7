import DeadzonePrimitives

/// Calls that are asked more than once.
extension Deadlines {
    /// The server has answered with an error.
    public func rejected(
        _ call: UInt32, _ refusal: CallRefusal, over line: ConnectionSlot, _ readiness: Readiness,
        _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.misses = 0
        guard let place = calls.place(of: call) else { return }
        if refusal.isUnprocessed && !calls.wasPassedOver[place] {
            // Once, at once, and it counts neither as an attempt nor as a failure.
            calls.wasPassedOver[place] = true
            calls.takeBack(place)
            // Other attempts of a hedged call are still out.
            if !isHedging || calls.failed(place) >= calls.made(place) { calls.isAsked[place] = false }
            if readiness == .open && !refusal.isGoodbye { ask(place, over: line, &calls, session, &out) }
        } else {
            attemptFailed(place, refusal, &calls, &session, &out)
            if calls.isTaken[place] && calls.waits(place) && readiness == .open {
                ask(place, over: line, &calls, session, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// The timer of the next attempts.
    public func retryFired(
        over line: ConnectionSlot, _ readiness: Readiness, _ calls: inout CallTable, _ session: inout Session,
        _ out: inout Outbox
    ) {
        while let place = calls.schedule.next(at: session.now) {
            if readiness == .open {
                // A retry was decided on when it was scheduled; a hedge is only now.
                if !calls.isAsked[place] || mayRepeat(place, calls) { ask(place, over: line, &calls, session, &out) }
            } else if readiness == .down && unready == .fail && !calls.isAsked[place] {
                attemptFailed(place, .unavailable, &calls, &session, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// It had no connection, or lost it.
    func attemptFailed(
        _ place: Int, _ status: CallFailure, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.countAttemptIfNone(place)
        attemptFailed(place, CallRefusal(status), &calls, &session, &out)
    }

    /// Its connection is gone, and every attempt with it.
    func loseAttempts(_ place: Int, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if isHedging {
            while calls.failed(place) + 1 < calls.made(place) {
                calls.countFailure(place)
                throttle?.failed(&calls.throttle)
            }
        }
        attemptFailed(place, CallRefusal(.unavailable), &calls, &session, &out)
    }

    private var isHedging: Bool {
        if case .hedge = retry?.manner { true } else { false }
    }

    private func attemptFailed(
        _ place: Int, _ refusal: CallRefusal, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        guard let retry else { return fail(place, refusal.status, &calls, &out) }
        let isRetryable = retry.codes.contains(refusal.status) && !refusal.isCommitted
        if isRetryable || refusal.pushback == .stop { throttle?.failed(&calls.throttle) }
        guard isRetryable else { return fail(place, refusal.status, &calls, &out) }
        if refusal.pushback == .stop { calls.isFinal[place] = true }
        let isStopped = !mayRepeat(place, calls)
        if case .hedge = retry.manner {
            hedgeFailed(place, refusal, isLast: isStopped, &calls, session, &out)
        } else if isStopped {
            fail(place, refusal.status, &calls, &out)
        } else {
            var wait = TimeSpan.zero
            if case .after(let span) = refusal.pushback {
                calls.forgetFailures(place)
                wait = span
            } else {
                wait = retry.wait(after: calls.failed(place), using: &session.random)
                calls.countFailure(place)
            }
            calls.isAsked[place] = false
            if !calls.schedule.add(place, at: session.now + wait) { fail(place, refusal.status, &calls, &out) }
        }
    }

    /// One of the attempts of a hedged call has failed: the next one goes at once, unless the server says when.
    private func hedgeFailed(
        _ place: Int, _ refusal: CallRefusal, isLast: Bool, _ calls: inout CallTable, _ session: Session,
        _ out: inout Outbox
    ) {
        calls.countFailure(place)
        if isLast {
            calls.schedule.remove(place)
            // The attempts that are still out may be answered.
            if calls.failed(place) >= calls.made(place) { fail(place, refusal.status, &calls, &out) }
        } else if case .after(let span) = refusal.pushback {
            if calls.failed(place) >= calls.made(place) { calls.isAsked[place] = false }
            if !calls.schedule.add(place, at: session.now + span) { fail(place, refusal.status, &calls, &out) }
        } else {
            calls.schedule.remove(place)
            calls.isAsked[place] = false
        }
    }

    func scheduleHedge(_ place: Int, _ calls: inout CallTable, _ session: Session) {
        guard case .hedge(let delay) = retry?.manner, mayRepeat(place, calls) else { return }
        // Without room there is one attempt less at a time.
        _ = calls.schedule.add(place, at: session.now + delay)
    }

    private func ask(
        _ place: Int, over line: ConnectionSlot, _ calls: inout CallTable, _ session: Session, _ out: inout Outbox
    ) {
        calls.asked(place)
        out.append(.call(line, calls.index(place)))
        scheduleHedge(place, &calls, session)
    }

    private func mayRepeat(_ place: Int, _ calls: CallTable) -> Bool {
        guard let retry, !calls.isFinal[place] else { return false }
        return calls.made(place) < retry.attempts && throttle?.allows(calls.throttle) ?? true
    }
}

extension CallTable {
    /// A call that could not even be asked has made its attempt, too.
    fileprivate mutating func countAttemptIfNone(_ place: Int) {
        guard !isAsked[place] else { return }
        asked(place)
        isAsked[place] = false
    }
}
