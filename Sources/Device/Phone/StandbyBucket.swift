public import DeadzonePrimitives

/// How long ago the user last wanted something of the app, as App Standby counts it.
public enum StandbyBucket: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable, Comparable {
    case active, working, frequent, rare, restricted

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// From the last use: so much time, and so much of it with the screen on
    /// (aosp-mirror/platform_frameworks_base, apex/jobscheduler/service/java/com/android/server/usage/AppStandbyController.java,
    /// `DEFAULT_ELAPSED_TIME_THRESHOLDS` and `DEFAULT_SCREEN_TIME_THRESHOLDS`).
    public var threshold: (elapsed: TimeSpan, screenOn: TimeSpan) {
        switch self {
        case .active: (.zero, .zero)
        case .working: (.hours(12), .zero)
        case .frequent: (.hours(24), .hours(1))
        case .rare: (.hours(48), .hours(2))
        case .restricted: (.hours(8 * 24), .hours(6))
        }
    }
}

/// So much in every period; a period begins with the first use after the one before has ended. `.unlimited` has no bound.
///
/// The system's own periods slide: after an uneven use it lets one through as soon as the oldest is a period old.
public struct Quota: Hashable, Sendable, BitwiseCopyable {
    public var count: Int64
    public var period: TimeSpan

    public init(_ count: Int64, per period: TimeSpan) {
        self.count = count
        self.period = period
    }

    public static let unlimited = Quota(.max, per: .zero)
    public static let forbidden = Quota(0, per: .longest)
}

/// What an app may do in one bucket.
public struct BucketRules: Hashable, Sendable {
    public var alarms = Quota.unlimited
    public var jobs = Quota.unlimited
    /// Its jobs may run so long in a period of `jobs`.
    public var jobTime = TimeSpan.longest
    public var urgentPushes = Quota(.max, per: .hours(24))
    public var hasNetwork = true

    public init() {}

    /// In nanoseconds.
    var runTime: Quota { jobTime == .longest ? .unlimited : Quota(jobTime.nanoseconds, per: jobs.period) }
}

/// The buckets of one release.
public struct StandbyRules: Hashable, Sendable {
    /// Without buckets every app is always active.
    public var lowest = StandbyBucket.active
    /// The scenario says which one.
    public var pinned: StandbyBucket?
    public var active = BucketRules()
    public var working = BucketRules()
    public var frequent = BucketRules()
    public var rare = BucketRules()
    public var restricted = BucketRules()

    public init() {}

    public subscript(bucket: StandbyBucket) -> BucketRules {
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

/// The bucket of one app: it sinks with time, and rises at once when the app is used.
///
/// Where it lies: the system looks every few hours, weighs notifications and syncs, and lets the maker of the phone predict;
/// here the thresholds are kept to the nanosecond.
struct Standby: Sendable, BitwiseCopyable {
    private(set) var bucket = StandbyBucket.active
    private let lowest: StandbyBucket
    private let isPinned: Bool
    private var isUsed = true
    private var usedAt: Instant
    /// Screen time since the last use, up to `screenSince`.
    private var screenTime = TimeSpan.zero
    /// `.never` while the screen is off.
    private var screenSince: Instant
    /// Nothing is due before the last change.
    private var changedAt: Instant

    init(_ rules: borrowing StandbyRules, at now: Instant) {
        lowest = rules.lowest
        isPinned = rules.pinned != nil
        bucket = rules.pinned ?? .active
        usedAt = now
        screenSince = now
        changedAt = now
    }

    /// When it sinks to the next bucket if nothing changes.
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

    /// The app is in the front, or no longer.
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
