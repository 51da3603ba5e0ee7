import DeadzoneHost
import DeadzonePrimitives

/// Work that is done and timed once.
struct Sample: Sendable {
    var events: Int
    var nanoseconds: Int64
    /// Of what was done: two ways of doing the same work have the same check.
    var check: UInt64

    var perEvent: Double { Double(nanoseconds) / Double(max(events, 1)) }

    /// Times the body alone; what it needs is made before.
    static func timed(of clock: Stopwatch.Clock = .wall, _ body: () -> (events: Int, check: UInt64)) -> Sample {
        let watch = Stopwatch(of: clock)
        let (events, check) = body()
        return Sample(events: events, nanoseconds: watch.elapsed.nanoseconds, check: check)
    }
}

/// The same work with nothing around it.
struct BareLoop: Sendable {
    let name: String
    let run: @Sendable (_ quick: Bool) -> Sample
}

/// One figure of this project, and the bare loops that it is measured beside.
struct Benchmark: Sendable {
    let name: String
    let about: String
    /// What one event is.
    let event: String
    /// Phones or lanes at once.
    let clients: @Sendable (_ quick: Bool) -> Int
    /// How often each loop runs; the least counts, because noise only ever adds.
    let rounds: Int
    /// Whether the bare loops do the very same, event for event, so that the checks must agree.
    let isSameWork: Bool
    let ours: @Sendable (_ quick: Bool) -> Sample
    let bare: [BareLoop]
    /// What we want it to be, in the words of a goal.
    let goal: Goal?
}

/// A bound that a figure is held to.
enum Goal: Sendable {
    /// Times the best bare loop.
    case ratio(Double)
    case nanosecondsPerEvent(Double)
    case seconds(Double)
}
