import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct StepsTests {
    /// Broken: what one step leads to is done after the next, or steps of one input change their order: a random tree of steps comes in
    /// the order of plain recursion, also where what one of them leads to is done by whoever does it.
    @Test func whatAStepLeadsToComesBeforeTheNext() {
        var longest = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            // What each step leads to, and whether whoever does it settles that by itself.
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
            var pile = Steps<Int>()
            var done: [Int] = []
            func settle(_ pile: inout Steps<Int>) {
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

@Suite struct SlotsTests {
    /// Counts how many of it there are.
    private final class Census {
        var alive = 0
    }

    private struct Inhabitant: ~Copyable {
        let census: Census
        var number: Int

        init(_ census: Census, _ number: Int) {
            self.census = census
            self.number = number
            census.alive += 1
        }

        deinit { census.alive -= 1 }
    }

    /// Broken: a value that is written to another's place, one that outlives its slots, one that is given back twice, or a shared
    /// place that is given back at all.
    @Test func eachSlotHasAPlaceOfItsOwn() {
        let census = Census()
        let unused = UnsafeMutablePointer<Inhabitant>.allocate(capacity: 1)
        unused.initialize(to: Inhabitant(census, -1))
        do {
            var slots = Slots(unused: unused)
            #expect(slots.count == 0 && slots[0].number == -1 && slots[1].number == -1)
            slots.renew(1, Inhabitant(census, 1))
            slots[1].number += 10
            #expect(slots.count == 1 && slots[0].number == -1 && slots[1].number == 11)
            slots.renew(1, Inhabitant(census, 2))
            slots.renew(0, Inhabitant(census, 3))
            #expect(slots.count == 2 && slots[0].number == 3 && slots[1].number == 2)
            #expect(census.alive == 3)
        }
        #expect(census.alive == 1 && unused.pointee.number == -1)
        unused.deinitialize(count: 1).deallocate()
        #expect(census.alive == 0)
    }
}
