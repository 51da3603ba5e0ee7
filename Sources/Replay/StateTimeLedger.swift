import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// Adds up a radio's time in a replay: nanoseconds by power level, number of ranges by state, and bytes. It counts only
/// time within a window.
///
/// The times are integers, so the way a range was split does not matter. The price is computed once, at the end, as
/// everywhere.
struct StateTimeLedger: Sendable {
    var from = -farthest
    var until = farthest
    /// Indexed by raw value; the sizes equal the number of cases of `PowerLevel` and `RadioState`.
    private var slots = InlineArray<18, Slot>(repeating: Slot())
    private var ranges = InlineArray<12, Int>(repeating: 0)
    private var latest: RadioState?
    private var upBytes = 0
    private var downBytes = 0
    /// End of the recorded radio time, and end of the radio time charged to packets.
    private var booked = -farthest
    private var charged = -farthest
    /// Cost of the radio time before the latest packet (idle excluded), and of what that packet itself caused. The
    /// caller takes it for each packet. These are doubles; the bill does not use them.
    private var cost = PacketCost()
    /// Timeline of radio power; `nil` if none is recorded.
    var timeline: RadioTimeline?
    /// Bit masks of power levels: promotions, which end with the packet that caused them, and rest levels, which are
    /// charged to no packet.
    private let promotions: UInt32
    private let unchargedLevels: UInt32
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
        unchargedLevels = PowerLevel.allCases.reduce(0) { $1.isAtRest ? $0 | 1 << UInt32($1.rawValue) : $0 }
        joulesOfByteUp = profile.costUp.energy(ofBytes: 1).joules
        bitState = profile.bitState
        joulesOfByteDown = profile.costDown.energy(ofBytes: 1).joules
    }

    @inline(__always)
    mutating func takeCost() -> PacketCost {
        defer { cost = PacketCost() }
        return cost
    }

    mutating func end(_ ending: RadioReplay.AccountingEnd, since origin: Timestamp) {
        if from == -farthest { from = 0 }
        switch ending {
        case .at(let stamp): until = max(from, stamp.nanoseconds(since: origin))
        case .lasting(let length): until = from + length.nanoseconds
        }
    }

    // MARK: Radio time

    /// Starts the window at the end of this period.
    mutating func begin(after period: Residency?) {
        booked += period?.span.nanoseconds ?? 0
        from = booked
    }

    /// Adds a period after the previous one.
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
        if timeline != nil { timeline?.addTime(state, first, last, watts: slots[place].watts) }
        charge(period.level, until: booked)
    }

    /// End of the recorded radio time, or the beginning of the window if that is later.
    var bookedInWindow: Int64 { max(booked, from) }

    /// Adds flowing time up to `end`, which is within the window. It was already charged to its packets.
    /// - Parameter up: The part of the time in which bits flowed up.
    mutating func addFlowing(up: Int64, until end: Int64) {
        let span = end &- bookedInWindow
        booked = end
        guard span > 0 else { return }
        slots[Int(PowerLevel.activeUp.rawValue)].nanoseconds &+= up
        slots[Int(PowerLevel.activeDown.rawValue)].nanoseconds &+= span &- up
        guard latest != .active else { return }
        ranges[Int(RadioState.active.rawValue)] += 1
        latest = .active
    }

    /// Adds a period before a burst; its ranges were already counted.
    mutating func addCounted(_ period: Residency?) {
        latest = period?.level.state
        add(period)
        latest = .active
    }

    /// Starts a burst. A single packet flows for no time but counts as a range of its own.
    /// - Parameter state: The state before the burst, if its time is recorded later with the time that follows.
    @inline(__always)
    mutating func beginBurst(at now: Int64, after state: RadioState? = nil) {
        guard from <= now, now <= until else { return }
        if let state, from < now { ranges[Int(state.rawValue)] += 1 }
        ranges[Int(RadioState.active.rawValue)] += 1
        latest = .active
    }

    /// `true` if no timeline is recorded.
    var hasNoTimeline: Bool { timeline == nil }

    /// Charges radio time up to now to the current packet cost; the time itself is recorded later with more of its
    /// level.
    @inline(__always)
    mutating func accrue(_ level: PowerLevel, until now: Int64) {
        let span = min(now, until) &- max(charged, from)
        charged = now
        if span > 0 { cost.before += Double(span) * 1e-9 * slots[Int(level.rawValue)].watts }
    }

    private mutating func charge(_ level: PowerLevel, until end: Int64) {
        guard charged < end else { return }
        let bit: UInt32 = 1 << UInt32(level.rawValue)
        let before = cost.before
        accrue(level, until: end)
        guard (promotions | unchargedLevels) & bit != 0 else { return }
        if promotions & bit != 0 { cost.own += cost.before - before }
        cost.before = before
    }

    /// Power of the level at which bits flow up or down, and energy of a byte.
    func price(isUp: Bool) -> TransferPrice {
        let level = isUp ? PowerLevel.activeUp : .activeDown
        return TransferPrice(
            watts: slots[Int(level.rawValue)].watts, joulesOfByte: isUp ? joulesOfByteUp : joulesOfByteDown)
    }

    /// Counts packets that are already charged up to the last of them.
    @inline(__always)
    mutating func count(upBytes up: Int, downBytes down: Int, until last: Int64) {
        upBytes &+= up
        downBytes &+= down
        charged = last
    }

    @inline(__always)
    mutating func count(_ replayPacket: ReplayPacket, at now: Int64) {
        guard from <= now, now <= until else { return }
        // No branch on the direction: it alternates too often to be predicted.
        let up = replayPacket.isUp ? Int(replayPacket.bytes) : 0
        upBytes &+= up
        downBytes &+= Int(replayPacket.bytes) &- up
        let bits = Double(replayPacket.bytes) * (replayPacket.isUp ? joulesOfByteUp : joulesOfByteDown)
        cost.own += bits
        if timeline != nil { timeline?.count(replayPacket, at: now, bitState, joules: bits) }
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
        let priced = EnergyBill(ledger, on: interface, profile)
        var bill = RadioBill()
        bill.idling = priced.idling.joules
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

struct TransferPrice {
    let watts: Double
    let joulesOfByte: Double
}

extension Energy {
    var joules: Double { Double(femtojoules) / 1e15 }
}
