package import DeadzoneBase

/// Computes when a kernel timer fires: never early, and at a granularity that grows with the wait. So timers of one
/// machine that were set at different times fire together.
///
/// Linux since 4.8: `calc_wheel_index`, LVL_START and LVL_GRAN in `kernel/time/timer.c`. Up to 63 jiffies a timer fires
/// at the next jiffy. Beyond that the granularity is 8 jiffies, 64 from 504 on, 512 from 4,032 on, and so forth. A
/// timer that is set while another one fires is measured from the next jiffy, to which the wheel has already turned
/// (`__run_timers`). Its wait counts as one jiffy less. So doublings of 63 jiffies, the timeout of a path of 50 ms,
/// keep the finer granularity.
extension Kernel {
    private static let finestSpan: Int64 = 63
    private static let maxLevels: Int64 = 8

    /// Returns the time at which a timer fires that is set now for this wait.
    /// - Parameters:
    ///   - phase: Offset of the machine's clock from the scenario's clock.
    ///   - isFiring: `true` if the timer is set by the code of another timer that has just fired.
    @inline(__always)
    func due(after wait: TimeSpan, at now: Instant, phase: TimeSpan = .zero, isFiring: Bool = false) -> Instant {
        guard tick > .zero, wait < Self.maxTimerSpan else { return now + wait }
        let ticks = (wait.nanoseconds + tick.nanoseconds - 1) / tick.nanoseconds
        let shift = isCoarse ? Self.granularityShift(isFiring ? ticks - 1 : ticks) : 0
        let grains = ((now + phase).nanoseconds / tick.nanoseconds + ticks) >> shift + 1
        return Instant(nanoseconds: (tick * (grains << shift) - phase).nanoseconds)
    }

    /// Returns the granularity of a timer that is set `distance` ticks ahead, as an exponent of two: 3 means 8 ticks.
    @inline(__always)
    private static func granularityShift(_ distance: Int64) -> Int64 {
        var shift: Int64 = 0
        while shift < 3 * maxLevels && finestSpan << shift <= distance { shift += 3 }
        return shift
    }

    private static let maxTimerSpan = TimeSpan.hours(24 * 366)
    /// The granularity of a timer of two hours, which is the coarsest. The phases of two machines' clocks can differ by
    /// up to this time with an effect on such a timer.
    package static let maxGranularity = TimeSpan.seconds(1_311)

    @inline(__always)
    func roundedUpToTicks(_ span: TimeSpan) -> TimeSpan {
        guard tick > .zero else { return span }
        return tick * ((span.nanoseconds + tick.nanoseconds - 1) / tick.nanoseconds)
    }
}
