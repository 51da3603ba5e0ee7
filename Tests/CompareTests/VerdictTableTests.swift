import DeadzoneBase
import Testing

@testable import DeadzoneMetrics

private typealias Expectation = DeadzoneMetrics.Expectation

/// Tables of the parts of a verdict: bounds with room, gains, common replicas, presets, and losses beside costs.
struct VerdictTableTests {
    private static func figure(_ value: Double) -> Figure {
        .value(Billionths(count: Int128((value * 1e9).rounded())))
    }

    private static func outcome(_ metric: String, _ words: String, _ value: Figure) throws -> GateOutcome {
        let unit = try #require(Catalogue.metric(named: metric)).unit
        let threshold = try Threshold(words, in: unit)
        let bounds = threshold.resolved(reference: figure(100))
        let isKept = bounds.map { threshold.isKept(by: value, $0) } ?? false
        return GateOutcome(
            .error, scenario: "lift",
            outcome: Outcome(
                expectation: Expectation(strategy: "ours", metric: metric, threshold: threshold), value: value,
                bounds: bounds, verdict: isKept ? .pass : .fail, reason: nil), place: nil, worst: nil)
    }

    private static func scenario(
        _ comparisons: [StrategyComparison] = [], outcomes: [GateOutcome] = []
    ) -> ComparedScenario {
        ComparedScenario(
            name: "lift", worldHash: "0", seed: 1, replicas: 6, comparisons: comparisons, outcomes: outcomes,
            troubles: [], command: "run")
    }

    private static func report(
        _ scenario: ComparedScenario, _ reference: CompareReport.Reference = .baseline, uses: Bool = true
    ) -> CompareReport {
        CompareReport(
            tool: "1", reference: reference, floor: .zero, scenarios: [scenario], usesRecommendedGates: uses,
            isComplete: true)
    }

    /// Broken: a bound without room is called loose, or one in a direction without an improvement.
    @Test func boundsWithRoomAreLoose() throws {
        let table: [(metric: String, words: String, value: Double, isLoose: Bool)] = [
            ("zombie.max", "under 10s", 8.9, true), ("zombie.max", "under 10s", 9, false),
            ("zombie.max", "under 10s", 11, false), ("zombie.max", "at most 10s", 8.9, true),
            ("zombie.max", "at most 10s", 9, false), ("zombie.max", "over 1s", 9, false),
            ("zombie.max", "at least 1s", 9, false), ("zombie.max", "1s to 20s", 2, false),
            ("zombie.max", "2s", 2, false), ("zombie.max", "at most 50% of naive", 2, false),
            ("availability.ratio", "at least 80%", 0.89, true), ("availability.ratio", "at least 80%", 0.88, false),
            ("availability.ratio", "over 80%", 0.89, true), ("availability.ratio", "over 80%", 0.7, false),
            ("availability.ratio", "under 99%", 0.5, false), ("delivery.down.sent", "under 9", 1, false),
            ("delivery.down.sent", "over 1", 9, false),
        ]
        for (metric, words, value, isLoose) in table {
            let outcome = try Self.outcome(metric, words, Self.figure(value))
            let found = Self.report(Self.scenario(outcomes: [outcome])).looseBounds
            #expect(found.map(\.metric) == (isLoose ? [metric] : []), "\(metric) \(words), \(value)")
            var preset = outcome
            preset.isPreset = true
            #expect(Self.report(Self.scenario(outcomes: [preset])).looseBounds.isEmpty)
        }
        for figure in [Figure.never, .nothing, .atLeast(.zero)] {
            let outcome = try Self.outcome("zombie.max", "over 1s", figure)
            #expect(Self.report(Self.scenario(outcomes: [outcome])).looseBounds.isEmpty)
        }
    }

    // MARK: Changes

    private func change(
        _ name: String, new: [Double], old: [Double], adjusted: Double = 0.001
    ) throws -> MetricChange {
        let metric = try #require(Catalogue.metric(named: name))
        func mean(_ values: [Double]) -> Figure { Self.figure(values.reduce(0, +) / Double(values.count)) }
        func samples(_ values: [Double]) -> [Int128?] { values.map { Self.figure($0).sample } }
        let contrast = Contrast(new: samples(new), old: samples(old)) { Permutations(pairs: $0, seed: 1) }
        return MetricChange(
            metric, MetricFamily.of(metric, among: Set(Catalogue.all.map(\.name))), new: mean(new), old: mean(old),
            contrast, adjusted: adjusted, level: 0.05, floor: Billionths(count: 10_000_000))
    }

    private func comparison(_ changes: [MetricChange], isPaired: Bool = true, unchanged: Int = 0) -> StrategyComparison
    {
        StrategyComparison(
            strategy: "ours", hash: "a", oldHash: "a", isPaired: isPaired, unchangedReplicas: unchanged, replicas: 6,
            changes: changes, tests: changes.count, unmeasured: [])
    }

