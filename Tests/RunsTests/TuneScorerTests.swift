import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing
@testable import DeadzoneRuns

/// Objectives, violations and paired values of a search point, and the choice of rows, by plain arithmetic.
struct TuneScorerTests {
    private static let never = ReplicaValue.never
    private static func count(_ number: Double) -> Int128 { Int128((number * 1e9).rounded()) }

    /// Samples by scenario, metric and replica.
    private func samples(_ values: [[[Int128?]]], isSound: Bool = true) -> TuneSamples {
        var samples = TuneSamples(scenarios: values.count, metrics: values[0].count)
        for (scenario, metrics) in values.enumerated() {
            for replica in metrics[0].indices { samples.append(metrics.map { $0[replica] }, scenario: scenario) }
        }
        if !isSound { samples.noteStop() }
        return samples
    }

    private func scorer(
        _ present: TuneSamples, beside others: [TuneSamples] = [], demands: [TuneReport.TuneDemand] = []
    ) throws -> TuneScorer {
        let goals = try ["battery.joules", "availability.ratio"].map { try #require(Catalogue.metric(named: $0)) }
        return TuneScorer(goals: goals, demands: demands, present: present, beside: others)
    }

    private func equal(_ one: [Double], _ other: [Double]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-9 * max(1, abs($1)) }
    }

