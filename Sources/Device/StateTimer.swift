public import DeadzoneBase

/// Measures the present period of a radio at one power level, and stores the time of its next transition.
@usableFromInline struct StateTimer: Sendable, BitwiseCopyable {
    @usableFromInline var next: Instant
    private(set) var since: Instant
    /// The causes that share a tail: every cause with data on the air since the promotion (wake-up).
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

    /// Sets the power level and cause of the radio. Ends the present period and returns it; `nil` if nothing changes,
    /// or if no time has passed.
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

    /// Ends the present period, returns it, and begins another with the same level and cause. `nil` if no time has
    /// passed.
    @inline(__always)
    mutating func close(at now: Instant) -> Residency? {
        precondition(since <= now, "time runs backwards: from \(since.nanoseconds) to \(now.nanoseconds) ns")
        guard since < now else { return nil }
        defer { since = now }
        return Residency(
            level: level, cause: cause, sharers: isTail ? sharers : [], isSilent: isTail, span: now - since)
    }
}
