import DeadzoneBase

/// State machine of a Wi-Fi radio with power save, which dozes between beacons.
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
/// The high level begins with the packet that brings the bytes of its window above the limit. It lasts until both the
/// window and the bits end. In EnergyBox, the source of the rule, the high level covers the whole window in retrospect.
///
/// Where the diagram is inaccurate:
/// - A phone that has lost coverage is still associated, because the access point has not noticed either.
/// - A handover stops the timer of the tail. A handover of a dozing phone costs nothing.
/// - Multicast, which arrives after every DTIM beacon even if the phone does not need it, is not modelled.
struct WiFiMachine: RadioMachine {
    private enum State: UInt8, BitwiseCopyable {
        case unassociated, doze, promoting, awake, handingOver
    }

    let machineKind = RadioProfile.RadioMachineKind.wifi
    private var state = State.unassociated
    /// The state that the machine returns to after a handover.
    private var interrupted = State.doze
    private var windowBytes: UInt32 = 0
    private var windowFrom: Instant
    private var highUntil: Instant
    private var air: AirQueue
    /// The phone's offset in the beacon cycle, in nanoseconds.
    private let phase: Int64

    init(phases: RadioPhases, at now: Instant) {
        phase = phases.paging
        air = AirQueue(at: now)
        windowFrom = now
        highUntil = now
    }

    var isPromoting: Bool { state == .promoting }
    var isAssociated: Bool { state != .unassociated }

    func dataFlowsFrom(_ timer: StateTimer) -> Instant {
        switch state {
        case .unassociated: .never
        case .doze: air.isHolding ? air.opensAt : .never
        case .promoting, .awake: air.opensAt
        case .handingOver: max(air.opensAt, timer.next)
        }
    }

    // MARK: Events

    mutating func advance(_ timer: inout StateTimer, _ profile: Profile) -> Residency? {
        let now = timer.next
        switch state {
        case .unassociated: preconditionFailure("a radio without a network has no transition")
        case .doze: return promote(&timer, profile, at: now)
        case .promoting: return openAir(&timer, profile, at: now)
        case .awake: return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
        case .handingOver:
            state = interrupted
            if state == .promoting {
                timer.next = air.opensAt
                return timer.enter(.promotion, for: air.attribution.initiator, at: now)
            }
            return air.isHolding
                ? openAir(&timer, profile, at: now)
                : updateLevel(&timer, profile, sharers: timer.sharers, at: now)
        }
    }

    mutating func carry(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile) -> BurstOutcome
    {
        if state == .doze, burst.direction == .up, !air.isHolding, profile.pointee.wifi.promotion == .zero {
            state = .awake
            air.openNow(for: burst.cause, at: now)
        }
        switch state {
        case .unassociated:
            return BurstOutcome(flowsAt: .never, airtime: burst.airtime)
        case .doze:
            return wake(for: burst, at: now, &timer, profile)
        case .promoting, .handingOver:
            return hold(burst, until: state == .awake || interrupted == .awake ? timer.next : air.opensAt, profile)
        case .awake:
            return flow(burst, at: now, &timer, profile)
        }
    }

