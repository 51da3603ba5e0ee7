package import DeadzoneBase

/// Android's App Standby bucket of an app: how recently the user used it. It limits background work.
package enum StandbyBucket: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable, Comparable {
    case active, working, frequent, rare, restricted

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// Time since the last use, and screen-on time since then, from which an app is in this bucket
    /// (aosp-mirror/platform_frameworks_base,
    /// apex/jobscheduler/service/java/com/android/server/usage/AppStandbyController.java,
    /// `DEFAULT_ELAPSED_TIME_THRESHOLDS` and `DEFAULT_SCREEN_TIME_THRESHOLDS`).
    package var threshold: (elapsed: TimeSpan, screenOn: TimeSpan) {
        switch self {
        case .active: (.zero, .zero)
        case .working: (.hours(12), .zero)
        case .frequent: (.hours(24), .hours(1))
        case .rare: (.hours(48), .hours(2))
        case .restricted: (.hours(8 * 24), .hours(6))
        }
    }
}

/// The maximum number of uses per period, for instance of alarms or pushes. A period begins with the first use after
/// the previous period has ended. `.unlimited` has no bound.
///
/// The periods of the system itself slide: after unevenly spaced uses it allows one as soon as the oldest is a period
/// old.
package struct Quota: Hashable, Sendable, BitwiseCopyable {
    package var count: Int64
    package var period: TimeSpan

    package init(_ count: Int64, per period: TimeSpan) {
        self.count = count
        self.period = period
    }

    package static let unlimited = Quota(.max, per: .zero)
}

/// The limits on alarms, jobs, pushes and network for an app in one App Standby bucket.
package struct BucketRules: Hashable, Sendable {
    package var alarms = Quota.unlimited
    package var jobs = Quota.unlimited
    /// Time that the app's jobs may run in each period of the quota `jobs`.
    package var jobTime = TimeSpan.longest
    package var urgentPushes = Quota(.max, per: .hours(24))
    package var hasNetwork = true

    /// The limit `jobTime` as a quota, in nanoseconds per period.
    var runTime: Quota { jobTime == .longest ? .unlimited : Quota(jobTime.nanoseconds, per: jobs.period) }
}

/// The limits of all App Standby buckets in one Android release.
package struct StandbyRules: Hashable, Sendable {
    /// The lowest bucket that an app can reach. Without buckets every app is always active.
    package var lowest = StandbyBucket.active
    /// The bucket that the scenario sets for the app; `nil` if the bucket follows the use of the app.
    package var pinned: StandbyBucket?
    package var active = BucketRules()
    package var working = BucketRules()
    package var frequent = BucketRules()
    package var rare = BucketRules()
    package var restricted = BucketRules()

    package subscript(bucket: StandbyBucket) -> BucketRules {
        get {
            switch bucket {
            case .active: active
            case .working: working
            case .frequent: frequent
            case .rare: rare
            case .restricted: restricted
            }
        }
        set {
            switch bucket {
            case .active: active = newValue
            case .working: working = newValue
            case .frequent: frequent = newValue
            case .rare: rare = newValue
            case .restricted: restricted = newValue
            }
        }
    }
}

/// Tracks the App Standby bucket of one app. The bucket sinks with time, and rises at once when the app is used.
///
/// Differences from Android: the system checks every few hours, takes notifications and syncs into account, and lets
/// the phone's manufacturer predict use. Here the thresholds apply to the nanosecond.
struct Standby: Sendable, BitwiseCopyable {
    private(set) var bucket = StandbyBucket.active
    private let lowest: StandbyBucket
    private let isPinned: Bool
    private var isUsed = true
    private var usedAt: Instant
    /// Screen-on time from the last use to `screenSince`.
    private var screenTime = TimeSpan.zero
    /// Time from which screen-on time is not counted yet; `.never` while the screen is off.
    private var screenSince: Instant
    /// Time of the last change. No transition is due before it.
    private var changedAt: Instant

    init(_ rules: borrowing StandbyRules, at now: Instant) {
        lowest = rules.lowest
        isPinned = rules.pinned != nil
        bucket = rules.pinned ?? .active
        usedAt = now
        screenSince = now
        changedAt = now
    }

    /// The time at which the app sinks to the next bucket if nothing changes.
    var nextTransition: Instant {
        guard !isPinned, !isUsed, bucket < lowest, let next = StandbyBucket(rawValue: bucket.rawValue + 1) else {
            return .never
        }
        let (elapsed, screenOn) = next.threshold
        let due = usedAt + elapsed
        if screenOn <= screenTime { return max(due, changedAt) }
        return screenSince == .never ? .never : max(due, screenSince + (screenOn - screenTime))
    }

    mutating func advance() { bucket = StandbyBucket(rawValue: bucket.rawValue + 1) ?? bucket }

    /// Sets whether the app is in the foreground, which counts as use.
    mutating func setUsed(_ used: Bool, at now: Instant) {
        guard used != isUsed else { return }
        isUsed = used
        if !isPinned { bucket = .active }
        usedAt = now
        screenTime = .zero
        if screenSince != .never { screenSince = now }
        changedAt = now
    }

    mutating func setScreen(_ on: Bool, at now: Instant) {
        if !on, screenSince != .never { screenTime += now - screenSince }
        screenSince = on ? now : .never
        changedAt = now
    }
}