    /// Broken: an improvement by a tenth or less is a gain, or a loss, a secondary metric or a rival's value is.
    @Test func gainsExceedATenth() throws {
        let table: [(name: String, new: Double, adjusted: Double, isGain: Bool)] = [
            ("zombie.max", 89, 0.001, true), ("zombie.max", 90, 0.001, false), ("zombie.max", 95, 0.001, false),
            ("zombie.max", 111, 0.001, false), ("zombie.max", 50, 0.5, false), ("detection.p95", 50, 0.001, false),
            ("delivery.up.lost", 0, 0.001, true),
        ]
        for (name, new, adjusted, isGain) in table {
            let changes = [try change(name, new: [new, new], old: [100, 100], adjusted: adjusted)]
            var whole = comparison([])
            var group = comparison(changes)
            group.group = "old"
            whole.groups = [group]
            for (part, subject) in [(comparison(changes), Subject("ours")), (whole, Subject("ours", group: "old"))] {
                let gains = Self.report(Self.scenario([part])).gains
                #expect(gains.map(\.subject) == (isGain ? [subject] : []), "\(name) \(new)")
                #expect(Self.report(Self.scenario([part]), .strategy("other")).gains.isEmpty)
            }
        }
    }

    /// Broken: a cost that rises with fewer losses has no reason, or one that falls, or no cost, has one.
    @Test func costsNameTheLossesThatFell() throws {
        let losses = ["delivery.down.lost", "delivery.up.lost", "calls.failed"]
        for (cost, isCost) in [
            ("battery.above_idle_joules", true), ("bytes.up", true), ("cpu.wakes", true), ("keepalive.pings", true),
            ("connection.handshakes_per_hour", true), ("zombie.max", false), ("latency.down.p95", false),
        ] {
            for rises in [true, false] {
                let own = try change(cost, new: rises ? [200, 210] : [50, 40], old: [100, 100])
                let others =
                    try losses.map { try change($0, new: [50, 40], old: [100, 100]) }
                    + [change("delivery.down.pending", new: [50, 40], old: [100, 100])]
                let found = Regression(
                    scenario: Self.scenario([comparison([own] + others)]), subject: Subject("ours"), change: own
                ).fallenLosses.map(\.metric.name)
                #expect(found == (isCost && rises ? losses : []), "\(cost), \(rises)")
                let other = Regression(
                    scenario: Self.scenario([comparison([own] + others)]), subject: Subject("theirs"), change: own)
                #expect(other.fallenLosses.isEmpty)
            }
        }
        let own = try change("bytes.up", new: [200, 210], old: [100, 100])
        let more = try change("calls.failed", new: [200, 210], old: [100, 100])
        #expect(comparison([own, more]).fallenLosses(beside: own).isEmpty)
    }

    // MARK: Replicas

    /// Broken: replicas of which one side has more are not named, or they are named although all were compared.
    @Test func commonReplicasAreNamed() throws {
        let changed = comparison([])
        let same = comparison([], unchanged: 6)
        var renamed = same
        renamed.oldHash = "b"
        let apart = comparison([], isPaired: false)
        let enough = PrimaryMetric.neededReplicas
        #expect(enough == 9, "two of 512 sign choices times eleven metrics are below 0.05")
        let table: [(replicas: Int, baseline: Int?, of: [StrategyComparison], common: Int?, lacks: Bool)] = [
            (6, nil, [changed], nil, false), (6, 6, [changed], nil, false), (6, 12, [changed], 6, true),
            (12, 6, [changed], 6, true), (12, 6, [], nil, false), (12, 6, [apart], nil, false),
            (12, 6, [changed, apart], nil, false), (12, 6, [same], 6, false), (12, 6, [renamed], 6, true),
            (12, 6, [same, changed], 6, true), (enough - 1, 40, [changed], enough - 1, true),
            (enough, 40, [changed], enough, false),
        ]
        for (replicas, baseline, comparisons, common, lacks) in table {
            var scenario = Self.scenario(comparisons)
            (scenario.replicas, scenario.baselineReplicas) = (replicas, baseline)
            #expect(scenario.partlyCompared?.replicas == common, "\(replicas) of \(String(describing: baseline))")
            #expect(scenario.partlyCompared?.of == common.map { _ in max(replicas, baseline ?? 0) })
            #expect(scenario.lacksCommonReplicas == lacks, "\(replicas) of \(String(describing: baseline))")
            #expect(Self.report(scenario).tooFewCompared.count == (lacks ? 1 : 0))
            #expect(Self.report(scenario).statedVerdict == (lacks ? .undecided : .pass))
            #expect(Self.report(scenario, uses: false).tooFewCompared.isEmpty)
            #expect(Self.report(scenario, .strategy("other")).tooFewCompared.isEmpty)
        }
    }

