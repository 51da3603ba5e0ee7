import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

struct ContrastTests {
    private func contrast(_ new: [Int128?], _ old: [Int128?]) -> Contrast {
        var contrast = Contrast(new: new, old: old) { Permutations(pairs: $0, seed: 1) }
        contrast.computeInterval(at: 0.05)
        return contrast
    }

    private func contrast(unpaired new: [Int128], _ old: [Int128]) -> Contrast {
        var contrast = Contrast(unpaired: new, old) { Permutations(new: $0, old: $1, seed: 1) }
        contrast.computeInterval(at: 0.05)
        return contrast
    }

    @Test func neverIsLargerThanEveryNumber() {
        // Broken: a message that never arrives is excluded from a comparison, or counts only as a large number.
        let never = ReplicaValue.never
        #expect(ReplicaValue.difference(never, never) == 0)
        #expect(ReplicaValue.difference(never, 7) == never && ReplicaValue.difference(7, never) == -never)
        let worse = contrast([never, never, never, 5, never, never], [1, 2, 3, 4, 5, 6])
        #expect(worse.difference == nil && worse.higher == 6 && worse.p < 0.04 && worse.direction == 1)
        let undefined = contrast([never, 1], [1, never])
        #expect(undefined.difference == nil && undefined.interval == nil && undefined.p == 1)
    }

    @Test func pairWithoutANumberDoesNotCount() {
        // Broken: a missing number counts as zero.
        let some = contrast([1, nil, 3], [1, 2, nil])
        #expect(some.count == 1 && some.same == 1 && some.difference == 0 && some.unmatched == 2)
        let none = contrast([nil], [nil])
        #expect(none.count == 0 && none.difference == nil && none.interval == nil && none.p == 1)
        #expect(none.unmatched == 0)
    }

    @Test func fewPairsDecideNothing() {
        // Broken: five replicas are enough for a decision. The least p of n pairs is 2 / 2^n.
        for count in 1...13 {
            let numbers = (1...count).map { Int128($0) }
            let p = contrast(numbers, numbers.map { _ in 0 }).p
            #expect(p == min(1, 2 / Double(1 << count)))
        }
    }

    @Test func meanIsRoundedWithoutBias() {
        // Broken: the rounding of a mean is biased, or a mean exists although a value never arrives.
        let rows: [([Int128], Int128?)] = [
            ([1, 2], 2), ([-1, -2], -2), ([1, 3], 2), ([-3, 4], 1), ([3, -4], -1), ([0, 0], 0), ([0, 0, 1], 1),
            ([], nil),
            ([ReplicaValue.never, 1], nil), ([-ReplicaValue.never, 1], nil),
            ([ReplicaValue.never - 1, ReplicaValue.never - 1], nil),
        ]
        for (numbers, mean) in rows { #expect(ReplicaValue.mean(numbers) == mean, "\(numbers)") }
        #expect(rows.count == 11)
    }

    @Test func theSameSeedGivesTheSameInterval() {
        // Broken: an interval depends on anything but the numbers and the seed, or does not depend on the seed.
        var dice = Dice(seed: 4, phone: PhoneID(0), purpose: .test)
        let numbers = (0..<30).map { _ in Int128(dice.next() % 1_000_000) }
        func interval(_ seed: UInt64) -> ClosedRange<Int128>? {
            var contrast = Contrast(new: numbers, old: numbers.map { _ in 0 }) { Permutations(pairs: $0, seed: seed) }
            contrast.computeInterval(at: 0.05)
            return contrast.interval
        }
        #expect(interval(1) == interval(1))
        #expect(Set((1...5).map { interval($0) }).count > 1)
    }

    @Test func estimateIntervalAndTestNeverContradictEachOther() {
        // Broken: an interval without zero stands beside a p that decides nothing, or an estimate lies outside its
        // interval.
        var told = 0
        seedSweep(24) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let count = seed % 24 == 1 ? 600 + Int(dice.next() % 100) : Int(2 + dice.next() % 30)
            let distinct = [2, 5, 40, 1_000_000][Int(seed % 4)]
            // Many zeros, few large numbers, sometimes a shift.
            let change = (0..<count).map { _ -> Int128 in
                let size = Int128(dice.next() % UInt64(distinct)) * (dice.next() % 8 == 0 ? 50 : 1)
                return dice.next() % 3 == 0 ? 0 : size - Int128(dice.next() % 3) * Int128(distinct) / 3
            }
            let old = (0..<count).map { _ in Int128(dice.next() % 1_000) }
            let level = [0.05, 0.01, 0.0008][Int(seed % 3)]
            var contrasts = [
                Contrast(new: zip(old, change).map(+), old: old) { Permutations(pairs: $0, seed: seed) },
                Contrast(unpaired: Array(change.prefix(30)), old.suffix(2 + count % 20)) {
                    Permutations(new: $0, old: $1, seed: seed)
                },
            ]
            for index in contrasts.indices {
                contrasts[index].computeInterval(at: level)
                let contrast = contrasts[index]
                guard let interval = contrast.interval, let difference = contrast.difference else {
                    #expect(!contrast.differs || contrast.p >= level, "decided without an interval")
                    continue
                }
                told += 1
                #expect(interval.contains(difference), "\(contrast)")
                #expect(!interval.contains(0) == (contrast.p < level), "\(contrast)")
                #expect(interval.contains(0) || (difference > 0) == (interval.lowerBound > 0), "\(contrast)")
            }
        }
        #expect(told > 0)
    }

