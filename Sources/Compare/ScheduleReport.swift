public import DeadzonePrimitives

/// The times at which a strategy tries to connect if every connection attempt fails.
public struct ScheduleReport: Sendable {
    public enum AttemptFailure: String, CaseIterable, Sendable {
        case refused, blackhole, frozen
    }

    public struct ScheduledAttempt: Sendable {
        public var at: TimeSpan
        /// The delay by the backoff rule before jitter, and the range that jitter allows. `nil` if it is unknown.
        public var delay: TimeSpan?
        public var lowest: TimeSpan?
        public var highest: TimeSpan?
        /// The attempt's own timeout if the server does not answer, and the range that jitter allows. `nil` if only the
        /// kernel's timeout applies, or none.
        public var limit: TimeSpan?
        public var lowestLimit: TimeSpan?
        public var highestLimit: TimeSpan?
        /// Time after which the kernel ends the attempt. `nil` if the client always ends it first, or if the kernel
        /// sets no limit.
        public var kernelLimit: TimeSpan?

        public init(
            at: TimeSpan, delay: TimeSpan?, lowest: TimeSpan?, highest: TimeSpan?, limit: TimeSpan?,
            lowestLimit: TimeSpan?, highestLimit: TimeSpan?, kernelLimit: TimeSpan?
        ) {
            self.at = at
            self.delay = delay
            self.lowest = lowest
            self.highest = highest
            self.limit = limit
            self.lowestLimit = lowestLimit
            self.highestLimit = highestLimit
            self.kernelLimit = kernelLimit
        }
    }

    public var strategy: String
    public var failing: AttemptFailure
    public var length: TimeSpan
    public var attempts: [ScheduledAttempt]
    public var hasGivenUp: Bool
    public var note: String?

    public init(
        strategy: String, failing: AttemptFailure, length: TimeSpan, attempts: [ScheduledAttempt], hasGivenUp: Bool,
        note: String?
    ) {
        self.strategy = strategy
        self.failing = failing
        self.length = length
        self.attempts = attempts
        self.hasGivenUp = hasGivenUp
        self.note = note
    }
}
