public import DeadzonePrimitives

/// One radio of one phone: what state it is in, when it changes by itself, when data that it is handed can flow. Plain
/// bytes; the numbers come with every call from the profile that it was made with.
///
/// A phone that is simulated asks: `carry`. A capture says when bits flowed: `flowed`, and `flowOn` between packets that
/// follow each other closely. Everything else is the same radio.
///
/// Every verb takes `now`, and `now` never lies behind `nextTransition`: whoever drives a radio advances it first.
public struct Radio: Sendable, BitwiseCopyable {
    // First: its address is the radio's, so that arguments stay in their registers.
    private var machine: MachineRoom
    @usableFromInline private(set) var meter: Meter
    private var search = Search()

    /// A cellular radio begins idle, on a cell; a Wi-Fi radio without a network.
    public init(profile: RadioProfile, phases: RadioPhases, at now: Instant) { self = profile.radio(phases, at: now) }

    fileprivate init(_ technique: RadioProfile.Technique, _ phases: RadioPhases, at now: Instant) {
        meter = Meter(level: technique == .wifi ? .unassociated : .idle, cause: .baseline, at: now)
        machine =
            switch technique {
            case .cellular: MachineRoom(CellularMachine(phases: phases, at: now))
            case .umts: MachineRoom(UMTSMachine(phases: phases, at: now))
            case .wifi: MachineRoom(WiFiMachine(phases: phases, at: now))
            }
    }

    private var technique: RadioProfile.Technique { machine.technique }

    public var level: PowerLevel { meter.level }
    /// Who pays for the open period.
    public var cause: Cause { meter.cause }
    /// Data waits for a promotion (not so while an NR leg is being added: data flows on the LTE leg).
    public var isPromoting: Bool {
        switch technique {
        case .cellular: machine[as: CellularMachine.self].isPromoting
        case .umts: machine[as: UMTSMachine.self].isPromoting
        case .wifi: machine[as: WiFiMachine.self].isPromoting
        }
    }

    /// When the radio changes by itself; `.never` if only a call can change it.
    @inlinable public var nextTransition: Instant { meter.next }

    /// From when the data that the radio was handed can flow: not later than now if the air is open, `.never` if nothing
    /// is held and the next burst has to wake the radio, or without coverage. A burst, a handover or a change of channel
    /// can move it, for what is held too.
    public var dataFlowsFrom: Instant {
        if search.isOn { return .never }
        return switch technique {
        case .cellular: machine[as: CellularMachine.self].dataFlowsFrom(meter)
        case .umts: machine[as: UMTSMachine.self].dataFlowsFrom(meter)
        case .wifi: machine[as: WiFiMachine.self].dataFlowsFrom(meter)
        }
    }

    /// Performs the one transition that is due at `nextTransition`. Returns the period that it ended, if one did, and whether a
    /// phone that was paged promotes from now on.
    public mutating func advance(_ profile: UnsafePointer<RadioProfile>) -> (spent: Residency?, promoted: Bool) {
        precondition(meter.next != .never, "no transition is due")
        if search.isOn { return (search.advance(&meter, profile.pointee.search), false) }
        check(profile)
        return switch technique {
        case .cellular: machine[as: CellularMachine.self].step(&meter, profile)
        case .umts: machine[as: UMTSMachine.self].step(&meter, profile)
        case .wifi: machine[as: WiFiMachine.self].step(&meter, profile)
        }
    }

    /// Of a profile that has no place of its own.
    public mutating func advance(_ profile: RadioProfile) -> (spent: Residency?, promoted: Bool) {
        withUnsafePointer(to: profile) { advance($0) }
    }

    /// Hands over a burst: of the phone, or of the base station that has it for the phone.
    public mutating func carry(_ burst: Burst, at now: Instant, _ profile: UnsafePointer<RadioProfile>) -> Carried {
        check(now)
        if search.isOn { return Carried(flowsAt: .never, airtime: burst.airtime) }
        check(profile)
        return switch technique {
        case .cellular:
            machine[as: CellularMachine.self].carry(burst, at: now, &meter, profile)
        case .umts: machine[as: UMTSMachine.self].carry(burst, at: now, &meter, profile)
        case .wifi: machine[as: WiFiMachine.self].carry(burst, at: now, &meter, profile)
        }
    }

    /// Of a profile that has no place of its own.
    public mutating func carry(_ burst: Burst, at now: Instant, _ profile: RadioProfile) -> Carried {
        withUnsafePointer(to: profile) { carry(burst, at: now, $0) }
    }

