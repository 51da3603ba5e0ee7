import DeadzonePrimitives

/// UMTS.
///
///     no coverage ──▶ searching ⇄ resting
///                          │ coverage
///                          ▼     much data                      DCH timer over
///     ┌──────────────▶   idle ──▶ promoting ───────────▶ DCH ───────────────────┐
///     │                    │ little data (if the          ▲                      ▼
///     │                    │ network has that)            │ buffer over      leaving DCH
///     │                    ▼                              │ its limit            │
///     │                 promoting ──▶ FACH ──▶ promoting ─┘                      │
///     │                                ▲ │                                       │
///     │                                └─┼───────────────────────────────────────┘
///     └────── leaving FACH ◀─────────────┘ FACH timer over
///
///     promoting, DCH, FACH ── handover ──▶ handing over ──▶ where it was (soft handover: a time of zero)
///
/// The buffers of both directions are those of Qian et al., "Characterizing Radio Resource Allocation for 3G Networks"
/// (IMC 2010), as ARO has them (`FachQueue`, `DchDemotionQueue`): a packet that comes before its predecessors have had
/// time to drain adds to them, a later one begins anew; a buffer over its limit asks for a dedicated channel; a packet
/// restarts the DCH timer only when its train is large enough.
///
/// Where the diagram lies:
/// - What is already on the common channel gets through while a dedicated one is set up; what is over the limit waits
///   for it, and everything that was held with it.
/// - Leaving costs the power of the state that is left. Data that comes meanwhile waits for its end.
/// - DCH and FACH draw the same whether bits flow or not, unless the profile has active levels; of these, the one for
///   uplink counts while both directions flow.
struct UMTSMachine: Sendable, BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        case searching, idle, promotingToFACH, promotingToDCH, fach, dch, leavingFACH, leavingDCH, handingOver
    }

    var state = State.idle
    /// Where a handover returns to.
    var interrupted = State.idle
    var interruptedLevel = PowerLevel.idle
    /// What is held needs a dedicated channel, straight from idle.
    var asksForDCH = false
    var search = Search()
    var payers = Payers()
    var trains: Trains
    var air: Air
    /// When the timer of the channel was last restarted; for held data in idle, when the promotion begins.
    var mark: Instant
    /// Nanoseconds into the paging cycle.
    let phase: Int64

    init(phases: RadioPhases, at now: Instant) {
        phase = phases.paging
        trains = Trains(at: now)
        air = Air(at: now)
        mark = now
    }

    var isPromoting: Bool { state == .promotingToFACH || state == .promotingToDCH }

    func dataFlowsFrom(_ meter: Meter) -> Instant {
        switch state {
        case .searching: .never
        case .idle: air.isHolding ? air.opensAt : .never
        case .promotingToFACH, .promotingToDCH, .fach, .dch, .leavingDCH, .leavingFACH: air.opensAt
        case .handingOver: max(air.opensAt, meter.next)
        }
    }

    // MARK: Verbs

    mutating func advance(
        _ meter: inout Meter, _ profile: RadioProfile, _ timers: borrowing UMTSTimers
    ) -> Residency? {
        let now = meter.next
        switch state {
        case .searching: return search.advance(&meter, profile.search)
        case .idle: return promote(&meter, timers, at: now)
        case .promotingToFACH: return enterFACH(&meter, timers, at: now)
        case .promotingToDCH: return openAir(on: .dch, &meter, timers, at: now)
        case .fach, .dch: return refresh(&meter, timers, sharers: meter.sharers, at: now)
        case .leavingDCH: return enterFACH(&meter, timers, at: now)
        case .leavingFACH: return leaveFACH(&meter, timers, at: now)
        case .handingOver: return finishHandover(&meter, timers, at: now)
        }
    }

    mutating func carry(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ timers: borrowing UMTSTimers)
        -> Carried
    {
        switch state {
        case .searching:
            return Carried(flowsAt: .never, airtime: burst.airtime)
        case .idle, .leavingFACH:
            return wake(for: burst, at: now, &meter, timers)
        case .promotingToFACH, .leavingDCH:
            return hold(burst, at: now, ready: meter.next, timers)
        case .promotingToDCH:
            trains.count(burst, at: now, gap: .longest)
            return put(burst, opening: air.opensAt)
        case .handingOver:
            return carryInHandover(burst, at: now, end: meter.next, timers)
        case .fach:
            return carryOnFACH(burst, at: now, &meter, timers)
        case .dch:
            return carryOnDCH(burst, at: now, &meter, timers)
        }
    }

    mutating func setCoverage(_ present: Bool, at now: Instant, _ meter: inout Meter, _ law: SearchLaw) -> Residency? {
        guard present == (state == .searching) else { return nil }
        air = Air(at: now)
        payers.forgetHeld()
        if present { return becomeIdle(&meter, at: now) }
        state = .searching
        return search.begin(&meter, law, at: now)
    }

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency? {
        switch state {
        case .promotingToFACH, .promotingToDCH: air.shift(by: end - now)
        case .fach, .dch:
            if now < air.lastBit { air.interrupt(from: now, until: end) } else { air.shift(by: end - now) }
        case .searching, .idle, .leavingFACH, .leavingDCH, .handingOver: return nil
        }
        mark = mark + (end - now)
        interrupted = state
        interruptedLevel = meter.level
        state = .handingOver
        meter.next = end
        return meter.enter(.handover, for: .handover, sharers: meter.sharers, at: now)
    }

    // MARK: Idle

    private mutating func wake(for burst: Burst, at now: Instant, _ meter: inout Meter, _ timers: borrowing UMTSTimers)
        -> Carried
    {
        let earliest = state == .leavingFACH ? meter.next : now
        let wakesAt = burst.direction == .up ? earliest : timers.paging.nextOn(from: earliest, offset: phase)
        if !air.isHolding {
            trains = Trains(at: now)
            asksForDCH = timers.idleToFACH == nil
        }
        // A paged phone that has something to say itself does not wait for its occasion.
        if !air.isHolding || wakesAt < mark {
            payers.starter = burst.cause
            mark = wakesAt
            if state == .idle { meter.next = wakesAt }
        }
        trains.count(burst, at: now, gap: .longest)
        if trains.isOver(up: timers.up.idleLimit, down: timers.down.idleLimit) { asksForDCH = true }
        let littleWay = timers.idleToFACH ?? .zero
        let ready = mark + (asksForDCH ? timers.idleToDCH : littleWay)
        var carried = put(burst, opening: asksForDCH ? ready : opening(onFACHFrom: ready, timers))
        // On the common channel the bits take as long as its buffer does to drain.
        let isLittle = !isOverLimit(timers)
        if isLittle && !asksForDCH {
            carried.airtime = max(burst.airtime, timers.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        if wakesAt == now, state == .idle {
            carried.spent = promote(&meter, timers, at: now)
            carried.promoted = true
        }
        return carried
    }

    private mutating func promote(_ meter: inout Meter, _ timers: borrowing UMTSTimers, at now: Instant) -> Residency? {
        if asksForDCH {
            state = .promotingToDCH
            meter.next = air.opensAt
            return meter.enter(.promotion, for: payers.starter, at: now)
        }
        state = .promotingToFACH
        meter.next = now + (timers.idleToFACH ?? .zero)
        return meter.enter(.fachPromotion, for: payers.starter, at: now)
    }

    private mutating func leaveFACH(_ meter: inout Meter, _ timers: borrowing UMTSTimers, at now: Instant) -> Residency?
    {
        guard air.isHolding else { return becomeIdle(&meter, at: now) }
        guard now < mark else {
            state = .idle
            return promote(&meter, timers, at: now)
        }
        state = .idle
        meter.next = mark
        return meter.enter(.idle, for: .baseline, at: now)
    }

    mutating func becomeIdle(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .idle
        meter.next = .never
        return meter.enter(.idle, for: .baseline, at: now)
    }
}
