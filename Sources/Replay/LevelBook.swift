import DeadzoneCaptures
import DeadzoneDevice
import DeadzonePrimitives

/// Nanoseconds by power level, ranges by state and bytes, of what lies within a window. Integers, so that it does not matter
/// how a range was cut; priced once, at the end, as everywhere.
struct LevelBook: Sendable {
    var from = -farthest
    var until = farthest
    /// By raw value; `PowerLevel` has as many cases, and `RadioState`.
    private var slots = InlineArray<17, Slot>(repeating: Slot())
    private var ranges = InlineArray<11, Int>(repeating: 0)
    private var latest: RadioState?
    private var upBytes = 0
    private var downBytes = 0
    /// Until where radio time is in the books, and until where it has been charged to packets.
    private var booked = -farthest
    private var charged = -farthest
    /// What radio time before the latest packet cost, idle apart, and what that packet itself caused. Whoever listens
    /// takes them away; they are doubles, and nothing of the bill comes from them.
    private var toll = Toll()
    /// Kept where somebody draws.
    var timeline: RadioTimeline?
    /// Levels that end with the packet that asked for them, and those that nobody asks for, a bit for each.
    private let promotions: UInt32
    private let nobodys: UInt32
    private let joulesOfByteUp: Double
    private let joulesOfByteDown: Double
    private let bitState: RadioState

    private struct Slot: Sendable, BitwiseCopyable {
        var watts = 0.0
        var nanoseconds: Int64 = 0
    }

    init(_ profile: RadioProfile) {
        for level in PowerLevel.allCases { slots[Int(level.rawValue)].watts = profile.power(level).watts }
        let ending: [PowerLevel] =
            profile.technology == .umts ? [.promotion, .fachPromotion, .secondPromotion] : [.promotion]
        promotions = ending.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
        nobodys = PowerLevel.allCases.reduce(0) { $1.isAtRest ? $0 | 1 << UInt32($1.rawValue) : $0 }
        joulesOfByteUp = profile.costUp.energy(ofBytes: 1).joules
        bitState = profile.bitState
        joulesOfByteDown = profile.costDown.energy(ofBytes: 1).joules
    }

    @inline(__always)
    mutating func takeToll() -> Toll {
        defer { toll = Toll() }
        return toll
    }

    mutating func end(_ ending: RadioReplay.Ending, since origin: Stamp) {
        if from == -farthest { from = 0 }
        switch ending {
        case .at(let stamp): until = max(from, stamp.nanoseconds(since: origin))
        case .lasting(let length): until = from + length.nanoseconds
        }
    }

    // MARK: Radio time

    /// The window begins where this period ends.
    mutating func begin(after period: Residency?) {
        booked += period?.span.nanoseconds ?? 0
        from = booked
    }

    /// A period that follows those before.
    mutating func add(_ period: Residency?) {
        guard let period else { return }
        let first = max(booked, from)
        booked += period.span.nanoseconds
        let last = min(booked, until)
        guard first < last else { return }
        let place = Int(period.level.rawValue)
        let state = period.level.state
        slots[place].nanoseconds += last - first
        if latest != state {
            ranges[Int(state.rawValue)] += 1
            latest = state
        }
        if timeline != nil { timeline?.spend(state, first, last, watts: slots[place].watts) }
        charge(period.level, until: booked)
    }

    /// The open period of a radio whose bits flow, at a level that its packets have paid for.
    @inline(__always)
    mutating func addFlowing(_ level: PowerLevel, until end: Int64) {
        let begin = max(booked, from)
        booked = end
        let last = min(end, until)
        guard begin < last else { return }
        slots[Int(level.rawValue)].nanoseconds &+= last &- begin
        guard latest != .active else { return }
        ranges[Int(RadioState.active.rawValue)] += 1
        latest = .active
    }

    /// A period whose ranges were counted as they came, up to a burst.
    mutating func addCounted(_ period: Residency?) {
        latest = period?.level.state
        add(period)
        latest = .active
    }

    /// Bits of a lone packet flow for no time, and are a range of their own.
    /// - Parameter state: what went on before and will be booked with what follows.
    @inline(__always)
    mutating func beginBurst(at now: Int64, after state: RadioState? = nil) {
        guard from <= now, now <= until else { return }
        if let state, from < now { ranges[Int(state.rawValue)] += 1 }
        ranges[Int(RadioState.active.rawValue)] += 1
        latest = .active
    }

    /// Nobody draws.
    var isPlain: Bool { timeline == nil }

    /// Says who pays for radio time that will be booked with more of its kind.
    @inline(__always)
    mutating func share(_ level: PowerLevel, until now: Int64) {
        let span = min(now, until) &- max(charged, from)
        charged = now
        if span > 0 { toll.before += Double(span) * 1e-9 * slots[Int(level.rawValue)].watts }
    }

    private mutating func charge(_ level: PowerLevel, until end: Int64) {
        guard charged < end else { return }
        let bit: UInt32 = 1 << UInt32(level.rawValue)
        let before = toll.before
        share(level, until: end)
        guard (promotions | nobodys) & bit != 0 else { return }
        if promotions & bit != 0 { toll.own += toll.before - before }
        toll.before = before
    }

    /// Of the level at which bits flow up or down, and of a byte.
    func price(isUp: Bool) -> FlowPrice {
        let level = isUp ? PowerLevel.activeUp : .activeDown
        return FlowPrice(
            watts: slots[Int(level.rawValue)].watts, joulesOfByte: isUp ? joulesOfByteUp : joulesOfByteDown)
    }

    /// Packets that have paid for everything up to the last of them.
    @inline(__always)
    mutating func count(upBytes up: Int, downBytes down: Int, until last: Int64) {
        upBytes &+= up
        downBytes &+= down
        charged = last
    }

    @inline(__always)
    mutating func count(_ blip: Blip, at now: Int64) {
        guard from <= now, now <= until else { return }
        // No fork on the direction: it changes with every other packet.
        let up = blip.isUp ? Int(blip.bytes) : 0
        upBytes &+= up
        downBytes &+= Int(blip.bytes) &- up
        let bits = Double(blip.bytes) * (blip.isUp ? joulesOfByteUp : joulesOfByteDown)
        toll.own += bits
        if timeline != nil { timeline?.count(blip, at: now, bitState, joules: bits) }
    }

    // MARK: The price

    func bill(_ profile: RadioProfile) -> RadioBill {
        let interface = profile.interface
        var ledger = Ledger()
        for level in PowerLevel.allCases {
            ledger.add(.nanoseconds(slots[Int(level.rawValue)].nanoseconds), at: level, for: .payload, on: interface)
        }
        ledger.add(bytes: Int64(upBytes), .up, for: .payload, on: interface)
        ledger.add(bytes: Int64(downBytes), .down, for: .payload, on: interface)
        let priced = Bill(ledger, on: interface, profile)
        var bill = RadioBill()
        bill.seconds = until > from && from > -farthest ? Double(until - from) / 1e9 : 0
        for state in RadioState.allCases {
            let (count, span) = (ranges[Int(state.rawValue)], ledger.time(in: state, on: interface))
            let hasBits = state == bitState && upBytes + downBytes > 0
            guard count > 0 || .zero < span || hasBits else { continue }
            bill.add(
                state, count: count, seconds: Double(span.nanoseconds) / 1e9, joules: priced.energy(in: state).joules)
        }
        return bill
    }
}

struct FlowPrice {
    let watts: Double
    let joulesOfByte: Double
}

extension Energy {
    var joules: Double { Double(femtojoules) / 1e15 }
}