    /// Bits flowed at a moment that is known: somebody asked for them, not before `now`, and as late as the radio's state
    /// allows. A promotion that had no time for its whole length was shorter. Nil while the radio changes by itself before
    /// that: advance it, and say it again. What a network gave that nobody had is not asked: coverage comes first.
    public mutating func flowed(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ profile: RadioProfile
    ) -> Carried? {
        check(now)
        precondition(!search.isOn, "bits flowed where there was no network")
        return take(.flowed(burst, at: stamp), at: now, profile)
    }

    /// Bits went on flowing from now until then, without a pause that was worth a tail.
    public mutating func flowOn(
        _ direction: Direction, until end: Instant, at now: Instant, _ profile: RadioProfile
    ) -> Residency? {
        check(now)
        return search.isOn ? nil : take(.flowsOn(direction, until: end), at: now, profile)?.spent
    }

    /// Signal comes or goes. What was held is forgotten when it goes; when it comes the radio is idle, on a cell or with
    /// its access point.
    public mutating func setCoverage(_ present: Bool, at now: Instant, _ profile: RadioProfile) -> Residency? {
        check(now)
        guard present == search.isOn, isAssociated else { return nil }
        if present {
            search.end()
            meter.next = .never
            return meter.enter(.idle, for: .baseline, at: now)
        }
        _ = take(.lost, at: now, profile)
        return search.begin(&meter, profile.search, at: now)
    }

    /// Wi-Fi joins or leaves a network. Cellular radios have no such notion.
    public mutating func setAssociated(_ associated: Bool, at now: Instant) -> Residency? {
        check(now)
        precondition(technique == .wifi, "only Wi-Fi associates")
        guard associated != isAssociated else { return nil }
        search.end()
        return machine[as: WiFiMachine.self].setAssociated(associated, at: now, &meter)
    }

    private var isAssociated: Bool { technique == .wifi ? machine[as: WiFiMachine.self].isAssociated : true }

    /// A change of cell or access point interrupts data for so long. It costs an idle radio nothing.
    public mutating func handover(at now: Instant, lasting span: TimeSpan, _ profile: RadioProfile) -> Residency? {
        check(now)
        guard .zero < span, !search.isOn else { return nil }
        return take(.handover(until: now + span), at: now, profile)?.spent
    }

    /// Another network serves the phone from now on; the books are settled. On an LTE leg the connection stays with all that it
    /// holds. False: nothing stays, and the radio is to begin anew.
    public mutating func changeNetwork(
        from old: RadioProfile, to new: RadioProfile, _ phases: RadioPhases, at now: Instant
    ) -> Bool {
        check(now)
        guard technique == .cellular, !search.isOn, let length = new.length(ofLegFrom: old, phases, at: now) else {
            return false
        }
        machine[as: CellularMachine.self].changeLeg(phases, from: now, until: now + length, &meter)
        return true
    }

    /// Ends the open period for the books; the radio goes on as it was.
    public mutating func settle(at now: Instant) -> Residency? {
        check(now)
        return meter.close(at: now)
    }

    private mutating func take(
        _ event: RadioEvent, at now: Instant, _ profile: UnsafePointer<RadioProfile>
    ) -> Carried? {
        check(profile)
        return switch technique {
        case .cellular:
            machine[as: CellularMachine.self].take(event, at: now, &meter, profile)
        case .umts: machine[as: UMTSMachine.self].take(event, at: now, &meter, profile)
        case .wifi: machine[as: WiFiMachine.self].take(event, at: now, &meter, profile)
        }
    }

    private mutating func take(_ event: RadioEvent, at now: Instant, _ profile: RadioProfile) -> Carried? {
        withUnsafePointer(to: profile) { take(event, at: now, $0) }
    }

    @inline(__always)
    private func check(_ profile: UnsafePointer<RadioProfile>) {
        precondition(
            profile.pointee.technique == technique,
            "a radio that is now \(meter.level) met the profile of another technology, \(profile.pointee.technology)")
    }

    private func check(_ now: Instant) {
        precondition(
            now <= meter.next,
            "the transition at \(meter.next.nanoseconds) ns comes before \(now.nanoseconds) ns: advance first")
    }
}

extension RadioProfile {
    /// A radio with these numbers, which are not copied for it.
    public func radio(_ phases: RadioPhases, at now: Instant) -> Radio { Radio(technique, phases, at: now) }
}
