import DeadzoneBase

/// The state machine of one radio technology, used while a network is present. `Radio` holds the machine, searches for
/// lost networks, and advances the machine. A machine receives a pointer to the profile and reads its own parameters
/// there: passed as values they would be copied.
protocol RadioMachine: Sendable, BitwiseCopyable {
    typealias Profile = UnsafePointer<RadioProfile>

    /// Kind of the machine, the first field of every machine type: `RadioMachineStorage` reads it to find out which
    /// machine it holds.
    var machineKind: RadioProfile.RadioMachineKind { get }
    var isPromoting: Bool { get }
    func dataFlowsFrom(_ timer: StateTimer) -> Instant

    mutating func advance(_ timer: inout StateTimer, _ profile: Profile) -> Residency?

    /// Accepts a burst of data that is to be transmitted.
    mutating func carry(_ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile) -> BurstOutcome

    /// Accepts a burst that flowed at a known instant, for instance in a capture. The request for it was as late as the
    /// state allows, and not before `now`. `nil` if the machine changes by itself before that and must be advanced
    /// first.
    mutating func observeFlow(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome?

    /// Records that bits continue to flow from `now` until `end`.
    mutating func extendFlow(
        _ direction: Direction, until end: Instant, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> Residency?

    mutating func handover(from now: Instant, until end: Instant, _ timer: inout StateTimer) -> Residency?

    /// Resets the machine after the loss of the network. Held data is dropped.
    mutating func reset(at now: Instant)
}

/// Events that a radio machine handles, except the frequent ones (advance, carry).
enum RadioEvent {
    case flowObserved(Burst, at: Instant)
    case flowExtended(Direction, until: Instant)
    case handover(until: Instant)
    case coverageLost
}

extension RadioMachine {
    /// Performs the due transition of the stored machine. `promoted` is `true` if a paged phone begins its promotion
    /// (wake-up) now.
    @inline(__always)
    mutating func advanceAndReport(
        _ timer: inout StateTimer, _ profile: Profile
    ) -> (spent: Residency?, promoted: Bool) {
        let wasPromoting = isPromoting
        let spent = advance(&timer, profile)
        return (spent, !wasPromoting && isPromoting)
    }

    /// Calls `observeFlow` of the stored machine: data flowed at a known instant. `nil` if the machine must be advanced
    /// first.
    @inline(__always)
    mutating func handle(_ event: RadioEvent, at now: Instant, _ timer: inout StateTimer, _ profile: Profile)
        -> BurstOutcome?
    {
        switch event {
        case .flowObserved(let burst, let stamp): return observeFlow(burst, at: stamp, since: now, &timer, profile)
        case .flowExtended(let direction, let end):
            return BurstOutcome(spent: extendFlow(direction, until: end, at: now, &timer, profile))
        case .handover(let end): return BurstOutcome(spent: handover(from: now, until: end, &timer))
        case .coverageLost:
            reset(at: now)
            return BurstOutcome(spent: nil)
        }
    }
}

extension BurstOutcome {
    /// Creates the outcome of a call without a burst; `spent` is the period of constant power that ended, if any.
    fileprivate init(spent: Residency?) { self.init(flowsAt: .never, airtime: .zero, spent: spent) }
}
