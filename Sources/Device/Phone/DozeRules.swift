package import DeadzoneBase

/// The durations of light and deep Doze, Android's sleep mode. `.longest` means never.
package struct DozeRules: Hashable, Sendable {
    // Light.

    /// Light Doze: time from the screen turning off to pre-idle.
    package var lightInactive = TimeSpan.longest
    /// Light Doze: time that the alarm after `lightInactive` waits for another alarm.
    package var lightInactiveWindow = TimeSpan.zero
    /// Light Doze: length of pre-idle, in which running work may finish.
    package var lightPreIdle = TimeSpan.zero
    package var lightIdle = TimeSpan.minutes(5)
    package var lightIdleLimit = TimeSpan.minutes(15)
    /// Light Doze: time that the alarm at the end of an idle time waits for another alarm, and its limit. It grows with
    /// the idle time.
    package var lightIdleWindow = TimeSpan.zero
    package var lightIdleWindowLimit = TimeSpan.zero
    /// `true` if the alarm at the end of an idle time does not wake the phone, and waits for another alarm however long
    /// that takes.
    package var lightIdleWaits = false
    /// Light Doze: length of a maintenance window. The next window may use the time that a window leaves unused.
    package var lightBudget = TimeSpan.minutes(1)
    package var lightBudgetLimit = TimeSpan.minutes(5)
    /// Light Doze: minimum length of a maintenance window, even without work.
    package var lightMinimum = TimeSpan.seconds(5)

    // Deep.

    package var inactive = TimeSpan.longest
    package var idleAfterInactive = TimeSpan.minutes(30)
    package var sensing = TimeSpan.minutes(4)
    package var locating = TimeSpan.seconds(30)
    package var idle = TimeSpan.hours(1)
    package var idleLimit = TimeSpan.hours(6)
    package var maintenance = TimeSpan.minutes(5)
    package var maintenanceLimit = TimeSpan.minutes(10)
    package var maintenanceMinimum = TimeSpan.seconds(30)
    /// Deep Doze: `true` if a random time is subtracted from each idle time.
    package var endsEarly = false
    /// Deep Doze: time that the phone stays inactive after motion.
    package var motion = TimeSpan.minutes(10)
    package var minimumToAlarmClock = TimeSpan.minutes(30)
    /// Time until deep Doze while battery saver is on. Motion then does not end deep Doze.
    package var quickDelay = TimeSpan.longest

    /// Factor by which each idle time, and each maintenance window of deep Doze, is longer than the one before, up to
    /// its limit.
    package var growth: Int64 = 2
    /// Time that the waiting work of all apps needs in a maintenance window. A window ends when the work is done.
    /// `.longest` means more work than fits into any window.
    package var work = TimeSpan.longest

    /// Rules of a system without Doze.
    package static let none = DozeRules()
}
