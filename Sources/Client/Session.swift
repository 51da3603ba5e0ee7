public import DeadzonePrimitives

/// What an app can know: its clocks, what the operating system says of networks, its cursors, its timers, its own dice.
/// No radio state, no true health of a path.
public struct Session: Sendable, BitwiseCopyable {
    /// Time since the start, sleep included.
    public var now: Instant
    /// How long the processor has slept so far.
    public var slept = TimeSpan.zero
    /// How far the time of day was set forward so far.
    public var wallShift = TimeSpan.zero
    /// The default network according to the operating system.
    public var network = NetworkView()
    /// Everything below it has been shown to the app.
    public var cursor: Cursor
    /// What a new process would begin with.
    public var persisted: Cursor
    /// The server has confirmed everything of ours below it.
    public var acknowledged: Cursor
    /// The app has asked to send everything below it.
    public var produced: Cursor
    /// Of those, the app has written down what lies below it: a new process still has it.
    public var kept: Cursor
    /// Nothing of ours below it will be handed over again, confirmed or not: where the app writes messages down, it has struck
    /// these out.
    public var forgotten: Cursor
    /// The app is in the foreground.
    public var isForeground: Bool
    /// The phone's battery is low, or its user wants it spared: Android's battery saver, iOS's Low Power Mode.
    public var isSaving = false
    /// Its server has the system's push service wake the app when it cannot reach it otherwise.
    public var isPushed = false
    /// Which life of the server the cursor is of, and the persisted one; 0: nobody has said.
    public var epoch: UInt32 = 0
    public var persistedEpoch: UInt32 = 0
    /// When it was written down; `.never`: nothing was.
    public var persistedAt = Instant.never
    /// The app's messages carry keys of their own, by which a server can know them again.
    public var keysMessages = true
    public var random: Dice
    public private(set) var timers: TimerTable

    public init(random: Dice) {
        now = .zero
        cursor = .start
        persisted = .start
        acknowledged = .start
        produced = .start
        kept = .start
        forgotten = .start
        isForeground = true
        self.random = random
        timers = TimerTable()
    }

    // Inlined, a field or two are read where a call would copy the whole session.
    @inlinable public var path: Interface? { network.path }
    @inlinable public var hasPath: Bool { network.path != nil }

    @inlinable public func now(_ clock: Clock) -> Instant {
        switch clock {
        case .uptime: now - slept
        case .elapsed: now
        case .wall: now + wallShift
        }
    }

    /// Arms the slot anew; an earlier deadline in it is forgotten. A span below zero is zero.
    public mutating func arm(
        _ slot: TimerSlot, after span: TimeSpan, on clock: Clock = .elapsed, wake: Wake = .none
    ) {
        timers.arm(slot, at: now(clock) + max(span, .zero), on: clock, wake: wake)
    }

    @inlinable public mutating func disarm(_ slot: TimerSlot) {
        if timers.isArmed(slot) { disarmArmed(slot) }
    }

    @usableFromInline mutating func disarmArmed(_ slot: TimerSlot) { timers.disarm(slot) }

    /// A timer has gone off: its slot is free.
    /// - Returns: What was wished for.
    @inlinable public mutating func take(_ slot: TimerSlot) -> TimerWish {
        let wish = timers[slot]
        disarm(slot)
        return wish
    }

    public mutating func disarmAll() { timers.disarmAll() }

    @inline(__always) @inlinable public func isArmed(_ slot: TimerSlot) -> Bool { timers.isArmed(slot) }

    /// The process ends: nothing of it is left but what was written down. Messages that were not are forgotten, all of them
    /// if one is missing.
    /// - Parameter keepsAlarms: The system still wakes the app for the alarms and jobs that it was asked for.
    public mutating func restart(keepsAlarms: Bool) {
        for index in 0..<UInt8(TimerSlot.count) where !keepsAlarms || timers[TimerSlot(index)].wake == .none {
            disarm(TimerSlot(index))
        }
        cursor = persisted
        if kept < produced {
            acknowledged = produced
            forgotten = produced
        }
        epoch = persistedEpoch
    }
}
