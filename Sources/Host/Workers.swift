import Synchronization

/// Work that is split by index and joined by index: who did which part cannot show in the result.
public enum Workers {
    /// Calls the body once with every index below `count`, on `jobs` threads (the calling one among them), and returns the
    /// results in order of their index. The smallest index not yet taken goes first. Once `stop` says so no index is begun
    /// any more, and what was not done is nil.
    public static func run<Result: Sendable>(
        count: Int, jobs: Int, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int) -> Result
    ) -> [Result?] {
        runTogether(count: count, jobs: min(jobs, count), stop: stop) { index, _ in body(index) }
    }

    /// The same, for bodies that may split their work: who finds no index any more helps them.
    public static func runTogether<Result: Sendable>(
        count: Int, jobs: Int, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int, Team) -> Result
    ) -> [Result?] {
        let next = Atomic(0)
        let results = Mutex([Result?](repeating: nil, count: count))
        let team = Team()
        parallel(max(1, jobs)) {
            team.work {
                while !stop() {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < count else { return }
                    let result = body(index, team)
                    results.withLock { $0[index] = result }
                }
            }
        }
        return results.withLock { $0 }
    }

    /// Runs the body on so many threads at once and returns when all are done.
    private static func parallel(_ threads: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            // Where the system gives fewer, these do the others' share.
            let others = (1..<threads).compactMap { _ in Thread(body) }
            body()
            for thread in others { thread.join() }
        }
    }
}
