import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// Words about gaps, renamed strategies, bounds and their worst replicas.
struct CompareWordingTests {
    @Test func aStrategyThatWasNotComparedIsNotIdentical() throws {
        // Broken: a scenario counts as identical although one of its strategies is new, or some format says so.
        var report = try ComparedRuns.report()
        report.scenarios = [try ComparedRuns.scenario("A", isNew: false), try ComparedRuns.scenario("B", isNew: false)]
        report.uncompared = [
            Uncompared(scenario: "B", strategy: "calm", reason: .new), Uncompared(scenario: "C", reason: .gone),
        ]
        #expect(report.identicalScenarios == 1 && report.json["identical_scenarios"]?.double == 1)
        #expect(
            report.identityText
                == "Behaviour identical in 1 of 2 scenarios (digests equal); 1 with strategies that were not compared: B"
        )
        #expect(report.summary == "no compared behaviour changed; not compared: 1 new, 1 gone")
        let page = ComparePage.html(report)
        #expect(page.contains("<p>Nothing in what was compared: all records") && !page.contains("Nothing: all"))
        // A group is a part of the phones, and the digests of all phones are equal.
        report.uncompared = [Uncompared(scenario: "B", strategy: "naive", group: "old", reason: .new)]
        #expect(report.identicalScenarios == 2)
    }

    @Test func aRenamedStrategyIsNamed() throws {
        // Broken: some format does not say that a strategy has another name in the baseline.
        var report = try ComparedRuns.report()
        report.scenarios = [try ComparedRuns.scenario("A", isNew: false)]
        report.uncompared = []
        report.scenarios[0].comparisons[0].formerName = "old"
        let words = "`old` is called `naive` now"
        let texts = [
            report.terminalText(.plain), report.diffText(.plain, isVerbose: false) { _, _ in nil },
            ComparePage.html(report),
        ]
        for text in texts { #expect(text.contains(words), "\(text)") }
        #expect(report.markdown.contains(" is called ") && !report.markdown.contains("nothing changed"))
        #expect(report.json["scenarios"]?.items?[0]["strategies"]?.items?[0]["former_name"]?.string == "old")
    }

    @Test func boundsAreCountedInGoodEnglish() throws {
        // Broken: a sentence says `all 1 hold`, or calls an expectation a gate.
        let (one, gates, both) = (BoundCount.expectations, BoundCount.gates, BoundCount.both)
        #expect(one.allHold(1) == "the expectation holds" && gates.allHold(2) == "both gates hold")
        #expect(gates.someHold(3, of: 3) == "all 3 gates hold" && gates.someHold(1, of: 3) == "1 of 3 gates holds")
        #expect(
            both.someHold(2, of: 3) == "2 of 3 gates and expectations hold" && both.heading == "Gates and expectations")
        #expect(one.doNotHold(1, of: 4) == "1 of 4 expectations does not hold")
        #expect(one.doNotHold(2, of: 4) == "2 of 4 expectations do not hold")
        #expect(one.doNotHold(1, of: 1) == "the expectation does not hold")
        let sums = [(0, 1), (0, 2), (0, 3), (1, 1), (1, 4), (2, 2)].map { BoundCount.sum($0.0, of: $0.1) }
        #expect(
            sums == [
                "the expectation holds", "both hold", "all 3 hold", "the expectation does not hold",
                "1 of 4 does not hold", "2 of 2 do not hold",
            ])
        var report = try ComparedRuns.report()
        let all = report.scenarios[0].outcomes
        for (isExpectation, heading) in [(true, "Expectations"), (false, "Gates")] {
            report.scenarios[0].outcomes = all.filter { $0.isExpectation == isExpectation }
            #expect(report.terminalText(.plain).contains("\n\(heading)\n"))
            #expect(ComparePage.html(report).contains("<h2>\(heading)</h2>"))
        }
        report.scenarios[0].outcomes = all.filter { $0.outcome.verdict == .pass || $0.isWarning }
        #expect(report.terminalText(.plain).contains("  2 of 4 gates and expectations hold\n"))
        #expect(report.summary.contains("2 of 4 gates and expectations hold; "), "\(report.summary)")
    }

    @Test func theWorstReplicaNamesItsBound() throws {
        // Broken: a replica that breaks a share of the baseline shows two equal numbers, and not its bound.
        let run = ComparedRuns.run(isNew: false)
        func text(_ words: String) throws -> String? {
            GateJudge(run, old: run) { _, _ in "" }.judge(
                try Threshold(words, in: .seconds), of: "zombie.max", Subject("naive"), level: .error, place: nil)?
                .worstText
        }
        let start = "worst in replica 11, seed \(UInt64(1).seed(ofReplica: 11)): 21 s against 21 s in the baseline"
        #expect(try text("at most 50% of baseline") == start + ", where the bound is 10.5 s")
        #expect(try text("under 100% of baseline")?.hasSuffix(": 10 s against 10 s in the baseline") == true)
    }
}
