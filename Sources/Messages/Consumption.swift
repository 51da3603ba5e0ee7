public import DeadzonePrimitives

/// Who takes the messages of the server in the app: a screen, a database. It takes one after the other.
public struct Consumer: Hashable, Sendable {
    /// What one message takes it, in nanoseconds.
    public var service: Distribution
    /// From one stall to the next, in nanoseconds, counted from its end; nil: it stalls only when the timeline says so.
    public var stallGap: Distribution?
    /// How long a stall lasts, in nanoseconds.
    public var stall: Distribution

    public init(service: Distribution = .constant(0), stallGap: Distribution? = nil, stall: Distribution = .constant(0))
    {
        self.service = service
        self.stallGap = stallGap
        self.stall = stall
    }
}

/// What waits for the consumer of one phone, at a place of its own beside the lane.
///
///     shown ≤ taken ≤ handed ≤ received       in the buffer: from what was shown to what was taken, without the holes
///
/// What the library has and the buffer has no room for (`suspend`) lies between taken and handed.
struct Consumption: BitwiseCopyable {
    var handed: UInt32 = 0
    var taken: UInt32 = 0
    var holes = Holes()
    /// What the server left out when the client last resumed, though it was asked for; and what is missing with somebody's knowledge.
    var skipped = Stretch()
    var known = Stretch()
    /// The consumer is done with its message.
    var busyUntil = Instant.zero
    var stallUntil = Instant.zero
    var nextStall: UInt32 = 0
    var nextStallAt = Instant.never
    /// What the client wants written down as soon as it is shown.
    var toPersist: UInt32 = 0
    /// Asked for and not come; and shown since the app last asked.
    var credits: UInt32 = 0
    var shownSinceAsk: UInt32 = 0
    /// The buffer was full when it was last looked at.
    var isFull = false

    var most: UInt32 = 0
    var bytes: UInt64 = 0
    var mostBytes: UInt64 = 0

    mutating func forgetMissing() {
        holes = Holes()
        skipped = Stretch()
        known = Stretch()
    }
}
