import DeadzoneHost
import DeadzoneTestKit
import Synchronization
import Testing

struct OrderedResultsTests {
    @Test func resultsComeInOrder() {
        // Broken: a result is taken before an earlier one, twice or never.
        let spaces = withEvery { choose in
            let count = choose.number(below: 8)
            let jobs = choose.one(of: [1, 2, 3, 8])
            let ahead = choose.one(of: [1, 2, 64])
            var taken: [Int] = []
            Workers.runInOrder(count: count, jobs: jobs, ahead: ahead, stop: { false }) { index, _ in
                index * index
            } take: { index, result in
                #expect(result == index * index)
                taken.append(index)
                return true
            }
            #expect(taken == Array(0..<count))
        }
        #expect(spaces == 96)
    }

    @Test(arguments: [1, 2, 5])
    func fewResultsAreAhead(_ ahead: Int) {
        // Broken: all scenarios are finished before the first is printed, so that their results fill the memory.
        let began = Atomic(0)
        let taken = Atomic(0)
        let most = Mutex(0)
        Workers.runInOrder(count: 50, jobs: 3, ahead: ahead, stop: { false }) { index, _ in
            let open =
                began.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
                - taken.load(ordering: .sequentiallyConsistent)
            most.withLock { $0 = max($0, open) }
            return index
        } take: { _, _ in
            taken.wrappingAdd(1, ordering: .sequentiallyConsistent)
            return true
        }
        // A result counts as taken a moment before `take` counts it.
        #expect(most.withLock { $0 } <= ahead + 1)
        #expect(taken.load(ordering: .relaxed) == 50)
    }

    @Test func theRunEndsWhenNothingMoreIsNeeded() {
        // Broken: scenarios are simulated although the command has already failed or stopped.
        let began = Atomic(0)
        var taken = 0
        Workers.runInOrder(count: 1_000, jobs: 2, ahead: 4, stop: { false }) { index, _ in
            began.wrappingAdd(1, ordering: .relaxed)
            return index
        } take: { _, _ in
            taken += 1
            return taken < 3
        }
        #expect(taken == 3)
        #expect(began.load(ordering: .relaxed) <= 3 + 4)
    }

    private struct Refused: Error {}

    @Test func anErrorEndsTheRun() {
        // Broken: an error in one scenario is lost, or the threads never end.
        #expect(throws: Refused.self) {
            try Workers.runInOrder(count: 100, jobs: 2, ahead: 4, stop: { false }) { index, _ in
                index
            } take: { (index: Int, _: Int) throws(Refused) in
                if index == 2 { throw Refused() }
                return true
            }
        }
    }

    @Test func aStopLeavesOutTheRest() {
        // Broken: Ctrl-C waits for all scenarios, or finished ones are lost.
        let done = Atomic(0)
        var taken: [Int] = []
        Workers.runInOrder(
            count: 100, jobs: 1, ahead: 100, stop: { done.load(ordering: .relaxed) == 3 }
        ) { index, _ in
            done.wrappingAdd(1, ordering: .relaxed)
            return index
        } take: { index, _ in
            taken.append(index)
            return true
        }
        #expect(taken == [0, 1, 2])
    }

    @Test func idleThreadsJoinALoopThatHasBegun() {
        // Broken: the last scenario runs on one thread while all others wait for it.
        let isAlone = Atomic(false)
        let begun = Atomic(0)
        var results: [Bool] = []
        Workers.runInOrder(count: 2, jobs: 2, ahead: 2, stop: { false }) { index, pool in
            guard index == 0 else { return true }
            let both = Workers.run(count: 2, on: pool) { _ in
                begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
                // Each of two bodies waits until the other has begun, on another thread. The limit only ends a failed test.
                for _ in 0..<400_000_000 {
                    if begun.load(ordering: .sequentiallyConsistent) == 2 { return true }
                }
                isAlone.store(true, ordering: .relaxed)
                return false
            }
            return both == [true, true]
        } take: { _, result in
            results.append(result)
            return true
        }
        #expect(results == [true, true] && !isAlone.load(ordering: .relaxed))
    }
}
