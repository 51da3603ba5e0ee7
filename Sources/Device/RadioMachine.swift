import DeadzonePrimitives

/// What one technology does while there is a network. `Radio` holds it, looks for networks that have gone, and advances it. A machine
/// is handed where the profile lies, and reads its own numbers there: handed on as values they would be copied.
protocol RadioMachine: Sendable, BitwiseCopyable {
    typealias Profile = UnsafePointer<RadioProfile>

    /// The first of its fields: by that the room it lies in tells what it is.
    var technique: RadioProfile.Technique { get }
    var isPromoting: Bool { get }
    func dataFlowsFrom(_ meter: Meter) -> Instant

    mutating func advance(_ meter: inout Meter, _ profile: Profile) -> Residency?

    /// Somebody asks for a burst to be carried.
    mutating func carry(_ burst: Burst, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried

    /// The bits of a burst flowed at a moment that is known; who asked for them did so as late as the state allows, and
    /// not before `now`. Nil: the machine changes by itself before that, and is to be advanced first.
    mutating func flowed(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Carried?

    /// Bits go on flowing from now until then.
    mutating func flowOn(
        _ direction: Direction, until end: Instant, at now: Instant, _ meter: inout Meter, _ profile: Profile
    ) -> Residency?

    mutating func handover(from now: Instant, until end: Instant, _ meter: inout Meter) -> Residency?

    /// The network has gone, and what was held with it.
    mutating func forget(at now: Instant)
}

/// What can happen to a machine beside what happens all the time.
enum RadioEvent {
    case flowed(Burst, at: Instant)
    case flowsOn(Direction, until: Instant)
    case handover(until: Instant)
    case lost
}

extension RadioMachine {
    /// What is due; and whether a phone that was paged promotes from now on.
    @inline(__always)
    mutating func step(
        _ meter: inout Meter, _ profile: Profile
    ) -> (spent: Residency?, promoted: Bool) {
        let wasPromoting = isPromoting
        let spent = advance(&meter, profile)
        return (spent, !wasPromoting && isPromoting)
    }

    /// Nil: the machine is to be advanced first.
    @inline(__always)
    mutating func take(_ event: RadioEvent, at now: Instant, _ meter: inout Meter, _ profile: Profile) -> Carried? {
        switch event {
        case .flowed(let burst, let stamp): return flowed(burst, at: stamp, since: now, &meter, profile)
        case .flowsOn(let direction, let end):
            return Carried(spent: flowOn(direction, until: end, at: now, &meter, profile))
        case .handover(let end): return Carried(spent: handover(from: now, until: end, &meter))
        case .lost:
            forget(at: now)
            return Carried(spent: nil)
        }
    }
}

extension Carried {
    /// Nothing was carried; a period may have ended.
    fileprivate init(spent: Residency?) { self.init(flowsAt: .never, airtime: .zero, spent: spent) }
}
