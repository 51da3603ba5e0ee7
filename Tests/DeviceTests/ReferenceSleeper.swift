import DeadzoneBase
import DeadzoneDevice

/// Reference model of a device with PSM or eDRX. It evaluates every millisecond anew, and finds paging occasions by
/// trying each millisecond. Its profile has a tail of one step, no DRX while connected, and times in milliseconds.
struct ReferenceSleeper {
    private enum Condition: Equatable {
        /// Since its release.
        case resting(since: Int)
        case promoting(until: Int)
        case updating(until: Int)
        case connected
    }

    private let timers: CellularTimers
    private let offset: Int
    private var condition = Condition.resting(since: 0)
    private var wakesAt: Int?
    private var heldUp: [Int] = []
    private var heldDown: [Int] = []
    private var upUntil = 0
    private var downUntil = 0
    private(set) var promotions = 0
    private(set) var times: [PowerLevel: Int] = [:]
    private var now = 0

    init(_ timers: CellularTimers, offset: Int) {
        self.timers = timers
        self.offset = offset
    }

    private func milliseconds(_ span: TimeSpan) -> Int { Int(span.nanoseconds / 1_000_000) }

    private func listens(_ at: Int) -> Bool {
        let paging = milliseconds(timers.paging.period)
        let cycle = milliseconds(timers.saving.extendedCycle)
        guard cycle > 0 else { return (at - offset) % paging == 0 }
        let into = ((at - offset) % cycle + cycle) % cycle
        return into < milliseconds(timers.saving.window) && into % paging == 0
    }

    private var hasHeld: Bool { !heldUp.isEmpty || !heldDown.isEmpty }

    /// Spends all milliseconds before `end`.
    mutating func run(until end: Int) {
        while now < end {
            change()
            times[level, default: 0] += 1
            now += 1
        }
        change()
    }

    /// Changes what is due at this millisecond.
    private mutating func change() {
        if case .promoting(let end) = condition, end == now { open() }
        if case .updating(let end) = condition, end == now {
            if hasHeld { open() } else { condition = .resting(since: now) }
        }
        if condition == .connected, !hasHeld, now == max(upUntil, downUntil) + milliseconds(timers.tail.end) {
            condition = .resting(since: now)
        }
        guard case .resting(let since) = condition else { return }
        if wakesAt == now { promote() }
        if timers.saving.updateInterval > .zero, now == since + milliseconds(timers.saving.updateInterval) {
            condition = .updating(until: now + milliseconds(timers.saving.updateTime))
            promotions += 1
        }
    }

    private mutating func promote() {
        wakesAt = nil
        condition = .promoting(until: now + milliseconds(timers.promotion))
        promotions += 1
    }

    private mutating func open() {
        condition = .connected
        (upUntil, downUntil) = (max(upUntil, now), max(downUntil, now))
        upUntil += heldUp.reduce(0, +)
        downUntil += heldDown.reduce(0, +)
        (heldUp, heldDown) = ([], [])
    }

    private var level: PowerLevel {
        switch condition {
        case .resting(let since):
            let isAsleep = timers.saving.updateInterval > .zero && now >= since + milliseconds(timers.saving.activeTime)
            return isAsleep ? .powerSaving : .idle
        case .promoting, .updating: return .promotion
        case .connected: return now < upUntil ? .activeUp : now < downUntil ? .activeDown : .tail
        }
    }

    /// Accepts data now. Returns the millisecond from which it flows, as far as it is known.
    mutating func carry(_ direction: Direction, airtime: Int) -> Int {
        if condition == .connected {
            if direction == .up {
                upUntil = max(upUntil, now) + airtime
            } else {
                downUntil = max(downUntil, now) + airtime
            }
            return now
        }
        if direction == .up { heldUp.append(airtime) } else { heldDown.append(airtime) }
        switch condition {
        case .promoting(let end), .updating(let end): return end
        case .connected: return now
        case .resting(let since): return rest(direction, since)
        }
    }

    private mutating func rest(_ direction: Direction, _ since: Int) -> Int {
        if direction == .up {
            promote()
            return now + milliseconds(timers.promotion)
        }
        let update = since + milliseconds(timers.saving.updateInterval)
        let asleep =
            timers.saving.updateInterval > .zero ? since + milliseconds(timers.saving.activeTime) : Int.max
        var occasion = now
        while occasion < min(asleep, now + 100_000), !listens(occasion) { occasion += 1 }
        guard occasion < asleep else { return update + milliseconds(timers.saving.updateTime) }
        if occasion == now { promote() } else { wakesAt = min(wakesAt ?? .max, occasion) }
        return occasion + milliseconds(timers.promotion)
    }
}
