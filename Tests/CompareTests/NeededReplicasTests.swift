import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// "About N replicas would decide", checked by simulation: pairs are drawn from those of an undecided comparison, and
/// the real test judges N of them.
struct NeededReplicasTests {
    /// Pairs of new and old values. `nil` never arrives.
    typealias Pairs = [(new: Double?, old: Double?)]

    private static func differences(_ numbers: [Double]) -> Pairs { numbers.map { (100 + $0, 100) } }

    private static func contrast(_ pairs: Pairs, _ permutations: Permutations? = nil) -> Contrast {
        func count(_ value: Double?) -> Int128 { value.map { Int128(($0 * 1e9).rounded()) } ?? ReplicaValue.never }
        return Contrast(new: pairs.map { count($0.new) }, old: pairs.map { count($0.old) }) {
            permutations ?? Permutations(pairs: $0, seed: 1)
        }
    }

    private static func needed(_ pairs: Pairs, _ level: Double) throws -> Int? {
        let metric = try #require(Catalogue.metric(named: "zombie.max"))
        return MetricChange(
            metric, .primary, new: .never, old: .never, contrast(pairs), adjusted: 1, level: level, floor: .zero
        ).neededReplicas
    }

    /// Share of draws of this many pairs in which the test decides at the level.
    private static func share(of pairs: Pairs, drawing count: Int, _ level: Double) -> Double {
        let permutations = Permutations(pairs: count, seed: 1)
        let draws = 60
        let decided = (0..<draws).count { draw in
            var dice = Dice(seed: UInt64(draw), phone: PhoneID(0), purpose: .test)
            let drawn = (0..<count).map { _ in pairs[Int(dice.next().scaled(below: UInt64(pairs.count)))] }
            return contrast(drawn, permutations).p < level
        }
        return Double(decided) / Double(draws)
    }

    /// Broken: the number counts equal pairs as if they could decide, leaves out the cost of an unknown spread, or is
    /// far too large.
    @Test(arguments: [0.05, 0.05 / 11])
    func thatManyReplicasDecide(_ level: Double) throws {
        let zeros = [Double](repeating: 0, count: 5)
        let normal = (0..<5).map { normalQuantile(tail: (Double($0) + 0.5) / 10) }
        let rows: [(String, Pairs)] = [
            ("all equal differences", Self.differences([1, 1, 1, 1, 1])),
            ("half of the pairs equal", Self.differences(zeros + [1, 1, 1, 1, 1])),
            ("a third of the pairs equal", Self.differences([0, 1, 1])),
            ("one pair of five differs", Self.differences([0, 0, 0, 0, 2])),
            ("one pair of ten differs", Self.differences(zeros + [0, 0, 0, 0, 1])),
            ("both signs", Self.differences(zeros + [1, 1, 1, -1])),
            ("a normal difference", Self.differences((normal + normal.map { -$0 }).map { $0 + 1.2 })),
            ("signs without a mean", [(nil, 1), (nil, 1), (nil, 1), (1, nil), (5, 5), (5, 5), (5, 5), (5, 5)]),
            ("one sign without a mean", [(nil, 1), (5, 5), (5, 5), (5, 5)]),
        ]
        for (name, pairs) in rows {
            let needed = try #require(try Self.needed(pairs, level), "\(name)")
            let share = Self.share(of: pairs, drawing: needed, level)
            #expect(share >= 0.7, "\(name): \(needed) replicas decide in \(share)")
            let half = Self.share(of: pairs, drawing: needed / 2, level)
            #expect(half < 0.7, "\(name): half of \(needed) replicas decide in \(half)")
        }
    }

