#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
public import DeadzonePrimitives

/// Time as it passes for the user, for progress and measurement; never for a result.
public struct Stopwatch: Sendable {
    private let start: Int64

    public init() { start = Stopwatch.now }

    public var elapsed: TimeSpan { .nanoseconds(Stopwatch.now - start) }

    /// Monotonic: setting the wall clock does not move it.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
