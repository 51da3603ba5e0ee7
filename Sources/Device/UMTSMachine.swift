import DeadzonePrimitives

/// UMTS.
///
///                                much data                      DCH timer over
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
struct UMTSMachine: RadioMachine {
    private enum State: UInt8, BitwiseCopyable {
        case idle, promotingToFACH, promotingToDCH, fach, dch, leavingFACH, leavingDCH, handingOver
    }

    let technique = RadioProfile.Technique.umts
    private var state = State.idle
    /// Where a handover returns to.
    private var interrupted = State.idle
    private var interruptedLevel = PowerLevel.idle
    /// What is held needs a dedicated channel, straight from idle.
    private var asksForDCH = false
    private var trains: Trains
    private var air: Air
    /// When the timer of the channel was last restarted; for held data in idle, when the promotion begins.
    private var mark: Instant
    /// Nanoseconds into the paging cycle.
    private let phase: Int64

    init(phases: RadioPhases, at now: Instant) {
        phase = phases.paging
        trains = Trains(at: now)
        air = Air(at: now)
        mark = now
    }

    var isPromoting: Bool { state == .promotingToFACH || state == .promotingToDCH }

    func dataFlowsFrom(_ meter: Meter) -> Instant {
        switch state {
        case .idle: air.isHolding ? air.opensAt : .never
        case .promotingToFACH, .promotingToDCH, .fach, .dch, .leavingDCH, .leavingFACH: air.opensAt
        case .handingOver: max(air.opensAt, meter.next)
        }
    }

    // MARK: Verbs

    mutating func advance(_ meter: inout Meter, _ profile: Profile) -> Residency? {
        let now = meter.next
        switch state {
        case .idle: return promote(&meter, profile, at: now)
        case .promotingToFACH: return enterFACH(&meter, profile, at: now)
        case .promotingToDCH: return openAir(on: .dch, &meter, profile, at: now)
        case .fach, .dch: return refresh(&meter, profile, sharers: meter.sharers, at: now)
        case .leavingDCH: return enterFACH(&meter, profile, at: now)
        case .leavingFACH: return leaveFACH(&meter, profile, at: now)
        case .handingOver: return finishHandover(&meter, profile, at: now)
        }
    }

    @inline(never)
    mutating func carry(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        switch state {
        case .idle, .leavingFACH:
            return wake(for: burst, at: now, &meter, profile)
        case .promotingToFACH, .leavingDCH:
            return hold(burst, at: now, ready: meter.next, profile)
        case .promotingToDCH:
            trains.count(burst, at: now, gap: .longest)
            return put(burst, opening: air.opensAt)
        case .handingOver:
            return carryInHandover(burst, at: now, end: meter.next, profile)
        case .fach:
            return carryOnFACH(burst, at: now, &meter, profile)
        case .dch:
            return carryOnDCH(burst, at: now, &meter, profile)
        }
    }

