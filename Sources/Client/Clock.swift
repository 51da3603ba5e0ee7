/// The clocks of a phone. They differ once the processor sleeps or somebody sets the time.
public enum Clock: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Stands still while the processor sleeps: `SystemClock.uptimeMillis`, `System.nanoTime`, `mach_absolute_time`.
    case uptime
    /// Goes on while the processor sleeps: `SystemClock.elapsedRealtime`, `mach_continuous_time`.
    case elapsed
    /// The time of day: goes on, and jumps when it is set.
    case wall
}
