import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// Bounds: units, shares, gates, patterns, and the replica that breaks a bound most.
struct BoundTests {
    private static func billionths(_ number: Double) -> Billionths {
        Billionths(count: Int128((number * 1e9).rounded()))
    }
    private static func figure(_ number: Double) -> Figure { .value(billionths(number)) }

    @Test func productsAreRoundedToTheNearest() {
        // Broken: a share of a value is rounded down, or overflows.
        for (count, ratio, product) in [
            (3, 500_000_000, 2), (1, 499_999_999, 0), (1, 500_000_000, 1), (7, 1_000_000_000, 7), (10, 330_000_000, 3),
            (10, 350_000_000, 4), (10, 349_999_999, 3), (0, 900_000_000, 0), (5, 0, 0), (1, 1_499_999_999, 1),
            (1, 1_500_000_000, 2), (2_000_000_000, 2_000_000_000, 4_000_000_000),
        ] as [(Int128, Int128, Int128)] {
            #expect(Billionths(count: count).times(Billionths(count: ratio)).count == product, "\(count) \(ratio)")
        }
        #expect(Billionths(count: .max / 3).times(Billionths(count: 4)).count == Int128.max / 2)
    }

    @Test func everyUnitHasItsScale() throws {
        // Broken: a unit of a bound has another factor than the unit that it names.
        let table: [(Metric.Unit, String, Double)] = [
            (.joules, "J", 1), (.joules, "mJ", 1e-3), (.joules, "uJ", 1e-6), (.joules, "kJ", 1e3),
            (.joules, "Wh", 3_600),
            (.joules, "mWh", 3.6), (.joulesPerHour, "J/h", 1), (.joulesPerHour, "mW", 3.6), (.percent, "%", 1),
            (.milliampereHours, "mAh", 1), (.milliampereHours, "Ah", 1e3), (.milliampereHours, "uAh", 1e-3),
            (.percentPerHour, "%/h", 1), (.percentPerHour, "%", 1), (.bytes, "B", 1), (.bytes, "kB", 1e3),
            (.bytes, "MB", 1e6), (.bytes, "GB", 1e9), (.bytes, "KiB", 1_024), (.bytes, "MiB", 1_048_576),
            (.bytes, "GiB", 1_073_741_824), (.ratio, "%", 0.01), (.ratio, "", 1), (.count, "", 1), (.perHour, "/h", 1),
            (.perHour, "/min", 60), (.seconds, "ns", 1e-9), (.seconds, "us", 1e-6), (.seconds, "µs", 1e-6),
            (.seconds, "ms", 1e-3), (.seconds, "s", 1), (.seconds, "m", 60), (.seconds, "min", 60),
            (.seconds, "h", 3_600),
            (.seconds, "d", 86_400), (.milliseconds, "us", 1e-3), (.milliseconds, "ms", 1), (.milliseconds, "s", 1e3),
            (.milliseconds, "m", 6e4), (.milliseconds, "h", 3.6e6), (.milliseconds, "d", 8.64e7),
        ]
        for (unit, name, factor) in table {
            // A bound of less than a billionth is cut.
            // A share above 1 has a unit.
            for number in factor < 1e-8 ? [1, 5] : unit == .ratio && name.isEmpty ? [1, 0.5, 0.25] : [1, 5, 2.5] {
                let threshold = try Threshold("under \(number)\(name)", in: unit)
                #expect(threshold.bound == .value(Self.billionths(number * factor)), "\(number)\(name)")
            }
        }
        #expect(try Threshold("under 48/d", in: .perHour).bound == .value(Self.billionths(2)))
        #expect(try Threshold("under 1000ns", in: .milliseconds).bound == .value(Self.billionths(0.001)))
        #expect(try Threshold("under 1h1m1s", in: .seconds).bound == .value(Self.billionths(3_661)))
        #expect(
            try Threshold("under 123456789012345", in: .count).bound
                == .value(Billionths(count: 123_456_789_012_345_000_000_000)))
        #expect(throws: ThresholdFault.self) { try Threshold("under 1234567890123456", in: .count) }
        #expect(throws: ThresholdFault.self) { try Threshold("under 5J 5J", in: .joules) }
        for (unit, suffix) in [
            (Metric.Unit.ratio, "%"), (.count, ""), (.seconds, "s"), (.bytes, "B"), (.perHour, "/h"),
        ] {
            #expect(unit.exampleSuffix == suffix && unit.isTime == (unit == .seconds))
        }
        #expect(Metric.Unit.milliseconds.isTime)
    }

    @Test func shareBoundsNeedANumber() throws {
        // Broken: a share of a value without a number has a bound, or its ends are swapped.
        for words in ["at most 60% of naive", "within 5% of naive"] {
            let threshold = try Threshold(words, in: .count)
            for reference in [Figure.never, .nothing, .atLeast(.zero), nil] as [Figure?] {
                #expect(threshold.resolved(reference: reference) == nil)
            }
            #expect(threshold.reference == "naive" && threshold.resolved(reference: Self.figure(100)) != nil)
        }
        #expect(
            try Threshold("1 to 2", in: .count).reference == nil && Threshold("under 1", in: .count).reference == nil)
    }

    @Test func patternsMatchWholeTexts() {
        // Broken: a pattern matches a part, or a star matches too little. The model tries every split of the text.
        func matches(_ text: Substring, _ pattern: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            let rest = pattern.dropFirst()
            if first == "*" { return matches(text, rest) || (!text.isEmpty && matches(text.dropFirst(), pattern)) }
            return !text.isEmpty && (first == "?" || text.first == first) && matches(text.dropFirst(), rest)
        }
        var matched = 0
        withEvery { choices in
            let text = choices.sequence(of: ["a", "b"], upTo: 4).joined()
            let pattern = choices.sequence(of: ["a", "b", "*", "?"], upTo: 4).joined()
            #expect(matchesPattern(text, pattern) == matches(text[...], pattern[...]), "`\(text)` `\(pattern)`")
            if matchesPattern(text, pattern) { matched += 1 }
        }
        #expect(matched > 500)
    }

    // MARK: Gates

    private func run(_ values: [String: [Figure]], seed: UInt64 = 1) -> BaselineRun {
        BaselineRun(
            name: "lift", worldHash: "0", seed: seed, replicas: 3, minute: .minutes(1),
            strategies: values.keys.sorted().map { name in
                var strategy = BaselineStrategy(
                    name: name, hash: "a", digests: ["1", "2", "3"], minutes: [],
                    series: [
                        "zombie.max": .init(
                            whole: values[name]?.last ?? .nothing, each: FigureColumn(values[name] ?? [])),
                        "delivery.down.pending": .init(whole: Self.figure(4), each: FigureColumn(values[name] ?? [])),
                    ])
                strategy.groups["old"] = [
                    "zombie.max": .init(whole: Self.figure(9), each: FigureColumn([9, 8, 7].map(Self.figure)))
                ]
                return strategy
            })
    }

    private func judge(
        _ words: String, of metric: String = "zombie.max", _ new: [String: [Figure]], old: [String: [Figure]]? = nil,
        oldSeed: UInt64 = 1, subject: Subject = Subject("ours")
    ) throws -> GateOutcome? {
        let judge = GateJudge(run(new), old: old.map { run($0, seed: oldSeed) }) {
            "run \($0.joined(separator: ",")) \($1)"
        }
        return judge.judge(try Threshold(words, in: .seconds), of: metric, subject, level: .error, place: nil)
    }

    @Test func theWorstReplicaIsNamed() throws {
        // Broken: the replica that breaks a bound least is named, or that with the largest number although its
        // reference is larger, too.
        let ours = [3.0, 9, 5].map(Self.figure)
        let high = try #require(try judge("under 4s", ["ours": ours]))
        #expect(high.isFailure && !high.isWarning && high.worst?.replica == 1 && high.worst?.value == Self.figure(9))
        #expect(high.worst?.seed == UInt64(1).seed(ofReplica: 1) && high.worst?.reference == nil)
        #expect(high.worst?.command == "run ours \(UInt64(1).seed(ofReplica: 1))")
        #expect(try judge("over 8s", ["ours": ours])?.worst?.replica == 0)
        #expect(
            try judge("over 4s", ["ours": ours])?.worst == nil
                && judge("over 4s", ["ours": ours])?.outcome.verdict == .pass)
        #expect(try judge("5s", ["ours": ours])?.outcome.verdict == .pass)
        #expect(try judge("6s to 7s", ["ours": ours])?.worst?.replica == 0, "the value is below the range")
        #expect(try judge("1s to 4s", ["ours": ours])?.worst?.replica == 1)
        // Against a reference under the same seeds, each replica has its own bound.
        let theirs = [1.0, 9, 4].map(Self.figure)
        let paired = try #require(try judge("at most 100% of theirs", ["ours": ours, "theirs": theirs]))
        #expect(paired.worst?.replica == 0 && paired.worst?.reference == Self.figure(1))
        #expect(paired.worst?.command == "run ours,theirs \(UInt64(1).seed(ofReplica: 0))")
        let before = try #require(try judge("at most 100% of baseline", ["ours": ours], old: ["ours": theirs]))
        #expect(before.worst?.replica == 0 && before.worst?.command == "run ours \(UInt64(1).seed(ofReplica: 0))")
        let apart = try #require(
            try judge("at most 50% of baseline", ["ours": ours], old: ["ours": theirs], oldSeed: 2))
        #expect(apart.worst?.replica == 1 && apart.worst?.reference == nil)
        let tie = try #require(try judge("under 1s", ["ours": [5.0, 5, 5].map(Self.figure)]))
        #expect(tie.worst?.replica == 0)
        #expect(try judge("under 1s", ["ours": [.nothing, .nothing, .nothing]])?.worst == nil)
        #expect(try judge("under 1s", ["ours": [Self.figure(1), .never, Self.figure(2)]])?.worst?.replica == 1)
    }

    @Test func theWorstReplicaBreaksTheShareOfItsReference() throws {
        // Broken: the replica with the largest change is named, although another one is further beyond its share of the
        // reference: 2 s of 1 s breaks `at most 50%` by 1.5 s, and 9 s of 9 s by 4.5 s.
        let (ours, theirs) = ([2.0, 9, 5].map(Self.figure), [1.0, 9, 4].map(Self.figure))
        func worst(_ words: String, _ ours: [Figure], _ theirs: [Figure]) throws -> WorstReplica? {
            let paired = try judge(words, ["ours": ours, "theirs": theirs])?.worst
            let old = try judge(words.replacing("theirs", with: "baseline"), ["ours": ours], old: ["ours": theirs])
            #expect(old?.worst?.replica == paired?.replica && old?.worst?.reference == paired?.reference)
            return paired
        }
        let share = try worst("at most 50% of theirs", ours, theirs)
        #expect(share?.replica == 1 && share?.value == Self.figure(9) && share?.reference == Self.figure(9))
        #expect(try worst("at least 200% of theirs", ours, theirs)?.replica == 1)
        #expect(
            try worst("within 10% of theirs", [9.0, 16, 15].map(Self.figure), [9.0, 10, 8].map(Self.figure))?.replica
                == 2)
        // A replica without a reference has no bound, whatever its value.
        let part = try worst("at most 50% of theirs", ours, [Self.figure(1), .nothing, Self.figure(4)])
        #expect(part?.replica == 2 && part?.reference == Self.figure(4))
        #expect(try worst("at most 50% of theirs", ours, [.nothing, .nothing, .nothing])?.replica == 1)
        #expect(try worst("at most 50% of theirs", ours, [.never, .never, Self.figure(4)])?.replica == 2)
    }

    @Test func aReferenceMustExist() throws {
        // Broken: a bound without its strategy, group or baseline is judged.
        let ours = ["ours": [1.0, 2, 3].map(Self.figure)]
        #expect(try judge("under 4s", ours, subject: Subject("none")) == nil)
        #expect(try judge("under 4s", ours, subject: Subject("ours", group: "new")) == nil)
        #expect(try judge("under 10s", ours, subject: Subject("ours", group: "old"))?.outcome.value == Self.figure(9))
        #expect(try judge("at most 50% of other", ours) == nil && judge("at most 50% of baseline", ours) == nil)
        #expect(try judge("at most 50% of baseline", ours, old: ["other": []]) == nil)
        // The name of a group means that group under the same strategy.
        let both = try #require(try judge("at most 100% of old", ours, subject: Subject("ours", group: "old")))
        #expect(both.outcome.bounds == Self.billionths(9)...Self.billionths(9))
        #expect(
            Subject("a", group: "b").resolve(to: "c") { $0 == Subject("c", group: "b") } == Subject("c", group: "b"))
        #expect(
            Subject("a", group: "b").resolve(to: "c") { $0 == Subject("a", group: "c") } == Subject("a", group: "c"))
        #expect(Subject("a").resolve(to: "c") { $0 != Subject("c") } == nil)
        #expect(Subject("a", group: "b").name == "a, b" && Subject("a").name == "a")
    }

    @Test func noChangeOfNoNumberPasses() throws {
        // Broken: a value without a number breaks a bound that allows no change, or keeps one that demands a gain.
        for figure in [Figure.never, .nothing] {
            let values = ["ours": [figure, figure, figure]]
            for (words, passes) in [
                ("within 1% of baseline", true), ("at most 100% of baseline", true),
                ("at least 100% of baseline", true),
                ("at most 99% of baseline", false), ("under 100% of baseline", false),
            ] {
                let outcome = try #require(try judge(words, values, old: values)).outcome
                #expect((outcome.verdict == .pass) == passes && outcome.bounds == nil, "\(words)")
                #expect((outcome.reason == nil) == passes)
            }
            let other = try #require(
                try judge("within 1% of baseline", ["ours": [1.0, 1, 1].map(Self.figure)], old: values))
            #expect(other.outcome.verdict == .fail && other.outcome.reason == "baseline has no number to compare with")
        }
    }

    @Test func reasonsNameTheMissingNumber() throws {
        // Broken: a figure has the reason of another one.
        #expect(
            Self.figure(1).reason(of: nil) == nil && Figure.nothing.reason(of: nil) == "there was nothing to measure")
        #expect(Figure.atLeast(.zero).reason(of: nil) == "too many are pending: only a lower bound is known")
        #expect(Figure.never.reason(of: nil) == "too many never arrived, so there is no number")
        let pending = Expectation.pending(beside: "delivery.down.lost") {
            $0 == "delivery.down.pending" ? Self.figure(4) : nil
        }
        #expect(pending == Self.figure(4))
        #expect(Expectation.pending(beside: "delivery.down.lost") { _ in Self.figure(0) } == nil)
        #expect(Expectation.pending(beside: "delivery.down.sent") { _ in Self.figure(4) } == nil)
        #expect(Expectation.pending(beside: "calls.lost") { _ in Self.figure(4) } == nil)
        #expect(
            try judge("0", of: "delivery.down.lost", ["ours": [1.0, 2, 3].map(Self.figure)])?.outcome.pending
                == Self.figure(4))
        #expect(try judge("0", ["ours": [1.0, 2, 3].map(Self.figure)])?.outcome.pending == nil)
    }

    // MARK: Boundaries

    @Test func edgesLieBetweenKeptAndBroken() {
        // Broken: the kept and the broken trial of an edge are swapped, or two equal neighbours are an edge.
        func trials(_ kept: [Bool]) -> BoundaryReport.StrategyTrials {
            .init(
                name: "ours",
                trials: kept.enumerated().map {
                    .init(fraction: Double($0) / 10, value: "\($0)", measured: .nothing, isKept: $1)
                })
        }
        let mixed = trials([true, true, false, false, true])
        #expect(
            mixed.edges.map { "\($0.before.value)\($0.after.value) \($0.kept.value) \($0.broken.value)" } == [
                "12 1 2", "34 4 3",
            ])
        #expect(!mixed.isKeptEverywhere && trials([true, true]).isKeptEverywhere && !trials([false]).isKeptEverywhere)
        #expect(trials([true]).edges.isEmpty && trials([]).edges.isEmpty && trials([false, false]).edges.isEmpty)
    }

    // MARK: Claims

    private func finding(_ name: String, _ value: Figure) -> ClaimReport.ClaimFinding { .init(name, .count, value) }

    @Test func claimsAreJudgedByTheirRules() {
        // Broken: a claim without a number is refuted, or one that fails has the verdict of another kind of rule.
        let rules: [(ClaimRule, ClaimVerdict, ClaimVerdict)] = [
            (.holds(["own": "at most 50% of other"]), .refuted, .refuted),
            (.agrees(["own": "at most 50% of other"]), .contradiction, .contradiction),
            (.moves(["own": "at most 50% of other"]), .refuted, .inert),
        ]
        for (rule, failed, same) in rules {
            func verdict(_ own: Figure, _ other: Figure) -> ClaimVerdict {
                rule.verdict([finding("own", own), finding("other", other)])
            }
            #expect(verdict(Self.figure(50), Self.figure(100)) == .confirmed)
            #expect(verdict(Self.figure(51), Self.figure(100)) == failed)
            #expect(verdict(Self.figure(98.99), Self.figure(100)) == failed)
            #expect(
                verdict(Self.figure(99), Self.figure(100)) == same
                    && verdict(Self.figure(101), Self.figure(100)) == same)
            #expect(verdict(Self.figure(101.000_000_001), Self.figure(100)) == failed)
            #expect(verdict(.nothing, Self.figure(100)) == .open && verdict(Self.figure(1), .never) == .open)
            #expect(verdict(.never, Self.figure(100)) == failed)
        }
        let two = ClaimRule.holds(["own": "under 5", "other": "over 5"])
        for (own, other, verdict) in [
            (4.0, 6.0, ClaimVerdict.confirmed), (4, 5, .refuted), (5, 6, .refuted), (9, 1, .refuted),
        ] {
            #expect(two.verdict([finding("own", Self.figure(own)), finding("other", Self.figure(other))]) == verdict)
        }
    }

    @Test func cellsAreCombined() {
        // Broken: a claim that holds in some cells is confirmed or refuted, or an open cell is ignored.
        let table: [([ClaimVerdict], ClaimVerdict)] = [
            ([], .open), ([.confirmed, .confirmed], .confirmed), ([.refuted, .refuted], .refuted), ([.inert], .inert),
            ([.contradiction, .contradiction], .contradiction), ([.confirmed, .refuted], .conditional),
            ([.confirmed, .inert], .conditional), ([.confirmed, .open], .open), ([.refuted, .inert], .refuted),
            ([.inert, .contradiction], .contradiction), ([.refuted, .contradiction], .contradiction),
            ([.confirmed, .contradiction], .conditional),
        ]
        for (cells, verdict) in table { #expect(ClaimRule.verdict(cells) == verdict, "\(cells)") }
    }

    @Test func conditionsNameTheDecidingAxis() {
        // Broken: an axis that does not decide alone is named, or values are named twice.
        func report(_ cells: [(String, String, Double)]) -> ClaimReport {
            ClaimReport(
                id: "B1", claim: "", value: "", instead: "", method: .computation, rerunCommand: "",
                rule: .holds(["own": "under 5"]),
                cells: cells.map {
                    .init(labels: [$0, $1], [finding("own", Self.figure($2)), finding("beside", .nothing)])
                }, picture: nil)
        }
        let byRadio = report([("lte", "1s", 1), ("lte", "2s", 2), ("nr", "1s", 9), ("nr", "2s", 9)])
        #expect(byRadio.verdict == .conditional && byRadio.holdingConditions == ["lte"])
        #expect(
            report([("lte", "1s", 1), ("lte", "2s", 9), ("nr", "1s", 1), ("nr", "2s", 9)]).holdingConditions == ["1s"])
        #expect(
            report([("lte", "1s", 1), ("lte", "2s", 9), ("nr", "1s", 9), ("nr", "2s", 9)]).holdingConditions == [
                "lte, 1s"
            ])
        #expect(report([("lte", "1s", 1)]).holdingConditions.isEmpty && byRadio.article == .webSocket)
        #expect(byRadio.cells.map(\.verdict) == [.confirmed, .confirmed, .refuted, .refuted])
        #expect(byRadio.judged(byRadio.cells[0]).map(\.name) == ["own"])
        #expect(zip(Article.allCases, ["A1", "B22", "C3", "D4"]).allSatisfy { $0 == Article(ofClaim: $1) })
    }

    // MARK: Baselines

    @Test func baselinesKeepWhatTheyLack() {
        // Broken: an old scenario replaces a new one, or a metric remains that one of the tools did not measure.
        func named(_ names: [String], tool: String, metrics: [String], seed: UInt64) -> Baseline {
            Baseline(
                tool: tool, metrics: metrics,
                runs: names.map {
                    var run = run([:], seed: seed); run.name = $0; return run
                })
        }
        let new = named(["b", "a"], tool: "2", metrics: ["x", "y"], seed: 2)
        let kept = new.keeping(named(["c", "b"], tool: "1", metrics: ["y", "z"], seed: 1))
        #expect(new.runs.map(\.name) == ["a", "b"] && kept.runs.map(\.name) == ["a", "b", "c"])
        #expect(kept.runs.map(\.seed) == [2, 2, 1] && kept.tool == "2" && kept.metrics == ["y"])
        let (one, two) = (run([:]), run([:], seed: 2))
        var (world, replicas) = (one, one)
        world.worldHash = "9"
        replicas.replicas = 4
        #expect(one.hasSameConditions(one) && ![two, world, replicas].contains { one.hasSameConditions($0) })
    }

    @Test func missingSeriesAreZero() {
        // Broken: a series that is not zero is omitted, or an omitted one has another length.
        func series(_ whole: Double, _ each: [Double]) -> BaselineStrategy.MetricSeries {
            .init(whole: Self.figure(whole), each: FigureColumn(each.map(Self.figure)))
        }
        #expect(series(0, [0, 0]).isZero && series(0, []).isZero)
        #expect(!series(1, [0, 0]).isZero && !series(0, [0, 1]).isZero && !series(0, [1, 1]).isZero)
        let strategy = run(["ours": [1.0, 2, 3].map(Self.figure)]).strategies[0]
        #expect(strategy.series(of: "keepalive.pings").each.count == 3 && strategy.series(of: "keepalive.pings").isZero)
        #expect(strategy.series(of: "zombie.max", in: "old").whole == Self.figure(9))
        #expect(strategy.series(of: "zombie.max", in: "none").isZero)
    }

    @Test func theEarliestDifferenceIsFound() {
        // Broken: another replica or minute than the earliest is named, or a difference in length is missed.
        func strategy(_ digests: [String], _ minutes: [String]) -> BaselineStrategy {
            .init(name: "ours", hash: "a", digests: digests, minutes: minutes, series: [:])
        }
        func divergence(_ new: BaselineStrategy, _ old: BaselineStrategy, minute: TimeSpan = .minutes(1)) -> [Int?]? {
            var other = run([:])
            other.minute = minute
            let found = new.divergence(from: old, run([:]), other)
            return found.map { [$0.replica, $0.minute] }
        }
        let old = strategy(["1", "2", "3"], ["aabbcc", "aabbcc", "aabbcc"])
        #expect(divergence(old, old) == nil)
        #expect(
            divergence(strategy(["1", "x", "y"], ["aabbcc", "aabbcd", "aaxbcc"]), old) == [2, 1])
        #expect(
            divergence(strategy(["1", "x", "y"], ["aabbcc", "aabxcc", "aaxbcc"]), old) == [1, 1])
        #expect(divergence(strategy(["1", "x", "3"], ["aabbcc", "aabb", "aabbcc"]), old) == [1, 2])
        #expect(divergence(strategy(["1", "x", "3"], old.minutes), old) == [1, nil])
        #expect(divergence(strategy(["1", "2", "x"], []), old) == [2, nil])
        #expect(
            divergence(strategy(["1", "x", "3"], ["", "xabbcc", ""]), old, minute: .minutes(2)) == [1, nil])
        let seeded = strategy(["x", "2", "3"], ["xaaa"]).divergence(from: old, run([:], seed: 5), run([:]))
        #expect(seeded?.seed == UInt64(5).seed(ofReplica: 0) && seeded?.from == .zero && seeded?.length == .minutes(1))
        #expect(Divergence(replica: 0, seed: 0, minute: 3, length: .minutes(2)).from == .minutes(6))
    }
}
