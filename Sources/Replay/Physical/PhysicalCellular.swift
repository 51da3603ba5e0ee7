import DeadzoneDevice
import DeadzonePrimitives

/// LTE and NR, as their packets tell: the state durations of ARO's LTE machine, with correct energy.
///
///     idle ── promotion, ending at the packet ──▶ active: first to last packet of a burst
///      ▲                                            ▲ │ silence over the inactivity timer
///      └── tail over ─── the steps of the tail ◀────┼─┘
///                                └── next packet ───┘
///
/// A packet's stamp is the moment at which its data flowed, so a promotion lies before it, cut where the range before it
/// ends. Timers must be exceeded, not met. What the profile has beyond LTE is kept: the NR leg is added while data flows
/// (its time is charged first), and added anew for data in the second tail; after the tail the phone may stay
/// RRC_INACTIVE, from where it resumes.
///
/// Where only the mean power of a whole tail was measured, it holds from the last bit on, silence before DRX included. Then
/// a burst is what flows: packets no further apart than `flowGap`. Otherwise every wait for an answer would be charged as
/// if bits flowed, and simulated packets would come back 2 to 5 % dearer than they were.
struct PhysicalCellular: BurstMachine {
    /// A full packet takes so long at 600 kbit/s; a round trip takes longer.
    static let flowGap = TimeSpan.milliseconds(20)

    var book: LevelBook
    private let timers: CellularTimers
    /// The steps of the tail that are entered, each until so long after the last packet.
    private let steps: [(level: PowerLevel, until: Int64)]
    private let tailLength: Int64
    let longestGap: Int64
    private let stampsAreOfQueue: Bool
    private let beginsAtFirst: Bool

    var course = BurstCourse()
    /// When the NR leg is up.
    private var switchedAt: Int64 = -farthest
    private var isNewSwitch = false
    private var outages = Outages()

    init(
        _ profile: RadioProfile, _ timers: CellularTimers, stamps: StampMeaning, window: (from: Int64?, until: Int64)
    ) {
        book = LevelBook(profile)
        self.timers = timers
        tailLength = timers.tail.end.nanoseconds
        steps = Self.steps(timers.tail)
        let hasInactivityPower = timers.tail.step(after: timers.drx.inactivity).level != .tail
        longestGap = (hasInactivityPower ? timers.drx.inactivity : Self.flowGap).nanoseconds
        stampsAreOfQueue = stamps == .enqueue
        beginsAtFirst = window.from == nil
        book.from = window.from ?? -farthest
        book.until = window.until
    }

    private static func steps(_ tail: TailLadder) -> [(level: PowerLevel, until: Int64)] {
        var steps: [(level: PowerLevel, until: Int64)] = []
        var silence = TimeSpan.zero
        while silence < tail.end {
            let step = tail.step(after: silence)
            steps.append((step.level, step.until.nanoseconds))
            silence = step.until
        }
        return steps
    }

    var tailEnd: Int64 { @inline(__always) get { min(course.last + tailLength, lostAt) } }

    /// When the network goes away next.
    private var lostAt: Int64 { @inline(__always) get { outages.begin(from: course.last) } }

    mutating func lose(from: Int64, until: Int64) { outages.add(from, until, now: course.last) }

    @inline(__always) func measure(_ bytes: UInt32, at now: Int64) {}

    @inline(__always)
    mutating func share(_ level: PowerLevel, until now: Int64) {
        if course.last < switchedAt { book.share(.secondPromotion, course.last, min(now, switchedAt)) }
        book.share(level, max(course.last, switchedAt), now)
    }

    @inline(never)
    mutating func begin(_ blip: inout Blip) {
        let releasedLeg = course.hasBegun ? endBurstAndRest(until: blip.at) : nil
        if releasedLeg == nil { promote(&blip) }
        if releasedLeg != false, .zero < timers.secondPromotion {
            switchedAt = blip.at + timers.secondPromotion.nanoseconds
            isNewSwitch = true
        }
    }

    // MARK: Silence

    /// Nil: the tail was over. Else whether the second leg was released meanwhile.
    private mutating func endBurstAndRest(until now: Int64) -> Bool? {
        endBurst()
        if rest(until: now) < now { return nil }
        return .zero < timers.secondPromotion && switchedAt <= now
            && timers.tail.step(after: .nanoseconds(now - course.last)).level == .secondTail
    }

    /// The steps of the tail, cut at the next packet; gives back where they ended.
    mutating func rest(until now: Int64) -> Int64 {
        var begin = course.last
        let end = min(tailEnd, now)
        for step in steps {
            guard begin < end else { break }
            let stepEnd = min(course.last + step.until, end)
            spend(step.level, begin, stepEnd)
            begin = stepEnd
        }
        // The NR leg can take longer to add than a short tail lasts.
        let added = min(switchedAt, now, lostAt)
        if begin < added {
            spend(.secondPromotion, begin, added, isNew: isNewSwitch)
            begin = added
        }
        return begin
    }

    /// From idle, or from RRC_INACTIVE, to the packet.
    private mutating func promote(_ blip: inout Blip) {
        let released = course.hasBegun ? min(max(tailEnd, switchedAt), lostAt) : nil
        // Nothing waits in RRC_INACTIVE for a network that has gone.
        let idleFrom = released.map { min($0 + timers.inactive.nanoseconds, lostAt) }
        let mayShift = stampsAreOfQueue && blip.isUp
        func length(_ span: TimeSpan) -> Int64 { mayShift ? 0 : span.nanoseconds }
        if let released, let idleFrom, released < idleFrom, blip.at - length(timers.resume) < idleFrom {
            let begins = max(released, blip.at - length(timers.resume))
            spend(.inactive, released, begins)
            if mayShift { blip.at += timers.resume.nanoseconds }
            spend(.promotion, begins, blip.at)
            return
        }
        if let released, let idleFrom, released < idleFrom { spend(.inactive, released, idleFrom) }
        let begins = max(idleFrom ?? book.from, blip.at - length(timers.promotion))
        if idleFrom == nil, beginsAtFirst { book.from = begins }
        let idleSince = idleFrom ?? book.from
        if idleSince < begins { idle(idleSince, begins) }
        if mayShift { blip.at += timers.promotion.nanoseconds }
        spend(.promotion, begins, blip.at)
    }

    /// In idle, but for stretches without a network.
    mutating func idle(_ begin: Int64, _ end: Int64) {
        var begin = begin
        while begin < end {
            let (level, border) = outages.level(at: begin)
            book.add(level, begin, min(border, end))
            begin = border
        }
    }

    /// Puts a stretch into the books; while the NR leg is being added, that is what it costs.
    mutating func spend(
        _ level: PowerLevel, _ begin: Int64, _ end: Int64, isNew: Bool = true, isShared: Bool = false
    ) {
        guard begin < switchedAt, level != .secondPromotion, level != .idle, level != .promotion else {
            return book.add(level, begin, end, isNew: isNew, isShared: isShared)
        }
        let border = min(end, switchedAt)
        book.add(.secondPromotion, begin, border, isNew: isNewSwitch, isShared: isShared)
        isNewSwitch = false
        if border < end || begin == end { book.add(level, border, end, isNew: isNew, isShared: isShared) }
    }
}
