/// The kinds of end that a client can tell apart: how an attempt failed, or how an open connection ended.
public enum EndKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    // Failed attempts.
    case noPath, unanswered, refused, unresolved, untrusted
    /// The server refused the session, temporarily or permanently.
    case turnedAway, forbidden

    // Ended connections.
    case pathLost, timedOut, reset, ended, denied, completed
    /// The client itself found the connection dead: no pong, no data, or a socket that accepts nothing.
    case silent
    /// The server sent GOAWAY, without an error or because of too many pings.
    case goAway, tooManyPings

    public init(_ failure: ConnectFailure) {
        switch failure {
        case .noPath: self = .noPath
        case .timedOut: self = .unanswered
        case .refused: self = .refused
        case .unresolved: self = .unresolved
        case .untrusted: self = .untrusted
        case .sessionRefused: self = .turnedAway
        }
    }

    public init(_ reason: CloseReason) {
        switch reason {
        case .pathLost: self = .pathLost
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .ended: self = .ended
        case .denied: self = .denied
        case .completed: self = .completed
        }
    }

    public init(_ code: GoAway) {
        switch code {
        case .noError: self = .goAway
        case .tooManyPings: self = .tooManyPings
        }
    }

    /// The word of a file. Where the journal names the same end, the words agree.
    public var word: String { description.word }
    package var meaning: String { description.meaning }

    private var description: (word: String, meaning: String) {
        switch self {
        case .noPath: ("no-path", "an attempt without a network")
        case .unanswered: ("unanswered", "an attempt without an answer within its time limit")
        case .refused: ("refused", "an attempt that the server's kernel refused, or that was reset")
        case .unresolved: ("unresolved", "an attempt whose name was not resolved")
        case .untrusted: ("untrusted", "an attempt that a captive portal answered")
        case .turnedAway: ("turned-away", "a session that the server refuses temporarily, such as HTTP's 503")
        case .forbidden: ("forbidden", "a session that the server refuses permanently, such as HTTP's 403")
        case .pathLost: ("path-lost", "the system removed the network of the connection")
        case .timedOut: ("timed-out", "the kernel stopped retransmitting")
        case .reset: ("reset", "the server or a middlebox reset the connection")
        case .ended: ("ended", "the server closed the connection")
        case .denied: ("denied", "the server does not accept the credentials, such as close code 1008")
        case .completed: ("completed", "the server ended the session with success, such as close code 1000")
        case .silent: ("silent", "the client found the connection dead")
        case .goAway: ("goaway", "GOAWAY without an error")
        case .tooManyPings: ("too-many-pings", "GOAWAY because of too many pings")
        }
    }
}