    @Test func objectivesAreMeanRatiosToThePresentSettings() throws {
        // Broken: a long scenario outweighs a short one, a ratio of a metric that should be high is not inverted, or a
        // value that never arrives hides the others.
        let present = samples([[[10, 20, 30], [4, 4, 4]], [[1_000, 1_000, 4_000], [8, 4, 6]]])
        let scorer = try scorer(present)
        #expect(equal(scorer.objectives(samples([[[20], [4]], [[2_000], [6]]])), [1, 1]))
        #expect(equal(scorer.objectives(samples([[[10], [2]], [[2_000], [3]]])), [0.75, 2]))
        #expect(
            equal(scorer.objectives(samples([[[10, 30], [8, 4]], [[1_000, 5_000], [6, 6]]])), [1.25, 0.875]))
        let worst = TuneScorer.worstRatio
        for missing in [Self.never, nil] as [Int128?] {
            let one = scorer.objectives(samples([[[missing, 20], [missing, 4]], [[2_000, 2_000], [6, 6]]]))
            #expect(equal(one, [((worst + 1) / 2 + 1) / 2, ((worst + 1) / 2 + 1) / 2]))
        }
        #expect(
            equal(scorer.objectives(samples([[[20], [0]], [[2_000], [0]]])), [1, worst]), "a zero is no divisor")
        #expect(equal(scorer.objectives(samples([[[20_000_000], [4]], [[2_000], [6]]])), [(worst + 1) / 2, 1]))
        #expect(scorer.objectives(samples([[[20], [4]], [[2_000], [6]]], isSound: false)) == [worst, worst])
    }

    @Test func brokenDemandsAreNamed() throws {
        // Broken: a demand that breaks in one of two scenarios is not found, or one that is kept is.
        let demands = try [("zombie.max", "under 5s"), ("delivery.down.lost", "0")].map { name, bound in
            let unit = try #require(Catalogue.metric(named: name)).unit
            return TuneReport.TuneDemand(
                name: name, unit: unit, threshold: try Threshold(bound, in: unit), isImplied: false)
        }
        func with(_ zombie: Double, _ lost: Double) -> [[Int128?]] {
            [[1], [1], [Self.count(zombie)], [Self.count(lost)]]
        }
        let scorer = try scorer(samples([with(1, 0), with(1, 0)]), demands: demands)
        let rows: [(TuneSamples, [Int])] = [
            (samples([with(1, 0), with(4, 0)]), []), (samples([with(1, 0), with(6, 0)]), [0]),
            (samples([with(1, 2), with(1, 0)]), [1]), (samples([with(9, 0), with(1, 1)]), [0, 1]),
        ]
        for (samples, broken) in rows {
            #expect(scorer.brokenDemands(samples) == broken)
            #expect((scorer.violation(samples) > 0) == !broken.isEmpty)
        }
    }

    @Test func oneStoppedPartMakesAllSamplesUnsound() {
        // Broken: sound replicas hide that a phone stopped in others, or their order changes.
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            var all = samples([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], isSound: first)
            all.append(samples([[[9], [10]], [[11], [12]]], isSound: second))
            #expect(all.isSound == (first && second) && all.replicas == 3)
            #expect(all.values == [[[1, 2, 9], [3, 4, 10]], [[5, 6, 11], [7, 8, 12]]])
            all.keep(first: 1)
            #expect(all.values == [[[1, 2, 9], [3, 4, 10]]])
        }
    }

    @Test func aPresentValueOfZeroTakesTheMedianOfTheOthers() throws {
        // Broken: the division by zero is infinite, or a value that never arrives is part of the scale.
        let present = samples([[[0, 0], [Self.never, nil]]])
        let others = [[8, 8], [2, 4], [0, 0], [6, Self.never]].map { samples([[$0, [5, 5]]]) }
        let scorer = try scorer(present, beside: others)
        // The means of the others are 3, 6 and 8.
        #expect(equal(scorer.objectives(samples([[[12], [10]]])), [2, 0.5]))
        #expect(equal(try self.scorer(present).objectives(samples([[[7], [2]]])), [7, 0.5]), "without others: one")
        #expect(
            equal(try self.scorer(samples([[[4, Self.never], [1, 1]]])).objectives(samples([[[4], [1]]])), [1, 1]))
    }

    @Test func violationsAddUp() throws {
        // Broken: a maximum over replicas is averaged, a mean is a maximum, or the reference has other replicas.
        func demand(_ name: String, _ words: String) throws -> TuneReport.TuneDemand {
            TuneReport.TuneDemand(
                name: name, unit: .count, threshold: try Threshold(words, in: .count), isImplied: false)
        }
        let demands = [
            try demand("latency.down.max", "at most 10"), try demand("calls.failed", "at most 100% of present"),
        ]
        func scenario(_ longest: [Double], _ failed: [Double]) -> [[Int128?]] {
            let ones = longest.map { _ in Int128?.some(1) }
            return [ones, ones, longest.map { Self.count($0) }, failed.map { Self.count($0) }]
        }
        // The present settings were measured in three replicas; the mean of the first two is 3.
        let present = samples([scenario([5, 5, 5], [2, 4, 90]), scenario([5, 5, 5], [2, 4, 90])])
        let scorer = try scorer(present, demands: demands)
        let kept = scenario([10, 1], [1, 5])
        #expect(scorer.violation(samples([kept, kept])) == 0)
        #expect(abs(scorer.violation(samples([scenario([1, 15], [3, 3]), kept])) - 0.5) < 1e-6)
        #expect(abs(scorer.violation(samples([kept, scenario([1, 1], [3, 6])])) - 0.5) < 1e-6)
        let both = scenario([20, 1], [6, 6])
        #expect(abs(scorer.violation(samples([both, both])) - 4) < 1e-6)
        let late = [[1], [1], [Self.never], [Self.count(2)]] as [[Int128?]]
        #expect(abs(scorer.violation(samples([late, scenario([1], [2])])) - 1e6) < 1e-6)
        #expect(scorer.violation(samples([kept, kept], isSound: false)) == .greatestFiniteMagnitude)
    }

    @Test func pairedValuesCombineTheScenarios() throws {
        // Broken: one scenario alone loses its unit, or a replica without a value in one scenario counts.
        let single = samples([[[10, 30], [4, 4]]])
        #expect(try scorer(single).paired(single, 0) == [10, 30])
        let present = samples([[[10, 30], [4, 4]], [[1_000, 3_000], [8, 4]]])
        let scorer = try scorer(present)
        #expect(scorer.paired(present, 0) == [500_000_000, 1_500_000_000])
        #expect(scorer.paired(samples([[[20, 10], [4, 4]], [[nil, 3_000], [8, 4]]]), 0) == [nil, 1_000_000_000])
        #expect(scorer.paired(samples([[[Self.never, 10], [4, 4]], [[1, 1_000], [8, 4]]]), 0)[0] == Self.never)
    }

    // MARK: Rows

    @Test func rowsAreTheBestOfEachGoalAndTheKnee() {
        // Broken: a knee is worse than the present settings in a goal although another point is not, or a point with
        // two roles is two rows.
        func choices(_ front: [[Double]], violation: Double = 0) -> [[String]] {
            let points = front.map { SearchPoint(position: [], objectives: $0, violation: violation) }
            return TuneAnswer.choices(points, goals: front.first?.count ?? 1).map { choice in
                ["\(choice.index)"]
                    + choice.kinds.map {
                        switch $0 {
                        case .best(let goal): "best \(goal)"
                        case .knee: "knee"
                        case .closest: "closest"
                        }
                    }
            }
        }
        #expect(choices([]) == [])
        #expect(choices([[0.5], [0.4]]) == [["1", "best 0"]])
        #expect(
            choices([[0.5, 1.5], [0.8, 0.9], [1.02, 0.6], [2, 0.3]]) == [
                ["0", "best 0"], ["2", "knee"], ["3", "best 1"],
            ])
        #expect(
            choices([[0.5, 1.5], [0.8, 0.9], [1.03, 0.6], [2, 0.3]]) == [
                ["0", "best 0"], ["1", "knee"], ["3", "best 1"],
            ])
        #expect(choices([[0.5, 0.9], [0.9, 0.8]]) == [["0", "best 0", "knee"], ["1", "best 1"]])
        #expect(
            choices([[0.5, 0.9], [0.5, 0.9]]) == [["0", "best 0", "knee", "best 1"]], "the first of equal points")
        #expect(choices([[1.5, 3], [3, 1.5]], violation: 0.5) == [["0", "closest"]])
    }

    @Test func claimsAreChangesOfTheMetric() throws {
        // Broken: the objective of a metric that should be high is not inverted, or the worst ratio is a number.
        let goals = try ["battery.joules", "availability.ratio"].map { try #require(Catalogue.metric(named: $0)) }
        func claimed(_ objectives: [Double]) -> [Double?] {
            TuneAnswer.claimed(SearchPoint(position: [], objectives: objectives, violation: 0), goals)
        }
        #expect(
            claimed([0.75, 0.5]) == [-0.25, 1] && claimed([1.5, 2]) == [0.5, -0.5] && claimed([1, 1]) == [0, 0])
        #expect(claimed([TuneScorer.worstRatio, TuneScorer.worstRatio]) == [nil, nil])
    }

    // MARK: Notation

    @Test func numbersKeepTheirNotation() throws {
        // Broken: a share is read as a plain number, a unit is lost, or an integer gets a decimal point.
        let rows: [(text: String, shapes: [Shape], number: Int64, written: [(Int64, String)])] = [
            (
                "45s", [.text], 45_000_000_000,
                [(2_600_000_000, "2.6s"), (500_000_000, "500ms"), (60_000_000_000, "1m")]
            ),
            ("300B", [.text], 300, [(2_048, "2KiB"), (2_000, "2000B")]),
            ("20%", [.text], 200_000, [(125_000, "12.5%"), (1_000_000, "100%")]),
            ("0.25", [.text], 250_000, [(1_500_000, "1.5"), (2_000_000, "2")]),
        ]
        for row in rows {
            let notation = try #require(NumberNotation(of: row.text, accepting: row.shapes))
            #expect(notation.number(of: row.text) == row.number, "\(row.text)")
            for (number, text) in row.written {
                #expect(notation.text(of: number) == text && notation.number(of: text) == number, "\(text)")
            }
            #expect(notation.isSpan == (row.text == "45s") && notation.isOtherQuantity == (row.text == "300B"))
        }
        let share = try #require(NumberNotation(of: "20%", accepting: [.text]))
        #expect(share.number(of: "0.2") == 200_000)
        let decimal = try #require(NumberNotation(of: "0.25", accepting: [.text]))
        #expect(decimal.rangeText(of: 2_000_000) == "2.0" && decimal.rangeText(of: 2_500_000) == "2.5")
        #expect(
            NumberNotation(of: "full", accepting: [.text]) == nil && NumberNotation(of: "x%", accepting: [.text]) == nil
        )
    }
}
