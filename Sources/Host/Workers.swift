import Synchronization

/// Functions that run a loop on several threads. Results are stored by index, so the assignment of indices to threads
/// cannot affect the output.
package enum Workers {
    /// Calls the body once for each index below `count` on `jobs` threads, including the calling one. Returns the
    /// results in order of their index. Threads take the smallest free index first. When `stop` returns `true`, no
    /// further index is started. The result of an index that was not run is `nil`.
    package static func run<Result: Sendable>(
        count: Int, jobs: Int, stackSize: Int = Thread.usualStackSize, stop: @Sendable () -> Bool = { false },
        body: @Sendable (Int) -> Result
    ) -> [Result?] {
        runSharingWork(count: count, jobs: min(jobs, count), stackSize: stackSize, stop: stop) { index, _ in
            body(index)
        }
    }

    /// Like `run`, on the threads of a pool: the calling thread is one of them, and idle ones join.
    package static func run<Result: Sendable>(
        count: Int, on pool: WorkSharingPool, stop: @Sendable () -> Bool = { false }, body: @Sendable (Int) -> Result
    ) -> [Result?] {
        let results = Mutex([Result?](repeating: nil, count: count))
        pool.eachInTurn(count, stop: stop) { index in
            let result = body(index)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0 }
    }

    /// Like `run`, for bodies that can share their loops: a thread without further indices helps the others.
    package static func runSharingWork<Result: Sendable>(
        count: Int, jobs: Int, stackSize: Int = Thread.usualStackSize, stop: @Sendable () -> Bool = { false },
        body: @Sendable (Int, WorkSharingPool) -> Result
    ) -> [Result?] {
        let next = Atomic(0)
        let results = Mutex([Result?](repeating: nil, count: count))
        let pool = WorkSharingPool()
        parallel(max(1, jobs), stackSize: stackSize) {
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

    /// Calls `body` once for each index below `count` on `jobs` other threads, and `take` with each result on the calling
    /// thread, in order of the index and while later ones are computed. Idle threads join the loops of the busy ones.
    /// - Parameters:
    ///   - ahead: how many results may wait for `take`.
    ///   - take: returns `false` if it needs no further result.
    package static func runInOrder<Result: Sendable, Failure: Error>(
        count: Int, jobs: Int, ahead: Int, stop: @Sendable () -> Bool,
        body: @Sendable (Int, WorkSharingPool) -> Result, take: (Int, Result) throws(Failure) -> Bool
    ) throws(Failure) {
        let results = OrderedResults<Result>(count: count, ahead: ahead)
        let pool = WorkSharingPool()
        let work: @Sendable () -> Void = {
            pool.work {
                while !stop(), let index = results.next() { results.add(body(index, pool), index) }
                results.endThread()
            }
        }
        let failure = withoutActuallyEscaping(work) { work -> Failure? in
            results.beginThreads(jobs)
            let threads = (0..<jobs).compactMap { _ in Thread(work) }
            // If the system creates no thread, the calling one does all the work beforehand.
            for _ in threads.count..<jobs where !threads.isEmpty { results.endThread() }
            if threads.isEmpty {
                results.takesAll()
                for _ in 0..<jobs { work() }
            }
            var failure: Failure?
            do throws(Failure) {
                while let (index, result) = results.take() {
                    guard try take(index, result) else { break }
                }
            } catch { failure = error }
            results.end()
            for thread in threads { thread.join() }
            return failure
        }
        if let failure { throw failure }
    }

    /// Runs the body on `threads` threads at once and returns when all are done.
    private static func parallel(_ threads: Int, stackSize: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            // If the system creates fewer threads, the existing ones do the remaining work.
            let others = (1..<threads).compactMap { _ in Thread(stackSize: stackSize, body) }
            body()
            for thread in others { thread.join() }
        }
    }
}
