import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// The answer of `tune`: relative changes, broken demands, and the choice of the proposed row.
struct TuneReportTests {
    private static func billionths(_ number: Double) -> Billionths {
        Billionths(count: Int128((number * 1e9).rounded()))
    }
    private static func figure(_ number: Double) -> Figure { .value(billionths(number)) }

    private func change(_ new: [Double?], _ old: [Double?]) -> RelativeChange {
        func counts(_ numbers: [Double?]) -> [Int128?] { numbers.map { $0.map { Self.billionths($0).count } } }
        return RelativeChange(new: counts(new), old: counts(old)) { Permutations(pairs: $0, seed: 1) }
    }

    // MARK: Relative changes

    @Test func changesAreSharesOfTheOldMean() throws {
        // Broken: a change refers to the new mean, or a replica without a number counts.
        let old = [100.0, 110, 90, 105, 95, 100, 102, 98, 100, 100]
        for factor in [0.5, 0.75, 1.25, 2] {
            let scaled = change(old.map { $0 * factor }, old)
            let share = try #require(scaled.change)
            #expect(abs(share - (factor - 1)) < 1e-9)
            let interval = try #require(scaled.interval)
            #expect(interval.contains(share), "\(factor)")
            // The differences are between 90 and 110 parts of (factor − 1).
            #expect(interval.lowerBound >= min(0.9 * (factor - 1), 1.1 * (factor - 1)) - 1e-9)
            #expect(interval.upperBound <= max(0.9 * (factor - 1), 1.1 * (factor - 1)) + 1e-9)
            #expect(scaled.differs && scaled.isDecided && scaled.direction == (factor < 1 ? -1 : 1))
            #expect(abs(scaled.p - 2 / 1_024) < 1e-9, "all ten replicas point in one direction")
        }
        let gapped = change([nil, 60, 50], [100, 80, nil])
        #expect(gapped.change.map { abs($0 + 0.25) < 1e-9 } ?? false)
        #expect(change([10, 20], [0, 0]).change == nil && change([10, 20], [0, 0]).interval == nil)
        let same = change(old, old)
        #expect(same.change == 0 && same.interval == nil && same.p == 1 && same.direction == 0)
        #expect(!same.differs && !same.isDecided)
    }

    @Test func anIntervalOfAShareIsThatOfTheRatio() throws {
        // Broken: the interval of the difference is divided by the old mean as if that mean were certain.
        let old = [100.0, 300, 90, 250, 95, 400, 102, 98]
        for factor in [0.5, 0.75, 1.25] {
            let interval = try #require(change(old.map { $0 * factor }, old).interval)
            #expect(abs(interval.lowerBound - (factor - 1)) < 1e-9 && abs(interval.upperBound - (factor - 1)) < 1e-9)
        }
        // The same difference everywhere is a larger share of a lower value.
        let shifted = try #require(change(old.map { $0 + 10 }, old).interval)
        #expect(shifted.lowerBound < 0.05 && shifted.upperBound > 0.09)
    }