    /// Broken: a change for the better needs another number of replicas than the same change for the worse, or pairs
    /// that are all equal need a number.
    @Test(arguments: [0.05, 0.05 / 11])
    func theDirectionDoesNotMatter(_ level: Double) throws {
        for numbers: [Double] in [[1, 1, 10], [1, 5, 9], [1, 1, 1], [0, 1, 1], [0, 0, 1, 10], [-1, 2, 8, 9]] {
            let needed = try Self.needed(Self.differences(numbers), level)
            let mirrored = try Self.needed(Self.differences(numbers.map { -$0 }), level)
            #expect(needed == mirrored && needed != nil, "\(numbers): \(String(describing: (needed, mirrored)))")
        }
        #expect(try Self.needed(Self.differences([0, 0, 0]), level) == nil)
    }

    /// Broken: the sum of probabilities is another one than that of the binomial distribution.
    @Test func unequalPairsFollowTheBinomialDistribution() {
        func probability(of pairs: Int, in count: Int, _ share: Double) -> Double {
            // The probabilities of each number of unequal pairs, after one replica more each time.
            var chances = [1.0] + [Double](repeating: 0, count: count)
            for _ in 0..<count {
                for place in stride(from: count, through: 1, by: -1) {
                    chances[place] = chances[place] * (1 - share) + chances[place - 1] * share
                }
                chances[0] *= 1 - share
            }
            return chances[pairs...].reduce(0, +)
        }
        for share in [0.05, 0.2, 0.5, 0.9, 1] {
            for pairs in [1, 6, 9] {
                guard let count = TestPower.replicas(withUnequalPairs: pairs, share: share) else {
                    Issue.record("no number for \(pairs) pairs, \(share)")
                    continue
                }
                #expect(probability(of: pairs, in: count, share) >= TestPower.wanted)
                #expect(count == pairs || probability(of: pairs, in: count - 1, share) < TestPower.wanted)
            }
        }
        #expect(TestPower.replicas(withUnequalPairs: 9, share: 0.000_5) == nil)
    }

    /// Broken: the comment or the warning of `baseline save` names a number of replicas that cannot decide about all
    /// primary metrics, or one more than needed.
    @Test func nineReplicasCanDecideAboutAllPrimaryMetrics() {
        func decided(_ replicas: Int) -> Bool {
            let p = Self.contrast(Self.differences((0..<replicas).map { 1 + Double($0) })).p
            return holm([Double](repeating: p, count: PrimaryMetric.all.count)).allSatisfy { $0 < MetricChange.level }
        }
        #expect(decided(9) && !decided(8) && PrimaryMetric.neededReplicas == 9)
    }

    /// Broken: `compare` asks for a wrong number of replicas, or promises that any number of them would decide about
    /// pairs without a majority.
    @Test func numbersOfReplicasFollowTheirFormulas() {
        // The quantiles of 2.5 % and 20 % are 1.959964 and 0.841621, and their sum is 2.801585.
        let power = TestPower(level: 0.05)
        let shares: [(share: Double, count: Int?)] = [
            (0, nil), (0.3, nil), (0.4, nil), (0.5, nil), (0.505, nil), (0.514, nil), (0.52, 4_904), (0.6, 194),
            (0.8, 20), (1, 4),
        ]
        for row in shares { #expect(power.replicas(toFindShare: row.share) == row.count, "\(row.share)") }
        let means: [(difference: Double, spread: Double, paired: Int?, unpaired: Int?)] = [
            (1, 1, 10, 9), (-1, 1, 10, 9), (0.5, 1, 34, 33), (1, 2, 34, 33), (0, 1, nil, nil), (0.01, 1, nil, nil),
            (0.0281, 1, 9_943, 9_942), (0.028, 1, nil, nil),
        ]
        for row in means {
            let (paired, unpaired) = (
                power.replicas(toFind: row.difference, spread: row.spread),
                power.replicas(toFind: row.difference, spread: row.spread, isPaired: false)
            )
            #expect(paired == row.paired && unpaired == row.unpaired, "\(row)")
        }
        #expect(abs(power.detectable(spread: 2, count: 16) - 1.400793) < 1e-5)
        #expect(abs(power.detectable(spread: 3, count: 9) - 2.801585) < 1e-5)
    }
}
