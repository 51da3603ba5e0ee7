public import DeadzonePrimitives

/// When a strategy would try to connect, were every attempt to fail.
public struct ScheduleReport: Sendable {
    public enum Failing: String, CaseIterable, Sendable {
        case refused, blackhole, frozen
    }

    public struct Attempt: Sendable {
        public var at: TimeSpan
        /// What the law says before jitter, and how far jitter takes it; nil: it cannot be told.
        public var delay: TimeSpan?
        public var lowest: TimeSpan?
        public var highest: TimeSpan?
        /// The attempt's own limit where nobody answers, and how far jitter takes it; nil: the kernel's, or none.
        public var limit: TimeSpan?
        public var lowestLimit: TimeSpan?
        public var highestLimit: TimeSpan?

        public init(
            at: TimeSpan, delay: TimeSpan?, lowest: TimeSpan?, highest: TimeSpan?, limit: TimeSpan?,
            lowestLimit: TimeSpan?, highestLimit: TimeSpan?
        ) {
            self.at = at
            self.delay = delay
            self.lowest = lowest
            self.highest = highest
            self.limit = limit
            self.lowestLimit = lowestLimit
            self.highestLimit = highestLimit
        }
    }

    public var strategy: String
    public var failing: Failing
    public var length: TimeSpan
    public var attempts: [Attempt]
    public var hasGivenUp: Bool
    public var note: String?

    public init(
        strategy: String, failing: Failing, length: TimeSpan, attempts: [Attempt], hasGivenUp: Bool, note: String?
    ) {
        self.strategy = strategy
        self.failing = failing
        self.length = length
        self.attempts = attempts
        self.hasGivenUp = hasGivenUp
        self.note = note
    }
}
