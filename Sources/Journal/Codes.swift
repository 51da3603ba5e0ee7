/// Why a connection that was open is so no longer: the tag of `closed`. Raw values are written to traces: append only.
public enum CloseCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case byClient = 0
    case pathLost, timedOut, reset, ended, denied
}

/// How a call ended that was not answered in time: the tag of `callFailed`. Raw values are written to traces: append only.
public enum CallCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case deadlineExceeded = 0
    case unavailable, resourceExhausted, permissionDenied
}

/// Why an app could not run: the tag of `suspended`. Raw values are written to traces: append only.
public enum SuspensionCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case asleep = 0
    case suspended, frozen
}

/// Why an attempt never opened: the tag of `failed`. Raw values are written to traces: append only.
public enum FailureCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case noPath = 1
    case timedOut, refused, unresolved, untrusted, turnedAway
}

/// What a look-up of a name came to: the tag of `resolved`. Raw values are written to traces: append only.
public enum ResolutionCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case answered = 0
    case cached, failed
}

/// Why a server wanted a connection no longer: the tag of `serverExpired`. Raw values are written to traces: append only.
public enum ExpiryCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    /// The client said nothing for longer than the server, or what stands before it, bears.
    case silent = 0
    /// A heartbeat of the server was not answered, or the client's own did not come.
    case unanswered
    /// No stream was open for so long; it was as old as it may become.
    case idle, age
    /// It did not take what the server had to say.
    case slow
}

/// Why the server told the client to go away: the tag of `goAway`. Raw values are written to traces: append only.
public enum GoAwayCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case noError = 0
    case tooManyPings
}

/// What the operating system told the app of its networks: the tag of `networkTold`. Raw values are written to traces: append
/// only.
public enum NetworkCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case available = 0
    case losing, lost, validated, unvalidated, blocked, unblocked, capabilities
}

/// What a buffer does when it is full: the tag of `bufferDropped`. Raw values are written to traces: append only.
public enum OverflowCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case suspend = 0
    case dropOldest, dropLatest
}

/// Why the server would not do what it was asked: the tag of `serverRejected`. Raw values are written to traces: append only.
public enum RejectionCode: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    /// It failed, and may do better; it will never do it; it was asked too often; it has too much to do; its program never saw
    /// it.
    case transient = 0
    case permanent, rateLimited, overloaded, unprocessed
}