    @Test func holmLevelsAgreeWithAdjustedProbabilities() {
        // Broken: an interval has another level than the test of its metric.
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let p = (0..<Int(1 + dice.next() % 30)).map { _ in
                Double(dice.next() % 16_384) / 16_384 / Double(1 + dice.next() % 500)
            }
            for (adjusted, (one, level)) in zip(holm(p), zip(p, holmLevels(p, 0.05))) {
                #expect((adjusted < 0.05) == (one < level))
            }
        }
    }

    @Test func adjustedProbabilitiesKeepTheirOrder() {
        // Broken: of two metrics, the more certain one becomes the less certain one by the adjustment, or a probability
        // exceeds one.
        let table: [([Double], [Double])] = [
            ([], []), ([0.2], [0.2]), ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
            ([0.03, 0.04, 0.01], [0.06, 0.06, 0.03]),
            ([0.4, 0.6, 0.9], [1, 1, 1]), ([0.01, 0.01, 0.01, 0.01], [0.04, 0.04, 0.04, 0.04]),
        ]
        for (p, adjusted) in table {
            let found = holm(p)
            #expect(found.count == p.count)
            for (one, other) in zip(found, adjusted) { #expect(abs(one - other) < 1e-12, "\(p)") }
        }
        let (third, half) = (0.05 / 3, 0.05 / 2)
        #expect(holmLevels([0.01, 0.04, 0.03], 0.05) == [third, half, half])
    }

    @Test func rankTestsEqualSciPy() {
        // Broken: a p-value differs from its statistical definition. SciPy 1.14.1 gives these values for the same
        // numbers.
        func numbers(_ count: Int128, _ number: (Int128) -> Int128) -> [Int128] { (0..<count).map(number) }
        let pairs: [([Int128], isExact: Bool, p: Double)] = [
            ([3, -1, 4, -2, 5, 9, -6, 8, 7, 10], true, 0.064453125),
            (numbers(50) { (($0 + 1) * ($0 + 1) + ($0 + 1) / 7) * ($0 % 2 * 2 - 1) }, true, 0.9085978224870299),
            // With ties and zeros.
            (numbers(60) { $0 * 7 % 9 - 3 }, false, 0.005924007607995382),
            (numbers(70) { $0 * $0 % 97 - 30 }, false, 1.5040976424104292e-05),
        ]
        for (numbers, isExact, p) in pairs {
            let ranks = SignedRank(numbers)
            #expect(ranks.isExact == isExact)
            #expect(abs(ranks.p / p - 1) < 1e-9, "\(ranks)")
        }
        let samples: [([Int128], [Int128], isExact: Bool, p: Double)] = [
            ([1, 4, 2, 8, 5, 7], [3, 9, 6, 10, 12, 11, 15], true, 0.03496503496503496),
            ([1, 4, 2, 8, 5, 7, 20, 22], [3, 9, 6, 10, 12, 11, 15, 14, 13], true, 0.2765939942410531),
            ([1, 4, 2, 8, 5, 7, 20, 22, 31], [3, 9, 6, 10, 12, 11, 15, 14, 13], false, 0.5364994693194564),
            (numbers(40) { $0 * 5 % 11 }, numbers(35) { $0 * 3 % 11 + 1 }, false, 0.3762380217389979),
        ]
        for (one, other, isExact, p) in samples {
            let ranks = RankSum(one, other)
            #expect(ranks.isExact == isExact)
            #expect(abs(ranks.p / p - 1) < 1e-9, "\(ranks)")
        }
        let tails: [(z: Double, p: Double)] = [
            (-1, 0.8413447460685429), (0, 0.5), (0.5, 0.3085375387259869), (3, 0.0013498980316300933),
            (8, 6.22096057427174e-16),
        ]
        for (z, p) in tails { #expect(abs(normalTail(z) / p - 1) < 1e-9, "\(z)") }
    }

    @Test func swappingTheSidesReversesTheSigns() {
        // Broken: the result of a test depends on which side is called new.
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let one = (0..<Int(1 + dice.next() % 30)).map { _ in Int128(dice.next() % 50) }
            let other = one.map { $0 + Int128(dice.next() % 9) - 3 }
            let (there, back) = (contrast(other, one), contrast(one, other))
            #expect(there.p == back.p && there.direction == -back.direction && there.higher == back.lower)
            #expect(there.difference == back.difference.map { -$0 })
            #expect(there.interval?.lowerBound == back.interval.map { -$0.upperBound })
            let unpaired = contrast(unpaired: one, Array(other.dropFirst(one.count / 2)))
            #expect(unpaired.count == one.count && !unpaired.isPaired)
            let (apart, again) = (RankSum(one, other), RankSum(other, one))
            #expect(apart.p == again.p && apart.direction == -again.direction)
        }
    }
}
