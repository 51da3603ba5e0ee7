import DeadzonePrimitives

/// SYNs of an end that connects, and probes of the kernel on a connection that says nothing.
extension TCPEnd {
    mutating func knockAgain(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) -> Bool {
        knocks += 1
        guard let next = knocksAgain(at: now, rules) else {
            nextKnock = .never
            return false
        }
        nextKnock = next
        out.append(Packet(.hello, cause: .retransmit, bytes: rules.pointee.hello, stamp: now))
        return true
    }

    /// When the next SYN is due, or the attempt is over; nil: it is. Linux has TCP_USER_TIMEOUT end it, too.
    func knocksAgain(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Instant? {
        let kernel = rules.pointee.kernel
        let limit =
            heardAt + (kernel.family == .linux ? rules.pointee.userTimeout ?? kernel.connectLimit : kernel.connectLimit)
        // By the clock of whoever called it, not of the kernel.
        let patienceEnds = rules.pointee.patience.map { heardAt + $0 } ?? .never
        guard now < min(limit, patienceEnds), let wait = kernel.wait(afterSYN: knocks) else { return nil }
        return min(timer.due(after: min(wait, limit - now), at: now, isFiring: knocks > 0, kernel), patienceEnds)
    }

    mutating func probe(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) -> Bool {
        guard let probing = rules.pointee.probing else {
            nextKnock = .never
            return true
        }
        let quiet = now - heardAt
        if (hasUnacknowledged && !rules.pointee.kernel.probesBesideData) {
            // Data in flight: its own timer decides.
            nextKnock = timer.due(after: probing.idle, at: now, isFiring: true, rules.pointee.kernel)
        } else if quiet < probing.idle {
            nextKnock = timer.due(after: probing.idle - quiet, at: now, isFiring: true, rules.pointee.kernel)
        } else {
            // TCP_USER_TIMEOUT takes the place of the count (`tcp_keepalive_timer`).
            let isOver = rules.pointee.userTimeout.map { $0 <= quiet && knocks > 0 } ?? (knocks >= probing.count)
            guard !isOver else { return false }
            knocks += 1
            nextKnock = timer.due(after: probing.interval, at: now, isFiring: true, rules.pointee.kernel)
            var packet = Packet(.knock, cause: .keepalive, bytes: Wire.tcp, stamp: now)
            packet.received = expected
            out.append(packet)
        }
        return true
    }
}
