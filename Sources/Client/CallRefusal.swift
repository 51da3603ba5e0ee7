public import DeadzonePrimitives

/// The server's answer to a call that it did not do.
public struct CallRefusal: Hashable, Sendable, BitwiseCopyable {
    /// What it wants of the next attempt: `grpc-retry-pushback-ms`, Retry-After.
    public enum Pushback: Hashable, Sendable, BitwiseCopyable {
        case none
        case after(TimeSpan)
        /// There shall be no next attempt.
        case stop
    }

    public var status: CallFailure
    public var pushback: Pushback
    /// Headers of the answer came before the error: the call is committed to this attempt (grpc/proposal
    /// A6-client-retries.md, "When retries are valid").
    public var isCommitted: Bool
    /// The server's program never saw it: REFUSED_STREAM, or a stream above the one that GOAWAY names (RFC 9113 §8.7).
    public var isUnprocessed: Bool
    /// Its connection takes nothing new any more.
    public var isGoodbye: Bool

    public init(
        _ status: CallFailure, pushback: Pushback = .none, isCommitted: Bool = false, isUnprocessed: Bool = false,
        isGoodbye: Bool = false
    ) {
        self.isGoodbye = isGoodbye
        self.status = status
        self.pushback = pushback
        self.isCommitted = isCommitted
        self.isUnprocessed = isUnprocessed
    }
}
