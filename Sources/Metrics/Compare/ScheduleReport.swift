package import DeadzoneBase

/// The times at which a strategy tries to connect if every connection attempt fails.
package struct ScheduleReport: Sendable {
    package enum AttemptFailure: String, CaseIterable, Sendable {
        case refused, blackhole, frozen
    }

    package struct ScheduledAttempt: Sendable {
        package var at: TimeSpan
        /// The delay by the backoff rule before jitter, and the range that jitter allows. `nil` if it is unknown.
        package var delay: TimeSpan?
        package var lowest: TimeSpan?
        package var highest: TimeSpan?
        /// The attempt's own timeout if the server does not answer, and the range that jitter allows. `nil` if only the
        /// kernel's timeout applies, or none.
        package var limit: TimeSpan?
        package var lowestLimit: TimeSpan?
        package var highestLimit: TimeSpan?
        /// Time after which the kernel ends the attempt. `nil` if the client always ends it first, or if the kernel
        /// sets no limit.
        package var kernelLimit: TimeSpan?

        package init(
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

    package var strategy: String
    package var failing: AttemptFailure
    package var length: TimeSpan
    package var attempts: [ScheduledAttempt]
    package var hasGivenUp: Bool
    package var note: String?

    package init(
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
