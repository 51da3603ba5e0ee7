import DeadzoneBase

/// Repetition of SYNs while a TCP end connects, and the kernel's keepalive probes on an idle connection.
extension TCPEnd {
    mutating func repeatSYN(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) -> Bool {
        probesSent += 1
        guard let next = nextSYNDeadline(at: now, rules) else {
            probeDeadline = .never
            return false
        }
        probeDeadline = next
        out.append(Packet(.hello, cause: .retransmit, bytes: rules.pointee.helloBytes, stamp: now))
        return true
    }

    /// Returns the time at which the next SYN is due or the connection attempt ends. `nil` if the attempt has ended. On
    /// Linux TCP_USER_TIMEOUT also ends it.
    func nextSYNDeadline(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Instant? {
        let kernel = rules.pointee.kernel
        let limit =
            lastReceivedAt
            + (kernel.family == .linux ? rules.pointee.userTimeout ?? kernel.connectLimit : kernel.connectLimit)
        // This limit follows the clock of the caller of connect(), not that of the kernel.
        let addressDeadline = rules.pointee.addressTimeout.map { lastReceivedAt + $0 } ?? .never
        guard now < min(limit, addressDeadline, lastReceivedAt + kernel.synLimit),
            let wait = kernel.synInterval(afterSYN: probesSent)
        else { return nil }
        return min(timer.due(after: min(wait, limit - now), at: now, isFiring: probesSent > 0, kernel), addressDeadline)
    }

    mutating func expireKeepalive(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets)
        -> Bool
    {
        guard let probing = rules.pointee.tcpKeepalive else {
            probeDeadline = .never
            return true
        }
        let quiet = now - lastReceivedAt
        if (hasUnacknowledged && !rules.pointee.kernel.probesWithDataInFlight) {
            // While data is in flight, its own timer decides.
            probeDeadline = timer.due(after: probing.idle, at: now, isFiring: true, rules.pointee.kernel)
        } else if quiet < probing.idle {
            probeDeadline = timer.due(after: probing.idle - quiet, at: now, isFiring: true, rules.pointee.kernel)
        } else {
            // TCP_USER_TIMEOUT replaces the count (`tcp_keepalive_timer`).
            let isOver =
                rules.pointee.userTimeout.map { $0 <= quiet && probesSent > 0 } ?? (probesSent >= probing.count)
            guard !isOver else { return false }
            probesSent += 1
            probeDeadline = timer.due(after: probing.interval, at: now, isFiring: true, rules.pointee.kernel)
            var packet = Packet(.keepaliveProbe, cause: .keepalive, bytes: Wire.tcp, stamp: now)
            packet.received = expected
            out.append(packet)
        }
        return true
    }
}
