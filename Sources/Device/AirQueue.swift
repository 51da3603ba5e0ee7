import DeadzoneBase

/// Tracks the data that a radio transmits or holds back, per direction, and the causes that are charged for it. Data is
/// held until the radio is ready (the air opens). Bursts of one direction follow each other.
struct AirQueue: Sendable, BitwiseCopyable {
    /// Time at which held data starts to flow. If data already flows: the time at which the latest burst began.
    private(set) var opensAt: Instant
    private(set) var upUntil: Instant
    private(set) var downUntil: Instant
    private(set) var isHolding = false
    /// Direction of the last bit. If several bursts begin at one instant, the largest one decides, whatever the rates:
    /// a measured download had acknowledgements too, and the size of a packet is known.
    private(set) var lastDirection = Direction.down
    /// Size in bytes of the burst that decided `lastDirection` at the latest instant.
    private var largest: UInt32 = 0
    private(set) var attribution = CauseAttribution()

    init(at now: Instant) {
        opensAt = now
        upUntil = now
        downUntil = now
    }

    var lastBit: Instant { max(upUntil, downUntil) }

    /// Transmits a burst at once, and opens the air if it is closed. Returns all causes that had data in the present
    /// connection.
    @inline(__always)
    mutating func flow(_ burst: Burst, at now: Instant, joining sharers: CauseSet) -> CauseSet {
        if isHolding {
            moveOpening(at: now)
            isHolding = false
        }
        append(burst, at: now)
        opensAt = now
        return attribution.flow(burst.cause, joining: sharers)
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

    /// `true` if `occupy` would change nothing.
    func isOccupied(_ direction: Direction, until end: Instant) -> Bool {
        end <= until(direction) && (direction == lastDirection || end < lastBit)
    }

    /// Marks a direction as busy at least until the given instant.
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

    /// Holds a burst until the radio is ready (the air opens). If data is already held, its opening time is kept.
    mutating func hold(_ burst: Burst, until opening: Instant) -> BurstOutcome {
        if !isHolding {
            clear(at: opening)
            isHolding = true
        }
        append(burst, at: opensAt)
        attribution.hold(burst.cause)
        return BurstOutcome(flowsAt: opensAt, airtime: burst.airtime)
    }

    /// Holds a burst that wakes the radio. The first burst sets the wake-up time; a later burst can only make it
    /// earlier. A paged phone that sends data itself does not wait for its paging occasion.
    mutating func hold(_ burst: Burst, wakingAt start: Instant, for promotion: TimeSpan, _ timer: inout StateTimer)
        -> BurstOutcome
    {
        if !isHolding || start < timer.next {
            attribution.initiator = burst.cause
            timer.next = start
            if isHolding { moveOpening(at: start + promotion) }
        }
        return hold(burst, until: start + promotion)
    }

    /// Changes the time at which held data starts to flow.
    mutating func moveOpening(at opening: Instant) {
        let shift = opening - opensAt
        opensAt = opening
        upUntil += shift
        downUntil += shift
    }

    /// Starts the transmission of held data. Returns all causes that had data in the connection.
    mutating func open(joining sharers: CauseSet) -> CauseSet {
        isHolding = false
        return attribution.open(joining: sharers)
    }

    /// Charges the next promotion (wake-up of the radio) to the cause of the latest data.
    mutating func restartForLatest() { attribution.initiator = attribution.latest }

    mutating func setInitiator(for cause: Cause) { attribution.initiator = cause }

    /// Sets the opening time to `now`, so that the first bit flows without a wait. Charges the promotion (wake-up of
    /// the radio) to this cause.
    mutating func openNow(for cause: Cause, at now: Instant) {
        setInitiator(for: cause)
        clear(at: now)
    }

    /// Drops all data: nothing flows and nothing is held.
    mutating func reset(at now: Instant) {
        clear(at: now)
        isHolding = false
        attribution.dropHeld()
    }

    private mutating func clear(at now: Instant) {
        opensAt = now
        upUntil = now
        downUntil = now
        largest = 0
    }

    /// Interrupts the data flow for a handover. Bits that flow stop and continue afterwards; a later opening is delayed
    /// by the same time.
    mutating func pause(from now: Instant, until end: Instant) {
        let pause = end - now
        guard !isHolding, now < lastBit else { return moveOpening(at: opensAt + pause) }
        upUntil = now < upUntil ? upUntil + pause : end
        downUntil = now < downUntil ? downUntil + pause : end
        opensAt = end
        largest = 0
        isHolding = true
    }

    /// The power level of the data that flows now, and the time at which the flow ends; `nil` if no data flows. If both
    /// directions flow, the larger base power is charged once.
    @inline(__always)
    func activity(at now: Instant, upIsDearer: Bool) -> (level: PowerLevel, until: Instant)? {
        guard !isHolding, now < lastBit else { return nil }
        let (dear, cheap) = upIsDearer ? (upUntil, downUntil) : (downUntil, upUntil)
        if now < dear { return (upIsDearer ? .activeUp : .activeDown, dear) }
        return (upIsDearer ? .activeDown : .activeUp, cheap)
    }
}

extension Direction {
    /// The power level of a radio while data flows in this direction.
    var level: PowerLevel { self == .up ? .activeUp : .activeDown }
}

extension Burst {
    /// Size of the burst in bytes, at least 1, because zero stands for no burst.
    fileprivate var weight: UInt32 { max(bytes, 1) }

    /// `true` if this burst decides the direction, compared with a burst of `other` bytes at the same instant. If the
    /// sizes are equal, uplink decides.
    fileprivate func outweighs(_ other: UInt32) -> Bool { direction == .up ? weight >= other : weight > other }
}
