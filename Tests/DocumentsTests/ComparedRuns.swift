import DeadzoneBase
import DeadzoneMetrics

/// A comparison with a baseline that has every kind of change, with numbers written by hand.
enum ComparedRuns {
    private static let replicas = 12
    private static let hashes = (a: String(repeating: "a", count: 64), b: String(repeating: "b", count: 64))

    static func series(_ number: (Int) -> Double?) -> BaselineStrategy.MetricSeries {
        let each = (0..<replicas).map { index -> Figure in
            number(index).map { .value(Billionths(stored: $0)) } ?? .never
        }
        let numbers = (0..<replicas).compactMap(number)
        let mean = Billionths(stored: numbers.reduce(0, +) / Double(numbers.count))
        return .init(whole: numbers.count == replicas ? .value(mean) : .never, each: FigureColumn(each))
    }

    private static func strategy(_ name: String, isNew: Bool) -> BaselineStrategy {
        let own: [String: BaselineStrategy.MetricSeries] = [
            "battery.joules": series { (isNew ? 107 : 127) + Double($0) / 10 },
            "battery.above_idle_joules": series { (isNew ? 80 : 100) + Double($0) / 10 },
            "cause.keepalive": series { (isNew ? 30 : 50) + Double($0) / 10 },
            "delivery.down.lost": series { isNew && $0 % 5 == 1 ? 2 : 0 },
            "latency.down.p95": series { 1_000 + (isNew ? ($0 % 3 == 0 ? -150 : 140) : 0) },
            "zombie.max": series { (isNew ? 10.05 : 10) + Double($0) },
            "recovery.p95": series { isNew && $0 == 4 ? nil : 3 },
            "battery.promotions": series { (isNew ? 14 : 10) + Double($0 % 2) },
            "keepalive.pings": series { (isNew ? 12 : 20) + Double($0 % 3) },
            "delivery.down.sent": series { _ in isNew ? 22 : 20 },
            "cpu.cycles": series { _ in 1 },
            "bytes.down": series { isNew ? 1_000 + Double($0 % 4) : 1_001 },
        ]
        let digests = (0..<replicas).map { index in
            String(repeating: isNew && index > 2 ? "2" : "1", count: 15) + String(index, radix: 16)
        }
        return BaselineStrategy(
            name: name, hash: isNew ? hashes.b : hashes.a, digests: digests,
            minutes: (0..<2).map { _ in "AABBCC" } + (2..<replicas).map { $0 == 3 && isNew ? "AABDCC" : "AABBCC" },
            series: own.filter { Catalogue.metric(named: $0.key) != nil })
    }

    static func run(_ name: String = "Lift", isNew: Bool, seed: UInt64 = 1) -> BaselineRun {
        var naive = strategy("naive", isNew: isNew)
        naive.groups = [
            "old": ["zombie.max": series { (isNew ? 30 : 10) + Double($0) }],
            "new": ["keepalive.pings": series { _ in 3 }],
        ]
        var tuned = strategy("tuned", isNew: false)
        tuned.series["zombie.max"] = series { 5 + Double($0) }
        return BaselineRun(
            name: name, worldHash: String(repeating: "c", count: 64), seed: seed, replicas: replicas,
            minute: .seconds(60),
            strategies: [naive, tuned])
    }

    static let gates: [(level: Gate.GateSeverity, metric: String, words: String, strategy: String)] = [
        (.error, "keepalive.pings", "at most 3", "naive"), (.warn, "zombie.max", "at most 100% of baseline", "naive"),
        (.error, "battery.joules", "under 200J", "tuned"), (.error, "delivery.down.lost", "at most 1", "tuned"),
        (.warn, "zombie.max", "at most 2s", "tuned"), (.error, "recovery.p95", "under 9s", "naive"),
    ]

    static func outcomes(_ run: BaselineRun, old: BaselineRun?) throws -> [GateOutcome] {
        let judge = GateJudge(run, old: old) { strategies, seed in
            "deadzone run lift.yaml --strategy \(strategies.joined(separator: ",")) --seed \(seed)"
        }
        return try gates.enumerated().compactMap { index, gate in
            guard let metric = Catalogue.metric(named: gate.metric) else { return nil }
            let place = BoundLocation(
                file: index == 3 ? "lift.yaml" : "gates.yaml", line: 4 + index, column: 12, isExpectation: index == 3)
            return judge.judge(
                try Threshold(gate.words, in: metric.unit), of: gate.metric, Subject(gate.strategy), level: gate.level,
                place: place)
        }
    }

