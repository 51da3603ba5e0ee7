public import DeadzonePrimitives

/// The constants of Doze. `.longest` means never.
public struct DozeRules: Hashable, Sendable {
    // Light.

    /// From the screen's going off to pre-idle.
    public var lightInactive = TimeSpan.longest
    /// What is still running may finish so long.
    public var lightPreIdle = TimeSpan.zero
    public var lightIdle = TimeSpan.minutes(5)
    public var lightIdleLimit = TimeSpan.minutes(15)
    /// A window lasts so long; what one leaves of it, the next may use.
    public var lightBudget = TimeSpan.minutes(1)
    public var lightBudgetLimit = TimeSpan.minutes(5)
    /// A window lasts at least so long, however little there is to do.
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
    /// After motion, inactive lasts so long.
    public var motion = TimeSpan.minutes(10)
    public var minimumToAlarmClock = TimeSpan.minutes(30)
    /// With battery saver on, the way to deep Doze is this short, and motion does not lead out of it.
    public var quickDelay = TimeSpan.longest

    /// Every idle time, and every deep window, is so many times the one before, up to its limit.
    public var growth: Int64 = 2
    /// How much work waits for a window, of all apps together: a window ends when it is done. `.longest`: more than fits.
    public var work = TimeSpan.longest

    public init() {}

    /// A system without Doze.
    public static let none = DozeRules()
}
