import DeadzonePrimitives

/// The bits on the air, or held until it opens, in both directions. Bursts of one direction follow each other.
struct Air: Sendable, BitwiseCopyable {
    /// When held data flows; once it does, the instant it began.
    private(set) var opensAt: Instant
    private(set) var upUntil: Instant
    private(set) var downUntil: Instant
    private(set) var isHolding = false

    init(at now: Instant) {
        opensAt = now
        upUntil = now
        downUntil = now
    }

    var lastBit: Instant { max(upUntil, downUntil) }

    /// Puts a burst on the open air.
    mutating func flow(_ direction: Direction, _ airtime: TimeSpan, at now: Instant) {
        switch direction {
        case .up: upUntil = max(upUntil, now) + airtime
        case .down: downUntil = max(downUntil, now) + airtime
        }
    }

    /// The direction is busy at least until then.
    mutating func occupy(_ direction: Direction, until end: Instant) {
        switch direction {
        case .up: upUntil = max(upUntil, end)
        case .down: downUntil = max(downUntil, end)
        }
    }

    /// Keeps a burst until the air opens; what is held already decides when that is.
    mutating func hold(_ direction: Direction, _ airtime: TimeSpan, until opening: Instant) {
        if !isHolding {
            self = Air(at: opening)
            isHolding = true
        }
        flow(direction, airtime, at: opensAt)
    }

    /// Held data flows at another moment than was thought.
    mutating func reopen(at opening: Instant) {
        let shift = opening - opensAt
        opensAt = opening
        upUntil += shift
        downUntil += shift
    }

    mutating func open() { isHolding = false }

    mutating func shift(by span: TimeSpan) { reopen(at: opensAt + span) }

    /// Stops the bits that flow, to go on later.
    mutating func interrupt(from now: Instant, until end: Instant) {
        let pause = end - now
        upUntil = now < upUntil ? upUntil + pause : end
        downUntil = now < downUntil ? downUntil + pause : end
        opensAt = end
        isHolding = true
    }

    /// The level of the bits that flow now and until when it stays; nil on silent or closed air. When both directions
    /// flow, the base power is charged once, the larger.
    func activity(at now: Instant, upIsDearer: Bool) -> (level: PowerLevel, until: Instant)? {
        guard !isHolding, now < lastBit else { return nil }
        let (dear, cheap) = upIsDearer ? (upUntil, downUntil) : (downUntil, upUntil)
        if now < dear { return (upIsDearer ? .activeUp : .activeDown, dear) }
        return (upIsDearer ? .activeDown : .activeUp, cheap)
    }
}
