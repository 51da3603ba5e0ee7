/// The clocks of a phone. They differ once the processor sleeps or somebody sets the time.
public enum Clock: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Stands still while the processor sleeps: `SystemClock.uptimeMillis`, `System.nanoTime`, `mach_absolute_time`.
    case uptime
    /// Goes on while the processor sleeps: `SystemClock.elapsedRealtime`, `mach_continuous_time`.
    case elapsed
    /// The time of day: goes on, and jumps when it is set.
    case wall
}

/// What a timer may do to a sleeping phone. The operating system decides when it truly fires.
public enum Wake: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Nothing: it fires when the processor is awake and the app may run.
    case none
    /// Wakes the processor; Doze puts it off to the next maintenance window, standby to its quota.
    case alarm
    /// Wakes the processor even in Doze, as often as the platform's rate limit allows.
    case whileIdle
    /// A deferrable job: runs when the platform has a window and the quota of the app's bucket allows.
    case job
}
