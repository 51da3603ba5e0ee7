public import DeadzonePrimitives

/// When a timer truly goes off: never early, and in grains that grow with the wait, so that timers of one machine that were set at
/// different moments go off in one.
///
/// Linux since 4.8: `calc_wheel_index`, LVL_START and LVL_GRAN in `kernel/time/timer.c`. Up to 63 jiffies it is the next one; from there
/// on the grain is 8 jiffies, 64 from 504 on, 512 from 4,032 on, and so forth. A timer that is set while one goes off is measured from
/// the next jiffy, to which the wheel has already turned (`__run_timers`), so that its wait counts for one jiffy less: doublings of 63
/// jiffies, the timeout of a path of 50 ms, stay in the finer grain.
extension Kernel {
    private static let finest: Int64 = 63
    private static let mostLevels: Int64 = 8

    /// - Parameters:
    ///   - phase: Of the machine's clock against the scenario's.
    ///   - isFiring: It is set by a timer that has gone off.
    @inline(__always)
    func due(after wait: TimeSpan, at now: Instant, phase: TimeSpan = .zero, isFiring: Bool = false) -> Instant {
        guard tick > .zero, wait < Self.beyondTimers else { return now + wait }
        let ticks = (wait.nanoseconds + tick.nanoseconds - 1) / tick.nanoseconds
        let shift = isCoarse ? Self.grain(isFiring ? ticks - 1 : ticks) : 0
        let grains = ((now + phase).nanoseconds / tick.nanoseconds + ticks) >> shift + 1
        return Instant(nanoseconds: (tick * (grains << shift) - phase).nanoseconds)
    }

    /// How coarse the wheel is so many ticks ahead: two to the power of this.
    @inline(__always)
    private static func grain(_ distance: Int64) -> Int64 {
        var shift: Int64 = 0
        while shift < 3 * mostLevels && finest << shift <= distance { shift += 3 }
        return shift
    }

    private static let beyondTimers = TimeSpan.hours(24 * 366)
    /// The coarsest grain that a timer of two hours meets: how far the clocks of two machines can be apart and differ by it.
    public static let longestGrain = TimeSpan.seconds(1_311)

    @inline(__always)
    func wholeTicks(_ span: TimeSpan) -> TimeSpan {
        guard tick > .zero else { return span }
        return tick * ((span.nanoseconds + tick.nanoseconds - 1) / tick.nanoseconds)
    }
}
