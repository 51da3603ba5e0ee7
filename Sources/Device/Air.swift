import DeadzonePrimitives

/// The bits on the air, or held until it opens, in both directions, and who pays for them. Bursts of one direction follow
/// each other.
struct Air: Sendable, BitwiseCopyable {
    /// When held data flows; once it does, when the latest burst was put on the air.
    private(set) var opensAt: Instant
    private(set) var upUntil: Instant
    private(set) var downUntil: Instant
    private(set) var isHolding = false
    /// Of the last bit; of bursts of one moment that of the larger one, whatever the rates: what was measured as a download
    /// had its acknowledgements, and packets tell their bytes.
    private(set) var lastDirection = Direction.down
    /// Bytes of the burst of the latest moment that decided on it.
    private var largest: UInt32 = 0
    private(set) var payers = Payers()

    init(at now: Instant) {
        opensAt = now
        upUntil = now
        downUntil = now
    }

    var lastBit: Instant { max(upUntil, downUntil) }

    /// Puts a burst on the air, now open if it was not. Returns everyone who had a part in the connection.
    @inline(__always)
    mutating func flow(_ burst: Burst, at now: Instant, joining sharers: CauseSet) -> CauseSet {
        if isHolding {
            reopen(at: now)
            isHolding = false
        }
        append(burst, at: now)
        opensAt = now
        return payers.flow(burst.cause, joining: sharers)
    }

    @inline(__always)
    private mutating func append(_ burst: Burst, at now: Instant) {
        let end = max(until(burst.direction), now) + burst.airtime
        if now != opensAt { largest = 0 }
        let decides = largest > 0 ? burst.outweighs(largest) : lastBit <= end
        if decides { (lastDirection, largest) = (burst.direction, burst.weight) }
        extend(burst.direction, until: end)
    }

    private func until(_ direction: Direction) -> Instant { direction == .up ? upUntil : downUntil }

    /// The direction is busy at least until then.
    mutating func occupy(_ direction: Direction, until end: Instant) {
        if lastBit <= end { lastDirection = direction }
        extend(direction, until: end)
    }

    private mutating func extend(_ direction: Direction, until end: Instant) {
        switch direction {
        case .up: upUntil = max(upUntil, end)
        case .down: downUntil = max(downUntil, end)
        }
    }

    /// Keeps a burst until the air opens; what is held already decides when that is.
    mutating func hold(_ burst: Burst, until opening: Instant) -> Carried {
        if !isHolding {
            clear(at: opening)
            isHolding = true
        }
        append(burst, at: opensAt)
        payers.hold(burst.cause)
        return Carried(flowsAt: opensAt, airtime: burst.airtime)
    }

    /// Keeps a burst that the radio is to wake for. The first one says when, and whoever needs it earlier: a paged phone that
    /// has something to say itself does not wait for its occasion.
    mutating func hold(_ burst: Burst, wakingAt start: Instant, for promotion: TimeSpan, _ meter: inout Meter)
        -> Carried
    {
        if !isHolding || start < meter.next {
            payers.starter = burst.cause
            meter.next = start
            if isHolding { reopen(at: start + promotion) }
        }
        return hold(burst, until: start + promotion)
    }

    /// Held data flows at another moment than was thought.
    mutating func reopen(at opening: Instant) {
        let shift = opening - opensAt
        opensAt = opening
        upUntil += shift
        downUntil += shift
    }

    /// What was held flows. Returns everyone who had a part in the connection.
    mutating func open(joining sharers: CauseSet) -> CauseSet {
        isHolding = false
        return payers.open(joining: sharers)
    }

    /// The latest data has the radio promote again.
    mutating func startAnew() { payers.starter = payers.latest }

    mutating func start(for cause: Cause) { payers.starter = cause }

    /// It opens to the first bit, without a wait.
    mutating func beginAnew(for cause: Cause, at now: Instant) {
        start(for: cause)
        clear(at: now)
    }

    /// Nothing flows, nothing is held.
    mutating func forget(at now: Instant) {
        clear(at: now)
        isHolding = false
        payers.forgetHeld()
    }

    private mutating func clear(at now: Instant) {
        opensAt = now
        upUntil = now
        downUntil = now
        largest = 0
    }

    /// A handover: bits that flow stop, to go on later; whatever else was to come comes so much later.
    mutating func pause(from now: Instant, until end: Instant) {
        let pause = end - now
        guard !isHolding, now < lastBit else { return reopen(at: opensAt + pause) }
        upUntil = now < upUntil ? upUntil + pause : end
        downUntil = now < downUntil ? downUntil + pause : end
        opensAt = end
        largest = 0
        isHolding = true
    }

    /// The level of the bits that flow now and until when it stays; nil on silent or closed air. When both directions
    /// flow, the base power is charged once, the larger.
    @inline(__always)
    func activity(at now: Instant, upIsDearer: Bool) -> (level: PowerLevel, until: Instant)? {
        guard !isHolding, now < lastBit else { return nil }
        let (dear, cheap) = upIsDearer ? (upUntil, downUntil) : (downUntil, upUntil)
        if now < dear { return (upIsDearer ? .activeUp : .activeDown, dear) }
        return (upIsDearer ? .activeDown : .activeUp, cheap)
    }
}

extension Direction {
    /// While bits flow this way.
    var level: PowerLevel { self == .up ? .activeUp : .activeDown }
}

extension Burst {
    /// Its bytes; zero stands for no burst.
    fileprivate var weight: UInt32 { max(bytes, 1) }

    /// Of two at one moment; of two alike the one up.
    fileprivate func outweighs(_ other: UInt32) -> Bool { direction == .up ? weight >= other : weight > other }
}
