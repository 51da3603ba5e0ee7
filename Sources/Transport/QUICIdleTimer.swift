public import DeadzonePrimitives

/// When silence ends a QUIC connection, without a word to the other end (RFC 9000 §10.1).
public struct QUICIdleTimer: Hashable, Sendable, BitwiseCopyable {
    public private(set) var deadline = Instant.never
    /// In milliseconds, as it is announced (RFC 9000 §18.2). Zero: neither end did.
    private let span: UInt32
    /// Something that asks for an acknowledgement went out since something last came in.
    private var hasAsked = false

    /// - Parameters: max_idle_timeout of the two ends; zero and nil are "no limit" (RFC 9000 §18.2).
    public init(_ own: TimeSpan?, _ peer: TimeSpan?) {
        let (own, peer) = (own ?? .zero, peer ?? .zero)
        let smaller = own <= .zero ? peer : peer <= .zero ? own : min(own, peer)
        span = UInt32(clamping: max(smaller, .zero).nanoseconds / 1_000_000)
    }

    /// Silence can end the connection at all.
    var isSet: Bool { span > 0 }
    /// What both ends announced, the smaller one; nil: neither did.
    public var limit: TimeSpan? { span > 0 ? .milliseconds(Int64(span)) : nil }

    /// A packet was received and processed.
    public mutating func received(at now: Instant, probeTimeout: TimeSpan) {
        hasAsked = false
        restart(at: now, probeTimeout)
    }

    /// A packet that asks for an acknowledgement goes out: only the first one since the last arrival counts.
    public mutating func sent(at now: Instant, probeTimeout: TimeSpan) {
        guard !hasAsked else { return }
        hasAsked = true
        restart(at: now, probeTimeout)
    }

    /// Never sooner than three probe timeouts.
    private mutating func restart(at now: Instant, _ probeTimeout: TimeSpan) {
        guard let limit else { return }
        deadline = now + max(limit, probeTimeout * 3)
    }
}

extension TCPEnd {
    /// When silence ends the connection, of QUIC.
    @inlinable public var silenceEnds: Instant { quiet.deadline }

    /// Zero where nothing waits for it.
    func probeTimeout(_ rules: UnsafePointer<TCPRules>) -> TimeSpan {
        quiet.isSet ? timer.timeout(rules.pointee.kernel) : .zero
    }
}
