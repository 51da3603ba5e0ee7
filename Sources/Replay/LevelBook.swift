import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// Nanoseconds, ranges and bytes by power level, of what lies within a window. Integers, so that it does not matter how a
/// range was cut; priced once, at the end.
struct LevelBook: Sendable {
    var from = -farthest
    var until = farthest
    /// By raw value; `PowerLevel` has as many cases.
    private var slots = InlineArray<17, Slot>(repeating: Slot())
    private var upBytes = 0
    private var downBytes = 0
    /// What radio time before the latest packet cost, idle apart, and what that packet itself caused. Whoever listens
    /// takes them away; they are doubles, and nothing of the bill comes from them.
    private var before = 0.0
    /// Kept where somebody draws.
    var timeline: RadioTimeline?
    private var own = 0.0
    /// Levels that end with the packet that asked for them, a bit for each.
    private let promotions: UInt32
    private let joulesOfByteUp: Double
    private let joulesOfByteDown: Double
    private let bitState: RadioState

    private struct Slot: Sendable, BitwiseCopyable {
        var watts = 0.0
        var nanoseconds: Int64 = 0
        var count = 0
    }

    init(_ profile: RadioProfile) {
        for level in PowerLevel.allCases { slots[Int(level.rawValue)].watts = profile.power(level).watts }
        let ending: [PowerLevel] =
            profile.technology == .umts ? [.promotion, .fachPromotion, .secondPromotion] : [.promotion]
        promotions = ending.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
        joulesOfByteUp = profile.costUp.energy(ofBytes: 1).joules
        bitState = profile.bitState
        joulesOfByteDown = profile.costDown.energy(ofBytes: 1).joules
    }

    @inline(__always)
    mutating func takeToll() -> Toll {
        defer { (before, own) = (0, 0) }
        return Toll(before: before, own: own)
    }

    /// Radio time that will be booked later with more of its kind.
    @inline(__always)
    mutating func share(_ level: PowerLevel, _ begin: Int64, _ end: Int64) {
        let span = min(end, until) &- max(begin, from)
        if span > 0 { before += Double(span) * 1e-9 * slots[Int(level.rawValue)].watts }
    }

    mutating func end(_ ending: RadioReplay.Ending, since origin: Stamp) {
        if from == -farthest { from = 0 }
        switch ending {
        case .at(let stamp): until = max(from, stamp.nanoseconds(since: origin))
        case .lasting(let length): until = from + length.nanoseconds
        }
    }

    /// A range, or a part of one.
    mutating func add(_ level: PowerLevel, _ begin: Int64, _ end: Int64, isNew: Bool = true, isShared: Bool = false) {
        let first = max(begin, from)
        let last = min(end, until)
        // A range without length counts (a lone packet is one), one that only touches the window does not.
        guard first < last || (begin == end && first == last) else { return }
        let place = Int(level.rawValue)
        slots[place].nanoseconds += last - first
        if isNew { slots[place].count += 1 }
        if timeline != nil { timeline?.spend(level.state, first, last, watts: slots[place].watts) }
        guard !isShared, level != .idle else { return }
        let joules = Double(last - first) * 1e-9 * slots[place].watts
        if promotions & 1 << UInt32(level.rawValue) != 0 { own += joules } else { before += joules }
    }

    @inline(__always)
    mutating func count(_ blip: Blip, at now: Int64) {
        guard from <= now, now <= until else { return }
        // No fork on the direction: it changes with every other packet.
        let up = blip.isUp ? Int(blip.bytes) : 0
        upBytes &+= up
        downBytes &+= Int(blip.bytes) &- up
        let bits = Double(blip.bytes) * (blip.isUp ? joulesOfByteUp : joulesOfByteDown)
        own += bits
        if timeline != nil { timeline?.count(blip, at: now, bitState, joules: bits) }
    }

    func bill(_ profile: RadioProfile) -> RadioBill {
        var bill = RadioBill()
        for level in PowerLevel.allCases {
            let slot = slots[Int(level.rawValue)]
            guard slot.count > 0 || slot.nanoseconds > 0 else { continue }
            bill.add(
                level.state, count: slot.count, seconds: Double(slot.nanoseconds) / 1e9,
                joules: profile.power(level).energy(over: .nanoseconds(slot.nanoseconds)).joules)
        }
        let bits =
            profile.costUp.energy(ofBytes: Int64(upBytes)).joules
            + profile.costDown.energy(ofBytes: Int64(downBytes)).joules
        bill.seconds = until > from && from > -farthest ? Double(until - from) / 1e9 : 0
        if upBytes + downBytes > 0 { bill.add(profile.bitState, count: 0, seconds: 0, joules: bits) }
        return bill
    }
}

extension Energy {
    var joules: Double { Double(femtojoules) / 1e15 }
}
