public import DeadzonePrimitives
public import DeadzoneSettings

/// How a timer runs: by which clock, and what it may do to a sleeping phone.
public struct Timing: Hashable, Sendable, BitwiseCopyable {
    public var clock: Clock
    public var wake: Wake

    public init(_ clock: Clock = .elapsed, wake: Wake = .none) {
        self.clock = clock
        self.wake = wake
    }
}

extension Session {
    public mutating func arm(_ slot: TimerSlot, after span: TimeSpan, _ timing: Timing) {
        arm(slot, after: span, on: timing.clock, wake: timing.wake)
    }
}

extension SettingsReader {
    static var clockWords: [(String, Clock)] { [("uptime", .uptime), ("elapsed", .elapsed), ("wall", .wall)] }
    static var wakeWords: [(String, Wake)] {
        [("none", .none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job)]
    }

    /// `clock: elapsed` and `wake: alarm`, beside the other settings of a facet with a timer.
    public mutating func timing(default fallback: Timing = Timing(), _ timer: String) -> Timing {
        let timing = Timing(
            word(
                "clock", of: Self.clockWords, default: fallback.clock,
                "what \(timer) runs by: uptime stands still while the processor sleeps"),
            wake: word(
                "wake", of: Self.wakeWords, default: fallback.wake,
                "whether \(timer) wakes a sleeping phone, and how far Doze puts it off"))
        if timing.clock == .uptime && timing.wake != .none { refuseAlarm(has("wake") ? "wake" : "clock") }
        return timing
    }

    /// What wakes a phone cannot run by a clock that stands still while it sleeps.
    mutating func refuseAlarm(_ key: String) {
        refuse(
            [key], "by a clock that stands still while the processor sleeps",
            label: "alarms and jobs run by `clock: elapsed` or `wall`")
    }
}
