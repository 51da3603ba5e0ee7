public import DeadzoneHost
import DeadzoneMetrics

/// Settings for parallel execution of simulations: number of threads, stop flag and progress output.
public struct ParallelExecutor: Sendable {
    public let jobs: Int
    public let isStopped: @Sendable () -> Bool
    private let console: Console?
    private let terminal: Terminal

    /// - Parameter console: where progress is printed; `nil` prints none.
    public init(
        jobs: Int, isStopped: @escaping @Sendable () -> Bool = { false }, tellingOn console: Console? = nil,
        _ terminal: Terminal = .plain
    ) {
        self.jobs = jobs
        self.isStopped = isStopped
        self.console = console
        self.terminal = terminal
    }

    /// The same settings without progress output.
    public var withoutProgress: ParallelExecutor { ParallelExecutor(jobs: jobs, isStopped: isStopped) }

    public func progress(_ title: String, total: Int) -> Progress {
        Progress(title, total: total, on: console, terminal)
    }

    /// Parallel map for the statistics. It advances the progress once per result.
    func workers(_ progress: Progress) -> some ParallelMap { ThreadedMap(executor: self, progress: progress) }

    private struct ThreadedMap: ParallelMap {
        let executor: ParallelExecutor
        let progress: Progress

        func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
            Workers.run(count: count, jobs: executor.jobs, stop: executor.isStopped) { index in
                defer { progress.advance() }
                return body(index)
            }
        }
    }
}
