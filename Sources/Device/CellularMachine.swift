import DeadzonePrimitives

/// LTE and NR, stand-alone or on an LTE leg.
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
/// Uplink data in a tail flows at once; downlink data waits for the next on-duration. Both bring the tail back to its
/// beginning, and so does the signalling that follows a promotion, once: a tail is counted from whichever came last, so a
/// phone that woke stays connected for longer than one that was connected. On an NSA network data flows once the LTE leg is
/// up, and the signalling adds the NR leg, unless the connection was released before; data that comes after the NR leg was
/// released (in the second tail) has it added anew.
///
/// Where the diagram lies:
/// - A network that has data for a phone in its last tail step, or that pages it, does not release it meanwhile.
/// - A handover stops the clock of the connection: tails and promotions go on where they were. An idle phone changes its
///   cell for nothing. A second handover during the first is part of it. An NR leg that comes or goes in coverage is a
///   handover after which the tail begins anew.
/// - On-durations cost what the levels of the tail say, whether the phone heard anything in them or not.
struct CellularMachine: RadioMachine {
    private enum State: UInt8, BitwiseCopyable {
        case idle, inactive, promoting, connected, handingOver
    }

    let technique = RadioProfile.Technique.cellular
    private var state = State.idle
    /// Where a handover returns to.
    private var interrupted = State.idle
    private var air: Air
    /// The last bit of what has flowed, while more is held.
    private var tailFrom: Instant
    /// When the signalling that follows a promotion is over; on NSA it adds the NR leg.
    private var settledAt: Instant
    private var phases: RadioPhases

    init(phases: RadioPhases, at now: Instant) {
        self.phases = phases
        air = Air(at: now)
        tailFrom = now
        settledAt = now
    }

    var isPromoting: Bool { state == .promoting }

    func dataFlowsFrom(_ meter: Meter) -> Instant {
        switch state {
        case .idle, .inactive: air.isHolding ? air.opensAt : .never
        case .promoting, .connected: air.opensAt
        case .handingOver: max(air.opensAt, meter.next)
        }
    }

    // MARK: Verbs

    mutating func advance(_ meter: inout Meter, _ profile: Profile) -> Residency? {
        let now = meter.next
        switch state {
        case .idle, .inactive:
            return air.isHolding ? promote(&meter, at: now) : becomeIdle(&meter, at: now)
        case .promoting:
            state = .connected
            tailFrom = now
            settledAt =
                now + profile.pointee.cellular.settling(phases, at: now) + profile.pointee.cellular.secondPromotion
            return openAir(&meter, profile, at: now)
        case .connected:
            return proceed(&meter, profile, at: now)
        case .handingOver:
            state = interrupted
            if state == .connected { return proceed(&meter, profile, at: now) }
            meter.next = air.opensAt
            return meter.enter(.promotion, for: air.payers.starter, at: now)
        }
    }

    mutating func carry(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        switch state {
        case .idle:
            return wake(
                for: burst, at: now, &meter, profile.pointee.cellular.paging,
                promotion: profile.pointee.cellular.promotion)
        case .inactive:
            return wake(
                for: burst, at: now, &meter, profile.pointee.cellular.paging, promotion: profile.pointee.cellular.resume
            )
        case .promoting:
            return air.hold(burst, until: air.opensAt)
        case .handingOver:
            return air.hold(burst, until: interrupted == .promoting ? air.opensAt : meter.next)
        case .connected:
            let opening = burst.direction == .up ? now : listensAt(from: now, profile)
            return opening <= now
                ? flow(burst, at: now, &meter, profile)
                : holdInTail(burst, until: opening, at: now, &meter, profile)
        }
    }

