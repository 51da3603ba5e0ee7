public import DeadzoneBase

/// The data that an app can observe: its clocks, the system's view of networks, its cursors, its timers, its own random
/// numbers. It contains no radio state and not the true state of a path.
public struct Session: Sendable, BitwiseCopyable {
    /// Time since the start of the run, including sleep.
    public var now: Instant
    /// Total time that the processor has slept.
    @usableFromInline package var slept = TimeSpan.zero
    /// Total time by which the phone's time of day was set forward.
    @usableFromInline package var wallShift = TimeSpan.zero
    /// The default network according to the operating system.
    public var network = NetworkView()
    /// All messages of the server below this cursor have been shown to the app.
    public var cursor: Cursor
    /// The receive cursor that a new process starts with, read from storage.
    public var persisted: Cursor
    /// The server has confirmed all messages of the app below this cursor.
    public var acknowledged: Cursor
    /// The app has produced all its messages below this cursor.
    public var produced: Cursor
    /// The app has stored all its messages below this cursor; a new process still has them.
    public var storedOutgoing: Cursor
    /// The app's messages below this cursor are never sent again, confirmed or not. If the app stores messages, it has
    /// removed these from storage.
    public var forgotten: Cursor
    /// `true` if the app is in the foreground.
    public var isForeground: Bool
    /// `true` if the battery is low, or the user has enabled saving: Android's battery saver, iOS's Low Power Mode.
    public var isBatterySaverOn = false
    /// `true` if the server can have the system's push service wake the app when it cannot reach the app otherwise.
    public var canBePushed = false
    /// The server epoch (incarnation) that `cursor` belongs to; 0 if none was stated.
    public var epoch: UInt32 = 0
    /// The server epoch (incarnation) that the cursor in storage belongs to; 0 if none was stated.
    public var persistedEpoch: UInt32 = 0
    /// Time at which the cursor was last written to storage; `.never` if it was not.
    public var persistedAt = Instant.never
    /// `true` if the app's messages carry keys that let a server detect duplicates.
    public var messagesHaveKeys = true
    public var random: Dice
    public private(set) var timers: TimerTable

    public init(random: Dice) {
        now = .zero
        cursor = .start
        persisted = .start
        acknowledged = .start
        produced = .start
        storedOutgoing = .start
        forgotten = .start
        isForeground = true
        self.random = random
        timers = TimerTable()
    }

    // Inlined, so that reading a field or two does not copy the whole session.
    @inlinable public var path: Interface? { network.path }
    @inlinable public var hasPath: Bool { network.path != nil }

    @inlinable public func now(_ clock: PhoneClock) -> Instant {
        switch clock {
        case .uptime: now - slept
        case .elapsed: now
        case .wall: now + wallShift
        }
    }

    /// Arms the timer in this slot, and replaces an earlier deadline there. A negative span counts as zero.
    public mutating func arm(
        _ slot: TimerSlot, after span: TimeSpan, on clock: PhoneClock = .elapsed, wake: WakePolicy = .none
    ) {
        timers.arm(slot, at: now(clock) + max(span, .zero), on: clock, wake: wake)
    }

    @inlinable public mutating func disarm(_ slot: TimerSlot) {
        if timers.isArmed(slot) { disarmArmed(slot) }
    }

    @usableFromInline mutating func disarmArmed(_ slot: TimerSlot) { timers.disarm(slot) }

    /// Frees the slot of a timer that has fired.
    /// - Returns: The timer as it was armed.
    @inlinable package mutating func popTimer(_ slot: TimerSlot) -> ArmedTimer {
        let timer = timers[slot]
        disarm(slot)
        return timer
    }

    public mutating func disarmAll() { timers.disarmAll() }

    @inline(__always) @inlinable public func isArmed(_ slot: TimerSlot) -> Bool { timers.isArmed(slot) }

    /// Called when the app's process ends: only stored values survive. If one of the app's messages was not stored, all
    /// of them are lost.
    /// - Parameter keepsAlarms: `true` if the system still wakes the app for its alarms and jobs.
    package mutating func restart(keepsAlarms: Bool) {
        for index in 0..<UInt8(TimerSlot.count) where !keepsAlarms || timers[TimerSlot(index)].wake == .none {
            disarm(TimerSlot(index))
        }
        cursor = persisted
        if storedOutgoing < produced {
            acknowledged = produced
            forgotten = produced
        }
        epoch = persistedEpoch
    }
}
