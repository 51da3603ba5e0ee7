import DeadzoneBase
import DeadzoneFit

/// Derives connection attempts from the observed flows. `LiveAttempt` itself is in `LivePlan.swift`.
extension LiveAttempt {
    /// The attempts to connect to the server, in order, with the time since the loss and since the previous attempt.
    static func all(of flows: [LiveFlow]) -> [LiveAttempt] {
        var attempts: [LiveAttempt] = []
        var number = 0
        var lostAt: Instant?
        var lostBy: Recording.RecordedConnection.EndedBy?
        var before: LiveFlow?
        for flow in flows where flow.attempts > 0 {
            if flow.continuesAttempt, let last = attempts.indices.last {
                attempts[last].didOpen = attempts[last].didOpen || flow.openedAt != nil
                if before?.openedAt == nil { before = flow }
                continue
            }
            if let earlier = before, earlier.openedAt != nil {
                number = 0
                (lostAt, lostBy) = (nil, nil)
                if let ended = earlier.endedAt, ended <= flow.beganAt, !earlier.isEndInferred {
                    (lostAt, lostBy) = (ended, earlier.ending == .byClient ? .client : .server)
                }
            }
            let failed = before.flatMap { $0.openedAt == nil ? $0 : nil }
            let wasRefused = failed.map { $0.ending == .reset }
            let since = failed.map { ($0.ending == .reset ? $0.endedAt : nil) ?? $0.beganAt }
            attempts.append(
                LiveAttempt(
                    number: number, at: flow.beganAt, afterLoss: lostAt.map { flow.beganAt - $0 },
                    lostBy: lostBy,
                    afterAttempt: since.map { flow.beganAt - $0 }, wasRefused: wasRefused,
                    didOpen: flow.openedAt != nil))
            number += 1
            before = flow
        }
        return attempts
    }
}
