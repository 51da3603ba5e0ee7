public import DeadzonePrimitives

/// What crosses the air at once.
public struct Burst: Hashable, Sendable, BitwiseCopyable {
    public var direction: Direction
    public var bytes: UInt32
    /// How long the bytes keep the air busy at the link's rate.
    public var airtime: TimeSpan
    public var cause: Cause

    public init(direction: Direction, bytes: UInt32, airtime: TimeSpan, cause: Cause) {
        self.direction = direction
        self.bytes = bytes
        self.airtime = airtime
        self.cause = cause
    }
}

/// What became of a burst that was handed to a radio.
public struct Carried: Hashable, Sendable, BitwiseCopyable {
    /// The air is open to the burst from here on; `.never` without coverage, where the radio keeps nothing.
    /// Bursts of one direction follow each other: a burst still on the air delays the bits, not this instant.
    public var flowsAt: Instant
    /// How long the bits take: the burst's own airtime, or longer on a slow common channel (UMTS FACH).
    public var airtime: TimeSpan
    /// The period that the burst ended.
    public var spent: Residency?
    /// The burst made the radio promote now. A paged radio begins in `advance`.
    public var promoted: Bool

    public init(flowsAt: Instant, airtime: TimeSpan, spent: Residency? = nil, promoted: Bool = false) {
        self.flowsAt = flowsAt
        self.airtime = airtime
        self.spent = spent
        self.promoted = promoted
    }
}
