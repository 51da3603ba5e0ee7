import DeadzoneBase

/// State machine of a cellular radio with LTE or NR (5G). NR is stand-alone (SA), or an additional link (NR leg) to an
/// LTE connection (NSA).
///
///        ┌──────────────▶ idle ─────── uplink, or paged at its occasion ───┐
///        │                 ▲                                               ▼
///        │                 │ window over                               promoting
///        │              inactive ───── uplink, or paged: a shorter one ────┤
///        │                 ▲                                               │ first bit
///        │ ladder over     │ ladder over (NR SA)                           ▼
///        └──────────── connected: active ⇄ the steps of the tail ◀── second promotion
///                                                                   (NSA: the NR leg)
///     promoting, connected ── handover ──▶ handing over ──▶ where it was
///
/// Uplink data in a tail flows at once; downlink data waits for the next on-duration. Both restart the tail. So does
/// the signalling that follows a promotion, once: the tail is counted from the latest of them. A phone that was woken
/// therefore stays connected for longer than one that was already connected. On an NSA network data flows once the LTE
/// leg is up. The signalling then adds the NR leg, unless the connection was released before. Data that arrives after
/// the NR leg was released (in the second tail) adds it again.
///
/// A device with PSM does not stay idle. It listens for its active time, sleeps, and updates its registration:
///
///        listening ── active time over ──▶ asleep ── update due ──▶ updating ──▶ listening
///
/// Uplink data promotes it from each of them. Downlink data for an occasion after the active time, or for a sleeping
/// device, is held until the update ends or uplink data flows. The network releases an update without data at once.
///
/// Where the diagram is inaccurate:
/// - A network that has data for a phone in its last tail step, or that pages it, does not release it meanwhile.
/// - A handover stops the timers of the connection: tails and promotions continue where they were. A handover of an
///   idle phone costs nothing. A second handover during the first is part of it. Adding or releasing an NR leg in
///   coverage is a handover after which the tail begins again.
/// - A sleeping device notices at once that it loses coverage. When it finds a network, it listens without an update.
/// - On-durations cost the power of the tail's levels, whether the phone received data in them or not.
struct CellularMachine: RadioMachine {
    enum CellularPhase: UInt8, BitwiseCopyable {
        case idle, inactive, promoting, connected, handingOver
        /// The states of a device with PSM instead of `idle`. `tailFrom` is the time of its release.
        case listening, asleep, updating
    }

    let machineKind = RadioProfile.RadioMachineKind.cellular
    var state = CellularPhase.idle
    /// The state that the machine returns to after a handover.
    private var interrupted = CellularPhase.idle
    var air: AirQueue
    /// Time at which the last bit was transmitted. Used only while more data is buffered.
    var tailFrom: Instant
    /// End of the signalling that follows a promotion (wake-up of the radio). On NSA the signalling adds the NR leg.
    private var signallingEnds: Instant
    private var phases: RadioPhases

    init(phases: RadioPhases, at now: Instant) {
        self.phases = phases
        air = AirQueue(at: now)
        tailFrom = now
        signallingEnds = now
    }

    var isPromoting: Bool { state == .promoting || state == .updating }

    func dataFlowsFrom(_ timer: StateTimer) -> Instant {
        switch state {
        case .idle, .inactive, .listening, .asleep, .updating: air.isHolding ? air.opensAt : .never
        case .promoting, .connected: air.opensAt
        case .handingOver: max(air.opensAt, timer.next)
        }
    }

    // MARK: Events

    mutating func advance(_ timer: inout StateTimer, _ profile: Profile) -> Residency? {
        let now = timer.next
        switch state {
        case .idle, .inactive:
            return air.isHolding ? promote(&timer, at: now) : rest(&timer, profile, at: now)
        case .listening, .asleep: return advanceResting(&timer, profile, at: now)
        case .updating where !air.isHolding: return rest(&timer, profile, at: now)
        case .promoting, .updating:
            state = .connected
            tailFrom = now
            signallingEnds =
                now + profile.pointee.cellular.signallingDelay(phases, at: now)
                + profile.pointee.cellular.secondPromotion
            return openAir(&timer, profile, at: now)
        case .connected:
            return resumeConnected(&timer, profile, at: now)
        case .handingOver:
            state = interrupted
            if state == .connected { return resumeConnected(&timer, profile, at: now) }
            timer.next = air.opensAt
            return timer.enter(.promotion, for: air.attribution.initiator, at: now)
        }
    }

    mutating func carry(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile) -> BurstOutcome
    {
        switch state {
        case .idle:
            return wake(for: burst, at: now, &timer, profile, promotion: profile.pointee.cellular.promotion)
        case .inactive:
            return wake(for: burst, at: now, &timer, profile, promotion: profile.pointee.cellular.resume)
        case .promoting, .updating:
            return air.hold(burst, until: air.opensAt)
        case .listening, .asleep:
            return carryResting(burst, at: now, &timer, profile)
        case .handingOver:
            return air.hold(burst, until: interrupted == .promoting ? air.opensAt : timer.next)
        case .connected:
            let opening = burst.direction == .up ? now : nextListening(from: now, profile)
            return opening <= now
                ? flow(burst, at: now, &timer, profile)
                : holdInTail(burst, until: opening, at: now, &timer, profile)
        }
    }

