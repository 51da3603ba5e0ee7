import DeadzoneBase

/// Retries and hedging: calls that are sent more than once.
extension Deadlines {
    /// Handles an error response of the server to a call: the call is sent again, waits for a retry, or fails.
    public func rejected(
        _ call: UInt32, _ refusal: CallRefusal, over connection: ConnectionSlot, _ readiness: Readiness,
        _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.missedDeadlines = 0
        guard let place = calls.place(of: call) else { return }
        if refusal.isUnprocessed && !calls.wasUnprocessed[place] {
            // Sent again once and at once. It counts neither as an attempt nor as a failure.
            calls.wasUnprocessed[place] = true
            calls.uncountAttempt(place)
            // Other attempts of a hedged call are still in flight.
            if !isHedging || calls.attemptsFailed(place) >= calls.attemptsMade(place) { calls.isSent[place] = false }
            if readiness == .open && !refusal.isConnectionDraining {
                sendAttempt(place, over: connection, &calls, session, &out)
            }
        } else {
            attemptFailed(place, refusal, &calls, &session, &out)
            if calls.occupied[place] && calls.awaitsConnection(place) && readiness == .open {
                sendAttempt(place, over: connection, &calls, session, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// Called when the retry timer fires: sends all attempts of calls that are due.
    public func retryFired(
        over connection: ConnectionSlot, _ readiness: Readiness, _ calls: inout CallTable, _ session: inout Session,
        _ out: inout Outbox
    ) {
        while let place = calls.schedule.popDue(at: session.now) {
            if readiness == .open {
                // A retry was decided when it was scheduled; a hedged attempt is decided only now.
                if !calls.isSent[place] || mayRepeat(place, calls) {
                    sendAttempt(place, over: connection, &calls, session, &out)
                }
            } else if readiness == .down && whenNotConnected == .fail && !calls.isSent[place] {
                attemptFailed(place, .unavailable, &calls, &session, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// Handles a failed attempt of a call that had no connection, or lost it.
    func attemptFailed(
        _ place: Int, _ status: CallFailure, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.countAttemptIfNone(place)
        attemptFailed(place, CallRefusal(status), &calls, &session, &out)
    }

    /// Counts all pending attempts of a call as failed, because the connection has ended.
    func loseAttempts(_ place: Int, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if isHedging {
            while calls.attemptsFailed(place) + 1 < calls.attemptsMade(place) {
                calls.countFailure(place)
                throttle?.failed(&calls.throttle)
            }
        }
        attemptFailed(place, CallRefusal(.unavailable), &calls, &session, &out)
    }

    private var isHedging: Bool {
        if case .hedge = retry?.policy { true } else { false }
    }

    private func attemptFailed(
        _ place: Int, _ refusal: CallRefusal, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        guard let retry else { return fail(place, refusal.status, &calls, &out) }
        let isRetryable = retry.codes.contains(refusal.status) && !refusal.isCommitted
        if isRetryable || refusal.pushback == .stop { throttle?.failed(&calls.throttle) }
        guard isRetryable else { return fail(place, refusal.status, &calls, &out) }
        if refusal.pushback == .stop { calls.hasNoMoreAttempts[place] = true }
        let isStopped = !mayRepeat(place, calls)
        if case .hedge = retry.policy {
            hedgeFailed(place, refusal, isLast: isStopped, &calls, session, &out)
        } else if isStopped {
            fail(place, refusal.status, &calls, &out)
        } else {
            var wait = TimeSpan.zero
            if case .after(let span) = refusal.pushback {
                calls.forgetFailures(place)
                wait = span
            } else {
                wait = retry.wait(after: calls.attemptsFailed(place), using: &session.random)
                calls.countFailure(place)
            }
            calls.isSent[place] = false
            if !calls.schedule.add(place, at: session.now + wait) { fail(place, refusal.status, &calls, &out) }
        }
    }

    /// Handles the failure of one attempt of a hedged call: the next attempt is sent at once, unless the server sets a
    /// wait.
    private func hedgeFailed(
        _ place: Int, _ refusal: CallRefusal, isLast: Bool, _ calls: inout CallTable, _ session: Session,
        _ out: inout Outbox
    ) {
        calls.countFailure(place)
        if isLast {
            calls.schedule.remove(place)
            // The attempts that are still in flight may be answered.
            if calls.attemptsFailed(place) >= calls.attemptsMade(place) { fail(place, refusal.status, &calls, &out) }
        } else if case .after(let span) = refusal.pushback {
            if calls.attemptsFailed(place) >= calls.attemptsMade(place) { calls.isSent[place] = false }
            if !calls.schedule.add(place, at: session.now + span) { fail(place, refusal.status, &calls, &out) }
        } else {
            calls.schedule.remove(place)
            calls.isSent[place] = false
        }
    }

    func scheduleHedge(_ place: Int, _ calls: inout CallTable, _ session: Session) {
        guard case .hedge(let delay) = retry?.policy, mayRepeat(place, calls) else { return }
        // If the schedule is full, one attempt fewer is made.
        _ = calls.schedule.add(place, at: session.now + delay)
    }

    private func sendAttempt(
        _ place: Int, over connection: ConnectionSlot, _ calls: inout CallTable, _ session: Session, _ out: inout Outbox
    ) {
        calls.markSent(place)
        out.append(.call(connection, calls.index(place)))
        scheduleHedge(place, &calls, session)
    }

    private func mayRepeat(_ place: Int, _ calls: CallTable) -> Bool {
        guard let retry, !calls.hasNoMoreAttempts[place] else { return false }
        return calls.attemptsMade(place) < retry.attempts && throttle?.allows(calls.throttle) ?? true
    }
}

extension CallTable {
    /// Counts an attempt for the call at this position, although the call could not be sent.
    fileprivate mutating func countAttemptIfNone(_ place: Int) {
        guard !isSent[place] else { return }
        markSent(place)
        isSent[place] = false
    }
}
