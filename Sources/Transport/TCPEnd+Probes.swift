public import DeadzonePrimitives

/// Packets that prove a path of QUIC: not of the stream, but they come from the other end and ask for an answer, so they count for
/// the idle timer as any other (RFC 9000 §10.1, §13.2.1).
extension TCPEnd {
    public mutating func receivedProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        quiet.received(at: now, probeTimeout: probeTimeout(rules))
    }

    public mutating func sentProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        quiet.sent(at: now, probeTimeout: probeTimeout(rules))
    }
}
