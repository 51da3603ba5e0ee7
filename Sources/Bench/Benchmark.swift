import DeadzoneBase
import DeadzoneHost

/// The measured time and event count of one execution of a benchmark.
struct BenchmarkSample: Sendable {
    var events: Int
    var nanoseconds: Int64
    /// Checksum of the work. Two implementations of the same work have the same checksum.
    var check: UInt64

    var perEvent: Double { Double(nanoseconds) / Double(max(events, 1)) }

    /// Times the closure. Prepare its input outside of it.
    static func timed(of clock: Stopwatch.TimeSource = .wall, _ body: () -> (events: Int, check: UInt64))
        -> BenchmarkSample
    {
        let watch = Stopwatch(of: clock)
        let (events, check) = body()
        return BenchmarkSample(events: events, nanoseconds: watch.elapsed.nanoseconds, check: check)
    }
}

/// A minimal implementation of the same work as a benchmark, measured as a reference.
struct BareLoop: Sendable {
    let name: String
    let run: @Sendable (_ quick: Bool) -> BenchmarkSample
}

/// A benchmark of this project's code, with minimal implementations (bare loops) for comparison.
struct Benchmark: Sendable {
    let name: String
    let about: String
    /// The unit of work that is counted.
    let event: String
    /// Number of simultaneous phones, clients or flows.
    let clients: @Sendable (_ quick: Bool) -> Int
    /// How often each loop runs. The minimum counts, because noise only adds time.
    let rounds: Int
    /// `true` if the bare loops do exactly the same work, event for event. Then the checksums must agree.
    let checksMustAgree: Bool
    let ours: @Sendable (_ quick: Bool) -> BenchmarkSample
    let bare: [BareLoop]
    /// The target for this benchmark.
    let goal: PerformanceGoal?
}

/// The limit that the result of a benchmark must meet.
enum PerformanceGoal: Sendable {
    /// Factor relative to the best bare loop.
    case ratio(Double)
    case nanosecondsPerEvent(Double)
    case seconds(Double)
}
