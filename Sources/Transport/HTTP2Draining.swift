package import DeadzoneBase

/// State machine with which a server shuts down an HTTP/2 connection gracefully: without losing a request. Sources: RFC
/// 9113 §6.8; gRFC A9.
///
///     serving ──begin──▶ sentFirstGoAway ──pong, or a minute──▶ sentFinalGoAway ──grace──▶ closed
///                GOAWAY 2^31 − 1, PING             GOAWAY with the real last stream     FIN
///
/// If a client sends pings too often, the server skips these stages: serving ──abort──▶ closed. It sends one GOAWAY and
/// closes the connection.
package struct HTTP2Draining: Hashable, Sendable, BitwiseCopyable {
    package enum DrainStage: UInt8, Hashable, Sendable, BitwiseCopyable {
        case serving, sentFirstGoAway, sentFinalGoAway, closed
    }

    /// Maximum time that the server waits for the pong between the two GOAWAYs: grpc-go
    /// `internal/transport/http2_server.go`, `outgoingGoAwayHandler`.
    package static let pingLimit = TimeSpan.minutes(1)
    /// The largest stream identifier, 2^31 − 1 (RFC 9113 §5.1.1, §6.8). A GOAWAY with this identifier excludes no
    /// stream.
    package static let anyStream: UInt32 = 2_147_483_647

    package private(set) var stage = DrainStage.serving
    package private(set) var deadline = Instant.never
    private var grace: TimeSpan

    /// Creates the state of a connection that is not shutting down.
    /// - Parameter grace: Time that streams which are open at the second GOAWAY may take to end.
    package init(grace: TimeSpan) { self.grace = grace }

    /// The action that the server must take next to shut down an HTTP/2 connection.
    package enum DrainAction: Hashable, Sendable {
        case nothing
        /// Send the first GOAWAY and a ping. When the pong arrives, the server knows every stream that the client
        /// opened before it received the GOAWAY.
        case sendFirstGoAway(lastStream: UInt32)
        case sendFinalGoAway(lastStream: UInt32)
        case close
    }

    /// Starts the graceful shutdown.
    /// - Parameter grace: Grace period to use instead of the usual one; `nil` for the usual one.
    package mutating func begin(at now: Instant, grace own: TimeSpan? = nil) -> DrainAction {
        guard stage == .serving else { return .nothing }
        grace = own ?? grace
        stage = .sentFirstGoAway
        deadline = now + Self.pingLimit
        return .sendFirstGoAway(lastStream: Self.anyStream)
    }

    /// Handles the pong. The server will answer every stream up to `lastStream`, and no later one.
    package mutating func receivePong(lastStream: UInt32, at now: Instant) -> DrainAction {
        guard stage == .sentFirstGoAway else { return .nothing }
        stage = .sentFinalGoAway
        deadline = now + grace
        return .sendFinalGoAway(lastStream: lastStream)
    }

    /// Handles the end of the last open stream, after which the connection can be closed.
    package mutating func endStreams() -> DrainAction {
        guard stage == .sentFinalGoAway else { return .nothing }
        return endDrain()
    }

    package mutating func expire(lastStream: UInt32, at now: Instant) -> DrainAction {
        switch stage {
        case .serving, .closed: .nothing
        case .sentFirstGoAway: receivePong(lastStream: lastStream, at: now)
        case .sentFinalGoAway: endDrain()
        }
    }

    /// Marks the connection as closed at once, after an error. The caller sends one GOAWAY and closes it.
    package mutating func endAtOnce() { _ = endDrain() }

    private mutating func endDrain() -> DrainAction {
        stage = .closed
        deadline = .never
        return .close
    }
}
