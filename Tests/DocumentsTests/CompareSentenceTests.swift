import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

@testable import DeadzoneReports

/// The sentences that all formats of a comparison share.
struct CompareSentenceTests {
    @Test func everyChangeHasItsWords() throws {
        // Broken: a difference, its interval, the pairs or p of a change is rounded or signed in another way.
        let report = try ComparedRuns.report()
        let comparison = report.scenarios[0].comparisons[0]
        let rows = comparison.changes.filter { $0.decision != .same }.map { change in
            [
                change.mark, change.metric.name, change.oldText, change.newText, change.changeText,
                change.differenceText,
                change.pairsText, change.pText, change.detectableText, change.neededText,
            ].joined(separator: " | ")
        }
        expectText(
            rows.joined(separator: "\n"),
            #"""
            + | battery.joules | 127.6 J | 107.6 J | -16% | -20 J [-20, -20] | lower in 12 of 12 | p = 0.002 | > 0 J | no usual number of replicas would decide
            + | battery.above_idle_joules | 100.6 J | 80.55 J | -20% | -20 J [-20, -20] | lower in 12 of 12 | p = 0.002 | > 0 J | no usual number of replicas would decide
            ! | battery.promotions | 10.5 | 14.5 | +38% | +4 [+4, +4] | higher in 12 of 12 | p = 0.002 | > 0 | no usual number of replicas would decide
            + | cause.keepalive | 50.55 J | 30.55 J | -40% | -20 J [-20, -20] | lower in 12 of 12 | p < 0.001 | > 0 J | no usual number of replicas would decide
            ~ | latency.down.p95 | 1000 ms | 1043 ms | +4.3% | +43.33 ms [-77.5, +140] | higher in 8 of 12 | p = 0.775 | > 133.4 ms | about 117 replicas would decide
            * | delivery.down.sent | 20 | 22 | +10% | +2 [+2, +2] | higher in 12 of 12 | p = 0.002 | > 0 | no usual number of replicas would decide
            ! | delivery.down.lost | 0 | 0.5 | from 0 | +0.5 [0, +1.333] | higher in 3 of 12 | p = 0.75 | > 0.8449 | no usual number of replicas would decide
            . | zombie.max | 15.5 s | 15.55 s | +0.3% | +0.05 s [+0.05, +0.05] | higher in 12 of 12 | p = 0.002 | > 0 s | no usual number of replicas would decide
            ~ | recovery.p95 | 3 s | never | no longer reached | some replicas have no number | higher in 1 of 12 | p = 1 |  | about 108 replicas would decide
            + | keepalive.pings | 21 | 13 | -38% | -8 [-8, -8] | lower in 12 of 12 | p = 0.002 | > 0 | no usual number of replicas would decide
            ~ | bytes.down | 1001 B | 1002 B | 0% | +0.5 B [-0.25, +1.25] | higher in 6 of 12 | p = 0.246 | > 0.9444 B | about 45 replicas would decide
            """#)
        let one = Billionths(count: 1_000_000_000)
        let texts: [(Figure, Figure, String)] = [
            (.value(one), .value(one), ""), (.value(.zero), .value(one), "from 0"),
            (.never, .value(one), "now reached"),
            (.value(one), .never, "no longer reached"), (.nothing, .value(one), ""), (.never, .never, ""),
            (.value(one), .value(.zero), "-100%"), (.atLeast(one), .value(one), ""),
        ]
        for (old, new, text) in texts { #expect(MetricChange.changeText(old, new) == text, "\(old) \(new)") }
    }

    @Test func comparisonsSayWhatTheyCompare() throws {
        // Broken: the settings or the number of changed replicas is another one.
        var one = try ComparedRuns.scenario("Lift").comparisons[0]
        func text(_ edit: (inout StrategyComparison) -> Void) -> String {
            var edited = one
            edit(&edited)
            return edited.summaryText
        }
        #expect(text { _ in } == "different settings, different behaviour in 9 of 12 replicas")
        #expect(text { $0.oldHash = $0.hash } == "same settings, different behaviour in 9 of 12 replicas")
        #expect(text { $0.unchangedReplicas = 12 } == "different settings, same behaviour in 12 replicas")
        #expect(text { $0.unchangedReplicas = nil } == "different settings, different seeds, not paired")
        #expect(
            text { ($0.unchangedReplicas, $0.replicas) = (1, 1) } == "different settings, same behaviour in 1 replica")
        #expect(text { $0.against = "other" } == "against other")
        one.unchangedReplicas = 11
        #expect(one.summaryText == "different settings, different behaviour in 1 of 12 replicas")
    }

    @Test func divergencesSayWhere() {
        // Broken: the minute of a divergence is another one.
        var divergence = Divergence(replica: 3, seed: 9, minute: 2, length: .seconds(60))
        #expect(divergence.locationText == "replica 3, seed 9, between 2 min and 3 min")
        divergence.minute = nil
        #expect(divergence.locationText == "replica 3, seed 9")
        #expect(
            divergence.json.text(.line)
                == #"{"events": [], "from_s": null, "length_s": 60, "replica": 3, "seed": "9", "unseen_events": 0}"#)
    }

    @Test func theSummaryListsItsParts() throws {
        // Broken: a part of the summary is missing, or counts something else.
        let full = try ComparedRuns.report()
        func text(_ edit: (inout CompareReport) -> Void) -> String {
            var edited = full
            edit(&edited)
            return edited.summary
        }
        #expect(
            text { _ in }
                == "1 scenario run is invalid; 2 regressions (delivery.down.lost of naive in Lift: 0 -> 0.5; zombie.max of naive, old in Lift: 15.5 s -> 35.5 s); 2 of 6 gates and expectations do not hold (keepalive.pings of naive in Lift: 13; recovery.p95 of naive in Lift: never); undecided: latency.down.p95 of naive in Lift: 1000 ms -> 1043 ms (about 117 replicas would decide); recovery.p95 of naive in Lift: 3 s -> never (about 108 replicas would decide); 2 warnings; 1 of 2 scenarios behave differently; not compared: 1 new, 2 gone, 1 with another world"
        )
        #expect(
            text {
                $0.isComplete = false; $0.usesRecommendedGates = false
            }
                == "stopped before its end; 1 scenario run is invalid; 2 of 6 gates and expectations do not hold (keepalive.pings of naive in Lift: 13; recovery.p95 of naive in Lift: never); undecided: latency.down.p95 of naive in Lift: 1000 ms -> 1043 ms (about 117 replicas would decide); recovery.p95 of naive in Lift: 3 s -> never (about 108 replicas would decide); 2 warnings; 1 of 2 scenarios behave differently; not compared: 1 new, 2 gone, 1 with another world"
        )
        #expect(
            text {
                $0.uncompared = []; $0.scenarios.removeLast()
            }
                == "2 regressions (delivery.down.lost of naive: 0 -> 0.5; zombie.max of naive, old: 15.5 s -> 35.5 s); 2 of 6 gates and expectations do not hold (keepalive.pings of naive: 13; recovery.p95 of naive: never); undecided: latency.down.p95 of naive: 1000 ms -> 1043 ms (about 117 replicas would decide); recovery.p95 of naive: 3 s -> never (about 108 replicas would decide); 2 warnings; 1 of 1 scenario behaves differently"
        )
        #expect(
            text {
                $0.scenarios.removeFirst(); $0.uncompared.removeLast(3)
            } == "1 scenario run is invalid; no compared behaviour changed; not compared: 1 new")
        #expect(
            text {
                $0.scenarios = []; $0.uncompared = []; $0.reference = .none
            } == "compared")
    }

    @Test func theSummaryOfOtherRunsIsShort() throws {
        // Broken: a summary names a baseline without need, or leaves out another seed.
        let full = try ComparedRuns.report()
        func text(_ edit: (inout CompareReport) -> Void) -> String {
            var edited = full
            edit(&edited)
            return edited.summary
        }
        let pair = try ComparedRuns.pair()
        #expect(pair.summary == "stopped before its end; against tuned: 2 better, 3 worse, 3 undecided")
        var same = pair
        same.isComplete = true
        same.scenarios[0].comparisons[0].changes = []
        #expect(same.summary == "against tuned: the same")
        let unpaired = try ComparedRuns.scenario("Lift", seed: 7)
        #expect(
            text {
                $0.scenarios = [unpaired]; $0.uncompared = []
            }
                == "1 regression (zombie.max of naive, old: 15.5 s -> 35.5 s); undecided: delivery.down.lost of naive: 0 -> 0.5 (about 39 replicas would decide); latency.down.p95 of naive: 1000 ms -> 1043 ms (about 123 replicas would decide); recovery.p95 of naive: 3 s -> never (no usual number of replicas would decide); seed 7, the baseline has 1, so different conditions can be the reason"
        )
        var unknown = unpaired
        unknown.baselineSeed = nil
        #expect(
            text {
                $0.scenarios = [unknown]; $0.uncompared = []
            }
                == "1 regression (zombie.max of naive, old: 15.5 s -> 35.5 s); undecided: delivery.down.lost of naive: 0 -> 0.5 (about 39 replicas would decide); latency.down.p95 of naive: 1000 ms -> 1043 ms (about 123 replicas would decide); recovery.p95 of naive: 3 s -> never (no usual number of replicas would decide); seed 7, not that of the baseline, so different conditions can be the reason"
        )
        let calm = try ComparedRuns.scenario("Lift", isNew: false)
        #expect(
            text {
                $0.scenarios = [calm]; $0.uncompared = []
            } == "no behaviour changed")
        var warned = try ComparedRuns.scenario("Lift", hasGates: true)
        warned.outcomes = warned.outcomes.filter { !$0.isFailure }
        #expect(
            text {
                $0.scenarios = [warned]; $0.uncompared = []; $0.usesRecommendedGates = false
            }
                == "2 of 4 gates and expectations hold; undecided: latency.down.p95 of naive: 1000 ms -> 1043 ms (about 117 replicas would decide); recovery.p95 of naive: 3 s -> never (about 108 replicas would decide); 2 warnings; 1 of 1 scenario behaves differently"
        )
    }

    @Test func aLossInEveryReplicaIsNoPass() throws {
        // Broken: some format says "pass" although each of five replicas lost more, or the advice differs between two
        // places.
        let report = try ComparedRuns.fewReplicas()
        let first =
            "delivery.down.lost of naive: 25 -> 29.6, worse in 5 of 5 replicas (a baseline with --replicas 9 would decide)"
        #expect(report.verdict == .pass && report.statedVerdict == .undecided)
        #expect(report.summary.hasPrefix(first + "; also undecided: latency.down.p95 of naive: "), "\(report.summary)")
        #expect(report.summary.matches(of: /delivery\.down\.lost/).count == 1, "\(report.summary)")
        let text = report.terminalText(.plain)
        #expect(text.split(separator: "\n").last?.hasPrefix("undecided: " + first) == true, "\(text)")
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("5 replicas are too few to decide the primary metrics: save a baseline with at least 9: "))
        #expect(report.markdown.hasPrefix("## Deadzone: undecided ⚠️\n\n"), "\(report.markdown)")
        let sentence =
            "Lost, server to app (delivery.down.lost) of naive is worse in 5 of 5 replicas, from 25 to 29.6, but so few cannot decide: a baseline with --replicas 9 would"
        #expect(report.unanimousLosses.map(\.sentence) == [sentence])
        #expect(report.junit.contains("<system-out>\(sentence)&#10;") && report.junit.contains("failures=\"0\""))
        #expect(report.annotations { _, _ in nil }.hasPrefix("::warning title=Lift::\(sentence)\n"))
        #expect(report.json["verdict"]?.string == "undecided")
        // A failure says so first, and then lists all open questions together.
        var failed = report
        failed.scenarios[0].troubles = ["it stopped"]
        #expect(failed.summary.contains("; undecided: delivery.down.lost of naive: "), "\(failed.summary)")
        #expect(failed.markdown.hasPrefix("## Deadzone: fail ❌") && failed.json["verdict"]?.string == "fail")
    }

    @Test func identicalScenariosAreCounted() throws {
        // Broken: a scenario with other digests counts as identical.
        let (same, other) = (try ComparedRuns.scenario("A", isNew: false), try ComparedRuns.scenario("B"))
        func text(_ scenarios: [ComparedScenario]) throws -> String? {
            var report = try ComparedRuns.report()
            report.scenarios = scenarios
            return report.identityText
        }
        #expect(try text([]) == nil && ComparedRuns.pair().identityText == nil)
        #expect(try text([same]) == "Behaviour identical in the scenario (digests equal)")
        #expect(try text([same, same]) == "Behaviour identical in both scenarios (digests equal)")
        #expect(try text([same, same, same]) == "Behaviour identical in all 3 scenarios (digests equal)")
        #expect(
            try text([same, other]) == "Behaviour identical in 1 of 2 scenarios (digests equal); 1 changed: B")
        #expect(try text([other]) == "Behaviour identical in 0 of 1 scenario; 1 changed: B")
        var fresh = other
        fresh.comparisons = []
        #expect(
            try text([same, fresh])
                == "Behaviour identical in 1 of 2 scenarios (digests equal); 1 without a baseline")
        let many = try "CDEFG".map { try ComparedRuns.scenario(String($0)) }
        #expect(
            try text([same] + many)
                == "Behaviour identical in 1 of 6 scenarios (digests equal); 5 changed: C, D, E, and 2 more")
    }

    @Test func longNamesAndListsAreCut() throws {
        // Broken: a fourth regression is listed, or a name of sixty characters is cut.
        var report = try ComparedRuns.report()
        let name = String(repeating: "n", count: 60)
        for (length, isCut) in [(60, false), (61, true)] {
            report.scenarios[0].comparisons[0].strategy = String(repeating: "n", count: length)
            let text = report.regressionSummary ?? ""
            #expect(text.contains(" of \(name)\(isCut ? "…" : "") in Lift: "), "\(length)")
        }
        let one = report.scenarios[0]
        for (count, more) in [(1, nil), (3, nil), (4, "and 1 more"), (5, "and 2 more")] as [(Int, String?)] {
            report.scenarios = Array(repeating: one, count: count)
            let regressions = report.regressions.count
            let expected = regressions > 3 ? "; and \(regressions - 3) more)" : nil
            #expect((report.regressionSummary ?? "").contains("; and") == (expected != nil), "\(more ?? "")")
            if let expected { #expect(report.regressionSummary?.hasSuffix(expected) == true) }
        }
        report.scenarios = []
        #expect(report.regressionSummary == nil && report.openSummary == nil)
    }

    @Test func adviceNeedsAnOpenPrimaryMetric() throws {
        // Broken: more replicas are advised although enough ran, or although nothing is open.
        var scenario = try ComparedRuns.scenario("Lift")
        #expect(scenario.advice(for: scenario.comparisons[0]) == nil)
        scenario.replicas = PrimaryMetric.neededReplicas
        #expect(scenario.advice(for: scenario.comparisons[0]) == nil)
        scenario.replicas -= 1
        #expect(
            scenario.advice(for: scenario.comparisons[0])
                == "8 replicas are too few to decide the primary metrics: save a baseline with at least 9: --replicas 9"
        )
        scenario.replicas = 1
        #expect(
            scenario.advice(for: scenario.comparisons[0])
                == "1 replica is too few to decide the primary metrics: save a baseline with at least 9: --replicas 9")
        #expect(scenario.advice(for: scenario.comparisons[1]) == nil)
        // Replicas that the baseline lacks decide nothing.
        scenario.replicas = 12
        scenario.comparisons[0].replicas = 5
        scenario.comparisons[0].against = "tuned"
        #expect(
            scenario.advice(for: scenario.comparisons[0])
                == "5 replicas are too few to decide the primary metrics: run at least 9: --replicas 9")
        #expect(
            CompareReport.count(1, "a", "b") == "1 a" && CompareReport.count(0, "a", "b") == "0 b"
                && CompareReport.count(2, "a", "b") == "2 b")
    }

    @Test func outcomesAreSortedByTheirExcess() throws {
        // Broken: a gate that is missed by little comes first.
        let outcomes = try ComparedRuns.scenario("Lift", hasGates: true).outcomes
        expectText(
            outcomes.map {
                "\($0.excess) | \($0.sentence) | \($0.worstText ?? "-") | \($0.boundText) | \($0.valueText)"
            }.joined(separator: "\n"),
            #"""
            3.3333333333333335 | keepalive.pings of naive is 13; the bound is at most 3 | worst in replica 2, seed 16819666922443762949: 14 | at most 3 | 13
            0.003225806451612949 | zombie.max of naive is 15.55 s; the bound is at most 100% of baseline (15.5 s) | worst in replica 0, seed 1: 10.05 s against 10 s in the baseline | at most 100% of baseline (15.5 s) | 15.55 s
            0.36225 | battery.joules of tuned is 127.6 J; the bound is under 200 J | - | under 200 J | 127.6 J
            1.0 | delivery.down.lost of tuned is 0; the bound is at most 1 | - | at most 1 | 0
            4.25 | zombie.max of tuned is 10.5 s; the bound is at most 2 s | worst in replica 11, seed 6243784277829756395: 16 s | at most 2 s | 10.5 s
            inf | recovery.p95 of naive is never: too often the network came back and nothing was served, so there is no number; the bound is under 9 s | worst in replica 4, seed 11260274279318504351: never | under 9 s | never: too often the network came back and nothing was served, so there is no number
            """#)
        let run = ComparedRuns.run(isNew: true)
        func excess(_ words: String) throws -> Double? {
            GateJudge(run, old: nil) { _, _ in "" }.judge(
                try Threshold(words, in: .count), of: "delivery.down.sent", Subject("naive"), level: .error, place: nil)?
                .excess
        }
        #expect(try excess("at most 11") == 1 && excess("at most 22") == 0 && excess("at least 44") == 0.5)
        #expect(try excess("0") == 22 / 1e-9 && excess("20 to 24") == 0 && excess("10 to 20") == 0.2)
    }

    @Test func uncomparedItemsSayWhy() {
        // Broken: an item has another reason, or its gates are not counted.
        let table: [(Uncompared, String, String)] = [
            (Uncompared(scenario: "a", reason: .new), "a", "new: not in the baseline"),
            (
                Uncompared(scenario: "a", strategy: "b", reason: .gone, undecidedGates: 1), "a, b",
                "gone: in the baseline, but not named here; 1 gate of the baseline cannot be checked"
            ),
            (
                Uncompared(scenario: "a", strategy: "b", group: "c", reason: .otherWorld, undecidedGates: 2), "a, b, c",
                "changed: its world differs from the baseline; 2 gates of the baseline cannot be checked"
            ),
        ]
        for (item, name, sentence) in table { #expect(item.name == name && item.sentence == sentence) }
        #expect(Uncompared.summary(table.map(\.0) + [table[0].0]) == "2 new, 1 gone, 1 with another world")
    }

    /// The comparison of a changed strategy with a baseline, under the recommended gates.
    private static func report(
        _ series: (_ isNew: Bool) -> [String: BaselineStrategy.MetricSeries]
    ) -> CompareReport {
        func run(isNew: Bool) -> BaselineRun {
            let strategy = BaselineStrategy(
                name: "b", hash: isNew ? "b" : "a", digests: (0..<12).map { "\(isNew) \($0)" }, minutes: [],
                series: series(isNew))
            return BaselineRun(
                name: "Lift", worldHash: "c", seed: 1, replicas: 12, minute: .seconds(60), strategies: [strategy])
        }
        var comparer = Comparer(floor: Billionths(count: 10_000_000), seed: 1)
        let comparison = comparer.compare(
            "b", run(isNew: true), with: run(isNew: false), measured: Catalogue.all.map(\.name))
        return CompareReport(
            tool: "1.2.3", reference: .baseline, floor: Billionths(count: 10_000_000),
            scenarios: [
                ComparedScenario(
                    name: "Lift", worldHash: "c", seed: 1, replicas: 12,
                    comparisons: [comparison].compactMap(\.self), outcomes: [], troubles: [],
                    command: "deadzone run Lift")
            ], usesRecommendedGates: true, isComplete: true)
    }

    @Test func aRegressionNamesTheLossThatFell() throws {
        // Broken: a repaired loss costs energy, and the regression does not say that fewer messages are lost.
        let report = Self.report { isNew in
            [
                "delivery.down.lost": ComparedRuns.series { isNew ? 0 : 40 + Double($0) },
                "battery.above_idle_joules": ComparedRuns.series { (isNew ? 90 : 10) + Double($0) / 10 },
            ]
        }
        let words = ", while delivery.down.lost fell from 45.5 to 0"
        #expect(
            report.summary.hasPrefix(
                "1 regression (battery.above_idle_joules of b: 10.55 J -> 90.55 J\(words)); "), "\(report.summary)")
        #expect(report.regressions.map(\.sentence).allSatisfy { $0.hasSuffix("to 90.55 J" + words) })
        #expect(report.verdict == .fail && report.regressions.count == 1)
    }

    @Test func meansAreToldFromTheValuesOfTheRun() throws {
        // Broken: a sentence says that a 95th percentile was 3 s, while gates and `run` print 1.5 s for the same runs.
        let report = Self.report { isNew in
            var latency = ComparedRuns.series { (isNew ? 40 : 3) + Double($0) / 10 }
            latency.whole = .value(Billionths(stored: isNew ? 44 : 1.5))
            return [
                "latency.down.p95": latency, "battery.above_idle_joules": ComparedRuns.series { _ in isNew ? 9 : 3 },
            ]
        }
        let sentences = Dictionary(
            uniqueKeysWithValues: report.regressions.map { ($0.change.metric.name, $0.sentence) })
        let words = " changed from 3.55 ms to 40.55 ms (means of the replicas; 1.5 ms and 44 ms in all together)"
        #expect(sentences["latency.down.p95"]?.hasSuffix(words) == true, "\(sentences)")
        #expect(sentences["battery.above_idle_joules"]?.hasSuffix(" changed from 3 J to 9 J") == true, "\(sentences)")
    }
}