    mutating func flowed(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried? {
        switch state {
        case .idle: return recall(burst, flowedAt: stamp, since: now, &meter, profile)
        case .fach:
            let asked = max(now, stamp - trains.lead(to: stamp, burst, profile))
            return meter.next < asked ? nil : carryOnFACH(burst, at: asked, through: stamp, &meter, profile)
        case .dch where stamp <= meter.next: return carryOnDCH(burst, at: stamp, &meter, profile)
        // Bits while a channel was being left: it was not.
        case .leavingDCH where stamp <= meter.next:
            state = .fach
            trains = Trains(at: stamp)
            return carryOnFACH(burst, at: stamp, through: stamp, &meter, profile)
        case .leavingFACH where stamp <= meter.next:
            state = .idle
            return recall(burst, flowedAt: stamp, since: stamp, &meter, profile)
        case .dch, .leavingDCH, .leavingFACH, .promotingToFACH, .promotingToDCH, .handingOver: return nil
        }
    }

    mutating func flowOn(
        _ direction: Direction, until end: Instant, at now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Residency? {
        guard state == .dch || state == .fach else { return nil }
        air.occupy(direction, until: end)
        return refresh(&meter, profile, sharers: meter.sharers, at: now)
    }

    mutating func forget(at now: Instant) {
        air.forget(at: now)
        state = .idle
    }

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency? {
        switch state {
        case .promotingToFACH, .promotingToDCH, .fach, .dch: air.pause(from: now, until: end)
        case .idle, .leavingFACH, .leavingDCH, .handingOver: return nil
        }
        mark = mark + (end - now)
        interrupted = state
        interruptedLevel = meter.level
        state = .handingOver
        meter.next = end
        return meter.enter(.handover, for: .handover, sharers: meter.sharers, at: now)
    }

    // MARK: Idle

    private mutating func wake(for burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        let earliest = state == .leavingFACH ? meter.next : now
        let wakesAt =
            burst.direction == .up ? earliest : profile.pointee.umts.paging.nextOn(from: earliest, offset: phase)
        if !air.isHolding {
            trains = Trains(at: now)
            asksForDCH = profile.pointee.umts.idleToFACH == nil
        }
        // A paged phone that has something to say itself does not wait for its occasion.
        if !air.isHolding || wakesAt < mark {
            air.start(for: burst.cause)
            mark = wakesAt
            if state == .idle { meter.next = wakesAt }
        }
        trains.count(burst, at: now, gap: .longest)
        if trains.isOver(up: profile.pointee.umts.up.idleLimit, down: profile.pointee.umts.down.idleLimit) {
            asksForDCH = true
        }
        let littleWay = profile.pointee.umts.idleToFACH ?? .zero
        let ready = mark + (asksForDCH ? profile.pointee.umts.idleToDCH : littleWay)
        var carried = put(burst, opening: asksForDCH ? ready : opening(onFACHFrom: ready, profile))
        // On the common channel the bits take as long as its buffer does to drain.
        let isLittle = !trains.isOverLimit(profile)
        if isLittle && !asksForDCH {
            carried.airtime = max(
                burst.airtime, profile.pointee.umts.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        if wakesAt == now, state == .idle {
            carried.spent = promote(&meter, profile, at: now)
            carried.promoted = true
        }
        return carried
    }

    private mutating func promote(_ meter: inout Meter, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        if asksForDCH {
            state = .promotingToDCH
            meter.next = air.opensAt
            return meter.enter(.promotion, for: air.payers.starter, at: now)
        }
        state = .promotingToFACH
        meter.next = max(now, fachReady(profile))
        return meter.enter(.fachPromotion, for: air.payers.starter, at: now)
    }

    private mutating func leaveFACH(_ meter: inout Meter, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        guard air.isHolding else { return becomeIdle(&meter, at: now) }
        guard now < mark else {
            state = .idle
            return promote(&meter, profile, at: now)
        }
        state = .idle
        meter.next = mark
        return meter.enter(.idle, for: .baseline, at: now)
    }

    /// Bits flowed for which an idle phone must have asked: what it got follows from their number.
    private mutating func recall(
        _ burst: Burst, flowedAt stamp: Instant, since now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried {
        trains = Trains(at: now)
        trains.count(burst, at: now, gap: .longest)
        asksForDCH = profile.pointee.umts.idleToFACH == nil
        if trains.isOver(up: profile.pointee.umts.up.idleLimit, down: profile.pointee.umts.down.idleLimit) {
            asksForDCH = true
        }
        var drain = TimeSpan.zero
        if !asksForDCH, !trains.isOverLimit(profile) {
            drain = profile.pointee.umts.buffer(burst.direction).drain(burst.bytes)
        }
        let littleWay = profile.pointee.umts.idleToFACH ?? .zero
        let promotion =
            asksForDCH ? profile.pointee.umts.idleToDCH : opening(onFACHFrom: .zero + littleWay, profile) - .zero
        mark = max(now, stamp - promotion - drain)
        air.start(for: burst.cause)
        var carried = put(burst, opening: max(mark, stamp - drain))
        carried.spent = promote(&meter, profile, at: mark)
        carried.promoted = true
        return carried
    }

    private mutating func becomeIdle(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .idle
        meter.next = .never
        return meter.enter(.idle, for: .baseline, at: now)
    }

    // MARK: Channels

    /// - Parameter through: when the bits are, where that is known.
    private mutating func carryOnFACH(
        _ burst: Burst, at now: Instant, through: Instant? = nil, _ meter: inout Meter, _ profile: Profile
    ) -> Carried {
        let buffer = profile.pointee.umts.buffer(burst.direction)
        trains.count(burst, at: now, gap: buffer.drain(trains.bytes(burst.direction)))
        if trains.isOverLimit(profile) {
            air.start(for: burst.cause)
            let promoted = now + profile.pointee.umts.fachToDCH
            var carried = put(burst, opening: through ?? promoted)
            carried.spent = promoteToDCH(&meter, at: now)
            carried.promoted = true
            return carried
        }
        let airtime = max(burst.airtime, buffer.drain(trains.bytes(burst.direction)))
        let sharers = air.flow(burst, at: now, joining: meter.sharers)
        air.occupy(burst.direction, until: through ?? now + airtime)
        mark = air.lastBit
        let spent = refresh(&meter, profile, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: airtime, spent: spent)
    }

    private mutating func carryOnDCH(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile)
        -> Carried
    {
        trains.count(burst, at: now, gap: profile.pointee.umts.dchResetWindow)
        trains.forget(before: now, gap: profile.pointee.umts.dchResetWindow)
        let sharers = air.flow(burst, at: now, joining: meter.sharers)
        if profile.pointee.umts.dchResetBytes <= trains.largest { mark = air.lastBit }
        let spent = refresh(&meter, profile, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    private mutating func carryInHandover(_ burst: Burst, at now: Instant, end: Instant, _ profile: Profile) -> Carried
    {
        switch interrupted {
        case .fach:
            let carried = hold(burst, at: now, ready: end, profile)
            air.occupy(burst.direction, until: carried.flowsAt + carried.airtime)
            return carried
        case .promotingToFACH: return hold(burst, at: now, ready: fachReady(profile), profile)
        default:
            trains.count(burst, at: now, gap: .longest)
            return put(burst, opening: air.isHolding ? air.opensAt : end)
        }
    }

    private mutating func finishHandover(_ meter: inout Meter, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        state = interrupted
        switch state {
        case .promotingToFACH: meter.next = fachReady(profile)
        case .promotingToDCH: meter.next = air.opensAt
        case .fach where air.isHolding:
            return trains.isOverLimit(profile)
                ? promoteToDCH(&meter, at: now) : openAir(on: .fach, &meter, profile, at: now)
        case .dch where air.isHolding: return openAir(on: .dch, &meter, profile, at: now)
        default: return refresh(&meter, profile, sharers: meter.sharers, at: now)
        }
        return meter.enter(interruptedLevel, for: air.payers.starter, at: now)
    }

    private mutating func enterFACH(_ meter: inout Meter, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        if air.isHolding {
            if trains.isOverLimit(profile) { return promoteToDCH(&meter, at: now) }
            occupy(.up, trains.bytes(.up), profile.pointee.umts.up, at: now)
            occupy(.down, trains.bytes(.down), profile.pointee.umts.down, at: now)
            return openAir(on: .fach, &meter, profile, at: now)
        }
        state = .fach
        trains = Trains(at: now)
        mark = now
        return refresh(&meter, profile, sharers: meter.sharers, at: now)
    }

    private mutating func promoteToDCH(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .promotingToDCH
        meter.next = air.opensAt
        return meter.enter(.secondPromotion, for: air.payers.starter, sharers: meter.sharers, at: now)
    }

    private mutating func openAir(on channel: State, _ meter: inout Meter, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        state = channel
        let sharers = air.open(joining: meter.sharers)
        trains.touch(at: now)
        mark = max(now, air.lastBit)
        return refresh(&meter, profile, sharers: sharers, at: now)
    }

    /// Enters the level of the channel, and finds out when that changes.
    private mutating func refresh(_ meter: inout Meter, _ profile: Profile, sharers: CauseSet, at now: Instant)
        -> Residency?
    {
        let level: PowerLevel = state == .dch ? .dch : .fach
        if let activity = air.activity(at: now, upIsDearer: true) {
            let hasOwnLevel = state == .dch ? profile.pointee.umts.hasActiveLevels : false
            meter.next = hasOwnLevel ? activity.until : air.lastBit
            return meter.enter(hasOwnLevel ? activity.level : level, for: air.payers.latest, sharers: sharers, at: now)
        }
        let end = mark + (state == .dch ? profile.pointee.umts.dchInactivity : profile.pointee.umts.fachInactivity)
        let leaving = state == .dch ? profile.pointee.umts.dchToFACH : profile.pointee.umts.fachToIdle
        if now < end {
            meter.next = end
        } else if .zero < leaving {
            state = state == .dch ? .leavingDCH : .leavingFACH
            meter.next = now + leaving
        } else {
            return state == .dch ? enterFACH(&meter, profile, at: now) : becomeIdle(&meter, at: now)
        }
        return meter.enter(level, for: air.payers.latest, sharers: sharers, isTail: true, at: now)
    }

    // MARK: Buffers

    /// Holds a burst for a common channel that is ready at that instant, or for the dedicated one that it then asks for.
    private mutating func hold(_ burst: Burst, at now: Instant, ready: Instant, _ profile: Profile)
        -> Carried
    {
        if !air.isHolding {
            trains = Trains(at: now)
            air.start(for: burst.cause)
        }
        trains.count(burst, at: now, gap: .longest)
        var carried = put(burst, opening: opening(onFACHFrom: ready, profile))
        if !trains.isOverLimit(profile) {
            carried.airtime = max(
                burst.airtime, profile.pointee.umts.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        return carried
    }

    private mutating func put(_ burst: Burst, opening: Instant) -> Carried {
        if air.isHolding { air.reopen(at: opening) }
        return air.hold(burst, until: opening)
    }

    private func opening(onFACHFrom ready: Instant, _ profile: Profile) -> Instant {
        trains.isOverLimit(profile) ? ready + profile.pointee.umts.fachToDCH : ready
    }

    /// When the common channel that is being set up is there.
    private func fachReady(_ profile: Profile) -> Instant {
        trains.isOverLimit(profile) ? air.opensAt - profile.pointee.umts.fachToDCH : air.opensAt
    }

    /// What was held for the common channel takes its time on it.
    private mutating func occupy(_ direction: Direction, _ bytes: UInt32, _ buffer: RLCBuffer, at now: Instant) {
        if bytes > 0 { air.occupy(direction, until: now + buffer.drain(bytes)) }
    }
}
