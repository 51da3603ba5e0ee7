#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
public import DeadzonePrimitives

/// Time for progress and measurement; never for a result.
public struct Stopwatch: Sendable {
    public enum Clock: Sendable {
        /// As it passes for the user; setting the wall clock does not move it.
        case wall
        /// That this process was given, all threads together.
        case processor
    }

    private let clock: Clock
    private let start: Int64

    public init(of clock: Clock = .wall) {
        self.clock = clock
        start = Self.now(clock)
    }

    public var elapsed: TimeSpan { .nanoseconds(Self.now(clock) - start) }

    private static func now(_ clock: Clock) -> Int64 {
        var time = timespec()
        clock_gettime(clock == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
