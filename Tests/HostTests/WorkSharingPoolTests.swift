import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

struct WorkSharingPoolTests {
    /// Broken: split work is done twice or not at all, or waits although a thread is idle. Whether a thread is idle at
    /// that moment is chance; the sum is not.
    @Test func splitWorkIsDoneOnce() {
        for (count, jobs) in [(1, 1), (1, 2), (3, 2), (2, 8), (5, 3), (0, 4)] {
            let results = Workers.runSharingWork(count: count, jobs: jobs) { index, pool in
                var sums: [Int] = []
                for width in [0, 1, 2, 7, 64] {
                    let calls = Mutex([Int](repeating: 0, count: width))
                    pool.each(width) { part in calls.withLock { $0[part] += part + 1 } }
                    sums.append(calls.withLock { $0.reduce(0, +) })
                    #expect(calls.withLock { $0 } == Array(0..<width).map { $0 + 1 })
                }
                return sums
            }
            #expect(results == Array(repeating: [0, 1, 3, 28, 2_080], count: count), "\(count) for \(jobs)")
        }
    }

    /// Broken: idle threads exist and do not help. Each of two parts waits until the other has begun. The test repeats
    /// until a thread was idle.
    @Test func idleThreadsHelp() {
        let results = Workers.runSharingWork(count: 1, jobs: 2) { _, pool in
            for _ in 0..<20_000 {
                let begun = Atomic(0)
                let waited = Atomic(0)
                pool.each(2) { _ in
                    begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
                    for _ in 0..<200 where begun.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
                    if begun.load(ordering: .sequentiallyConsistent) == 2 {
                        waited.wrappingAdd(1, ordering: .sequentiallyConsistent)
                    }
                }
                // If no other thread helps, the first part never sees the second begin.
                if waited.load(ordering: .sequentiallyConsistent) == 2 { return true }
            }
            return false
        }
        #expect(results == [true])
    }

    /// Broken: helpers run each other's parts, or the thread that split the work continues before all parts are done.
    /// This can be seen only if a thread is idle, so the test repeats until one helped twenty times. Helpers slow down
    /// until the split is over.
    @Test(arguments: [2, 3, 7])
    func aSplitLastsAsLongAsItsHelpers(width: Int) {
        let results = Workers.runSharingWork(count: 1, jobs: 3) { _, pool in
            var helped = 0
            for _ in 0..<20_000 where helped < 20 {
                let calls = Mutex([Int](repeating: 0, count: width))
                let begun = Atomic(0)
                let isOver = Atomic(false)
                let done = Atomic(0)
                pool.each(width) { part in
                    calls.withLock { $0[part] += 1 }
                    begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
                    for _ in 0..<200 where part == 0 && begun.load(ordering: .sequentiallyConsistent) < 2 {
                        sched_yield()
                    }
                    for _ in 0..<20 where part > 0 && !isOver.load(ordering: .sequentiallyConsistent) { sched_yield() }
                    // If no other thread helps, the first part never sees another begin.
                    let isHelped = part == 0 && begun.load(ordering: .sequentiallyConsistent) > 1
                    done.wrappingAdd(isHelped ? 1 + 1_000 : 1, ordering: .sequentiallyConsistent)
                }
                isOver.store(true, ordering: .sequentiallyConsistent)
                let sum = done.load(ordering: .sequentiallyConsistent)
                #expect(sum % 1_000 == width && calls.withLock { $0 } == Array(repeating: 1, count: width))
                helped += sum / 1_000
            }
            return helped
        }
        #expect(results == [20])
    }

    /// Broken: a thread waits for helpers that have gone, after a stop or without any work.
    @Test func allThreadsEnd() {
        for jobs in [1, 2, 8] {
            #expect(Workers.runSharingWork(count: 0, jobs: jobs) { index, _ in index } == [])
            let stopped = Workers.runSharingWork(count: 3, jobs: jobs, stop: { true }) { index, _ in index }
            #expect(stopped == [nil, nil, nil])
        }
    }
}
