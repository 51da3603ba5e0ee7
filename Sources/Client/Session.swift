public import DeadzonePrimitives

/// What an app can know: its clock, whether the operating system names a network, its cursors, its timers, its own dice.
/// No radio state, no true health of a path.
public struct Session: Sendable, BitwiseCopyable {
    /// The phone's clock.
    public var now: Instant
    /// The default network according to the operating system.
    public var path: Interface?
    /// Everything below it has been shown to the app.
    public var cursor: Cursor
    /// The server has confirmed everything of ours below it.
    public var acknowledged: Cursor
    /// The app has asked to send everything below it.
    public var produced: Cursor
    /// The app is in the foreground.
    public var isForeground: Bool
    public var random: Dice
    public private(set) var deadlines: TimerDeadlines

    public init(random: Dice) {
        now = .zero
        path = nil
        cursor = .start
        acknowledged = .start
        produced = .start
        isForeground = true
        self.random = random
        deadlines = TimerDeadlines()
    }

    public var hasPath: Bool { path != nil }

    /// Arms the slot anew; an earlier deadline in it is forgotten. A span below zero is zero.
    public mutating func arm(_ slot: TimerSlot, after span: TimeSpan) { deadlines[slot] = now + max(span, .zero) }

    public mutating func disarm(_ slot: TimerSlot) { deadlines[slot] = .never }

    public mutating func disarmAll() { deadlines = TimerDeadlines() }

    public func isArmed(_ slot: TimerSlot) -> Bool { deadlines[slot] != .never }
}

/// The deadlines of the eight slots. Equal deadlines fire in the order of the slots. The earliest is kept, since it is asked
/// for at every event and changes only with an armed slot.
public struct TimerDeadlines: Sendable, BitwiseCopyable {
    private var storage = InlineArray<8, Instant>(repeating: .never)
    public private(set) var earliest: (at: Instant, slot: TimerSlot) = (.never, TimerSlot(0))

    public init() {}

    public subscript(slot: TimerSlot) -> Instant {
        get { storage[Int(slot.index)] }
        set {
            storage[Int(slot.index)] = newValue
            if slot == earliest.slot {
                rescan()
            } else if (newValue, slot.index) < (earliest.at, earliest.slot.index) {
                earliest = (newValue, slot)
            }
        }
    }

    private mutating func rescan() {
        var best = 0
        for index in 1..<TimerSlot.count where storage[index] < storage[best] { best = index }
        earliest = (storage[best], TimerSlot(UInt8(best)))
    }
}
