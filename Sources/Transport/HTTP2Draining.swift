public import DeadzonePrimitives

/// How a server ends an HTTP/2 connection without losing a request (RFC 9113 §6.8; gRFC A9).
///
///     serving ──begin──▶ warned ──pong, or a minute──▶ settled ──grace──▶ over
///                  GOAWAY 2^31 − 1, PING        GOAWAY with the real last stream        FIN
///
/// Whoever asks too often is dismissed at once: serving ──dismiss──▶ over, with one GOAWAY and the connection closed.
public struct HTTP2Draining: Hashable, Sendable, BitwiseCopyable {
    public enum Stage: UInt8, Hashable, Sendable, BitwiseCopyable {
        case serving, warned, settled, over
    }

    /// How long the ping between the two is waited for: grpc-go `internal/transport/http2_server.go`, `outgoingGoAwayHandler`.
    public static let pingLimit = TimeSpan.minutes(1)
    /// The identifier that no stream exceeds, 2^31 − 1 (RFC 9113 §5.1.1, §6.8).
    public static let anyStream: UInt32 = 2_147_483_647

    public private(set) var stage = Stage.serving
    public private(set) var deadline = Instant.never
    private var grace: TimeSpan

    /// - Parameter grace: How long streams that are open at the second GOAWAY may take to end.
    public init(grace: TimeSpan) { self.grace = grace }

    /// What has to be sent.
    public enum Step: Hashable, Sendable {
        case nothing
        /// The first GOAWAY, and a ping: when that comes back, every stream opened before the client knew is known.
        case warn(lastStream: UInt32)
        case settle(lastStream: UInt32)
        case close
    }

    /// - Parameter grace: Instead of the usual.
    public mutating func begin(at now: Instant, grace own: TimeSpan? = nil) -> Step {
        guard stage == .serving else { return .nothing }
        grace = own ?? grace
        stage = .warned
        deadline = now + Self.pingLimit
        return .warn(lastStream: Self.anyStream)
    }

    /// The ping came back. Every stream up to `lastStream` will be answered, none after it.
    public mutating func pong(lastStream: UInt32, at now: Instant) -> Step {
        guard stage == .warned else { return .nothing }
        stage = .settled
        deadline = now + grace
        return .settle(lastStream: lastStream)
    }

    /// The last open stream has ended.
    public mutating func streamsEnded() -> Step {
        guard stage == .settled else { return .nothing }
        return finish()
    }

    public mutating func expire(lastStream: UInt32, at now: Instant) -> Step {
        switch stage {
        case .serving, .over: .nothing
        case .warned: pong(lastStream: lastStream, at: now)
        case .settled: finish()
        }
    }

    /// An error ends the connection: one GOAWAY, then closed.
    public mutating func dismiss() { _ = finish() }

    private mutating func finish() -> Step {
        stage = .over
        deadline = .never
        return .close
    }
}
