public import DeadzonePrimitives

/// What an end does by itself once its deadline has passed.
extension TCPEnd {
    /// The deadline has passed. Returns false when the end gives up: the connection is dead to it.
    public mutating func expire(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures
    ) -> Bool {
        if phase == .connecting { return knockAgain(at: now, rules, &out) }
        guard now < quiet.deadline else { return false }
        if owedUntil <= now { acknowledgeLate(at: now, rules, &out) }
        if timer.deadline <= now {
            switch timer.expire(at: now, rules) {
            case .giveUp: return false
            case .wait: break
            case .probe: askAfterTail(at: now, rules, &out)
            case .repeat: `repeat`(at: now, rules, &out)
            }
        }
        return nextKnock <= now ? probe(at: now, rules, &out) : true
    }
}
