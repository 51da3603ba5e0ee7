/// A tag of journal records with a fixed list of possible values, such as the reasons for a close. Other modules have
/// their own enums for most of these; the code that writes a record translates. Raw values are written to traces:
/// append only. Names appear in event lines, which scripts read: never rename them.
@usableFromInline
package protocol EnumeratedTag: RecordTag, CaseIterable, Hashable, BitwiseCopyable, RawRepresentable<UInt16> {
    var name: String { get }
}

extension EnumeratedTag {
    @inlinable package init?(bits: UInt16) { self.init(rawValue: bits) }
    @inlinable package var bits: UInt16 { rawValue }
    @usableFromInline package func emitFields(_ key: String, _ emit: (String, RecordDefinition.FieldValue) -> Void) {
        emit(key, .text(name))
    }
    @usableFromInline package static var candidateBits: Range<UInt16> { 0..<16 }
}

/// The reason why an open connection ended, as the journal records it.
@usableFromInline package enum CloseCode: UInt16, EnumeratedTag {
    case byClient = 0
    case pathLost, timedOut, reset, ended, denied, completed

    @usableFromInline package var name: String {
        switch self {
        case .byClient: "by_client"
        case .pathLost: "path_lost"
        case .timedOut: "timed_out"
        case .reset: "reset"
        case .ended: "ended"
        case .denied: "denied"
        case .completed: "completed"
        }
    }
}

extension TaggedKind where Tag == CloseCode {
    @inlinable package static var closed: Self { Self(.closed) }
}

/// The transport of a connection, as the journal records it.
@usableFromInline package enum TransportCode: UInt16, EnumeratedTag {
    case webSocket = 0
    case datagram, http2, grpc, quic, polling, longPolling, serverSentEvents, mqtt, tcp

    @usableFromInline package var name: String {
        switch self {
        case .webSocket: "websocket"
        case .datagram: "datagram"
        case .http2: "http2"
        case .grpc: "grpc"
        case .quic: "quic"
        case .polling: "polling"
        case .longPolling: "long_polling"
        case .serverSentEvents: "sse"
        case .mqtt: "mqtt"
        case .tcp: "tcp"
        }
    }
}

extension TaggedKind where Tag == TransportCode {
    @inlinable package static var transportChanged: Self { Self(.transportChanged) }
}

/// The status with which an app's call failed, as the journal records it.
@usableFromInline package enum CallCode: UInt16, EnumeratedTag {
    case deadlineExceeded = 0
    case unavailable, resourceExhausted, permissionDenied

    @usableFromInline package var name: String {
        switch self {
        case .deadlineExceeded: "deadline_exceeded"
        case .unavailable: "unavailable"
        case .resourceExhausted: "resource_exhausted"
        case .permissionDenied: "permission_denied"
        }
    }
}

extension TaggedKind where Tag == CallCode {
    @inlinable package static var callFailed: Self { Self(.callFailed) }
}

/// The reason why an app could not run for a time, as the journal records it.
@usableFromInline package enum SuspensionCode: UInt16, EnumeratedTag {
    case asleep = 0
    case suspended, frozen

    @usableFromInline package var name: String {
        switch self {
        case .asleep: "asleep"
        case .suspended: "suspended"
        case .frozen: "frozen"
        }
    }
}

extension TaggedKind where Tag == SuspensionCode {
    @inlinable package static var suspended: Self { Self(.suspended) }
}

/// The reason why a connection attempt failed, as the journal records it.
@usableFromInline package enum FailureCode: UInt16, EnumeratedTag {
    case noPath = 1
    case timedOut, refused, unresolved, untrusted, turnedAway

    @usableFromInline package var name: String {
        switch self {
        case .noPath: "no_path"
        case .timedOut: "timed_out"
        case .refused: "refused"
        case .unresolved: "unresolved"
        case .untrusted: "untrusted"
        case .turnedAway: "turned_away"
        }
    }
}

extension TaggedKind where Tag == FailureCode {
    @inlinable package static var failed: Self { Self(.failed) }
}

/// The result of a DNS name resolution, as the journal records it.
@usableFromInline package enum ResolutionCode: UInt16, EnumeratedTag {
    case answered = 0
    case cached, failed
    /// The client's own library had kept the address.
    case kept
    /// The system or the client's library had kept that the name was not resolved.
    case keptFailure
    /// The name was not resolved, and the client's library used the last address, however old.
    case stale

    @usableFromInline package var name: String {
        switch self {
        case .answered: "answered"
        case .cached: "cached"
        case .failed: "failed"
        case .kept: "kept"
        case .keptFailure: "kept_failure"
        case .stale: "stale"
        }
    }
}

extension TaggedKind where Tag == ResolutionCode {
    @inlinable package static var resolved: Self { Self(.resolved) }
}

/// The reason why the server closed a connection that had expired, as the journal records it.
@usableFromInline package enum ExpiryCode: UInt16, EnumeratedTag {
    /// The client was silent for longer than the timeout of the server, or of a proxy in front of it.
    case silent = 0
    /// A heartbeat of the server was not answered, or the client's own heartbeat did not arrive.
    case unanswered
    /// `idle`: no stream was open for too long. `age`: the connection reached its maximum age.
    case idle, age
    /// The client did not read the server's messages fast enough.
    case slow
    /// The session reached its maximum length, and the server ended its stream with success.
    case session

    @usableFromInline package var name: String {
        switch self {
        case .silent: "silent"
        case .unanswered: "unanswered"
        case .idle: "idle"
        case .age: "age"
        case .slow: "slow"
        case .session: "session"
        }
    }
}

