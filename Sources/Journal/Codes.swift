/// A tag out of a short list of words. Other rooms know what most of these stand for by names of their own; who writes a record
/// translates. Raw values are written to traces: append only. Names are in event lines, which scripts read: never renamed.
public protocol Code: RecordTag, CaseIterable, Hashable, BitwiseCopyable, RawRepresentable<UInt16> {
    var name: String { get }
}

extension Code {
    @inlinable public init?(bits: UInt16) { self.init(rawValue: bits) }
    @inlinable public var bits: UInt16 { rawValue }
    public func tell(_ key: String, _ say: (String, Fact.Word) -> Void) { say(key, .text(name)) }
    public static var few: Range<UInt16> { 0..<16 }
}

/// Why a connection that was open is so no longer.
public enum CloseCode: UInt16, Code {
    case byClient = 0
    case pathLost, timedOut, reset, ended, denied

    public var name: String {
        switch self {
        case .byClient: "by_client"
        case .pathLost: "path_lost"
        case .timedOut: "timed_out"
        case .reset: "reset"
        case .ended: "ended"
        case .denied: "denied"
        }
    }
}

extension Tagged where Tag == CloseCode {
    @inlinable public static var closed: Self { Self(.closed) }
}

/// How a call ended that was not answered in time.
public enum CallCode: UInt16, Code {
    case deadlineExceeded = 0
    case unavailable, resourceExhausted, permissionDenied

    public var name: String {
        switch self {
        case .deadlineExceeded: "deadline_exceeded"
        case .unavailable: "unavailable"
        case .resourceExhausted: "resource_exhausted"
        case .permissionDenied: "permission_denied"
        }
    }
}

extension Tagged where Tag == CallCode {
    @inlinable public static var callFailed: Self { Self(.callFailed) }
}

/// Why an app could not run.
public enum SuspensionCode: UInt16, Code {
    case asleep = 0
    case suspended, frozen

    public var name: String {
        switch self {
        case .asleep: "asleep"
        case .suspended: "suspended"
        case .frozen: "frozen"
        }
    }
}

extension Tagged where Tag == SuspensionCode {
    @inlinable public static var suspended: Self { Self(.suspended) }
}

/// Why an attempt never opened.
public enum FailureCode: UInt16, Code {
    case noPath = 1
    case timedOut, refused, unresolved, untrusted, turnedAway

    public var name: String {
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

extension Tagged where Tag == FailureCode {
    @inlinable public static var failed: Self { Self(.failed) }
}

/// What a look-up of a name came to.
public enum ResolutionCode: UInt16, Code {
    case answered = 0
    case cached, failed

    public var name: String {
        switch self {
        case .answered: "answered"
        case .cached: "cached"
        case .failed: "failed"
        }
    }
}

extension Tagged where Tag == ResolutionCode {
    @inlinable public static var resolved: Self { Self(.resolved) }
}

/// Why a server wanted a connection no longer.
public enum ExpiryCode: UInt16, Code {
    /// The client said nothing for longer than the server, or what stands before it, bears.
    case silent = 0
    /// A heartbeat of the server was not answered, or the client's own did not come.
    case unanswered
    /// No stream was open for so long; it was as old as it may become.
    case idle, age
    /// It did not take what the server had to say.
    case slow

    public var name: String {
        switch self {
        case .silent: "silent"
        case .unanswered: "unanswered"
        case .idle: "idle"
        case .age: "age"
        case .slow: "slow"
        }
    }
}

extension Tagged where Tag == ExpiryCode {
    @inlinable public static var serverExpired: Self { Self(.serverExpired) }
}

/// Why the server told the client to go away.
public enum GoAwayCode: UInt16, Code {
    case noError = 0
    case tooManyPings

    public var name: String {
        switch self {
        case .noError: "no_error"
        case .tooManyPings: "too_many_pings"
        }
    }
}

extension Tagged where Tag == GoAwayCode {
    @inlinable public static var goAway: Self { Self(.goAway) }
}

/// What the operating system told the app of its networks.
public enum NetworkCode: UInt16, Code {
    case available = 0
    case losing, lost, validated, unvalidated, blocked, unblocked, capabilities

    public var name: String {
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

extension Tagged where Tag == NetworkCode {
    @inlinable public static var networkTold: Self { Self(.networkTold) }
}

/// What a buffer does when it is full.
public enum OverflowCode: UInt16, Code {
    case suspend = 0
    case dropOldest, dropLatest

    public var name: String {
        switch self {
        case .suspend: "suspend"
        case .dropOldest: "drop_oldest"
        case .dropLatest: "drop_latest"
        }
    }
}

extension Tagged where Tag == OverflowCode {
    @inlinable public static var bufferDropped: Self { Self(.bufferDropped) }
}

/// Why the server would not do what it was asked.
public enum RejectionCode: UInt16, Code {
    /// It failed, and may do better; it will never do it; it was asked too often; it has too much to do; its program never saw
    /// it; nobody takes it, and its client hears nothing of that.
    case transient = 0
    case permanent, rateLimited, overloaded, unprocessed, unheard

    public var name: String {
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

extension Tagged where Tag == RejectionCode {
    @inlinable public static var serverRejected: Self { Self(.serverRejected) }
}