    @Test func anIntervalAgreesWithItsTest() {
        // Broken: an interval contains zero although the test finds a difference, or the reverse.
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .bootstrap)
        func number(_ dice: inout Dice, below limit: UInt64) -> Double { Double(dice.next().scaled(below: limit)) }
        var decided = 0
        for pairs in 6..<30 {
            let old = (0..<pairs).map { _ in number(&dice, below: 20) }
            let new = old.map { $0 + number(&dice, below: 12) - 3 }.map { max(0, $0) }
            let found = change(new, old)
            guard found.differs, let interval = found.interval else { continue }
            #expect(interval.contains(0) == (found.p >= RelativeChange.level), "\(pairs)")
            #expect(found.change.map(interval.contains) ?? false)
            decided += found.p < RelativeChange.level ? 1 : 0
        }
        #expect(decided > 5)
    }

    @Test func oldValuesOfZeroLeaveNoInterval() {
        // Broken: a share of nothing is infinite or not a number, and is printed as the end of an interval.
        let open = change([3, 3, 3, 3, 3, 3, 3], [0, 0, 0, 0, 0, 0, 1])
        #expect(open.change != nil && open.interval == nil)
        let closed = change([0, 0, 0, 0, 3, 5, 4, 6, 5, 7], [0, 0, 0, 0, 6, 9, 9, 11, 12, 13])
        #expect(closed.interval.map { $0.lowerBound > -1 && $0.upperBound < 0 } ?? false)
    }

    @Test func aChangeIsJudgedByTheDirectionOfItsMetric() {
        // Broken: more is better for a cost, an undecided change is a gain, or a metric without a direction has losses
        // for both directions.
        let old = [10.0, 11, 12, 13, 14, 15]
        let (more, less) = (change(old.map { $0 + 3 }, old), change(old.map { $0 - 3 }, old))
        let few = change([9, 8], [10, 11])
        // Five replicas that agree have a p-value of 1/16, six of 1/32.
        let five = change(old.prefix(5).map { $0 - 3 }, Array(old.prefix(5)))
        #expect(five.p == 1 / 16 && less.p == 1 / 32)
        let mixed = change([9, 12, 11, 14, 13, 16], old)
        for better in [Metric.Better.lower, .higher] {
            let (gain, loss) = better == .lower ? (less, more) : (more, less)
            #expect(gain.isBetter(better) && !gain.isWorse(better))
            #expect(loss.isWorse(better) && !loss.isBetter(better))
            for open in [few, five, mixed] {
                #expect(open.differs && !open.isDecided && !open.isBetter(better) && !open.isWorse(better))
            }
        }
    }

    // MARK: Broken demands

    @Test func theExcessIsTheDistanceRelativeToTheBound() throws {
        // Broken: a kept bound has an excess, the wrong end counts, or a value on the edge of an open bound is kept.
        let rows: [(words: String, value: Double, excess: Double?)] = [
            ("under 10", 9, nil), ("under 10", 10, 0), ("under 10", 15, 0.5), ("at most 10", 10, nil),
            ("at most 10", 12, 0.2), ("over 10", 11, nil), ("over 10", 10, 0), ("over 10", 4, 0.6),
            ("at least 10", 10, nil), ("at least 10", 5, 0.5), ("10 to 20", 10, nil), ("10 to 20", 20, nil),
            ("10 to 20", 5, 0.25), ("10 to 20", 30, 0.5), ("0", 0, nil), ("0", 3, 3), ("at most 0", 7, 7),
            ("at most 0.5", 1, 1),
        ]
        for row in rows {
            let excess = try Threshold(row.words, in: .count).excess(of: Self.figure(row.value))
            let expected = row.excess.map { $0 + 1e-9 } ?? 0
            #expect(abs(excess - expected) < 1e-12, "\(row.words): \(row.value) has \(excess)")
            #expect((excess > 0) == (row.excess != nil), "\(row.words): \(row.value)")
        }
        #expect(try Threshold("under 0.5", in: .count).excess(of: Self.figure(1e6)) == 1e6, "the largest excess")
        for figure in [Figure.never, .nothing, .atLeast(Self.billionths(20))] {
            #expect(try Threshold("under 10", in: .count).excess(of: figure) == 1e6)
        }
        #expect(try Threshold("over 10", in: .count).excess(of: .never) == 0)
        #expect(try Threshold("over 10", in: .count).excess(of: .nothing) == 1e6)
        let relative = try Threshold("at most 50% of present", in: .count)
        #expect(relative.excess(of: Self.figure(50), reference: Self.figure(100)) == 0)
        #expect(abs(relative.excess(of: Self.figure(75), reference: Self.figure(100)) - 0.5) < 1e-6)
        for reference in [Figure.never, .nothing, nil] as [Figure?] {
            #expect(relative.excess(of: Self.figure(1), reference: reference) == 1e6)
        }
    }

    @Test func aDemandNeedsSomethingToMeasure() throws {
        // Broken: a demand is broken where nothing happens that its metric measures, or kept where everything is lost.
        for isImplied in [false, true] {
            let relative = TuneReport.TuneDemand(
                name: "calls.failed", unit: .count, threshold: try Threshold("at most 100% of present", in: .count),
                isImplied: isImplied)
            #expect(relative.excess(of: Self.figure(3), reference: Self.figure(3)) == 0)
            #expect(abs(relative.excess(of: Self.figure(6), reference: Self.figure(3)) - 1) < 1e-6)
            for reference in [nil, .nothing, .never] as [Figure?] {
                #expect(relative.excess(of: Self.figure(3), reference: reference) == 0)
            }
            #expect(relative.excess(of: .nothing, reference: Self.figure(3)) == 1e6)
        }
        let plain = TuneReport.TuneDemand(
            name: "calls.failed", unit: .count, threshold: try Threshold("at most 2", in: .count), isImplied: false)
        let rows: [(value: Figure, reference: Figure?, isKept: Bool)] = [
            (.nothing, .nothing, true), (.nothing, nil, true), (.nothing, Self.figure(1), false),
            (.never, .never, false), (.never, .nothing, false), (Self.figure(3), .nothing, false),
            (Self.figure(2), .nothing, true),
        ]
        for row in rows {
            #expect((plain.excess(of: row.value, reference: row.reference) == 0) == row.isKept, "\(row)")
        }
    }

    // MARK: The proposed row

    private func row(
        _ kinds: [TuneReport.ProposalKind], _ changes: [RelativeChange], kept: [Bool] = [true]
    ) -> TuneReport.TuneRow {
        let demands = kept.map { TuneReport.DemandResult(figure: .nothing, isKept: $0, keptReplicas: 0) }
        let result = TuneReport.TuneResult(figures: [], intervals: [], changes: [], demands: demands)
        return TuneReport.TuneRow(kinds: kinds, values: [nil], results: [result], changes: changes)
    }

    private func report(
        _ rows: [TuneReport.TuneRow], presentKeeps: Bool = true, outcome: TuneReport.TuneOutcome = .improved
    ) throws -> TuneReport {
        let goals = try ["battery.joules", "availability.ratio"].map { try #require(Catalogue.metric(named: $0)) }
        return TuneReport(
            tool: "1", strategy: "ours", scenarios: [], settings: [], goals: goals, demands: [], seed: 1, replicas: 9,
            effort: TuneReport.TuneEffort(budget: 9), present: row([], [], kept: [presentKeeps]), rows: rows,
            outcome: outcome, isComplete: true)
    }

    @Test func aRowIsBetterOrATradeByItsGoals() throws {
        // Broken: a gain in one goal hides a loss in the other, or an undecided loss of a tenth is harmless.
        let old = [100.0, 101, 102, 103, 104, 105]
        func scaled(_ factor: Double) -> RelativeChange { change(old.map { $0 * factor }, old) }
        let (more, less, same) = (scaled(1.2), scaled(0.8), change(old, old))
        // The mean rises by this share, but the replicas disagree.
        func noisy(_ share: Double) -> RelativeChange {
            change(old.enumerated().map { $1 + ($0 % 2 == 0 ? 50 : -50) + share * 102.5 }, old)
        }
        // The first goal is better if lower, the second if higher.
        let rows: [(changes: [RelativeChange], isBetter: Bool, isTrade: Bool)] = [
            ([less, same], true, false), ([more, same], false, true), ([same, more], true, false),
            ([same, less], false, true), ([less, less], true, true), ([more, more], true, true),
            ([same, same], false, false), ([less, more], true, false), ([noisy(0.04), same], false, false),
            ([scaled(1.02), same], false, true), ([same, scaled(0.98)], false, true),
            ([noisy(0.07), same], false, true), ([same, noisy(0.07)], false, false),
            ([same, noisy(-0.07)], false, true), ([noisy(-0.07), same], false, false),
        ]
        let report = try report([])
        for (number, one) in rows.enumerated() {
            #expect(report.isBetter(row([], one.changes)) == one.isBetter, "row \(number)")
            #expect(report.isTrade(row([], one.changes)) == one.isTrade, "row \(number)")
        }
        // Demands that the present settings break.
        for (present, own) in [(false, false), (false, true), (true, false), (true, true)] {
            let judged = try self.report([], presentKeeps: present)
            #expect(judged.isBetter(row([], [same, same], kept: [true, own])) == (!present && own))
        }
    }

    @Test func theEffortBeginsAtZero() {
        // Broken: a report counts a simulation or a point that was never tried.
        let effort = TuneReport.TuneEffort(budget: 9)
        #expect(effort.budget == 9)
        #expect(
            [effort.searchRuns, effort.checkRuns, effort.points, effort.raised, effort.refused] == [0, 0, 0, 0, 0])
    }

    @Test func theProposedRowIsTheKneeIfItIsBetter() throws {
        // Broken: the knee is proposed although only another row is better, or no row is proposed.
        let old = [100.0, 101, 102, 103, 104, 105]
        let (less, same) = (change(old.map { $0 * 0.8 }, old), change(old, old))
        func rows(_ kinds: [TuneReport.ProposalKind], _ isBetter: [Bool]) -> [TuneReport.TuneRow] {
            zip(kinds, isBetter).map { row([$0], [$1 ? less : same, same]) }
        }
        let kinds: [TuneReport.ProposalKind] = [.best(0), .knee, .best(1)]
        let tables: [(isBetter: [Bool], proposed: Int)] = [
            ([true, true, true], 1), ([true, false, true], 0), ([false, false, true], 2), ([false, false, false], 1),
            ([false, true, false], 1),
        ]
        for table in tables { #expect(try report(rows(kinds, table.isBetter)).proposed == table.proposed) }
        // A row that makes another primary metric worse comes after one that does not.
        let zombie = try #require(Catalogue.metric(named: "zombie.max"))
        for (worse, proposed) in [([1], 0), ([0, 1], 2), ([0, 1, 2], 1), ([2], 1)] as [([Int], Int)] {
            var rows = rows(kinds, [true, true, true])
            for index in worse {
                rows[index].results[0].worse = [.init(zombie, present: Self.figure(1), new: Self.figure(80))]
            }
            #expect(try report(rows).proposed == proposed, "\(worse)")
        }
        #expect(try report([]).proposed == nil)
        #expect(try report(rows([.best(0), .closest], [false, true])).proposed == 1)
        #expect(try report(rows([.best(0), .closest], [false, false])).proposed == 0)
    }

    @Test func demandsHoldInTheProposedRowOrThePresentOne() throws {
        // Broken: another row's demands count, or an answer without rows keeps what the present settings break.
        let old = [100.0, 101, 102, 103, 104, 105]
        let same = change(old, old)
        for kept in [true, false] {
            let rows = [
                row([.best(0)], [same, same], kept: [!kept]), row([.knee], [same, same], kept: [true, kept]),
            ]
            // The row that keeps the demands is better than present settings that break them.
            #expect(try report(rows, presentKeeps: true).meetsDemands == kept)
            #expect(try report(rows, presentKeeps: false).meetsDemands)
            #expect(try report([], presentKeeps: kept, outcome: .presentIsBest).meetsDemands == kept)
            #expect(try !report([], presentKeeps: kept, outcome: .noneMeetsDemands).meetsDemands)
        }
        var changed = row([], [])
        changed.values = [nil, "1m", nil, "2m"]
        #expect(changed.changed == [1, 3])
    }
}