    mutating func flowed(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried? {
        switch state {
        case .idle, .inactive:
            let asked = max(
                now, stamp - (state == .idle ? profile.pointee.cellular.promotion : profile.pointee.cellular.resume))
            let isOver = meter.next <= asked
            let isPaged =
                isOver
                ? wasHeldByNetwork(
                    burst, since: meter.next, until: stamp, profile.pointee.cellular.paging,
                    profile.pointee.cellular.promotion) : false
            guard !isOver || isPaged else { return nil }
            air.start(for: burst.cause)
            var carried = air.hold(burst, until: stamp)
            if isPaged {
                meter.next = asked
            } else {
                carried.spent = promote(&meter, at: asked)
                carried.promoted = true
            }
            return carried
        case .connected where stamp <= meter.next:
            return flow(burst, at: stamp, &meter, profile)
        case .connected where isLastStep(meter, profile, at: now):
            let promotion =
                .zero < profile.pointee.cellular.inactive
                ? profile.pointee.cellular.resume : profile.pointee.cellular.promotion
            guard wasHeldByNetwork(burst, since: meter.next, until: stamp, profile.pointee.cellular.drx.long, promotion)
            else {
                return nil
            }
            return holdInTail(burst, until: stamp, at: now, &meter, profile)
        case .connected, .promoting, .handingOver:
            return nil
        }
    }

    mutating func flowOn(
        _ direction: Direction, until end: Instant, at now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Residency? {
        guard state == .connected else { return nil }
        air.occupy(direction, until: end)
        return refresh(&meter, profile, sharers: meter.sharers, at: now)
    }

    mutating func forget(at now: Instant) {
        air.forget(at: now)
        state = .idle
    }

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency? {
        guard state == .promoting || state == .connected else { return nil }
        let pause = end - now
        if state == .connected, air.isHolding {
            air.reopen(at: end)
            tailFrom += pause
        } else {
            air.pause(from: now, until: end)
            tailFrom = air.lastBit
        }
        settledAt += pause
        interrupted = state
        state = .handingOver
        meter.next = end
        return meter.enter(.handover, for: .handover, sharers: meter.sharers, at: now)
    }

    /// An NR leg comes or goes: signalling, which the tail is counted from.
    mutating func changeLeg(_ phases: RadioPhases, from now: Instant, until end: Instant, _ meter: inout Meter) {
        self.phases = phases
        _ = handover(from: now, until: end, &meter)
        if state == .handingOver, interrupted == .connected { settledAt = end }
    }

    // MARK: Idle

    private mutating func wake(
        for burst: Burst, at now: Instant, _ meter: inout Meter, _ paging: Cycle, promotion: TimeSpan
    ) -> Carried {
        let wakesAt = burst.direction == .up ? now : paging.nextOn(from: now, offset: phases.paging)
        var carried = air.hold(burst, wakingAt: wakesAt, for: promotion, &meter)
        if wakesAt == now {
            carried.spent = promote(&meter, at: now)
            carried.promoted = true
        }
        return carried
    }

    private mutating func promote(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .promoting
        meter.next = air.opensAt
        return meter.enter(.promotion, for: air.payers.starter, at: now)
    }

    private mutating func becomeIdle(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .idle
        meter.next = .never
        return meter.enter(.idle, for: .baseline, at: now)
    }

    // MARK: Connected

    private mutating func proceed(_ meter: inout Meter, _ profile: Profile, at now: Instant) -> Residency? {
        air.isHolding && air.opensAt <= now
            ? openAir(&meter, profile, at: now)
            : refresh(&meter, profile, sharers: meter.sharers, at: now)
    }

    /// What was held begins to flow.
    private mutating func openAir(_ meter: inout Meter, _ profile: Profile, at now: Instant) -> Residency? {
        let secondLegIsGone = hasReleasedSecondLeg(profile, at: now)
        let sharers = air.open(joining: meter.sharers)
        if secondLegIsGone { addSecondLeg(profile, at: now) }
        return refresh(&meter, profile, sharers: sharers, at: now)
    }

    private mutating func flow(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        let secondLegIsGone = hasReleasedSecondLeg(profile, at: now)
        let sharers = air.flow(burst, at: now, joining: meter.sharers)
        if secondLegIsGone { addSecondLeg(profile, at: now) }
        let spent = refresh(&meter, profile, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    private mutating func holdInTail(
        _ burst: Burst, until opening: Instant, at now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried {
        if !air.isHolding { tailFrom = air.lastBit }
        var carried = air.hold(burst, until: opening)
        carried.spent = refresh(&meter, profile, sharers: meter.sharers, at: now)
        return carried
    }

    private var lastBit: Instant { air.isHolding ? tailFrom : air.lastBit }

    /// What the tail is counted from.
    private func lastActivity(at now: Instant) -> Instant { settledAt <= now ? max(lastBit, settledAt) : lastBit }

    private func isSignalling(at now: Instant, _ profile: Profile) -> Bool {
        now < settledAt && settledAt - profile.pointee.cellular.secondPromotion <= now
    }

    /// When the signalling begins or ends.
    private func nextSignal(after now: Instant, _ profile: Profile) -> Instant {
        guard now < settledAt else { return .never }
        let begin = settledAt - profile.pointee.cellular.secondPromotion
        return now < begin ? begin : settledAt
    }

    private func hasReleasedSecondLeg(_ profile: Profile, at now: Instant) -> Bool {
        guard .zero < profile.pointee.cellular.secondPromotion, settledAt <= now, lastBit <= now else { return false }
        return profile.pointee.cellular.tail.step(after: now - lastActivity(at: now)).level == .secondTail
    }

    private mutating func addSecondLeg(_ profile: Profile, at now: Instant) {
        settledAt = now + profile.pointee.cellular.secondPromotion
        air.startAnew()
    }

    /// When downlink data that reaches the base station now can be sent to the phone.
    private func listensAt(from now: Instant, _ profile: Profile) -> Instant {
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

    private func isLastStep(_ meter: Meter, _ profile: Profile, at now: Instant) -> Bool {
        meter.next == lastActivity(at: now) + profile.pointee.cellular.tail.end
            && meter.next < nextSignal(after: now, profile)
    }

    /// Data of the network came too soon after a state was over for the promotion that would have followed: it waited for the
    /// phone to listen meanwhile.
    private func wasHeldByNetwork(
        _ burst: Burst, since end: Instant, until stamp: Instant, _ cycle: Cycle, _ promotion: TimeSpan
    ) -> Bool {
        burst.direction == .down && stamp - end < min(cycle.period, promotion)
    }

    /// Enters the level that the connection is at, and finds out when that changes.
    private mutating func refresh(_ meter: inout Meter, _ profile: Profile, sharers: CauseSet, at now: Instant)
        -> Residency?
    {
        let signal = nextSignal(after: now, profile)
        let change = air.isHolding ? min(signal, air.opensAt) : signal
        if isSignalling(at: now, profile) {
            meter.next = change
            return meter.enter(.secondPromotion, for: air.payers.starter, sharers: sharers, at: now)
        }
        if let activity = air.activity(at: now, upIsDearer: profile.pointee.upIsDearer) {
            meter.next = min(activity.until, change)
            return meter.enter(activity.level, for: air.payers.latest, sharers: sharers, at: now)
        }
        let begin = lastActivity(at: now)
        let step = profile.pointee.cellular.tail.step(after: now - begin)
        let stepEnd = begin + step.until
        if now < stepEnd {
            meter.next = min(stepEnd, change)
        } else if air.isHolding {
            meter.next = change
        } else {
            return release(&meter, after: profile.pointee.cellular.inactive, at: now)
        }
        let level = step.level == .activeDown ? air.lastDirection.level : step.level
        return meter.enter(level, for: air.payers.latest, sharers: sharers, isTail: true, at: now)
    }

    private mutating func release(_ meter: inout Meter, after inactive: TimeSpan, at now: Instant) -> Residency? {
        guard .zero < inactive else { return becomeIdle(&meter, at: now) }
        state = .inactive
        meter.next = now + inactive
        return meter.enter(.inactive, for: .baseline, at: now)
    }
}
