import DeadzoneBase
import DeadzoneTestKit
import Testing

@Suite struct EffectQueueTests {
    /// Broken: the effects of a step run after the next step, or the effects of one step change their order. A random
    /// tree of steps must run in the order of plain recursion, even if a step drains its own effects.
    @Test func effectsOfAStepRunBeforeTheNextStep() {
        var longest = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            // For each step: the steps that follow from it, and whether the step itself drains them.
            let leads = (0..<60).map { step in
                (
                    (0..<Int(dice.next().scaled(below: 4))).map { _ in
                        step + 1 + Int(dice.next().scaled(below: 20))
                    }.filter { $0 < 60 }, dice.next().scaled(below: 3) == 0
                )
            }
            var plain: [Int] = []
            func recurse(_ step: Int) {
                plain.append(step)
                guard plain.count < 5_000 else { return }
                for next in leads[step].0 { recurse(next) }
            }
            recurse(0)
            guard plain.count < 5_000 else { return }
            var pile = EffectQueue<Int>()
            var done: [Int] = []
            func settle(_ pile: inout EffectQueue<Int>) {
                let asked = pile.begin()
                for index in asked {
                    let step = pile[index]
                    done.append(step)
                    for next in leads[step].0 {
                        pile.append(next)
                        if leads[step].1 { settle(&pile) }
                    }
                    if pile.hasMore { settle(&pile) }
                }
                pile.end(asked)
            }
            pile.append(0)
            settle(&pile)
            #expect(done == plain, "seed \(seed)")
            #expect(pile.count == 0)
            longest = max(longest, plain.count)
        }
        #expect(longest > 200)
    }
}

@Suite struct PinnedPairTests {
    /// Counts the live instances.
    private final class InstanceCounter {
        var alive = 0
    }

    private struct CountedValue: ~Copyable {
        let census: InstanceCounter
        var number: Int

        init(_ census: InstanceCounter, _ number: Int) {
            self.census = census
            self.number = number
            census.alive += 1
        }

        deinit { census.alive -= 1 }
    }

    /// Broken: a value is written to another slot's address, outlives its pair, or is destroyed twice. Or the shared
    /// unused value is destroyed.
    @Test func eachSlotHasItsOwnStorage() {
        let census = InstanceCounter()
        let unused = UnsafeMutablePointer<CountedValue>.allocate(capacity: 1)
        unused.initialize(to: CountedValue(census, -1))
        do {
            var slots = PinnedPair(unused: unused)
            #expect(slots.count == 0 && slots[0].number == -1 && slots[1].number == -1)
            slots.replace(1, CountedValue(census, 1))
            slots[1].number += 10
            #expect(slots.count == 1 && slots[0].number == -1 && slots[1].number == 11)
            slots.replace(1, CountedValue(census, 2))
            slots.replace(0, CountedValue(census, 3))
            #expect(slots.count == 2 && slots[0].number == 3 && slots[1].number == 2)
            #expect(census.alive == 3)
        }
        #expect(census.alive == 1 && unused.pointee.number == -1)
        unused.deinitialize(count: 1).deallocate()
        #expect(census.alive == 0)
    }
}
