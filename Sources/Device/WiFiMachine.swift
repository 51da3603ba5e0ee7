import DeadzonePrimitives

/// Wi-Fi with power save.
///
///                     unassociated ── associated ──▶ doze
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
struct WiFiMachine: RadioMachine {
    private enum State: UInt8, BitwiseCopyable {
        case unassociated, doze, promoting, awake, handingOver
    }

    let technique = RadioProfile.Technique.wifi
    private var state = State.unassociated
    /// Where a handover returns to.
    private var interrupted = State.doze
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
    var isAssociated: Bool { state != .unassociated }

    func dataFlowsFrom(_ meter: Meter) -> Instant {
        switch state {
        case .unassociated: .never
        case .doze: air.isHolding ? air.opensAt : .never
        case .promoting, .awake: air.opensAt
        case .handingOver: max(air.opensAt, meter.next)
        }
    }

    // MARK: Verbs

    mutating func advance(_ meter: inout Meter, _ profile: Profile) -> Residency? {
        let now = meter.next
        switch state {
        case .unassociated: preconditionFailure("a radio without a network has nothing to do")
        case .doze: return promote(&meter, profile, at: now)
        case .promoting: return openAir(&meter, profile, at: now)
        case .awake: return refresh(&meter, profile, sharers: meter.sharers, at: now)
        case .handingOver:
            state = interrupted
            if state == .promoting {
                meter.next = air.opensAt
                return meter.enter(.promotion, for: air.payers.starter, at: now)
            }
            return air.isHolding
                ? openAir(&meter, profile, at: now)
                : refresh(&meter, profile, sharers: meter.sharers, at: now)
        }
    }

    mutating func carry(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        if state == .doze, burst.direction == .up, !air.isHolding, profile.pointee.wifi.promotion == .zero {
            state = .awake
            air.beginAnew(for: burst.cause, at: now)
        }
        switch state {
        case .unassociated:
            return Carried(flowsAt: .never, airtime: burst.airtime)
        case .doze:
            return wake(for: burst, at: now, &meter, profile)
        case .promoting, .handingOver:
            return hold(burst, until: state == .awake || interrupted == .awake ? meter.next : air.opensAt, profile)
        case .awake:
            return flow(burst, at: now, &meter, profile)
        }
    }

    mutating func flowed(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried? {
        switch state {
        case .doze:
            air.start(for: burst.cause)
            var carried = hold(burst, until: stamp, profile)
            carried.spent = promote(&meter, profile, at: max(now, stamp - profile.pointee.wifi.promotion))
            carried.promoted = state == .promoting
            return carried
        case .awake where stamp <= meter.next:
            return flow(burst, at: stamp, &meter, profile)
        case .unassociated, .promoting, .awake, .handingOver:
            return nil
        }
    }

    mutating func flowOn(
        _ direction: Direction, until end: Instant, at now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Residency? {
        guard state == .awake else { return nil }
        air.occupy(direction, until: end)
        return refresh(&meter, profile, sharers: meter.sharers, at: now)
    }

    /// Joins a network, or leaves it; nil if that is so already.
    mutating func setAssociated(_ associated: Bool, at now: Instant, _ meter: inout Meter) -> Residency? {
        forget(at: now)
        if associated { return fallAsleep(&meter, at: now) }
        state = .unassociated
        meter.next = .never
        return meter.enter(.unassociated, for: .baseline, at: now)
    }

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency? {
        guard state == .promoting || state == .awake else { return nil }
        air.pause(from: now, until: end)
        if now < highUntil { highUntil += end - now }
        interrupted = state
        state = .handingOver
        meter.next = end
        return meter.enter(.handover, for: .handover, sharers: meter.sharers, at: now)
    }

    // MARK: Doze

    private mutating func wake(for burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        let wakesAt = burst.direction == .up ? now : profile.pointee.wifi.beacon.nextOn(from: now, offset: phase)
        var carried = air.hold(burst, wakingAt: wakesAt, for: profile.pointee.wifi.promotion, &meter)
        measure(burst.bytes, from: air.opensAt, profile)
        if wakesAt == now {
            carried.spent = promote(&meter, profile, at: now)
            carried.promoted = state == .promoting
        }
        return carried
    }

    private mutating func promote(_ meter: inout Meter, _ profile: Profile, at now: Instant) -> Residency? {
        if now < air.opensAt {
            state = .promoting
            meter.next = air.opensAt
            return meter.enter(.promotion, for: air.payers.starter, at: now)
        }
        return openAir(&meter, profile, at: now)
    }

    // Apart: with this in it, `refresh` is too large for the compiler to inline into `carry`.
    @inline(never)
    private mutating func fallAsleep(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .doze
        meter.next = .never
        return meter.enter(.idle, for: .baseline, at: now)
    }

    private mutating func hold(_ burst: Burst, until opening: Instant, _ profile: Profile)
        -> Carried
    {
        let carried = air.hold(burst, until: opening)
        measure(burst.bytes, from: air.opensAt, profile)
        return carried
    }

    mutating func forget(at now: Instant) {
        air.forget(at: now)
        windowBytes = 0
        highUntil = now
        state = .doze
    }

    // MARK: Awake

    private mutating func openAir(_ meter: inout Meter, _ profile: Profile, at now: Instant) -> Residency? {
        state = .awake
        let sharers = air.open(joining: meter.sharers)
        return refresh(&meter, profile, sharers: sharers, at: now)
    }

    @inline(__always)
    private mutating func flow(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried {
        let sharers = air.flow(burst, at: now, joining: meter.sharers)
        measure(burst.bytes, from: now, profile)
        let spent = refresh(&meter, profile, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    /// Counts bytes into their window, and turns the high level on where it has too many.
    @inline(__always)
    private mutating func measure(_ bytes: UInt32, from start: Instant, _ profile: Profile) {
        guard let limit = profile.pointee.wifi.highBytes else { return }
        if windowFrom + profile.pointee.wifi.highWindow <= start || start < windowFrom {
            windowFrom = start
            windowBytes = 0
        }
        windowBytes = windowBytes.addingReportingOverflow(bytes).overflow ? .max : windowBytes + bytes
        if limit < windowBytes { highUntil = max(windowFrom + profile.pointee.wifi.highWindow, air.lastBit) }
    }

    /// Enters the level that the phone is at while awake, and finds out when that changes.
    @inline(__always)
    private mutating func refresh(
        _ meter: inout Meter, _ profile: Profile, sharers: CauseSet,
        at now: Instant
    ) -> Residency? {
        let level: PowerLevel
        if now < highUntil {
            (level, meter.next) = (.activeHigh, highUntil)
        } else if let activity = air.activity(at: now, upIsDearer: profile.pointee.upIsDearer) {
            (level, meter.next) = activity
        } else {
            let end = air.lastBit + profile.pointee.wifi.tail
            guard now < end else { return fallAsleep(&meter, at: now) }
            (level, meter.next) = (.tail, end)
        }
        return meter.enter(level, for: air.payers.latest, sharers: sharers, isTail: level == .tail, at: now)
    }
}
