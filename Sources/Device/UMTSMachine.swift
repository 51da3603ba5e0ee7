import DeadzoneBase

/// State machine of a UMTS radio: a dedicated channel (DCH) carries much data, a common channel (FACH) little data.
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
/// The buffers are those of Qian et al., "Characterizing Radio Resource Allocation for 3G Networks" (IMC 2010), as in
/// ARO (`FachQueue`, `DchDemotionQueue`). A packet before its predecessors had time to drain adds to the buffer; a later
/// one starts with an empty buffer. A buffer over its limit requests a dedicated channel. A packet restarts the DCH
/// timer only when its train is large enough. With both directions active, the uplink's active level applies.
/// Where the diagram is inaccurate:
/// - Data that is already on the common channel gets through while a dedicated channel is set up. Data over the limit
///   waits for the dedicated channel, together with everything that was held with it.
/// - Leaving a channel costs the power of the state that is left. Data that arrives meanwhile waits for its end.
/// - DCH and FACH have the same power whether bits flow or not, unless the profile has active levels.
struct UMTSMachine: RadioMachine {
    private enum State: UInt8, BitwiseCopyable {
        case idle, promotingToFACH, promotingToDCH, fach, dch, leavingFACH, leavingDCH, handingOver
    }

    let machineKind = RadioProfile.RadioMachineKind.umts
    private var state = State.idle
    /// The state that the machine returns to after a handover.
    private var interrupted = State.idle
    private var interruptedLevel = PowerLevel.idle
    /// `true` if the held data needs a dedicated channel, straight from idle.
    private var needsDCH = false
    private var trains: PacketTrains
    private var air: AirQueue
    /// Time of the last restart of the channel's timer. For held data in idle: the start of the promotion (wake-up).
    private var timerStart: Instant
    /// The phone's offset in the paging cycle, in nanoseconds.
    private let phase: Int64

    init(phases: RadioPhases, at now: Instant) {
        phase = phases.paging
        trains = PacketTrains(at: now)
        air = AirQueue(at: now)
        timerStart = now
    }

    var isPromoting: Bool { state == .promotingToFACH || state == .promotingToDCH }

    func dataFlowsFrom(_ timer: StateTimer) -> Instant {
        switch state {
        case .idle: air.isHolding ? air.opensAt : .never
        case .promotingToFACH, .promotingToDCH, .fach, .dch, .leavingDCH, .leavingFACH: air.opensAt
        case .handingOver: max(air.opensAt, timer.next)
        }
    }

    // MARK: Events

    mutating func advance(_ timer: inout StateTimer, _ profile: Profile) -> Residency? {
        let now = timer.next
        switch state {
        case .idle: return promote(&timer, profile, at: now)
        case .promotingToFACH: return enterFACH(&timer, profile, at: now)
        case .promotingToDCH: return openAir(on: .dch, &timer, profile, at: now)
        case .fach, .dch: return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
        case .leavingDCH: return enterFACH(&timer, profile, at: now)
        case .leavingFACH: return leaveFACH(&timer, profile, at: now)
        case .handingOver: return finishHandover(&timer, profile, at: now)
        }
    }

    @inline(never)
    mutating func carry(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile) -> BurstOutcome
    {
        switch state {
        case .idle, .leavingFACH:
            return wake(for: burst, at: now, &timer, profile)
        case .promotingToFACH, .leavingDCH:
            return hold(burst, at: now, ready: timer.next, profile)
        case .promotingToDCH:
            trains.count(burst, at: now, gap: .longest)
            return holdBurst(burst, opening: air.opensAt)
        case .handingOver:
            return carryInHandover(burst, at: now, end: timer.next, profile)
        case .fach:
            return carryOnFACH(burst, at: now, &timer, profile)
        case .dch:
            return carryOnDCH(burst, at: now, &timer, profile)
        }
    }

