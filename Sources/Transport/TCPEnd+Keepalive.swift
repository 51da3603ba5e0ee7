import DeadzoneBase

/// The kernel's keepalive probes on an idle connection.
extension TCPEnd {
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
