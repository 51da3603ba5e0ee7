public import DeadzoneBase

/// The deadline of an armed timer, its clock, and whether it wakes the phone.
public struct ArmedTimer: Hashable, Sendable, BitwiseCopyable {
    /// Time at which the timer fires, by its own clock; `.never` if it is disarmed.
    public var at: Instant
    public var clock: PhoneClock
    public var wake: WakePolicy
}

/// The twelve timers of a strategy on one phone. Equal deadlines fire in the order of the slots. The earliest deadline
/// is cached, because it is read at every event and changes only when a slot is armed. The cached value is meaningful
/// only while all clocks agree.
public struct TimerTable: Sendable, BitwiseCopyable {
    package private(set) var earliest: (at: Instant, slot: TimerSlot) = (.never, TimerSlot(0))
    /// Number of changes of the table, so that code with cached deadlines can detect when they are stale.
    package private(set) var version: UInt32 = 0
    /// The armed timers, one bit for each slot.
    @usableFromInline private(set) var armed: UInt16 = 0
    private var means = InlineArray<12, TimerMode>(repeating: TimerMode(clock: .elapsed, wake: .none))
    private var ats = TwelveInstants()

    private struct TimerMode: BitwiseCopyable {
        var clock: PhoneClock
        var wake: WakePolicy
    }

    @usableFromInline package init() {}

    public subscript(slot: TimerSlot) -> ArmedTimer {
        let means = means[Int(slot.index)]
        return ArmedTimer(at: ats[slot.index], clock: means.clock, wake: means.wake)
    }

    @inline(__always) @inlinable func isArmed(_ slot: TimerSlot) -> Bool { armed & 1 << UInt16(slot.index) != 0 }

    mutating func arm(_ slot: TimerSlot, at deadline: Instant, on clock: PhoneClock, wake: WakePolicy) {
        means[Int(slot.index)] = TimerMode(clock: clock, wake: wake)
        set(slot, deadline)
        if slot == earliest.slot {
            rescan()
        } else if (deadline, slot.index) < (earliest.at, earliest.slot.index) {
            earliest = (deadline, slot)
        }
    }

    mutating func disarm(_ slot: TimerSlot) {
        guard isArmed(slot) else { return }
        set(slot, .never)
        if slot == earliest.slot { rescan() }
    }

    mutating func disarmAll() {
        let next = version &+ 1
        self = TimerTable()
        version = next
    }

    @inline(__always)
    private mutating func set(_ slot: TimerSlot, _ deadline: Instant) {
        ats[slot.index] = deadline
        let bit: UInt16 = 1 << UInt16(slot.index)
        armed = deadline == .never ? armed & ~bit : armed | bit
        version &+= 1
    }

    private mutating func rescan() {
        earliest = (ats[0], TimerSlot(0))
        var rest = armed & ~1
        while rest != 0 {
            let slot = UInt8(rest.trailingZeroBitCount)
            if ats[slot] < earliest.at { earliest = (ats[slot], TimerSlot(slot)) }
            rest &= rest - 1
        }
    }
}

/// Twelve instants as a tuple, not as an `InlineArray`: to read an element of an `InlineArray`, the compiler copies the
/// whole array.
private struct TwelveInstants: BitwiseCopyable {
    private var all:
        (
            Instant, Instant, Instant, Instant, Instant, Instant, Instant, Instant, Instant, Instant, Instant, Instant
        ) = (.never, .never, .never, .never, .never, .never, .never, .never, .never, .never, .never, .never)

    subscript(index: UInt8) -> Instant {
        get {
            switch index {
            case 0: all.0
            case 1: all.1
            case 2: all.2
            case 3: all.3
            case 4: all.4
            case 5: all.5
            case 6: all.6
            case 7: all.7
            case 8: all.8
            case 9: all.9
            case 10: all.10
            default: all.11
            }
        }
        set {
            precondition(index < TimerSlot.count, "timer slot \(index) of \(TimerSlot.count)")
            withUnsafeMutableBytes(of: &all) {
                $0.storeBytes(of: newValue, toByteOffset: Int(index) * MemoryLayout<Instant>.stride, as: Instant.self)
            }
        }
    }
}
