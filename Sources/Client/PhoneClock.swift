/// The clocks by which a phone's timers can run. They differ once the processor sleeps or the time of day is set.
public enum PhoneClock: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Stops while the processor sleeps: `SystemClock.uptimeMillis`, `System.nanoTime`, `mach_absolute_time`.
    case uptime
    /// Continues while the processor sleeps: `SystemClock.elapsedRealtime`, `mach_continuous_time`.
    case elapsed
    /// The time of day: continues during sleep, and jumps when it is set.
    case wall
}
