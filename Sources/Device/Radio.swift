public import DeadzoneBase

/// State of one radio of one phone: its power level, its next change, and the time from which data can flow. The value
/// is plain bytes; each call passes the profile with which the radio was created.
///
/// A simulated phone hands data to the radio by `carry`. A capture shows when bits flowed: it calls `observeFlow`, and
/// `extendFlow` between packets that follow each other closely. All other calls are the same for both.
///
/// Every method takes `now`, and `now` must not be later than `nextTransition`: the caller advances the radio first.
@usableFromInline package struct Radio: Sendable, BitwiseCopyable {
    // The first field: it has the address of the radio, so that call arguments stay in their registers.
    private var machine: RadioMachineStorage
    @usableFromInline private(set) var timer: StateTimer
    private var search = NetworkSearch()

    /// Creates a radio. A cellular radio starts idle, on a cell. A Wi-Fi radio starts without a network.
    package init(profile: RadioProfile, phases: RadioPhases, at now: Instant) { self = profile.radio(phases, at: now) }

    /// Creates a radio that stays idle until its first data, also with PSM.
    package init(idle profile: RadioProfile, phases: RadioPhases, at now: Instant) {
        self.init(profile.machineKind, phases, at: now)
    }

    fileprivate init(_ technique: RadioProfile.RadioMachineKind, _ phases: RadioPhases, at now: Instant) {
        timer = StateTimer(level: technique == .wifi ? .unassociated : .idle, cause: .baseline, at: now)
        machine =
            switch technique {
            case .cellular: RadioMachineStorage(CellularMachine(phases: phases, at: now))
            case .umts: RadioMachineStorage(UMTSMachine(phases: phases, at: now))
            case .wifi: RadioMachineStorage(WiFiMachine(phases: phases, at: now))
            }
    }

    private var machineKind: RadioProfile.RadioMachineKind { machine.machineKind }

    package var level: PowerLevel { timer.level }
    /// The cause that is charged for the period of constant power that has not ended yet.
    package var cause: Cause { timer.cause }
    /// `true` if data waits for a promotion (wake-up of the radio). `false` while an NR leg is added, because data then
    /// flows on the LTE leg.
    package var isPromoting: Bool {
        switch machineKind {
        case .cellular: machine[as: CellularMachine.self].isPromoting
        case .umts: machine[as: UMTSMachine.self].isPromoting
        case .wifi: machine[as: WiFiMachine.self].isPromoting
        }
    }

    /// The time at which the radio changes by itself; `.never` if only a call can change it.
    @inlinable package var nextTransition: Instant { timer.next }

    /// Time from which held data can flow. It is not later than now if data can flow at once. `.never` without
    /// coverage, or if nothing is held and the next burst must wake the radio. A burst, a handover or a change of
    /// channel can move it, also for data that is already held.
    package var dataFlowsFrom: Instant {
        if search.isOn { return .never }
        return switch machineKind {
        case .cellular: machine[as: CellularMachine.self].dataFlowsFrom(timer)
        case .umts: machine[as: UMTSMachine.self].dataFlowsFrom(timer)
        case .wifi: machine[as: WiFiMachine.self].dataFlowsFrom(timer)
        }
    }

    /// Performs the one transition that is due at `nextTransition`. Returns the period of constant power that it ended,
    /// if any, and whether a paged phone begins its promotion.
    package mutating func advance(_ profile: UnsafePointer<RadioProfile>) -> (spent: Residency?, promoted: Bool) {
        precondition(timer.next != .never, "no transition is due")
        if search.isOn { return (search.advance(&timer, profile.pointee.search), false) }
        check(profile)
        return switch machineKind {
        case .cellular: machine[as: CellularMachine.self].advanceAndReport(&timer, profile)
        case .umts: machine[as: UMTSMachine.self].advanceAndReport(&timer, profile)
        case .wifi: machine[as: WiFiMachine.self].advanceAndReport(&timer, profile)
        }
    }

    /// Performs the transition that is due, for callers without a pointer to the profile.
    package mutating func advance(_ profile: RadioProfile) -> (spent: Residency?, promoted: Bool) {
        withUnsafePointer(to: profile) { advance($0) }
    }

    /// Hands a burst of data to the radio, from the phone, or from the base station for the phone.
    package mutating func carry(_ burst: Burst, at now: Instant, _ profile: UnsafePointer<RadioProfile>) -> BurstOutcome
    {
        check(now)
        if search.isOn { return BurstOutcome(flowsAt: .never, airtime: burst.airtime) }
        check(profile)
        return switch machineKind {
        case .cellular:
            machine[as: CellularMachine.self].carry(burst, at: now, &timer, profile)
        case .umts: machine[as: UMTSMachine.self].carry(burst, at: now, &timer, profile)
        case .wifi: machine[as: WiFiMachine.self].carry(burst, at: now, &timer, profile)
        }
    }

    /// Hands a burst of data to the radio, for callers without a pointer to the profile.
    package mutating func carry(_ burst: Burst, at now: Instant, _ profile: RadioProfile) -> BurstOutcome {
        withUnsafePointer(to: profile) { carry(burst, at: now, $0) }
    }

    /// Records a burst at a known time, for example from a capture. The request for it is placed as late as the
    /// radio's state allows, but not before `now`. If there is not enough time for a full promotion, the promotion is
    /// shortened. Returns `nil` if the radio changes state by itself before the request: advance the radio and repeat
    /// the call. The phone must have coverage.
    package mutating func observeFlow(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ profile: RadioProfile
    ) -> BurstOutcome? {
        check(now)
        precondition(!search.isOn, "bytes were transferred without a network")
        return handle(.flowObserved(burst, at: stamp), at: now, profile)
    }

    /// Records that bits continued to flow from `now` until `end`, without a pause long enough for a tail.
    package mutating func extendFlow(
        _ direction: Direction, until end: Instant, at now: Instant, _ profile: RadioProfile
    ) -> Residency? {
        check(now)
        return search.isOn ? nil : handle(.flowExtended(direction, until: end), at: now, profile)?.spent
    }

    /// Sets whether the phone has coverage. Held data is dropped when coverage is lost. When coverage returns, the
    /// radio starts idle: camped on a cell, or associated with its access point.
    package mutating func setCoverage(_ present: Bool, at now: Instant, _ profile: RadioProfile) -> Residency? {
        check(now)
        guard present == search.isOn, isAssociated else { return nil }
        if present {
            search.end()
            timer.next = .never
            beginRest(profile.powerSaving, at: now)
            return timer.enter(.idle, for: .baseline, at: now)
        }
        _ = handle(.coverageLost, at: now, profile)
        return search.begin(&timer, profile.search, at: now)
    }

    /// Joins or leaves a Wi-Fi network. A precondition excludes cellular radios, which do not associate.
    package mutating func setAssociated(_ associated: Bool, at now: Instant) -> Residency? {
        check(now)
        precondition(machineKind == .wifi, "only Wi-Fi associates")
        guard associated != isAssociated else { return nil }
        search.end()
        return machine[as: WiFiMachine.self].setAssociated(associated, at: now, &timer)
    }

    /// Begins the active time of a device with PSM, which is registered and idle.
    fileprivate mutating func beginRest(_ saving: PowerSaving?, at now: Instant) {
        guard let saving, saving.sleeps else { return }
        machine[as: CellularMachine.self].beginListening(&timer, saving.activeTime, at: now)
    }

    private var isAssociated: Bool { machineKind == .wifi ? machine[as: WiFiMachine.self].isAssociated : true }

    /// Interrupts the data flow for a change of cell or access point. An idle radio spends no energy on it.
    package mutating func handover(at now: Instant, lasting span: TimeSpan, _ profile: RadioProfile) -> Residency? {
        check(now)
        guard .zero < span, !search.isOn else { return nil }
        return handle(.handover(until: now + span), at: now, profile)?.spent
    }

    /// Changes to another network, with all periods already closed in the ledger. Between networks with an LTE leg the
    /// connection and its held data survive. Returns `false` if nothing survives and the radio must be created again.
    package mutating func changeNetwork(
        from old: RadioProfile, to new: RadioProfile, _ phases: RadioPhases, at now: Instant
    ) -> Bool {
        check(now)
        guard machineKind == .cellular, !search.isOn, let length = new.length(ofLegFrom: old, phases, at: now) else {
            return false
        }
        machine[as: CellularMachine.self].changeLeg(phases, from: now, until: now + length, &timer)
        return true
    }

    /// Ends the present period of constant power, so that the ledger can record it. The radio does not change.
    package mutating func closePeriod(at now: Instant) -> Residency? {
        check(now)
        return timer.close(at: now)
    }

    private mutating func handle(
        _ event: RadioEvent, at now: Instant, _ profile: UnsafePointer<RadioProfile>
    ) -> BurstOutcome? {
        check(profile)
        return switch machineKind {
        case .cellular:
            machine[as: CellularMachine.self].handle(event, at: now, &timer, profile)
        case .umts: machine[as: UMTSMachine.self].handle(event, at: now, &timer, profile)
        case .wifi: machine[as: WiFiMachine.self].handle(event, at: now, &timer, profile)
        }
    }

    private mutating func handle(_ event: RadioEvent, at now: Instant, _ profile: RadioProfile) -> BurstOutcome? {
        withUnsafePointer(to: profile) { handle(event, at: now, $0) }
    }

    @inline(__always)
    private func check(_ profile: UnsafePointer<RadioProfile>) {
        precondition(
            profile.pointee.machineKind == machineKind,
            "the radio is in state \(timer.level), but the profile is of another technology, \(profile.pointee.technology)"
        )
    }

    private func check(_ now: Instant) {
        precondition(
            now <= timer.next,
            "a transition at \(timer.next.nanoseconds) ns is due before \(now.nanoseconds) ns: advance first")
    }
}

extension RadioProfile {
    /// Creates a radio with this profile, without a copy of the profile.
    package func radio(_ phases: RadioPhases, at now: Instant) -> Radio {
        var radio = Radio(machineKind, phases, at: now)
        if savesPower { radio.beginRest(cellular.saving, at: now) }
        return radio
    }
}
