public import DeadzoneBase

/// Options of a timer: by which clock it runs, and whether it wakes a sleeping phone.
public struct TimerOptions: Hashable, Sendable, BitwiseCopyable {
    public var clock: PhoneClock
    public var wake: WakePolicy

    public init(_ clock: PhoneClock = .elapsed, wake: WakePolicy = .none) {
        self.clock = clock
        self.wake = wake
    }
}

extension Session {
    public mutating func arm(_ slot: TimerSlot, after span: TimeSpan, _ timing: TimerOptions) {
        arm(slot, after: span, on: timing.clock, wake: timing.wake)
    }
}

extension SettingsReader {
    static var clockWords: [(String, PhoneClock)] { [("uptime", .uptime), ("elapsed", .elapsed), ("wall", .wall)] }
    static var wakeWords: [(String, WakePolicy)] {
        [("none", .none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job)]
    }

    /// Reads the options of a timer, written as `clock: elapsed` and `wake: alarm` beside the other settings of the
    /// policy that owns the timer.
    public mutating func timerOptions(default fallback: TimerOptions = TimerOptions(), _ timer: String) -> TimerOptions
    {
        let timing = TimerOptions(
            word(
                "clock", of: Self.clockWords, default: fallback.clock,
                "clock of \(timer): uptime stops while the processor sleeps"),
            wake: word(
                "wake", of: Self.wakeWords, default: fallback.wake,
                "whether \(timer) wakes a sleeping phone, and how Doze delays it"))
        if timing.clock == .uptime && timing.wake != .none { refuseAlarm(has("wake") ? "wake" : "clock") }
        return timing
    }

    /// Reports a fault: the timer is to wake the phone, but its clock stops while the processor sleeps.
    mutating func refuseAlarm(_ key: String) {
        refuse(
            [key], "by a clock that stops while the processor sleeps",
            label: "alarms and jobs need `clock: elapsed` or `wall`")
    }
}
