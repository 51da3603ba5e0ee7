public import DeadzonePrimitives

/// One radio of one phone: what state it is in, when it changes by itself, when data that it is handed can flow. Plain
/// bytes; the numbers come with every call from the profile that it was made with.
///
/// Every verb takes `now`, and `now` never lies behind `nextTransition`: whoever drives a radio advances it first.
public struct Radio: Sendable, BitwiseCopyable {
    @usableFromInline private(set) var meter: Meter
    private var machine: Machine

    private enum Machine: Sendable, BitwiseCopyable {
        case cellular(CellularMachine)
        case umts(UMTSMachine)
        case wifi(WiFiMachine)
    }

    /// A cellular radio begins idle, on a cell; a Wi-Fi radio without a network.
    public init(profile: RadioProfile, phases: RadioPhases, at now: Instant) {
        switch profile.machine {
        case .cellular:
            meter = Meter(level: .idle, cause: .baseline, at: now)
            machine = .cellular(CellularMachine(phases: phases, at: now))
        case .umts:
            meter = Meter(level: .idle, cause: .baseline, at: now)
            machine = .umts(UMTSMachine(phases: phases, at: now))
        case .wifi:
            meter = Meter(level: .unassociated, cause: .baseline, at: now)
            machine = .wifi(WiFiMachine(phases: phases, at: now))
        }
    }

    public var level: PowerLevel { meter.level }
    /// Who pays for the open period.
    public var cause: Cause { meter.cause }
    /// Data waits for a promotion (not so while an NR leg is being added: data flows on the LTE leg).
    public var isPromoting: Bool {
        switch machine {
        case .cellular(let machine): machine.isPromoting
        case .umts(let machine): machine.isPromoting
        case .wifi(let machine): machine.isPromoting
        }
    }

    /// When the radio changes by itself; `.never` if only a call can change it.
    @inlinable public var nextTransition: Instant { meter.next }

    /// From when the data that the radio was handed can flow: not later than now if the air is open, `.never` if nothing
    /// is held and the next burst has to wake the radio, or without coverage. A burst, a handover or a change of channel
    /// can move it, for what is held too.
    public var dataFlowsFrom: Instant {
        switch machine {
        case .cellular(let machine): machine.dataFlowsFrom(meter)
        case .umts(let machine): machine.dataFlowsFrom(meter)
        case .wifi(let machine): machine.dataFlowsFrom(meter)
        }
    }

    /// Performs the one transition that is due at `nextTransition`. Returns the period that it ended, if one did, and whether a
    /// phone that was paged promotes from now on.
    public mutating func advance(_ profile: RadioProfile) -> (spent: Residency?, promoted: Bool) {
        precondition(meter.next != .never, "no transition is due")
        let wasPromoting = isPromoting
        let spent = transition(profile)
        return (spent, !wasPromoting && isPromoting)
    }

    private mutating func transition(_ profile: RadioProfile) -> Residency? {
        switch (machine, profile.machine) {
        case (.cellular(var it), .cellular(let timers)):
            defer { machine = .cellular(it) }
            return it.advance(&meter, profile, timers)
        case (.umts(var it), .umts(let timers)):
            defer { machine = .umts(it) }
            return it.advance(&meter, profile, timers)
        case (.wifi(var it), .wifi(let timers)):
            defer { machine = .wifi(it) }
            return it.advance(&meter, profile, timers)
        default: mismatch(profile.technology)
        }
    }

    /// Hands over a burst: of the phone, or of the base station that has it for the phone.
    public mutating func carry(_ burst: Burst, at now: Instant, _ profile: RadioProfile) -> Carried {
        check(now)
        switch (machine, profile.machine) {
        case (.cellular(var it), .cellular(let timers)):
            defer { machine = .cellular(it) }
            return it.carry(burst, at: now, &meter, profile, timers)
        case (.umts(var it), .umts(let timers)):
            defer { machine = .umts(it) }
            return it.carry(burst, at: now, &meter, timers)
        case (.wifi(var it), .wifi(let timers)):
            defer { machine = .wifi(it) }
            return it.carry(burst, at: now, &meter, profile, timers)
        default: mismatch(profile.technology)
        }
    }

    /// Signal comes or goes. What was held is forgotten when it goes; when it comes the radio is idle, on a cell or with
    /// its access point.
    public mutating func setCoverage(_ present: Bool, at now: Instant, _ profile: RadioProfile) -> Residency? {
        check(now)
        switch machine {
        case .cellular(var it):
            defer { machine = .cellular(it) }
            return it.setCoverage(present, at: now, &meter, profile.search)
        case .umts(var it):
            defer { machine = .umts(it) }
            return it.setCoverage(present, at: now, &meter, profile.search)
        case .wifi(var it):
            defer { machine = .wifi(it) }
            return it.setCoverage(present, at: now, &meter, profile.search)
        }
    }

    /// Wi-Fi joins or leaves a network. Cellular radios have no such notion.
    public mutating func setAssociated(_ associated: Bool, at now: Instant) -> Residency? {
        check(now)
        guard case .wifi(var it) = machine else { preconditionFailure("only Wi-Fi associates") }
        defer { machine = .wifi(it) }
        return it.setAssociated(associated, at: now, &meter)
    }

    /// A change of cell or access point interrupts data for the profile's time. It costs an idle radio nothing.
    public mutating func handover(at now: Instant, _ profile: RadioProfile) -> Residency? {
        check(now)
        guard .zero < profile.handover else { return nil }
        let end = now + profile.handover
        switch machine {
        case .cellular(var it):
            defer { machine = .cellular(it) }
            return it.handover(from: now, until: end, &meter)
        case .umts(var it):
            defer { machine = .umts(it) }
            return it.handover(from: now, until: end, &meter)
        case .wifi(var it):
            defer { machine = .wifi(it) }
            return it.handover(from: now, until: end, &meter)
        }
    }

    /// Ends the open period for the books; the radio goes on as it was.
    public mutating func settle(at now: Instant) -> Residency? {
        check(now)
        return meter.close(at: now)
    }

    private func mismatch(_ technology: Technology) -> Never {
        fatalError("a radio that is now \(meter.level) met the profile of another technology, \(technology)")
    }

    private func check(_ now: Instant) {
        precondition(
            now <= meter.next,
            "the transition at \(meter.next.nanoseconds) ns comes before \(now.nanoseconds) ns: advance first")
    }
}