    static func scenario(_ name: String, seed: UInt64 = 1, isNew: Bool = true, hasGates: Bool = false) throws
        -> ComparedScenario
    {
        var comparer = Comparer(floor: Billionths(count: 10_000_000), seed: 1)
        let (new, old) = (run(name, isNew: isNew, seed: seed), run(name, isNew: false))
        let measured = Catalogue.all.map(\.name).filter { $0 != "dns.failed" }
        var comparisons = new.strategies.compactMap { comparer.compare($0.name, new, with: old, measured: measured) }
        if comparisons[0].divergence != nil {
            comparisons[0].divergence?.events = ["2:01 opened <b>", "2:02 closed ``` fence"]
            comparisons[0].divergence?.unseen = 7
        }
        var scenario = ComparedScenario(
            name: name, worldHash: new.worldHash, seed: seed, replicas: replicas, comparisons: comparisons,
            outcomes: hasGates ? try outcomes(new, old: old) : [], troubles: [],
            command: "deadzone run \(name) --replicas 12")
        scenario.baselineSeed = 1
        return scenario
    }

    static func report() throws -> CompareReport {
        var odd = try scenario("Odd", isNew: false)
        odd.troubles = ["it stopped", "nothing <happened>"]
        return CompareReport(
            tool: "1.2.3", reference: .baseline, floor: Billionths(count: 10_000_000),
            scenarios: [try scenario("Lift", hasGates: true), odd],
            uncompared: [
                Uncompared(scenario: "Train", reason: .new),
                Uncompared(scenario: "Lift", strategy: "third", reason: .gone, undecidedGates: 1),
                Uncompared(scenario: "Bus", reason: .gone, undecidedGates: 2),
                Uncompared(scenario: "Lift", strategy: "naive", group: "young", reason: .otherWorld),
            ], usesRecommendedGates: true, isComplete: true)
    }

    /// A loss that grew in all of five replicas, and a latency that grew in four of them.
    static func fewReplicas() throws -> CompareReport {
        func run(_ hash: String, lost: [Double], late: [Double]) -> BaselineRun {
            func series(_ values: [Double]) -> BaselineStrategy.MetricSeries {
                let mean = values.reduce(0, +) / Double(values.count)
                return .init(
                    whole: .value(Billionths(stored: mean)),
                    each: FigureColumn(values.map { Figure.value(Billionths(stored: $0)) }))
            }
            let naive = BaselineStrategy(
                name: "naive", hash: hash, digests: lost.indices.map { hash.suffix(15) + "\($0)" }, minutes: [],
                series: ["delivery.down.lost": series(lost), "latency.down.p95": series(late)])
            return BaselineRun(
                name: "Lift", worldHash: String(repeating: "c", count: 64), seed: 1, replicas: lost.count,
                minute: .seconds(60), strategies: [naive])
        }
        let old = run(hashes.a, lost: [25, 24, 26, 25, 25], late: [1_000, 1_000, 1_000, 1_000, 1_000])
        let new = run(hashes.b, lost: [30, 28, 31, 29, 30], late: [1_100, 1_200, 900, 1_100, 1_150])
        var comparer = Comparer(floor: Billionths(count: 10_000_000), seed: 1)
        let measured = Catalogue.all.map(\.name)
        let comparison = comparer.compare("naive", new, with: old, measured: measured)
        return CompareReport(
            tool: "1.2.3", reference: .baseline, floor: Billionths(count: 10_000_000),
            scenarios: [
                ComparedScenario(
                    name: "Lift", worldHash: new.worldHash, seed: 1, replicas: new.replicas,
                    comparisons: [comparison].compactMap(\.self), outcomes: [], troubles: [],
                    command: "deadzone run Lift --replicas 5")
            ], usesRecommendedGates: true, isComplete: true)
    }

    /// Two strategies of one run, without a baseline.
    static func pair() throws -> CompareReport {
        var comparer = Comparer(floor: Billionths(count: 10_000_000), seed: 1)
        var run = run(isNew: true)
        run.strategies[1].series["zombie.max"] = series { 5 + Double($0) }
        let comparison = comparer.compare("naive", against: "tuned", in: run)
        return CompareReport(
            tool: "1.2.3", reference: .strategy("tuned"), floor: Billionths(count: 10_000_000),
            scenarios: [
                ComparedScenario(
                    name: "Lift", worldHash: run.worldHash, seed: 1, replicas: replicas,
                    comparisons: [comparison].compactMap(\.self),
                    outcomes: [], troubles: [], command: "deadzone run Lift")
            ], usesRecommendedGates: false, isComplete: false)
    }
}
