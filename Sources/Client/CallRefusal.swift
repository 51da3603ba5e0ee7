public import DeadzoneBase

/// A server's error response to a call that it did not execute, with its instructions for a retry.
public struct CallRefusal: Hashable, Sendable, BitwiseCopyable {
    /// The server's instruction on whether and when to try again: `grpc-retry-pushback-ms`, Retry-After.
    public enum Pushback: Hashable, Sendable, BitwiseCopyable {
        case none
        case after(TimeSpan)
        /// The server allows no further attempt.
        case stop
    }

    public var status: CallFailure
    public var pushback: Pushback
    /// `true` if headers of the response arrived before the error. The call is then committed to this attempt and is
    /// not retried (grpc/proposal A6-client-retries.md, "When retries are valid").
    public var isCommitted: Bool
    /// `true` if the server application never received the call: REFUSED_STREAM, or a stream above the one that GOAWAY
    /// names (RFC 9113 §8.7).
    public var isUnprocessed: Bool
    /// `true` if the connection accepts no new streams any more.
    public var isConnectionDraining: Bool
    /// `true` if the server refused the call because of its credentials: HTTP's 401, UNAUTHENTICATED.
    public var needsCredentials: Bool

    public init(
        _ status: CallFailure, pushback: Pushback = .none, isCommitted: Bool = false, isUnprocessed: Bool = false,
        isConnectionDraining: Bool = false, needsCredentials: Bool = false
    ) {
        self.needsCredentials = needsCredentials
        self.isConnectionDraining = isConnectionDraining
        self.status = status
        self.pushback = pushback
        self.isCommitted = isCommitted
        self.isUnprocessed = isUnprocessed
    }
}