    mutating func observeFlow(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome? {
        switch state {
        case .idle: return reconstructPromotion(burst, flowedAt: stamp, since: now, &timer, profile)
        case .fach:
            let asked = max(now, stamp - trains.requestLead(to: stamp, burst, profile))
            return timer.next < asked ? nil : carryOnFACH(burst, at: asked, through: stamp, &timer, profile)
        case .dch where stamp <= timer.next: return carryOnDCH(burst, at: stamp, &timer, profile)
        // Bits flowed while the machine was leaving the channel, so the channel was in fact not left.
        case .leavingDCH where stamp <= timer.next:
            state = .fach
            trains = PacketTrains(at: stamp)
            return carryOnFACH(burst, at: stamp, through: stamp, &timer, profile)
        case .leavingFACH where stamp <= timer.next:
            state = .idle
            return reconstructPromotion(burst, flowedAt: stamp, since: stamp, &timer, profile)
        case .dch, .leavingDCH, .leavingFACH, .promotingToFACH, .promotingToDCH, .handingOver: return nil
        }
    }

    mutating func extendFlow(
        _ direction: Direction, until end: Instant, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> Residency? {
        guard state == .dch || state == .fach else { return nil }
        air.occupy(direction, until: end)
        return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
    }

    mutating func reset(at now: Instant) {
        air.reset(at: now)
        state = .idle
    }

    mutating func handover(from now: Instant, until end: Instant, _ timer: inout StateTimer) -> Residency? {
        switch state {
        case .promotingToFACH, .promotingToDCH, .fach, .dch: air.pause(from: now, until: end)
        case .idle, .leavingFACH, .leavingDCH, .handingOver: return nil
        }
        timerStart = timerStart + (end - now)
        interrupted = state
        interruptedLevel = timer.level
        state = .handingOver
        timer.next = end
        return timer.enter(.handover, for: .handover, sharers: timer.sharers, at: now)
    }

    // MARK: Idle

    private mutating func wake(for burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome
    {
        let earliest = state == .leavingFACH ? timer.next : now
        let wakesAt =
            burst.direction == .up ? earliest : profile.pointee.umts.paging.nextOn(from: earliest, offset: phase)
        if !air.isHolding {
            trains = PacketTrains(at: now)
            needsDCH = profile.pointee.umts.idleToFACH == nil
        }
        // A paged phone that sends data itself does not wait for its paging occasion.
        if !air.isHolding || wakesAt < timerStart {
            air.setInitiator(for: burst.cause)
            timerStart = wakesAt
            if state == .idle { timer.next = wakesAt }
        }
        trains.count(burst, at: now, gap: .longest)
        if trains.isOver(up: profile.pointee.umts.up.idleLimit, down: profile.pointee.umts.down.idleLimit) {
            needsDCH = true
        }
        let fachSetup = profile.pointee.umts.idleToFACH ?? .zero
        let ready = timerStart + (needsDCH ? profile.pointee.umts.idleToDCH : fachSetup)
        var outcome = holdBurst(burst, opening: needsDCH ? ready : opening(onFACHFrom: ready, profile))
        // On the common channel the airtime of the bits is the time in which its buffer drains.
        let isLittle = !trains.isOverLimit(profile)
        if isLittle && !needsDCH {
            outcome.airtime = max(
                burst.airtime, profile.pointee.umts.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        if wakesAt == now, state == .idle {
            outcome.spent = promote(&timer, profile, at: now)
            outcome.promoted = true
        }
        return outcome
    }

    private mutating func promote(_ timer: inout StateTimer, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        if needsDCH {
            state = .promotingToDCH
            timer.next = air.opensAt
            return timer.enter(.promotion, for: air.attribution.initiator, at: now)
        }
        state = .promotingToFACH
        timer.next = max(now, fachReady(profile))
        return timer.enter(.fachPromotion, for: air.attribution.initiator, at: now)
    }

    private mutating func leaveFACH(_ timer: inout StateTimer, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        guard air.isHolding else { return becomeIdle(&timer, at: now) }
        guard now < timerStart else {
            state = .idle
            return promote(&timer, profile, at: now)
        }
        state = .idle
        timer.next = timerStart
        return timer.enter(.idle, for: .baseline, at: now)
    }

    /// Handles bits that flowed while the machine was idle: the phone must have requested a channel before. The number
    /// of bits decides which channel it got.
    private mutating func reconstructPromotion(
        _ burst: Burst, flowedAt stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome {
        trains = PacketTrains(at: now)
        trains.count(burst, at: now, gap: .longest)
        needsDCH = profile.pointee.umts.idleToFACH == nil
        if trains.isOver(up: profile.pointee.umts.up.idleLimit, down: profile.pointee.umts.down.idleLimit) {
            needsDCH = true
        }
        var drain = TimeSpan.zero
        if !needsDCH, !trains.isOverLimit(profile) {
            drain = profile.pointee.umts.buffer(burst.direction).drain(burst.bytes)
        }
        let fachSetup = profile.pointee.umts.idleToFACH ?? .zero
        let promotion =
            needsDCH ? profile.pointee.umts.idleToDCH : opening(onFACHFrom: .zero + fachSetup, profile) - .zero
        timerStart = max(now, stamp - promotion - drain)
        air.setInitiator(for: burst.cause)
        var outcome = holdBurst(burst, opening: max(timerStart, stamp - drain))
        outcome.spent = promote(&timer, profile, at: timerStart)
        outcome.promoted = true
        return outcome
    }

    private mutating func becomeIdle(_ timer: inout StateTimer, at now: Instant) -> Residency? {
        state = .idle
        timer.next = .never
        return timer.enter(.idle, for: .baseline, at: now)
    }

    // MARK: Channels

    /// Sends a burst over the common channel (FACH), or requests a dedicated channel if the buffer is over its limit.
    /// - Parameter through: The time of the last bit, if it is known; otherwise `nil`.
    private mutating func carryOnFACH(
        _ burst: Burst, at now: Instant, through: Instant? = nil, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome {
        let buffer = profile.pointee.umts.buffer(burst.direction)
        trains.count(burst, at: now, gap: buffer.drain(trains.bytes(burst.direction)))
        if trains.isOverLimit(profile) {
            air.setInitiator(for: burst.cause)
            let promoted = now + profile.pointee.umts.fachToDCH
            var outcome = holdBurst(burst, opening: through ?? promoted)
            outcome.spent = promoteToDCH(&timer, at: now)
            outcome.promoted = true
            return outcome
        }
        let airtime = max(burst.airtime, buffer.drain(trains.bytes(burst.direction)))
        let sharers = air.flow(burst, at: now, joining: timer.sharers)
        air.occupy(burst.direction, until: through ?? now + airtime)
        timerStart = air.lastBit
        let spent = updateLevel(&timer, profile, sharers: sharers, at: now)
        return BurstOutcome(flowsAt: now, airtime: airtime, spent: spent)
    }

    private mutating func carryOnDCH(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome
    {
        trains.count(burst, at: now, gap: profile.pointee.umts.dchResetWindow)
        trains.expire(before: now, gap: profile.pointee.umts.dchResetWindow)
        let sharers = air.flow(burst, at: now, joining: timer.sharers)
        if profile.pointee.umts.dchResetBytes <= trains.largest { timerStart = air.lastBit }
        let spent = updateLevel(&timer, profile, sharers: sharers, at: now)
        return BurstOutcome(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    private mutating func carryInHandover(_ burst: Burst, at now: Instant, end: Instant, _ profile: Profile)
        -> BurstOutcome
    {
        switch interrupted {
        case .fach:
            let outcome = hold(burst, at: now, ready: end, profile)
            air.occupy(burst.direction, until: outcome.flowsAt + outcome.airtime)
            return outcome
        case .promotingToFACH: return hold(burst, at: now, ready: fachReady(profile), profile)
        default:
            trains.count(burst, at: now, gap: .longest)
            return holdBurst(burst, opening: air.isHolding ? air.opensAt : end)
        }
    }

    private mutating func finishHandover(_ timer: inout StateTimer, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        state = interrupted
        switch state {
        case .promotingToFACH: timer.next = fachReady(profile)
        case .promotingToDCH: timer.next = air.opensAt
        case .fach where air.isHolding:
            return trains.isOverLimit(profile)
                ? promoteToDCH(&timer, at: now) : openAir(on: .fach, &timer, profile, at: now)
        case .dch where air.isHolding: return openAir(on: .dch, &timer, profile, at: now)
        default: return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
        }
        return timer.enter(interruptedLevel, for: air.attribution.initiator, at: now)
    }

    private mutating func enterFACH(_ timer: inout StateTimer, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        if air.isHolding {
            if trains.isOverLimit(profile) { return promoteToDCH(&timer, at: now) }
            occupy(.up, trains.bytes(.up), profile.pointee.umts.up, at: now)
            occupy(.down, trains.bytes(.down), profile.pointee.umts.down, at: now)
            return openAir(on: .fach, &timer, profile, at: now)
        }
        state = .fach
        trains = PacketTrains(at: now)
        timerStart = now
        return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
    }

    private mutating func promoteToDCH(_ timer: inout StateTimer, at now: Instant) -> Residency? {
        state = .promotingToDCH
        timer.next = air.opensAt
        return timer.enter(.secondPromotion, for: air.attribution.initiator, sharers: timer.sharers, at: now)
    }

    private mutating func openAir(on channel: State, _ timer: inout StateTimer, _ profile: Profile, at now: Instant)
        -> Residency?
    {
        state = channel
        let sharers = air.open(joining: timer.sharers)
        trains.restart(at: now)
        timerStart = max(now, air.lastBit)
        return updateLevel(&timer, profile, sharers: sharers, at: now)
    }

    /// Sets the power level of the present channel, and the time of its next change.
    private mutating func updateLevel(_ timer: inout StateTimer, _ profile: Profile, sharers: CauseSet, at now: Instant)
        -> Residency?
    {
        let level: PowerLevel = state == .dch ? .dch : .fach
        if let activity = air.activity(at: now, upIsDearer: true) {
            let hasOwnLevel = state == .dch ? profile.pointee.umts.hasActiveLevels : false
            timer.next = hasOwnLevel ? activity.until : air.lastBit
            return timer.enter(
                hasOwnLevel ? activity.level : level, for: air.attribution.latest, sharers: sharers, at: now)
        }
        let end =
            timerStart + (state == .dch ? profile.pointee.umts.dchInactivity : profile.pointee.umts.fachInactivity)
        let leaving = state == .dch ? profile.pointee.umts.dchToFACH : profile.pointee.umts.fachToIdle
        if now < end {
            timer.next = end
        } else if .zero < leaving {
            state = state == .dch ? .leavingDCH : .leavingFACH
            timer.next = now + leaving
        } else {
            return state == .dch ? enterFACH(&timer, profile, at: now) : becomeIdle(&timer, at: now)
        }
        return timer.enter(level, for: air.attribution.latest, sharers: sharers, isTail: true, at: now)
    }

    // MARK: Buffers

    /// Holds a burst for a common channel that is ready at that instant, or for the dedicated channel that the burst
    /// then requests.
    private mutating func hold(_ burst: Burst, at now: Instant, ready: Instant, _ profile: Profile)
        -> BurstOutcome
    {
        if !air.isHolding {
            trains = PacketTrains(at: now)
            air.setInitiator(for: burst.cause)
        }
        trains.count(burst, at: now, gap: .longest)
        var outcome = holdBurst(burst, opening: opening(onFACHFrom: ready, profile))
        if !trains.isOverLimit(profile) {
            outcome.airtime = max(
                burst.airtime, profile.pointee.umts.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        return outcome
    }

    private mutating func holdBurst(_ burst: Burst, opening: Instant) -> BurstOutcome {
        if air.isHolding { air.moveOpening(at: opening) }
        return air.hold(burst, until: opening)
    }

    private func opening(onFACHFrom ready: Instant, _ profile: Profile) -> Instant {
        trains.isOverLimit(profile) ? ready + profile.pointee.umts.fachToDCH : ready
    }

    /// Returns the time at which the common channel (FACH) that is being set up is ready.
    private func fachReady(_ profile: Profile) -> Instant {
        trains.isOverLimit(profile) ? air.opensAt - profile.pointee.umts.fachToDCH : air.opensAt
    }

    /// Marks a direction as busy while its held bytes drain on the common channel (FACH).
    private mutating func occupy(_ direction: Direction, _ bytes: UInt32, _ buffer: RLCBuffer, at now: Instant) {
        if bytes > 0 { air.occupy(direction, until: now + buffer.drain(bytes)) }
    }
}
