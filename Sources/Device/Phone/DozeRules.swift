public import DeadzonePrimitives

/// The durations of light and deep Doze, Android's sleep mode. `.longest` means never.
public struct DozeRules: Hashable, Sendable {
    // Light.

    /// Light Doze: time from the screen turning off to pre-idle.
    public var lightInactive = TimeSpan.longest
    /// Light Doze: length of pre-idle, in which running work may finish.
    public var lightPreIdle = TimeSpan.zero
    public var lightIdle = TimeSpan.minutes(5)
    public var lightIdleLimit = TimeSpan.minutes(15)
    /// Light Doze: length of a maintenance window. The next window may use the time that a window leaves unused.
    public var lightBudget = TimeSpan.minutes(1)
    public var lightBudgetLimit = TimeSpan.minutes(5)
    /// Light Doze: minimum length of a maintenance window, even without work.
    public var lightMinimum = TimeSpan.seconds(5)

    // Deep.

    public var inactive = TimeSpan.longest
    public var idleAfterInactive = TimeSpan.minutes(30)
    public var sensing = TimeSpan.minutes(4)
    public var locating = TimeSpan.seconds(30)
    public var idle = TimeSpan.hours(1)
    public var idleLimit = TimeSpan.hours(6)
    public var maintenance = TimeSpan.minutes(5)
    public var maintenanceLimit = TimeSpan.minutes(10)
    public var maintenanceMinimum = TimeSpan.seconds(30)
    /// Deep Doze: time that the phone stays inactive after motion.
    public var motion = TimeSpan.minutes(10)
    public var minimumToAlarmClock = TimeSpan.minutes(30)
    /// Time until deep Doze while battery saver is on. Motion then does not end deep Doze.
    public var quickDelay = TimeSpan.longest

    /// Factor by which each idle time, and each maintenance window of deep Doze, is longer than the one before, up to
    /// its limit.
    public var growth: Int64 = 2
    /// Time that the waiting work of all apps needs in a maintenance window. A window ends when the work is done.
    /// `.longest` means more work than fits into any window.
    public var work = TimeSpan.longest

    public init() {}

    /// Rules of a system without Doze.
    public static let none = DozeRules()
}
