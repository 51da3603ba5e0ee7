import DeadzonePrimitives

/// What has been used of a quota.
struct Allowance: Sendable, BitwiseCopyable {
    private var periodEnds = Instant.zero
    private var used: Int64 = 0

    /// The earliest moment from then on at which one more is allowed; `.never`: none ever is.
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
