import DeadzoneBase
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneMetrics

/// Tests and intervals over random numbers, compared with SciPy.
@Suite(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
struct ContrastOracleTests {
    @Test func sciPyAgrees() throws {
        // Broken: a p-value or an interval differs from its statistical definition.
        var questions: [[String: Any]] = []
        for seed in 1...40 as ClosedRange<UInt64> {
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            questions += Self.paired(seed, &dice) + Self.unpaired(seed, &dice) + [Self.family(seed, &dice)]
        }
        questions += Self.tails
        let input = try JSONSerialization.data(withJSONObject: questions)
        let lines = try Oracle.run(script: "contrasts.py", input: input).split(separator: "\n")
        #expect(lines.count == questions.count)
        for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
        // Every branch has been covered.
        func count(_ kind: String, exact: Bool) -> Int {
            questions.count { $0["kind"] as? String == kind && $0["exact"] as? Bool == exact }
        }
        for kind in ["wilcoxon", "mannwhitneyu"] {
            #expect(count(kind, exact: true) > 8 && count(kind, exact: false) > 8, "\(kind)")
        }
    }

    /// Small samples with ties, so that SciPy can enumerate all signs. The others reach up to and beyond the limit of
    /// the exact distribution.
    private static func paired(_ seed: UInt64, _ dice: inout Dice) -> [[String: Any]] {
        let isTied = seed % 2 == 0
        let count = Int(1 + dice.next() % (isTied && seed % 4 == 0 ? 12 : 120))
        let distinct = isTied && (count <= 12 || count > 60) ? 9 : 1_000_000_000
        let numbers = (0..<count).map { _ in
            Int128(dice.next() % UInt64(distinct)) - Int128(distinct / (2 + Int(seed % 3)))
        }
        let ranks = SignedRank(numbers)
        var questions: [[String: Any]] = [
            [
                "kind": "wilcoxon", "name": "seed \(seed), \(count) pairs", "differences": numbers.map { Int($0) },
                "exact": ranks.isExact, "p": ranks.p,
            ]
        ]
        var contrast = Contrast(new: numbers, old: numbers.map { _ in 0 }) { Permutations(pairs: $0, seed: seed) }
        let level = seed % 3 == 0 ? 0.05 : 0.01
        contrast.computeInterval(at: level)
        questions.append([
            "kind": "signs", "name": "seed \(seed), \(count) pairs", "differences": numbers.map { Int($0) },
            "p": contrast.p, "level": level, "low": contrast.interval.map { Int($0.lowerBound) } ?? NSNull(),
            "high": contrast.interval.map { Int($0.upperBound) } ?? NSNull(),
        ])
        return questions
    }

    private static func unpaired(_ seed: UInt64, _ dice: inout Dice) -> [[String: Any]] {
        let counts = (Int(2 + dice.next() % (seed % 2 == 0 ? 7 : 60)), Int(2 + dice.next() % 60))
        let distinct: UInt64 = seed % 3 == 0 ? 10 : 1_000_000_000
        let x = (0..<counts.0).map { _ in Int128(dice.next() % distinct) }
        let y = (0..<counts.1).map { _ in Int128(dice.next() % distinct + seed % 4 * distinct / 8) }
        let ranks = RankSum(x, y)
        let contrast = Contrast(unpaired: x, y) { Permutations(new: $0, old: $1, seed: seed) }
        let both: [String: Any] = ["x": x.map { Int($0) }, "y": y.map { Int($0) }]
        return [
            both.merging([
                "kind": "mannwhitneyu", "name": "seed \(seed), \(counts)", "exact": ranks.isExact, "p": ranks.p,
            ]) { $1 },
            both.merging(["kind": "labels", "name": "seed \(seed), \(counts)", "p": contrast.p]) { $1 },
        ]
    }

    private static func family(_ seed: UInt64, _ dice: inout Dice) -> [String: Any] {
        let p = (0...Int(seed % 30)).map { _ in Double(dice.next() % 1_000) / 1_000 / Double(1 + dice.next() % 50) }
        return ["kind": "holm", "name": "seed \(seed), \(p.count) of them", "p": p, "adjusted": holm(p)]
    }

    private static var tails: [[String: Any]] {
        (-20...100).map { step in
            let z = Double(step) / 4
            return ["kind": "tail", "name": "\(z)", "z": z, "p": normalTail(z)]
        }
    }
}
