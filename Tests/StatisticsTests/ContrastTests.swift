import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@testable import DeadzoneStatistics

struct ContrastTests {
    private func contrast(_ new: [Int128?], _ old: [Int128?]) -> Contrast {
        Contrast(new: new, old: old) { MedianDraws(count: $0, seed: 1) }
    }

    @Test func whatNeverArrivesIsBeyondEveryNumber() {
        // Broken: a message that never arrives is left out of a comparison, or counts as a large number would.
        let never = Sample.never
        #expect(Sample.difference(never, never) == 0)
        #expect(Sample.difference(never, 7) == never && Sample.difference(7, never) == -never)
        let worse = contrast([never, never, never, 5, never, never], [1, 2, 3, 4, 5, 6])
        #expect(worse.difference == never && worse.higher == 6 && worse.p < 0.04 && worse.direction == 1)
        let undefined = contrast([never, 1], [1, never])
        #expect(undefined.difference == nil && undefined.interval == nil && undefined.p == 1)
    }

    @Test func aPairWithoutANumberIsNoPair() {
        // Broken: nothing to measure counts as zero.
        let some = contrast([1, nil, 3], [1, 2, nil])
        #expect(some.count == 1 && some.same == 1 && some.difference == 0)
        let none = contrast([nil], [nil])
        #expect(none.count == 0 && none.difference == nil && none.interval == nil && none.p == 1)
    }

    @Test func fewPairsDecideNothing() {
        // Broken: five replicas are enough to call anything certain; the least p of n pairs is 2 / 2^n.
        for count in 1...12 {
            let numbers = (1...count).map { Int128($0) }
            let p = contrast(numbers, numbers.map { _ in 0 }).p
            #expect(p == min(1, 2 / Double(1 << count)))
        }
    }

    @Test func aFewWordsAreExact() {
        // Broken: the middle of two numbers leans to one side, or overflows.
        let rows: [(Int128, Int128, Int128?)] = [
            (1, 2, 2), (-1, -2, -2), (1, 3, 2), (-3, 4, 1), (3, -4, -1), (0, 0, 0), (Sample.never, 1, Sample.never),
            (-Sample.never, 1, -Sample.never), (Sample.never, -Sample.never, nil),
        ]
        for (a, b, middle) in rows { #expect(Sample.middle(a, b) == middle, "\(a) and \(b)") }
        #expect(rows.count == 9)
    }

    @Test func theSameSeedGivesTheSameInterval() {
        // Broken: an interval depends on anything but the numbers and the seed, or not on the seed.
        var dice = Dice(seed: 4, phone: PhoneID(0), purpose: .test)
        let numbers = (0..<30).map { _ in Int128(dice.next() % 1_000_000) }
        func interval(_ seed: UInt64) -> ClosedRange<Int128>? {
            Contrast(new: numbers, old: numbers.map { _ in 0 }) { MedianDraws(count: $0, seed: seed) }.interval
        }
        #expect(interval(1) == interval(1))
        #expect(Set((1...20).map { interval($0) }).count > 1)
    }

    @Test func exchangingTheSidesExchangesTheSigns() {
        // Broken: which of two is called new decides whether they differ.
        seedSweep(50) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let one = (0..<Int(1 + dice.next() % 80)).map { _ in Int128(dice.next() % 50) }
            let other = one.map { $0 + Int128(dice.next() % 9) - 3 }
            let (there, back) = (contrast(other, one), contrast(one, other))
            #expect(there.p == back.p && there.direction == -back.direction && there.higher == back.lower)
            #expect(there.difference == back.difference.map { -$0 })
            let (apart, again) = (RankSum(one, other), RankSum(other, one))
            #expect(apart.p == again.p && apart.direction == -again.direction)
        }
    }
}
