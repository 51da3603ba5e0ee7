public import DeadzonePrimitives

/// Another path of QUIC, and the packets that prove it: not of the stream, but they come from the other end and ask for an answer, so
/// they count for the idle timer as any other (RFC 9000 §10.1, §13.2.1).
extension TCPEnd {
    /// A QUIC connection is on another path: its round trip and its window are not known, and what was in flight is sent again
    /// (RFC 9000 §9.4). While the other end's address may be a lie, a segment at a time leaves, which is what keeps what is sent
    /// near three times what was received (§8.1); nothing counts it.
    public mutating func move(isProven: Bool) {
        timer.forgetPath()
        window = isProven ? Self.firstWindow : 1
        threshold = Self.widestWindow
        nextByte = acknowledged
    }

    /// The other end has proven that it is there.
    public mutating func trustPath() { window = max(window, Self.firstWindow) }

    public mutating func receivedProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        quiet.received(at: now, probeTimeout: probeTimeout(rules))
    }

    public mutating func sentProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        quiet.sent(at: now, probeTimeout: probeTimeout(rules))
    }
}
