import DeadzoneHost
import DeadzoneTestKit
import Synchronization
import Testing

struct TwoStagePipelineTests {
    private final class Box: Sendable {
        let number = Mutex(0)
    }

    @Test func everythingArrivesInOrder() {
        // Broken: a load is lost, taken twice or overtaken, or is refilled before it was taken, or the end hangs.
        let spaces = withEvery { choose in
            let loads = choose.one(of: [1, 2, 3, 16])
            let things = choose.one(of: [0, 1, 2, 3, 15, 16, 17, 1_000])
            let slow = choose.one(of: [Side.none, .filling, .taking])
            var made = 0
            var taken: [Int] = []
            TwoStagePipeline.run((0..<loads).map { _ in Box() }, state: &taken) { box in
                guard made < things else { return false }
                made += 1
                if slow == .filling { Self.spendTime(made) }
                box.number.withLock { $0 = made }
                return true
            } take: { taken, box in
                if slow == .taking { Self.spendTime(taken.count) }
                taken.append(box.number.withLock { $0 })
            }
            #expect(taken == Array(0..<things).map { $0 + 1 })
        }
        #expect(spaces == 96)
    }

    @Test func fillingRunsAheadOfTaking() {
        // Broken: the two threads take turns. Here the second load is filled before the first one is released.
        let isSecondFilled = Atomic(false)
        var filled = 0
        var taken = 0
        TwoStagePipeline.run([Box(), Box()], state: &taken) { _ in
            filled += 1
            if filled == 2 { isSecondFilled.store(true, ordering: .sequentiallyConsistent) }
            return filled < 3
        } take: { taken, _ in
            while !isSecondFilled.load(ordering: .sequentiallyConsistent) {}
            taken += 1
        }
        #expect(taken == 2)
    }

    private enum Side { case none, filling, taking }

    /// A few hundred steps, in some turns 20,000.
    private static func spendTime(_ turn: Int) {
        let steps = Atomic(0)
        for _ in 0..<(turn % 37 == 5 ? 20_000 : 200) { steps.wrappingAdd(1, ordering: .relaxed) }
    }
}
