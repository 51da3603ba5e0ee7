import DeadzoneHost
import DeadzoneMetrics

/// Threads for the statistics, with a line that says how far they are.
struct Crew: Hands {
    let jobs: Int
    let isStopped: @Sendable () -> Bool
    var progress: Progress?

    func each<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
        Workers.run(count: count, jobs: jobs, stop: isStopped) { index in
            defer { progress?.advance() }
            return body(index)
        }
    }
}
