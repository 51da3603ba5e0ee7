#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
package import DeadzoneBase

/// Measures elapsed time for progress output and benchmarks; simulation results never depend on it.
package struct Stopwatch: Sendable {
    package enum TimeSource: Sendable {
        /// Monotonic wall time; setting the system clock does not change it.
        case wall
        /// CPU time of this process, summed over all threads.
        case processor
    }

    private let clock: TimeSource
    private let start: Int64

    package init(of clock: TimeSource = .wall) {
        self.clock = clock
        start = Self.now(clock)
    }

    package var elapsed: TimeSpan { .nanoseconds(Self.now(clock) - start) }

    private static func now(_ clock: TimeSource) -> Int64 {
        var time = timespec()
        clock_gettime(clock == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
