import DeadzonePrimitives

/// Wi-Fi with power save.
///
///     no coverage ──▶ searching ⇄ resting        unassociated
///                          │ coverage                 │ associated
///                          └───────────▶ doze ◀───────┘
///               uplink, or the beacon ╱      ▲
///               that announces data  ╱       │ tail over
///                                   ▼        │
///                            promoting ──▶ awake: active (high) ⇄ tail
///
///     promoting, awake ── handover ──▶ handing over ──▶ where it was
///
/// Downlink data for a dozing phone waits at the access point for the next beacon that the phone listens to. A profile
/// without a promotion time goes from doze to awake at once.
///
/// The high level is on from the packet that brings its window above the limit until the window ends and the bits with
/// it. EnergyBox, from which the rule comes, raises the whole window afterwards.
///
/// Where the diagram lies:
/// - A phone that has left coverage is still associated: the access point has not noticed either.
/// - A handover stops the clock of the tail. A dozing phone changes its access point for nothing.
/// - Multicast, which arrives after every DTIM beacon whether it is wanted or not, is not modelled.
struct WiFiMachine: Sendable, BitwiseCopyable {
    private enum State: UInt8, BitwiseCopyable {
        case unassociated, searching, doze, promoting, awake, handingOver
    }

    private var state = State.unassociated
    /// Where a handover returns to.
    private var interrupted = State.doze
    private var search = Search()
    private var payers = Payers()
    private var windowBytes: UInt32 = 0
    private var windowFrom: Instant
    private var highUntil: Instant
    private var air: Air
    /// Nanoseconds into the beacon cycle.
    private let phase: Int64

    init(phases: RadioPhases, at now: Instant) {
        phase = phases.paging
        air = Air(at: now)
        windowFrom = now
        highUntil = now
    }

    var isPromoting: Bool { state == .promoting }

    func dataFlowsFrom(_ meter: Meter) -> Instant {
        switch state {
        case .unassociated, .searching: .never
        case .doze: air.isHolding ? air.opensAt : .never
        case .promoting, .awake: air.opensAt
        case .handingOver: max(air.opensAt, meter.next)
        }
    }

    // MARK: Verbs

    mutating func advance(
        _ meter: inout Meter, _ profile: RadioProfile, _ timers: borrowing WiFiTimers
    ) -> Residency? {
        let now = meter.next
        switch state {
        case .unassociated: preconditionFailure("a radio without a network has nothing to do")
        case .searching: return search.advance(&meter, profile.search)
        case .doze: return promote(&meter, profile, timers, at: now)
        case .promoting: return openAir(&meter, profile, timers, at: now)
        case .awake: return refresh(&meter, profile, timers, sharers: meter.sharers, at: now)
        case .handingOver:
            state = interrupted
            if state == .promoting {
                meter.next = air.opensAt
                return meter.enter(.promotion, for: payers.starter, at: now)
            }
            return air.isHolding
                ? openAir(&meter, profile, timers, at: now)
                : refresh(&meter, profile, timers, sharers: meter.sharers, at: now)
        }
    }

    mutating func carry(
        _ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: RadioProfile,
        _ timers: borrowing WiFiTimers
    ) -> Carried {
        switch state {
        case .unassociated, .searching:
            return Carried(flowsAt: .never, airtime: burst.airtime)
        case .doze:
            return wake(for: burst, at: now, &meter, profile, timers)
        case .promoting, .handingOver:
            return hold(burst, until: state == .awake || interrupted == .awake ? meter.next : air.opensAt, timers)
        case .awake:
            air.flow(burst.direction, burst.airtime, at: now)
            measure(burst.bytes, from: now, timers)
            let sharers = payers.flow(burst.cause, joining: meter.sharers)
            let spent = refresh(&meter, profile, timers, sharers: sharers, at: now)
            return Carried(flowsAt: now, airtime: burst.airtime, spent: spent)
        }
    }

    mutating func setCoverage(_ present: Bool, at now: Instant, _ meter: inout Meter, _ law: SearchLaw) -> Residency? {
        guard state != .unassociated, present == (state == .searching) else { return nil }
        forget(at: now)
        if present { return fallAsleep(&meter, at: now) }
        state = .searching
        return search.begin(&meter, law, at: now)
    }

