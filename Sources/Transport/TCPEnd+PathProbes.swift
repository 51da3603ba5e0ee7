package import DeadzoneBase

/// Moves a QUIC connection to another path, and counts the packets that validate the path. These packets are not part
/// of the stream. But they come from the other end and request an answer, so they restart the idle timer like all
/// others (RFC 9000 §10.1, §13.2.1).
extension TCPEnd {
    /// Moves a QUIC connection to another path. The round trip and window of that path are unknown, and the data in
    /// flight is sent again (RFC 9000 §9.4). While the other end's address is not proven, one segment at a time is
    /// sent. That keeps the bytes sent near three times the bytes received (§8.1), without counting them.
    package mutating func changePath(isProven: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        timer.resetPath()
        window = isProven ? Self.firstWindow : 1
        threshold = Self.widestWindow
        guard acknowledged < highestSent else { return }
        scoreboard.begin(from: acknowledged, to: highestSent, at: now, segment: rules.pointee.segment)
        scoreboard.markAllLost()
        scoreboard.recovery = LossRecovery(phase: .timedOut, end: highestSent)
    }

    /// Restores the initial window once the other end's address is proven.
    package mutating func validatePath() { window = max(window, Self.firstWindow) }

    package mutating func receivedPathProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        idleTimer.received(at: now, probeTimeout: probeTimeout(rules))
    }

    package mutating func sentPathProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        idleTimer.sent(at: now, probeTimeout: probeTimeout(rules))
    }
}
