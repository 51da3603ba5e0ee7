import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The presence that the server shows to other users, and the times at which it is wrong.
extension PhoneSimulation {
    /// Updates the shown presence after an event of this phone, and records its changes.
    mutating func updatePresence(
        _ presence: UnsafeMutablePointer<Presence>, _ context: inout WorkerContext
    ) {
        let change = presence.pointee.update(sessionUntil: server.sessionLimit, context.presenceRules, at: now)
        let reachesApp = connections.isConnected && !host.appIsStopped && host.networkIsAllowed
        if let mistake = presence.pointee.judge(reachesApp: reachesApp, isInFront: host.session.isForeground, at: now) {
            write(mistake, &context)
        }
        switch change {
        case .away:
            let outage = connections.outage
            journal(.presenceAway, SilenceTag(outage?.cause ?? .notConnected, change: outage?.change), &context)
        case .back(let span): journal(.presenceBack, value: span.nanoseconds, &context)
        case nil: break
        }
    }

    /// Records the periods that are still open at the horizon.
    func finishPresence(_ context: inout WorkerContext) {
        guard let presence = context.presence else { return }
        if let mistake = presence.pointee.endMistake(at: now) { write(mistake, &context) }
        if let span = presence.pointee.away(at: now) {
            journal(.presenceStillAway, value: span.nanoseconds, &context)
        }
    }
}