    mutating func setAssociated(_ associated: Bool, at now: Instant, _ meter: inout Meter) -> Residency? {
        guard associated == (state == .unassociated) else { return nil }
        forget(at: now)
        if associated { return fallAsleep(&meter, at: now) }
        state = .unassociated
        meter.next = .never
        return meter.enter(.unassociated, for: .baseline, at: now)
    }

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency? {
        guard state == .promoting || state == .awake else { return nil }
        if state == .promoting || now >= air.lastBit {
            air.shift(by: end - now)
        } else {
            air.interrupt(from: now, until: end)
        }
        if now < highUntil { highUntil += end - now }
        interrupted = state
        state = .handingOver
        meter.next = end
        return meter.enter(.handover, for: .handover, sharers: meter.sharers, at: now)
    }

    // MARK: Doze

    private mutating func wake(
        for burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: RadioProfile,
        _ timers: borrowing WiFiTimers
    ) -> Carried {
        let wakesAt = burst.direction == .up ? now : timers.beacon.nextOn(from: now, offset: phase)
        // A phone that has something to say itself does not wait for the beacon.
        if !air.isHolding || wakesAt < meter.next {
            payers.starter = burst.cause
            meter.next = wakesAt
            if air.isHolding { air.reopen(at: wakesAt + timers.promotion) }
        }
        var carried = hold(burst, until: wakesAt + timers.promotion, timers)
        if wakesAt == now {
            carried.spent = promote(&meter, profile, timers, at: now)
            carried.promoted = state == .promoting
        }
        return carried
    }

    private mutating func promote(
        _ meter: inout Meter, _ profile: RadioProfile, _ timers: borrowing WiFiTimers, at now: Instant
    ) -> Residency? {
        if now < air.opensAt {
            state = .promoting
            meter.next = air.opensAt
            return meter.enter(.promotion, for: payers.starter, at: now)
        }
        return openAir(&meter, profile, timers, at: now)
    }

    private mutating func fallAsleep(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .doze
        meter.next = .never
        return meter.enter(.idle, for: .baseline, at: now)
    }

    private mutating func hold(_ burst: Burst, until opening: Instant, _ timers: borrowing WiFiTimers) -> Carried {
        air.hold(burst.direction, burst.airtime, until: opening)
        measure(burst.bytes, from: air.opensAt, timers)
        payers.hold(burst.cause)
        return Carried(flowsAt: air.opensAt, airtime: burst.airtime)
    }

    private mutating func forget(at now: Instant) {
        air = Air(at: now)
        payers.forgetHeld()
        windowBytes = 0
        highUntil = now
    }

    // MARK: Awake

    private mutating func openAir(
        _ meter: inout Meter, _ profile: RadioProfile, _ timers: borrowing WiFiTimers, at now: Instant
    ) -> Residency? {
        state = .awake
        air.open()
        let sharers = payers.open(joining: meter.sharers)
        return refresh(&meter, profile, timers, sharers: sharers, at: now)
    }

    /// Counts bytes into their window, and turns the high level on where it has too many.
    private mutating func measure(_ bytes: UInt32, from start: Instant, _ timers: borrowing WiFiTimers) {
        guard let limit = timers.highBytes else { return }
        if windowFrom + timers.highWindow <= start || start < windowFrom {
            windowFrom = start
            windowBytes = 0
        }
        windowBytes = windowBytes.addingReportingOverflow(bytes).overflow ? .max : windowBytes + bytes
        if limit < windowBytes { highUntil = max(windowFrom + timers.highWindow, air.lastBit) }
    }

    /// Enters the level that the phone is at while awake, and finds out when that changes.
    private mutating func refresh(
        _ meter: inout Meter, _ profile: RadioProfile, _ timers: borrowing WiFiTimers, sharers: CauseSet,
        at now: Instant
    ) -> Residency? {
        if now < highUntil {
            meter.next = highUntil
            return meter.enter(.activeHigh, for: payers.latest, sharers: sharers, at: now)
        }
        if let activity = air.activity(at: now, upIsDearer: profile.upIsDearer) {
            meter.next = activity.until
            return meter.enter(activity.level, for: payers.latest, sharers: sharers, at: now)
        }
        let end = air.lastBit + timers.tail
        guard now < end else { return fallAsleep(&meter, at: now) }
        meter.next = end
        return meter.enter(.tail, for: payers.latest, sharers: sharers, isTail: true, at: now)
    }
}
