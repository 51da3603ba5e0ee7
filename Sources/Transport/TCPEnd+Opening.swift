public import DeadzonePrimitives

/// How a connection begins, and ends without a word.
extension TCPEnd {
    /// The client begins: its first SYN goes into `out`.
    public mutating func connect(
        at now: Instant, phase: TimeSpan = .zero, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures
    ) {
        self = TCPEnd(phase: phase)
        // With early data nothing has to be answered before the app speaks.
        if rules.pointee.isEarly { return establish(at: now, rules) }
        self.phase = .connecting
        heardAt = now
        nextKnock = knocksAgain(at: now, rules) ?? .never
        out.append(Packet(.hello, cause: .connect, bytes: rules.pointee.hello, stamp: now))
    }

    /// The server's kernel takes the connection, whether its program is awake or not.
    public mutating func accept(
        _ hello: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures
    ) {
        if phase != .open {
            self = TCPEnd()
            establish(at: now, rules)
        }
        guard hello.content == .hello else { return }
        var reply = Packet(.helloReply, cause: .connect, bytes: rules.pointee.helloReply, stamp: now, answering: hello)
        reply.account = .connect
        out.append(reply)
    }

    /// The SYN was answered. Returns false for an answer that is of no use any more.
    public mutating func established(by reply: Packet, at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard phase == .connecting else { return false }
        establish(at: now, rules)
        timer.measure(now - reply.echo, rules)
        owe(reply)
        return true
    }

    /// What setting the connection up has taught about the round trip.
    public mutating func measure(_ roundTrip: TimeSpan, _ rules: UnsafePointer<TCPRules>) {
        timer.measure(roundTrip, rules)
    }

    private mutating func establish(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        phase = .open
        heardAt = now
        knocks = 0
        nextKnock = rules.pointee.probing.map { timer.due(after: $0.idle, at: now, rules.pointee.kernel) } ?? .never
        quiet = QUICIdleTimer(rules.pointee.idle, nil)
        quiet.received(at: now, probeTimeout: probeTimeout(rules))
    }

    public mutating func close() { self = TCPEnd() }
}
