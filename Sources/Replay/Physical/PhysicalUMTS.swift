import DeadzoneDevice
import DeadzonePrimitives

/// UMTS, as its packets tell: the machine of `UMTSMachine`, with promotions that end at the packet.
///
///     idle ── promotion ──▶ FACH ── buffer over its limit: promotion ──▶ DCH
///      ▲      └──────────── much data, or no FACH for little ───────────▶│
///      └── FACH timer ─────  ▲  ◀───────────── DCH timer ────────────────┘
///
/// A promotion is cut where the range before it ends; from FACH it begins at the earliest with the packet before. Timers
/// must be exceeded, not met. Leaving a channel costs the power of the channel.
///
/// What cannot be seen: how much waited for a promotion together. The network decided on all of it, this decides packet by
/// packet.
struct PhysicalUMTS: PhysicalMachine {
    private enum Channel { case none, fach, dch }

    var book: LevelBook
    private let timers: UMTSTimers
    private let stampsAreOfQueue: Bool
    private let beginsAtFirst: Bool

    private var channel = Channel.none
    private var hasBegun = false
    private var last: Int64 = -farthest
    /// When the timer of the channel was last restarted.
    private var mark: Int64 = 0
    /// Until where time is in the books, and whether the range goes on.
    private var booked: Int64 = 0
    private var isNewRange = true
    private var trains = ByteTrains()

    init(
        _ profile: RadioProfile, _ timers: UMTSTimers, stamps: StampMeaning, window: (from: Int64?, until: Int64)
    ) {
        book = LevelBook(profile)
        self.timers = timers
        stampsAreOfQueue = stamps == .enqueue
        beginsAtFirst = window.from == nil
        book.from = window.from ?? -farthest
        book.until = window.until
    }

    mutating func fold(_ blip: Blip) {
        var blip = blip
        if blip.at < last { blip.at = last }
        if hasBegun { expire(until: blip.at) } else { booked = book.from }
        switch channel {
        case .none: leaveIdle(&blip)
        case .fach: carryOnFACH(&blip)
        case .dch: carryOnDCH(blip)
        }
        hasBegun = true
        last = blip.at
        book.count(blip, at: blip.at)
    }

    mutating func finish(_ end: ReplayWindow.End) {
        if hasBegun, case .lastPacket = end { book.until = last }
        guard hasBegun else {
            if case .moment = end {} else { book.until = book.from }
            if book.from < book.until { book.add(.idle, book.from, book.until) }
            return
        }
        expire(until: farthest)
        if case .tail = end { book.until = booked }
        book.add(.idle, booked, farthest)
    }

    // MARK: Silence

    /// Lets the timers run to the next packet.
    private mutating func expire(until now: Int64) {
        if channel == .dch {
            let end = mark + timers.dchInactivity.nanoseconds
            guard end < now else { return }
            spend(.dch, until: end + min(timers.dchToFACH.nanoseconds, now - end))
            channel = .fach
            mark = booked
            isNewRange = true
            trains = ByteTrains()
        }
        if channel == .fach {
            let end = mark + timers.fachInactivity.nanoseconds
            guard end < now else { return }
            spend(.fach, until: end + min(timers.fachToIdle.nanoseconds, now - end))
            channel = .none
            isNewRange = true
        }
    }

    private mutating func spend(_ level: PowerLevel, until end: Int64) {
        guard booked < end else { return }
        book.add(level, booked, end, isNew: isNewRange)
        booked = end
        isNewRange = false
    }

    // MARK: Packets

    private mutating func leaveIdle(_ blip: inout Blip) {
        trains = ByteTrains()
        trains.count(blip, gap: .max)
        let limit = (blip.isUp ? timers.up : timers.down).idleLimit
        guard let little = timers.idleToFACH, blip.bytes <= limit else {
            return promote([(.promotion, timers.idleToDCH)], to: .dch, &blip)
        }
        if isOverLimit {
            promote([(.fachPromotion, little), (.secondPromotion, timers.fachToDCH)], to: .dch, &blip)
        } else {
            promote([(.fachPromotion, little)], to: .fach, &blip)
        }
    }

    private mutating func carryOnFACH(_ blip: inout Blip) {
        let buffer = blip.isUp ? timers.up : timers.down
        trains.count(blip, gap: buffer.drain(trains.bytes(isUp: blip.isUp)).nanoseconds)
        guard isOverLimit else {
            spend(.fach, until: blip.at)
            mark = blip.at
            return
        }
        let earliest = max(booked, last)
        let mayShift = stampsAreOfQueue && blip.isUp
        spend(.fach, until: mayShift ? blip.at : max(earliest, blip.at - timers.fachToDCH.nanoseconds))
        promote([(.secondPromotion, timers.fachToDCH)], to: .dch, &blip)
    }

    private mutating func carryOnDCH(_ blip: Blip) {
        trains.count(blip, gap: timers.dchResetWindow.nanoseconds)
        trains.forget(before: blip.at, gap: timers.dchResetWindow.nanoseconds)
        spend(.dch, until: blip.at)
        if timers.dchResetBytes <= trains.largest { mark = blip.at }
    }

    private var isOverLimit: Bool { trains.isOver(up: timers.up.fachLimit, down: timers.down.fachLimit) }

    /// Steps that end at the packet, or with queued stamps begin there.
    private mutating func promote(
        _ steps: [(level: PowerLevel, length: TimeSpan)], to next: Channel, _ blip: inout Blip
    ) {
        let total = steps.reduce(0) { $0 + $1.length.nanoseconds }
        let mayShift = stampsAreOfQueue && blip.isUp
        if mayShift { blip.at += total }
        if !hasBegun, beginsAtFirst {
            book.from = blip.at - total
            booked = book.from
        }
        if channel == .none {
            isNewRange = true
            spend(.idle, until: max(booked, blip.at - total))
        }
        var begin = blip.at - total
        for step in steps {
            begin += step.length.nanoseconds
            isNewRange = true
            spend(step.level, until: min(begin, blip.at))
        }
        channel = next
        mark = blip.at
        booked = max(booked, blip.at)
        isNewRange = true
        if next == .dch { trains.touch(at: blip.at) }
    }
}

/// The bytes of packets that follow each other closely, in each direction.
struct ByteTrains: Sendable, BitwiseCopyable {
    private var up: UInt32 = 0
    private var down: UInt32 = 0
    private var upAt: Int64 = -farthest
    private var downAt: Int64 = -farthest

    func bytes(isUp: Bool) -> UInt32 { isUp ? up : down }

    var largest: UInt32 { max(up, down) }

    func isOver(up upLimit: UInt32, down downLimit: UInt32) -> Bool { upLimit < up || downLimit < down }

    /// Adds a packet to the train of its direction; after a longer gap it begins a new one.
    mutating func count(_ blip: Blip, gap: Int64) {
        func joined(_ bytes: UInt32, _ at: Int64) -> UInt32 {
            let (sum, overflow) = (gap < blip.at - at ? 0 : bytes).addingReportingOverflow(blip.bytes)
            return overflow ? .max : sum
        }
        if blip.isUp {
            up = joined(up, upAt)
            upAt = blip.at
        } else {
            down = joined(down, downAt)
            downAt = blip.at
        }
    }

    /// Trains whose last packet lies further back than the gap are over.
    mutating func forget(before now: Int64, gap: Int64) {
        if gap < now - upAt { up = 0 }
        if gap < now - downAt { down = 0 }
    }

    mutating func touch(at now: Int64) {
        upAt = now
        downAt = now
    }
}
