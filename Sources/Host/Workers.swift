import Synchronization

/// Functions that run a loop on several threads. Results are stored by index, so the assignment of indices to threads
/// cannot affect the output.
public enum Workers {
    /// Calls the body once for each index below `count` on `jobs` threads, including the calling one. Returns the
    /// results in order of their index. Threads take the smallest free index first. When `stop` returns `true`, no
    /// further index is started. The result of an index that was not run is `nil`.
    public static func run<Result: Sendable>(
        count: Int, jobs: Int, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int) -> Result
    ) -> [Result?] {
        runSharingWork(count: count, jobs: min(jobs, count), stop: stop) { index, _ in body(index) }
    }

    /// Like `run`, for bodies that can share their loops: a thread without further indices helps the others.
    public static func runSharingWork<Result: Sendable>(
        count: Int, jobs: Int, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int, WorkSharingPool) -> Result
    ) -> [Result?] {
        let next = Atomic(0)
        let results = Mutex([Result?](repeating: nil, count: count))
        let pool = WorkSharingPool()
        parallel(max(1, jobs)) {
            pool.work {
                while !stop() {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < count else { return }
                    let result = body(index, pool)
                    results.withLock { $0[index] = result }
                }
            }
        }
        return results.withLock { $0 }
    }

    /// Runs the body on `threads` threads at once and returns when all are done.
    private static func parallel(_ threads: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            // If the system creates fewer threads, the existing ones do the remaining work.
            let others = (1..<threads).compactMap { _ in Thread(body) }
            body()
            for thread in others { thread.join() }
        }
    }
}
