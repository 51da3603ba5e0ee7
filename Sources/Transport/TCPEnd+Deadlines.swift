package import DeadzoneBase

/// The actions that a TCP end takes when one of its deadlines has passed.
extension TCPEnd {
    /// Handles deadlines that have passed. Returns `false` if the end gives up: it treats the connection as dead.
    package mutating func expire(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) -> Bool {
        if phase == .connecting { return repeatSYN(at: now, rules, &out) }
        guard now < idleTimer.deadline else { return false }
        if pendingAckDeadline <= now { sendDelayedAck(at: now, rules, &out) }
        if timer.deadline <= now {
            switch timer.expire(at: now, rules) {
            case .giveUp: return false
            case .wait: break
            case .probe: sendTailProbe(at: now, rules, &out)
            case .stopWaiting: stopWaitingForReordered(at: now, rules, &out)
            case .retransmit: retransmitAfterTimeout(at: now, rules, &out)
            }
        }
        return probeDeadline <= now ? expireKeepalive(at: now, rules, &out) : true
    }
}