    mutating func observeFlow(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome? {
        switch state {
        case .doze:
            air.setInitiator(for: burst.cause)
            var outcome = hold(burst, until: stamp, profile)
            outcome.spent = promote(&timer, profile, at: max(now, stamp - profile.pointee.wifi.promotion))
            outcome.promoted = state == .promoting
            return outcome
        case .awake where stamp <= timer.next:
            return flow(burst, at: stamp, &timer, profile)
        case .unassociated, .promoting, .awake, .handingOver:
            return nil
        }
    }

    mutating func extendFlow(
        _ direction: Direction, until end: Instant, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> Residency? {
        guard state == .awake else { return nil }
        air.occupy(direction, until: end)
        return updateLevel(&timer, profile, sharers: timer.sharers, at: now)
    }

    /// Joins or leaves a Wi-Fi network. Returns the period of constant power that ended; `nil` if no time has passed.
    mutating func setAssociated(_ associated: Bool, at now: Instant, _ timer: inout StateTimer) -> Residency? {
        reset(at: now)
        if associated { return enterDoze(&timer, at: now) }
        state = .unassociated
        timer.next = .never
        return timer.enter(.unassociated, for: .baseline, at: now)
    }

    mutating func handover(from now: Instant, until end: Instant, _ timer: inout StateTimer) -> Residency? {
        guard state == .promoting || state == .awake else { return nil }
        air.pause(from: now, until: end)
        if now < highUntil { highUntil += end - now }
        interrupted = state
        state = .handingOver
        timer.next = end
        return timer.enter(.handover, for: .handover, sharers: timer.sharers, at: now)
    }

    // MARK: Doze

    private mutating func wake(for burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome
    {
        let wakesAt = burst.direction == .up ? now : profile.pointee.wifi.beacon.nextOn(from: now, offset: phase)
        var outcome = air.hold(burst, wakingAt: wakesAt, for: profile.pointee.wifi.promotion, &timer)
        countBytes(burst.bytes, from: air.opensAt, profile)
        if wakesAt == now {
            outcome.spent = promote(&timer, profile, at: now)
            outcome.promoted = state == .promoting
        }
        return outcome
    }

    private mutating func promote(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        if now < air.opensAt {
            state = .promoting
            timer.next = air.opensAt
            return timer.enter(.promotion, for: air.attribution.initiator, at: now)
        }
        return openAir(&timer, profile, at: now)
    }

    // A separate function: with this code in it, `updateLevel` is too large for the compiler to inline into `carry`.
    @inline(never)
    private mutating func enterDoze(_ timer: inout StateTimer, at now: Instant) -> Residency? {
        state = .doze
        timer.next = .never
        return timer.enter(.idle, for: .baseline, at: now)
    }

    private mutating func hold(_ burst: Burst, until opening: Instant, _ profile: Profile)
        -> BurstOutcome
    {
        let outcome = air.hold(burst, until: opening)
        countBytes(burst.bytes, from: air.opensAt, profile)
        return outcome
    }

    mutating func reset(at now: Instant) {
        air.reset(at: now)
        windowBytes = 0
        highUntil = now
        state = .doze
    }

    // MARK: Awake

    private mutating func openAir(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        state = .awake
        let sharers = air.open(joining: timer.sharers)
        return updateLevel(&timer, profile, sharers: sharers, at: now)
    }

    @inline(__always)
    private mutating func flow(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome
    {
        let sharers = air.flow(burst, at: now, joining: timer.sharers)
        countBytes(burst.bytes, from: now, profile)
        let spent = updateLevel(&timer, profile, sharers: sharers, at: now)
        return BurstOutcome(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    /// Adds bytes to the present time window, and starts the high power level if the window has too many bytes.
    @inline(__always)
    private mutating func countBytes(_ bytes: UInt32, from start: Instant, _ profile: Profile) {
        guard let limit = profile.pointee.wifi.highBytes else { return }
        if windowFrom + profile.pointee.wifi.highWindow <= start || start < windowFrom {
            windowFrom = start
            windowBytes = 0
        }
        windowBytes = windowBytes.addingReportingOverflow(bytes).overflow ? .max : windowBytes + bytes
        if limit < windowBytes { highUntil = max(windowFrom + profile.pointee.wifi.highWindow, air.lastBit) }
    }

    /// Sets the power level that an awake phone has now, and the time of its next change.
    @inline(__always)
    private mutating func updateLevel(
        _ timer: inout StateTimer, _ profile: Profile, sharers: CauseSet,
        at now: Instant
    ) -> Residency? {
        let level: PowerLevel
        if now < highUntil {
            (level, timer.next) = (.activeHigh, highUntil)
        } else if let activity = air.activity(at: now, upIsDearer: profile.pointee.upIsDearer) {
            (level, timer.next) = activity
        } else {
            let end = air.lastBit + profile.pointee.wifi.tail
            guard now < end else { return enterDoze(&timer, at: now) }
            (level, timer.next) = (.tail, end)
        }
        return timer.enter(level, for: air.attribution.latest, sharers: sharers, isTail: level == .tail, at: now)
    }
}
