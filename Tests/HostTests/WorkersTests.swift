import DeadzoneHost
import DeadzoneTestKit
import Synchronization
import Testing

struct WorkersTests {
    @Test func resultsAreIndependentOfTheThreads() {
        // Broken: the number of threads changes a result, or an index is skipped or done twice.
        let spaces = withEvery { choose in
            let count = choose.number(below: 9)
            let jobs = choose.one(of: [1, 2, 3, 8, 64])
            let calls = Mutex([Int](repeating: 0, count: count))
            let results = Workers.run(count: count, jobs: jobs) { index in
                calls.withLock { $0[index] += 1 }
                return index * index
            }
            #expect(results == (0..<count).map { $0 * $0 })
            #expect(calls.withLock { $0 } == [Int](repeating: 1, count: count))
        }
        #expect(spaces == 45)
    }

    @Test func runsInParallel() {
        // Broken: the threads exist but take turns. Each of two bodies waits until the other has begun.
        let begun = Atomic(0)
        let results = Workers.run(count: 2, jobs: 2) { _ in
            begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
            while begun.load(ordering: .sequentiallyConsistent) < 2 {}
            return true
        }
        #expect(results == [true, true])
    }

    @Test func startsNothingAfterTheStop() {
        // Broken: Ctrl-C is ignored, or finished work is lost with the rest.
        let done = Atomic(0)
        let results = Workers.run(count: 100, jobs: 1, stop: { done.load(ordering: .relaxed) == 3 }) { index in
            done.wrappingAdd(1, ordering: .relaxed)
            return index
        }
        #expect(results.compactMap { $0 } == [0, 1, 2])
        #expect(results.count == 100)
    }

    @Test func usesTheRequestedNumberOfThreads() {
        // Broken: there are more threads than requested, or than there is work. Each thread checks for a stop before
        // every piece of work, and once more at the end.
        let spaces = withEvery { choose in
            let count = choose.number(below: 9)
            let jobs = choose.one(of: [1, 2, 3, 8, 64])
            let asked = Atomic(0)
            let stop: @Sendable () -> Bool = {
                asked.wrappingAdd(1, ordering: .relaxed)
                return false
            }
            _ = Workers.run(count: count, jobs: jobs, stop: stop) { $0 }
            #expect(asked.load(ordering: .relaxed) == count + max(1, min(jobs, count)))
        }
        #expect(spaces == 45)
    }
}
