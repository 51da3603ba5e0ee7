import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The presence that the server shows to other users, and the times at which it is wrong.
extension PhoneSimulation {
    /// Updates the shown presence after an event of this phone, and records its changes.
    mutating func updatePresence(
        _ presence: UnsafeMutablePointer<Presence>, _ context: inout WorkerContext
    ) {
        let change = presence.pointee.update(sessionUntil: server.sessionLimit, presenceRules(context), at: now)
        let reachesApp = connections.isConnected && !appIsStopped && networkIsAllowed
        if let (mistake, span) = presence.pointee.judge(
            reachesApp: reachesApp, isInFront: session.isForeground, at: now)
        {
            recordMistake(mistake, span, &context)
        }
        switch change {
        case .away:
            let outage = connections.outage
            journal(.presenceAway, SilenceTag(outage?.cause ?? .notConnected, change: outage?.change), &context)
        case .back(let span): journal(.presenceBack, value: span.nanoseconds, &context)
        case nil: break
        }
    }

    /// Time at which the server next changes the shown presence on its own.
    func presenceDeadline(
        _ presence: UnsafeMutablePointer<Presence>, _ context: borrowing WorkerContext
    ) -> Instant { max(presence.pointee.deadline(presenceRules(context)), now) }

    /// Records the periods that are still open at the horizon.
    mutating func finishPresence(_ context: inout WorkerContext) {
        guard let presence = context.presence else { return }
        if let (mistake, span) = presence.pointee.endMistake(at: now) { recordMistake(mistake, span, &context) }
        if let span = presence.pointee.away(at: now) {
            journal(.presenceStillAway, value: span.nanoseconds, &context)
        }
    }

    /// The rules of the server's first version: a later version does not change them.
    private func presenceRules(_ context: borrowing WorkerContext) -> PresenceRules {
        context.server[0].pointee.presence ?? PresenceRules()
    }

    private func recordMistake(_ mistake: Presence.Mistake, _ span: TimeSpan, _ context: inout WorkerContext) {
        switch mistake {
        case .none: break
        case .ghost: journal(.presenceGhost, value: span.nanoseconds, &context)
        case .missed: journal(.presenceMissed, value: span.nanoseconds, &context)
        }
    }
}
