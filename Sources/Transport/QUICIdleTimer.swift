public import DeadzoneBase

/// Idle timer of one end of a QUIC connection: without packets until its deadline, the connection ends. It ends without
/// a message to the other end (RFC 9000 §10.1).
@usableFromInline package struct QUICIdleTimer: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package private(set) var deadline = Instant.never
    /// Idle timeout in milliseconds, the unit in which it is announced (RFC 9000 §18.2). Zero if neither end announced
    /// one.
    private let span: UInt32
    /// `true` if this end has sent an ack-eliciting packet after the last packet that it received.
    private var hasSentSinceReceive = false

    /// Creates the timer from the idle timeouts that the two ends announce.
    /// - Parameters: max_idle_timeout of the two ends; zero and `nil` mean "no limit" (RFC 9000 §18.2).
    package init(_ own: TimeSpan?, _ peer: TimeSpan?) {
        let (own, peer) = (own ?? .zero, peer ?? .zero)
        let smaller = own <= .zero ? peer : peer <= .zero ? own : min(own, peer)
        span = UInt32(clamping: max(smaller, .zero).nanoseconds / 1_000_000)
    }

    /// `true` if there is an idle timeout, so that the connection ends when no packets arrive.
    var isSet: Bool { span > 0 }
    /// The effective idle timeout: the smaller of the two announced ones. `nil` if neither end announced one.
    package var limit: TimeSpan? { span > 0 ? .milliseconds(Int64(span)) : nil }

    /// Restarts the timer because a packet was received and processed.
    package mutating func received(at now: Instant, probeTimeout: TimeSpan) {
        hasSentSinceReceive = false
        restart(at: now, probeTimeout)
    }

    /// Restarts the timer because an ack-eliciting packet is sent. Only the first such packet after a received packet
    /// restarts it.
    package mutating func sent(at now: Instant, probeTimeout: TimeSpan) {
        guard !hasSentSinceReceive else { return }
        hasSentSinceReceive = true
        restart(at: now, probeTimeout)
    }

    /// Sets the deadline to now plus the idle timeout, or plus three probe timeouts if that is longer.
    private mutating func restart(at now: Instant, _ probeTimeout: TimeSpan) {
        guard let limit else { return }
        deadline = now + max(limit, probeTimeout * 3)
    }
}

extension TCPEnd {
    /// QUIC only: time at which the connection ends unless a packet arrives first; `.never` if there is no idle
    /// timeout.
    @inlinable package var idleDeadline: Instant { idleTimer.deadline }

    /// Returns the current probe timeout, or zero if there is no idle timer that needs it.
    func probeTimeout(_ rules: UnsafePointer<TCPRules>) -> TimeSpan {
        idleTimer.isSet ? timer.timeout(rules.pointee.kernel) : .zero
    }
}
