public import DeadzonePrimitives

/// The open period of a radio, and when its machine acts next.
@usableFromInline struct Meter: Sendable, BitwiseCopyable {
    @usableFromInline var next: Instant
    private(set) var since: Instant
    /// Every cause with data on the air since the promotion.
    private(set) var sharers: CauseSet = []
    private(set) var level: PowerLevel
    private(set) var cause: Cause
    private(set) var isTail = false

    init(level: PowerLevel, cause: Cause, at now: Instant) {
        self.level = level
        self.cause = cause
        since = now
        next = .never
    }

    /// Ends the open period and begins the next one; nil if nothing changes, or if no time has passed.
    @inline(__always)
    mutating func enter(
        _ level: PowerLevel, for cause: Cause, sharers: CauseSet = [], isTail: Bool = false, at now: Instant
    ) -> Residency? {
        let same =
            level == self.level && cause == self.cause && isTail == self.isTail && (!isTail || sharers == self.sharers)
        let spent = same ? nil : close(at: now)
        self.level = level
        self.cause = cause
        self.sharers = sharers
        self.isTail = isTail
        return spent
    }

    /// Ends the open period; another of the same kind begins.
    @inline(__always)
    mutating func close(at now: Instant) -> Residency? {
        precondition(since <= now, "time runs backwards: from \(since.nanoseconds) to \(now.nanoseconds) ns")
        guard since < now else { return nil }
        defer { since = now }
        return Residency(
            level: level, cause: cause, sharers: isTail ? sharers : [], isSilent: isTail, span: now - since)
    }
}
