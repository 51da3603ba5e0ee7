import DeadzoneBase

/// Counts how much of a quota is used in the present period.
struct QuotaUsage: Sendable, BitwiseCopyable {
    private var periodEnds = Instant.zero
    private var used: Int64 = 0

    /// Returns the earliest time, not before `then`, at which one more use is allowed; `.never` if the quota allows
    /// none.
    func next(from then: Instant, _ quota: Quota) -> Instant {
        if quota.count <= 0 { return .never }
        return used < quota.count ? then : max(then, periodEnds)
    }

    mutating func use(at now: Instant, _ quota: Quota, cost: Int64 = 1) {
        guard quota.count != .max else { return }
        if periodEnds <= now {
            periodEnds = now + quota.period
            used = 0
        }
        used += cost
    }
}