    mutating func observeFlow(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome? {
        switch state {
        case .idle, .inactive:
            let asked = max(
                now, stamp - (state == .idle ? profile.pointee.cellular.promotion : profile.pointee.cellular.resume))
            let isOver = timer.next <= asked
            let isPaged =
                isOver
                ? wasHeldByNetwork(
                    burst, since: timer.next, until: stamp, profile.pointee.cellular.paging,
                    profile.pointee.cellular.promotion) : false
            guard !isOver || isPaged else { return nil }
            air.setInitiator(for: burst.cause)
            var outcome = air.hold(burst, until: stamp)
            if isPaged {
                timer.next = asked
            } else {
                outcome.spent = promote(&timer, at: asked)
                outcome.promoted = true
            }
            return outcome
        case .connected where stamp <= timer.next:
            return flow(burst, at: stamp, &timer, profile)
        case .connected where isLastStep(timer, profile, at: now):
            let promotion =
                .zero < profile.pointee.cellular.inactive
                ? profile.pointee.cellular.resume : profile.pointee.cellular.promotion
            guard wasHeldByNetwork(burst, since: timer.next, until: stamp, profile.pointee.cellular.drx.long, promotion)
            else {
                return nil
            }
            return holdInTail(burst, until: stamp, at: now, &timer, profile)
        case .listening, .asleep:
            return observeResting(burst, at: stamp, since: now, &timer, profile)
        case .updating:
            guard stamp <= timer.next else { return nil }
            timer.next = stamp
            if air.isHolding { air.moveOpening(at: stamp) }
            return air.hold(burst, until: stamp)
        case .connected, .promoting, .handingOver:
            return nil
        }
    }

    mutating func extendFlow(
        _ direction: Direction, until end: Instant, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> Residency? {
        guard state == .connected else { return nil }
        if now < timer.next, air.isOccupied(direction, until: end) { return nil }
        air.occupy(direction, until: end)
        return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
    }

    mutating func reset(at now: Instant) {
        air.reset(at: now)
        tailFrom = now
        state = .idle
    }

    mutating func handover(from now: Instant, until end: Instant, _ timer: inout StateTimer) -> Residency? {
        guard state == .promoting || state == .connected else { return nil }
        let pause = end - now
        if state == .connected, air.isHolding {
            air.moveOpening(at: end)
            tailFrom += pause
        } else {
            air.pause(from: now, until: end)
            tailFrom = air.lastBit
        }
        signallingEnds += pause
        interrupted = state
        state = .handingOver
        timer.next = end
        return timer.enter(.handover, for: .handover, sharers: timer.sharers, at: now)
    }

    /// Adds or releases an NR leg (the 5G link beside LTE). This is signalling, from which the tail is counted.
    mutating func changeLeg(_ phases: RadioPhases, from now: Instant, until end: Instant, _ timer: inout StateTimer) {
        self.phases = phases
        _ = handover(from: now, until: end, &timer)
        if state == .handingOver, interrupted == .connected { signallingEnds = end }
    }

    // MARK: Idle

    private mutating func wake(
        for burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile, promotion: TimeSpan
    ) -> BurstOutcome {
        let wakesAt =
            burst.direction == .up
            ? now : nextPaging(from: now, profile)
        var outcome = air.hold(burst, wakingAt: wakesAt, for: promotion, &timer)
        if wakesAt == now {
            outcome.spent = promote(&timer, at: now)
            outcome.promoted = true
        }
        return outcome
    }

    mutating func promote(_ timer: inout StateTimer, at now: Instant) -> Residency? {
        state = .promoting
        timer.next = air.opensAt
        return timer.enter(.promotion, for: air.attribution.initiator, at: now)
    }

    func nextPaging(from now: Instant, _ profile: Profile) -> Instant {
        profile.pointee.cellular.saving.nextPaging(
            from: now, profile.pointee.cellular.paging, offset: phases.paging)
    }

    mutating func becomeIdle(_ timer: inout StateTimer, at now: Instant) -> Residency? {
        state = .idle
        timer.next = .never
        return timer.enter(.idle, for: .baseline, at: now)
    }

    // MARK: Connected

    private mutating func resumeConnected(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency?
    {
        air.isHolding && air.opensAt <= now
            ? openAir(&timer, profile, at: now)
            : updateLevel(&timer, profile, sharers: timer.sharers, at: now)
    }

    /// Starts the transmission of held data. Returns the period of constant power that ended, if any.
    private mutating func openAir(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        let secondLegIsGone = hasReleasedSecondLeg(profile, at: now)
        let sharers = air.open(joining: timer.sharers)
        if secondLegIsGone { addSecondLeg(profile, at: now) }
        return updateLevel(&timer, profile, sharers: sharers, at: now)
    }

    private mutating func flow(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome
    {
        let secondLegIsGone = hasReleasedSecondLeg(profile, at: now)
        let sharers = air.flow(burst, at: now, joining: timer.sharers)
        if secondLegIsGone { addSecondLeg(profile, at: now) }
        let spent = updateLevel(&timer, profile, sharers: sharers, at: now)
        return BurstOutcome(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    private mutating func holdInTail(
        _ burst: Burst, until opening: Instant, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome {
        if !air.isHolding { tailFrom = air.lastBit }
        var outcome = air.hold(burst, until: opening)
        outcome.spent = updateLevel(&timer, profile, sharers: timer.sharers, at: now)
        return outcome
    }

    private var lastBit: Instant { air.isHolding ? tailFrom : air.lastBit }

    /// Returns the time from which the tail is counted: the last transmitted bit, or later signalling.
    private func lastActivity(at now: Instant) -> Instant {
        signallingEnds <= now ? max(lastBit, signallingEnds) : lastBit
    }

    private func isSignalling(at now: Instant, _ profile: Profile) -> Bool {
        now < signallingEnds && signallingEnds - profile.pointee.cellular.secondPromotion <= now
    }

    /// Returns the next start or end of the signalling after a promotion; `.never` if it is over.
    private func nextSignal(after now: Instant, _ profile: Profile) -> Instant {
        guard now < signallingEnds else { return .never }
        let begin = signallingEnds - profile.pointee.cellular.secondPromotion
        return now < begin ? begin : signallingEnds
    }

    private func hasReleasedSecondLeg(_ profile: Profile, at now: Instant) -> Bool {
        guard .zero < profile.pointee.cellular.secondPromotion, signallingEnds <= now, lastBit <= now else {
            return false
        }
        return profile.pointee.cellular.tail.step(after: now - lastActivity(at: now)).level == .secondTail
    }

    private mutating func addSecondLeg(_ profile: Profile, at now: Instant) {
        signallingEnds = now + profile.pointee.cellular.secondPromotion
        air.restartForLatest()
    }

    /// Returns the time at which downlink data that reaches the base station now can be sent to the phone.
    private func nextListening(from now: Instant, _ profile: Profile) -> Instant {
        if air.isHolding { return air.opensAt }
        let drx = profile.pointee.cellular.drx
        let begins = lastActivity(at: now) + drx.inactivity
        guard begins <= now, !isSignalling(at: now, profile) else { return now }
        let long = begins + drx.shortSpan
        if now < long {
            let short = drx.short.nextOn(from: now, offset: phases.drx)
            if short < long { return short }
        }
        return drx.long.nextOn(from: max(now, long), offset: phases.drx)
    }

    private func isLastStep(_ timer: StateTimer, _ profile: Profile, at now: Instant) -> Bool {
        timer.next == lastActivity(at: now) + profile.pointee.cellular.tail.end
            && timer.next < nextSignal(after: now, profile)
    }

    /// `true` if downlink data arrived too early after the end of a state for a promotion (wake-up) to have happened.
    /// The data was then held in the network until the phone listened.
    private func wasHeldByNetwork(
        _ burst: Burst, since end: Instant, until stamp: Instant, _ cycle: Cycle, _ promotion: TimeSpan
    ) -> Bool {
        burst.direction == .down && stamp - end < min(cycle.period, promotion)
    }

    /// Sets the power level that the connection has now, and the time of its next change.
    private mutating func updateLevel(_ timer: inout StateTimer, _ profile: Profile, sharers: CauseSet, at now: Instant)
        -> Residency?
    {
        let signal = nextSignal(after: now, profile)
        let change = air.isHolding ? min(signal, air.opensAt) : signal
        if isSignalling(at: now, profile) {
            timer.next = change
            return timer.enter(.secondPromotion, for: air.attribution.initiator, sharers: sharers, at: now)
        }
        if let activity = air.activity(at: now, upIsDearer: profile.pointee.upIsDearer) {
            timer.next = min(activity.until, change)
            return timer.enter(activity.level, for: air.attribution.latest, sharers: sharers, at: now)
        }
        let begin = lastActivity(at: now)
        let step = profile.pointee.cellular.tail.step(after: now - begin)
        let stepEnd = begin + step.until
        if now < stepEnd {
            timer.next = min(stepEnd, change)
        } else if air.isHolding {
            timer.next = change
        } else {
            return release(&timer, profile, at: now)
        }
        let level = step.level == .activeDown ? air.lastDirection.level : step.level
        return timer.enter(level, for: air.attribution.latest, sharers: sharers, isTail: true, at: now)
    }

    private mutating func release(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        let inactive = profile.pointee.cellular.inactive
        guard .zero < inactive else { return rest(&timer, profile, at: now) }
        state = .inactive
        timer.next = now + inactive
        return timer.enter(.inactive, for: .baseline, at: now)
    }
}
