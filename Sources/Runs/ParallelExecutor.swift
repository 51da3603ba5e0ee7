package import DeadzoneHost
import DeadzoneMetrics

/// Settings for parallel execution of simulations: number of threads, stop flag and progress output.
package struct ParallelExecutor: Sendable {
    package let jobs: Int
    package let isStopped: @Sendable () -> Bool
    private let console: Console?
    private let terminal: Terminal
    /// The pool of threads that execute all loops; `nil` if each loop starts its own threads.
    private var pool: WorkSharingPool?
    /// Results of earlier runs; `nil` simulates everything.
    package var cache: ResultCache?
    /// Share of the parts to begin with, if several processes keep their results in one folder. Each of them then finds
    /// most of the other parts there, so that they divide the work without talking to each other.
    package var firstShare: Shard?

    /// - Parameter console: where progress is printed; `nil` prints none.
    package init(
        jobs: Int, isStopped: @escaping @Sendable () -> Bool = { false }, tellingOn console: Console? = nil,
        _ terminal: Terminal = .plain
    ) {
        self.jobs = jobs
        self.isStopped = isStopped
        self.console = console
        self.terminal = terminal
    }

    /// The same settings without progress output.
    package var withoutProgress: ParallelExecutor {
        var copy = ParallelExecutor(jobs: jobs, isStopped: isStopped)
        (copy.pool, copy.cache, copy.firstShare) = (pool, cache, firstShare)
        return copy
    }

    package func progress(_ title: String, total: Int) -> Progress {
        Progress(title, total: total, on: console, terminal)
    }

    /// Calls the body once for each index below `count`, on all threads. Returns the results in order of their index;
    /// the result of an index that was not run, because the user stopped the tool, is `nil`.
    func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
        guard count > 0 else { return [] }
        guard let pool else { return Workers.run(count: count, jobs: jobs, stop: isStopped, body: body) }
        return Workers.run(count: count, on: pool, stop: isStopped, body: body)
    }

    /// Like `map`, for bodies with loops that further threads can join.
    func mapSharingWork<Result: Sendable>(
        _ count: Int, jobs: Int, _ body: @Sendable (Int, WorkSharingPool) -> Result
    ) -> [Result?] {
        guard let pool else { return Workers.runSharingWork(count: count, jobs: jobs, stop: isStopped, body: body) }
        return Workers.run(count: count, on: pool, stop: isStopped) { body($0, pool) }
    }

    /// Most scenarios that may be finished and not yet taken.
    private static let ahead = 64

    /// Calls `body` once for each index below `count`, several at once, and `take` with each result in order, on the
    /// calling thread. The executor of `body` shares all loops among all threads, so they are busy until the last
    /// scenario or cell ends, whatever their lengths.
    /// - Parameter take: returns `false` if it needs no further result.
    package func inOrder<Result: Sendable, Failure: Error>(
        _ count: Int, _ body: @Sendable (Int, ParallelExecutor) -> Result,
        take: (Int, Result) throws(Failure) -> Bool
    ) throws(Failure) {
        guard count > 1, jobs > 1 else {
            for index in 0..<count where try !take(index, body(index, self)) { return }
            return
        }
        let nested = withoutProgress
        try Workers.runInOrder(
            count: count, jobs: jobs, ahead: Self.ahead, stop: isStopped,
            body: { index, pool in
                var executor = nested
                executor.pool = pool
                return body(index, executor)
            }, take: take)
    }

    /// Parallel map for the statistics. It advances the progress once per result.
    func workers(_ progress: Progress) -> some ParallelMap { ThreadedMap(executor: self, progress: progress) }

    private struct ThreadedMap: ParallelMap {
        let executor: ParallelExecutor
        let progress: Progress

        func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result?] {
            executor.map(count) { index in
                defer { progress.advance() }
                return body(index)
            }
        }
    }
}