    /// Broken: values over the common replicas include others, or a maximum is a mean.
    @Test func commonReplicasHaveTheirOwnValue() {
        typealias Series = BaselineStrategy.MetricSeries
        func series(_ each: [Figure]) -> Series { Series(whole: Self.figure(77), each: FigureColumn(each)) }
        let (one, two, six) = (Self.figure(1), Self.figure(2), Self.figure(6))
        let table: [(new: [Figure], mean: Figure, largest: Figure)] = [
            ([one, two], Self.figure(1.5), two), ([two, six], Self.figure(4), six), ([one, .nothing], one, one),
            ([.nothing, .nothing], .nothing, .nothing), ([one, .never], .never, .never),
            ([.never, .nothing], .never, .never),
            (
                [one, .atLeast(Billionths(count: 2_000_000_000))], .atLeast(Billionths(count: 1_500_000_000)),
                .atLeast(Billionths(count: 2_000_000_000))
            ),
        ]
        for (kept, mean, largest) in table {
            for (metric, whole) in [("recovery.p95", mean), ("zombie.max", largest)] {
                let (long, short) = (series(kept + [six, .never]), series(kept))
                for pair in [
                    Series.overCommonReplicas(long, short, metric), Series.overCommonReplicas(short, long, metric),
                ] {
                    for side in [pair.new, pair.old] {
                        #expect(side.whole == whole && Array(side.each) == kept, "\(kept), \(metric)")
                    }
                }
                // The values of a report are kept if both sides have the same replicas.
                let equal = Series.overCommonReplicas(short, series([two, two]), metric)
                #expect(equal.new == short && equal.old == series([two, two]))
            }
        }
    }

    // MARK: Bounds without a verdict

    private func run(_ value: Figure) -> BaselineRun {
        BaselineRun(
            name: "lift", worldHash: "0", seed: 1, replicas: 1, minute: .minutes(1),
            strategies: [
                BaselineStrategy(
                    name: "ours", hash: "a", digests: ["1"], minutes: [],
                    series: ["zombie.max": .init(whole: value, each: FigureColumn([value]))])
            ])
    }

    /// Broken: a client that broke a bound of a preset before fails, or one that breaks it now does not.
    @Test func presetsWarnOfWhatWasBrokenBefore() throws {
        let place = BoundLocation(file: "recommended@1", line: 0, column: 0)
        let (low, high) = (Self.figure(5), Self.figure(15))
        let table: [(new: Figure, old: Figure?, level: Gate.GateSeverity?, verdict: Verdict)] = [
            (low, nil, .error, .pass), (low, high, .error, .pass), (high, nil, .error, .fail),
            (high, low, .error, .fail),
            (high, high, .warn, .fail), (.never, high, .warn, .fail), (.never, low, .error, .fail),
            (high, .never, .warn, .fail), (.nothing, high, nil, .fail),
        ]
        for (new, old, level, verdict) in table {
            let judge = GateJudge(run(new), old: old.map(run)) { _, _ in "" }
            let found = judge.judgePreset(
                try Threshold("under 10s", in: .seconds), of: "zombie.max", Subject("ours"), place: place)
            #expect(found?.level == level, "\(new), \(String(describing: old))")
            guard let found else { continue }
            #expect(found.outcome.verdict == verdict && found.isPreset && found.place == place)
            #expect(found.isFailure == (verdict == .fail && level == .error))
            #expect(found.isWarning == (verdict == .fail && level == .warn))
        }
        #expect(place.text == "recommended@1" && BoundLocation(file: "a", line: 4, column: 2).text == "a:4:2")
    }

    /// Broken: a comparison without any judged bound passes, or one with a judged bound does not.
    @Test func nothingJudgedIsNoPass() throws {
        let outcome = try Self.outcome("zombie.max", "under 10s", Self.figure(5))
        let bound = UnjudgedBound(
            scenario: "lift", bound: UnjudgedExpectation(outcome.outcome.expectation, reason: "only replica 0 ran"),
            place: BoundLocation(file: "lift.yaml", line: 3, column: 1))
        for reference in [CompareReport.Reference.none, .baseline, .strategy("other")] {
            for (uses, isUnjudged, hasOutcome) in [
                (true, true, true), (true, true, false), (true, false, false), (false, true, true),
                (false, true, false), (false, false, false),
            ] {
                var report = Self.report(Self.scenario(outcomes: hasOutcome ? [outcome] : []), reference, uses: uses)
                report.unjudged = isUnjudged ? [bound] : []
                let isOpen = isUnjudged && !hasOutcome && !(uses && reference == .baseline)
                #expect(report.verdict == .pass)
                #expect(report.statedVerdict == (isOpen ? .undecided : .pass), "\(reference), \(uses)")
            }
        }
    }
}
