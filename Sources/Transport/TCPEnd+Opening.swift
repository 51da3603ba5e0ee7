package import DeadzoneBase

/// Opens a TCP end as client, which repeats its SYN, or as server, and closes it without a packet.
extension TCPEnd {
    /// Starts to connect, as the client. The first SYN is appended to `out`.
    package mutating func connect(
        at now: Instant, phase: TimeSpan = .zero, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        self = TCPEnd(phase: phase)
        // With early data the app may send before any answer.
        if rules.pointee.isEarly { return establish(at: now, rules) }
        self.phase = .connecting
        lastReceivedAt = now
        probeDeadline = nextSYNDeadline(at: now, rules) ?? .never
        out.append(Packet(.hello, cause: .connect, bytes: rules.pointee.helloBytes, stamp: now))
    }

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
    private func nextSYNDeadline(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Instant? {
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

    /// Accepts a client's connection, as the server's kernel. The server program need not be running.
    package mutating func accept(
        _ hello: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        if phase != .open {
            self = TCPEnd()
            establish(at: now, rules)
        }
        guard hello.content == .hello else { return }
        var reply = Packet(
            .helloReply, cause: .connect, bytes: rules.pointee.helloReplyBytes, stamp: now, answering: hello)
        reply.account = .connect
        out.append(reply)
    }

    /// Handles the answer to the SYN, which opens the connection. Returns `false` if this end is no longer connecting.
    package mutating func established(by reply: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard phase == .connecting else { return false }
        establish(at: now, rules)
        timer.measure(now - reply.echo, rules)
        scheduleAck(reply)
        return true
    }

    /// Adds a round-trip sample that was measured during connection set-up.
    package mutating func measure(_ roundTrip: TimeSpan, _ rules: UnsafePointer<TCPRules>) {
        timer.measure(roundTrip, rules)
    }

    private mutating func establish(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        phase = .open
        lastReceivedAt = now
        probesSent = 0
        probeDeadline =
            rules.pointee.tcpKeepalive.map { timer.due(after: $0.idle, at: now, rules.pointee.kernel) } ?? .never
        idleTimer = QUICIdleTimer(rules.pointee.idle, nil)
        idleTimer.received(at: now, probeTimeout: probeTimeout(rules))
    }

    package mutating func close() { self = TCPEnd() }
}