extension TaggedKind where Tag == ExpiryCode {
    @inlinable package static var serverExpired: Self { Self(.serverExpired) }
}

/// The reason why the server sent a GOAWAY frame, as the journal records it.
@usableFromInline package enum GoAwayCode: UInt16, EnumeratedTag {
    case noError = 0
    case tooManyPings

    @usableFromInline package var name: String {
        switch self {
        case .noError: "no_error"
        case .tooManyPings: "too_many_pings"
        }
    }
}

extension TaggedKind where Tag == GoAwayCode {
    @inlinable package static var goAway: Self { Self(.goAway) }
}

/// A change of a network that the operating system reported to the app, as the journal records it.
@usableFromInline package enum NetworkCode: UInt16, EnumeratedTag {
    case available = 0
    case losing, lost, validated, unvalidated, blocked, unblocked, capabilities

    @usableFromInline package var name: String {
        switch self {
        case .available: "available"
        case .losing: "losing"
        case .lost: "lost"
        case .validated: "validated"
        case .unvalidated: "unvalidated"
        case .blocked: "blocked"
        case .unblocked: "unblocked"
        case .capabilities: "capabilities"
        }
    }
}

extension TaggedKind where Tag == NetworkCode {
    @inlinable package static var networkTold: Self { Self(.networkTold) }
}

/// The policy of a full message buffer (suspend the sender, or drop messages), as the journal records it.
@usableFromInline package enum OverflowCode: UInt16, EnumeratedTag {
    case suspend = 0
    case dropOldest, dropLatest

    @usableFromInline package var name: String {
        switch self {
        case .suspend: "suspend"
        case .dropOldest: "drop_oldest"
        case .dropLatest: "drop_latest"
        }
    }
}

extension TaggedKind where Tag == OverflowCode {
    @inlinable package static var bufferDropped: Self { Self(.bufferDropped) }
}

/// The reason why the server rejected a request, as the journal records it.
@usableFromInline package enum RejectionCode: UInt16, EnumeratedTag {
    /// `transient`: the server failed, a retry may succeed. `permanent`: no retry succeeds. `rateLimited`: the client
    /// asked too often. `overloaded`: the server has too much work. `unprocessed`: the server's program never saw the
    /// request. `unheard`: no instance accepts the request, and the client gets no answer.
    case transient = 0
    case permanent, rateLimited, overloaded, unprocessed, unheard

    @usableFromInline package var name: String {
        switch self {
        case .transient: "transient"
        case .permanent: "permanent"
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .unprocessed: "unprocessed"
        case .unheard: "unheard"
        }
    }
}

/// The use of credentials that a server refused.
@usableFromInline package enum CredentialUse: UInt16, EnumeratedTag {
    case session = 0
    case call, refresh

    @usableFromInline package var name: String {
        switch self {
        case .session: "session"
        case .call: "call"
        case .refresh: "refresh"
        }
    }
}

extension TaggedKind where Tag == CredentialUse {
    @inlinable package static var credentialsRefused: Self { Self(.credentialsRefused) }
}

extension TaggedKind where Tag == RejectionCode {
    @inlinable package static var serverRejected: Self { Self(.serverRejected) }
}

/// The reason why the server's program refused a message of the app, as the journal records it.
@usableFromInline package enum MessageRefusalCode: UInt16, EnumeratedTag {
    /// `transient`: a retry may succeed (HTTP 5xx, 429). `permanent`: no retry succeeds (HTTP 4xx). `locked`: an
    /// earlier upload of the message still holds it (HTTP 423, 409).
    case transient = 0
    case permanent, locked

    @usableFromInline package var name: String {
        switch self {
        case .transient: "transient"
        case .permanent: "permanent"
        case .locked: "locked"
        }
    }
}

extension TaggedKind where Tag == MessageRefusalCode {
    @inlinable package static var messageRefused: Self { Self(.messageRefused) }
}

/// The way in which the server's program did not join a stream.
@usableFromInline package enum StreamRefusalCode: UInt16, EnumeratedTag {
    case refused = 0
    case unanswered

    @usableFromInline package var name: String { self == .refused ? "refused" : "unanswered" }
}

/// The way in which the server's program ended a stream while the connection lived.
@usableFromInline package enum StreamEndCode: UInt16, EnumeratedTag {
    /// `told`: the server sent an error or a close for the stream. `silent`: it sent nothing.
    case told = 0
    case silent

    @usableFromInline package var name: String { self == .told ? "told" : "silent" }
}

extension TaggedKind where Tag == StreamRefusalCode {
    @inlinable package static var subscriptionRefused: Self { Self(.subscriptionRefused) }
}

extension TaggedKind where Tag == StreamEndCode {
    @inlinable package static var subscriptionEnded: Self { Self(.subscriptionEnded) }
}

/// A path to a peer, as the journal records it.
@usableFromInline package enum PathCode: UInt16, EnumeratedTag {
    case relay = 0
    case direct

    @usableFromInline package var name: String {
        switch self {
        case .relay: "relay"
        case .direct: "direct"
        }
    }
}

extension TaggedKind where Tag == PathCode {
    @inlinable package static var pathSelected: Self { Self(.pathSelected) }
}
