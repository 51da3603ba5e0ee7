import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

private typealias Expectation = DeadzoneMetrics.Expectation

@Suite struct ThresholdTests {
    private func billionths(_ number: Double) -> Billionths { Billionths(count: Int128((number * 1e9).rounded())) }

    @Test("The words of a bound are read as they are documented")
    func boundsAreRead() throws {
        let table: [(String, Metric.Unit, Threshold.Relation, Threshold.BoundValue)] = [
            ("0", .count, .equal, .value(.zero)), ("0", .seconds, .equal, .value(.zero)),
            ("under 15s", .seconds, .below, .value(billionths(15))),
            ("under 15s", .milliseconds, .below, .value(billionths(15_000))),
            ("at most 3", .count, .atMost, .value(billionths(3))),
            ("over 2m", .seconds, .above, .value(billionths(120))),
            ("over 1m30s", .seconds, .above, .value(billionths(90))),
            ("at least 99%", .ratio, .atLeast, .value(billionths(0.99))),
            ("at least 0.99", .ratio, .atLeast, .value(billionths(0.99))),
            ("under 1", .ratio, .below, .value(billionths(1))),
            ("0 to 1.0", .ratio, .between, .range(.zero, billionths(1))),
            ("under 530%", .ratio, .below, .value(billionths(5.3))),
            ("at most 0.6 of naive", .joules, .atMost, .share(billionths(0.6), of: "naive")),
            ("at most 150% of naive", .joules, .atMost, .share(billionths(1.5), of: "naive")),
            ("1s to 3s", .seconds, .between, .range(billionths(1), billionths(3))),
            ("at most 60% of naive", .joules, .atMost, .share(billionths(0.6), of: "naive")),
            ("under 12.5 % of the old one", .bytes, .below, .share(billionths(0.125), of: "the old one")),
            ("within 1% of baseline", .joules, .between, .around(billionths(0.01), of: "baseline")),
            ("> 2m", .seconds, .above, .value(billionths(120))), (">=2m", .seconds, .atLeast, .value(billionths(120))),
            ("<= 60% of naive", .joules, .atMost, .share(billionths(0.6), of: "naive")),
            ("under 1 Wh", .joules, .below, .value(billionths(3_600))),
            ("under 2.5%", .percentPerHour, .below, .value(billionths(2.5))),
            ("at most 64KiB", .bytes, .atMost, .value(billionths(65_536))),
            ("  under   350ms ", .milliseconds, .below, .value(billionths(350))),
            ("under 12/h", .perHour, .below, .value(billionths(12))),
            ("at most 1 /min", .perHour, .atMost, .value(billionths(60))),
            ("under 1us", .seconds, .below, .value(billionths(0.000001))),
        ]
        for (text, unit, relation, bound) in table {
            let threshold = try Threshold(text, in: unit)
            #expect(threshold.relation == relation && threshold.bound == bound, "`\(text)` is \(threshold)")
        }
    }

    @Test("Text that is not a bound is refused with a message")
    func invalidBoundIsRefused() {
        let table: [(String, Metric.Unit, String)] = [
            ("", .seconds, "a number is missing"), ("under", .seconds, "a number is missing"),
            ("under 15", .seconds, "the number has no unit"), ("15", .milliseconds, "the number has no unit"),
            ("under 15 apples", .seconds, "`apples` is not a unit of this metric"),
            ("under 15s", .count, "`s` is not a unit of this metric"),
            ("under 15s or so", .seconds, "unexpected text `or so`"),
            ("3s to 1s", .seconds, "the range `3s to 1s` is empty"),
            ("below 3s", .seconds, "`below 3s` is not a bound"), ("underpaid", .seconds, "`underpaid` is not a bound"),
            ("under 12", .perHour, "the number has no unit"),
            ("under 30", .ratio, "`30` has no `%`, and without it a share is at most 1"),
            ("under 1.5", .ratio, "`1.5` has no `%`, and without it a share is at most 1"),
            ("20 to 30%", .ratio, "`20` has no `%`, and without it a share is at most 1"),
            ("at most 60 of baseline", .joules, "`60` has no `%`, and without it a share is at most 1"),
            ("at most 60 of baseline", .count, "`60` has no `%`, and without it a share is at most 1"),
            ("within 2 of baseline", .ratio, "`2` has no `%`, and without it a share is at most 1"),
            ("at most 15J of naive", .joules, "unexpected text `of naive`"),
            ("-3", .count, "`-3` is not a bound"), ("1e400", .count, "`e` is not a unit of this metric"),
            ("nan", .count, "`nan` is not a bound"), ("at most 60% of", .joules, "the name after `of` is missing"),
            ("within 3s", .seconds, "`within` needs a percentage and a reference"),
            ("99999999999999999999", .count, "`99999999999999999999` has more than 15 digits"),
            ("1.2.3", .count, "`1.2.3` is not a bound"), ("under .5", .count, "`.5` is not a bound"),
            ("under \u{1B}[31m", .count, "`\\u{1b}[31m` is not a bound"), ("٣", .count, "`٣` is not a bound"),
        ]
        for (text, unit, message) in table {
            let fault = #expect(throws: ThresholdFault.self, "`\(text)`") { try Threshold(text, in: unit) }
            #expect(fault?.message == message && fault?.help.isEmpty == false)
        }
    }

    @Test("The largest number that can be written does not overflow")
    func largestNumberDoesNotOverflow() throws {
        for unit in [Metric.Unit.seconds, .milliseconds, .bytes, .joules, .ratio, .count, .perHour] {
            for word in ["d", "GiB", "Wh", "%", "", "999999999999999d"] {
                _ = try? Threshold("under 999999999999999\(word)", in: unit)
            }
        }
        let share = try Threshold("at most 999999999999999% of naive", in: .bytes)
        let large = Figure.value(Billionths(count: 1 << 100))
        let bounds = try #require(share.resolved(reference: large))
        #expect(share.isKept(by: large, bounds))
    }

    @Test("A relative bound allows as much below its reference as above it")
    func relativeBoundIsMeasuredFromItsReference() throws {
        let table: [(String, Double, ClosedRange<Double>)] = [
            ("within 5% of naive", 100, 95...105), ("within 0% of naive", 100, 100...100),
            ("at most 60% of naive", 100, 60...60), ("at least 125% of naive", 8, 10...10),
        ]
        for (words, reference, bounds) in table {
            let resolved = try Threshold(words, in: .count).resolved(reference: .value(billionths(reference)))
            #expect(resolved == billionths(bounds.lowerBound)...billionths(bounds.upperBound), "\(words)")
        }
    }

    @Test("A bound holds on the correct side of its end")
    func verdictsAtTheEdges() throws {
        let table: [(String, Double?, Bool)] = [
            ("under 2", 1.999999999, true), ("under 2", 2, false), ("at most 2", 2, true),
            ("at most 2", 2.000000001, false), ("over 2", 2, false), ("over 2", 2.000000001, true),
            ("at least 2", 2, true), ("at least 2", 1.999999999, false), ("2", 2, true), ("2", 2.000000001, false),
            ("1 to 2", 1, true), ("1 to 2", 2, true), ("1 to 2", 0.999999999, false), ("1 to 2", 2.000000001, false),
        ]
        for (words, value, isKept) in table {
            let threshold = try Threshold(words, in: .count)
            let bounds = try #require(threshold.resolved(reference: nil))
            #expect(threshold.isKept(by: .value(billionths(value!)), bounds) == isKept, "\(value!) is \(words)")
        }
    }

    @Test("A value that is missing or never arrives satisfies no upper bound")
    func missingValueSatisfiesNoUpperBound() throws {
        for words in ["under 2", "at most 2", "0", "1 to 2"] {
            let threshold = try Threshold(words, in: .count)
            let bounds = try #require(threshold.resolved(reference: nil))
            #expect(!threshold.isKept(by: .never, bounds) && !threshold.isKept(by: .nothing, bounds), "\(words)")
        }
        for words in ["over 2", "at least 2"] {
            let threshold = try Threshold(words, in: .count)
            let bounds = try #require(threshold.resolved(reference: nil))
            #expect(threshold.isKept(by: .never, bounds) && !threshold.isKept(by: .nothing, bounds), "\(words)")
        }
    }

    @Test("A value that is only known as a lower bound satisfies only lower bounds")
    func censoredValueSatisfiesOnlyLowerBounds() throws {
        let table: [(String, Bool)] = [
            ("under 2", false), ("under 9", false), ("at most 9", false), ("3", false), ("1 to 9", false),
            ("over 2", true), ("over 3", false), ("at least 3", true), ("at least 4", false),
        ]
        for (words, isKept) in table {
            let threshold = try Threshold(words, in: .count)
            let bounds = try #require(threshold.resolved(reference: nil))
            #expect(threshold.isKept(by: .atLeast(billionths(3)), bounds) == isKept, "\(words)")
        }
        #expect(try Threshold("at most 60% of naive", in: .count).resolved(reference: .atLeast(billionths(3))) == nil)
    }

    @Test("A misspelt metric or an unknown strategy is an error, not a pass")
    func unknownNameIsAnError() throws {
        var report = Sample.report()
        let bound = try Threshold("at most 3", in: .count)
        let share = try Threshold("at most 60% of nobody", in: .count)
        let table: [(Expectation, ExpectationFault)] = [
            (Expectation(strategy: "tuned", metric: "zombie.min", threshold: bound), .unknownMetric("zombie.min")),
            (Expectation(strategy: "tunes", metric: "zombie.max", threshold: bound), .unknownStrategy("tunes")),
            (Expectation(strategy: "tuned", metric: "zombie.max", threshold: share), .unknownStrategy("nobody")),
        ]
        for (expectation, fault) in table {
            #expect(throws: fault) { try report.judge([expectation]) }
        }
    }

    @Test("A bound of a group is judged by the phones of the group")
    func groupBoundIsJudgedByItsPhones() throws {
        // The zombies of `tuned` took 9 s, those of `naive` longer. Each measurement is here a group of the other
        // strategy.
        var report = Sample.report()
        let plain = report.strategies
        let (naive, tuned) = (plain[0].measurement, plain[1].measurement)
        report.strategies[0].groups = [
            GroupReport(name: "old", phones: 1, measurement: tuned),
            GroupReport(name: "new", phones: 1, measurement: naive),
        ]
        report.strategies[1].groups = [
            GroupReport(name: "old", phones: 1, measurement: naive),
            GroupReport(name: "new", phones: 1, measurement: tuned),
        ]
        let names = plain.map(\.name)
        let table: [(String, String?, String, Bool)] = [
            (names[1], nil, "under 15s", true), (names[1], "new", "under 15s", true),
            (names[1], "old", "under 15s", false), (names[0], nil, "under 15s", false),
            (names[0], "old", "under 15s", true),
            // The same phones under the other strategy.
            (names[1], "new", "at most 60% of \(names[0])", true),
            (names[1], "old", "at least 200% of \(names[0])", true),
            // Another group under the same strategy.
            (names[1], "new", "at most 60% of old", true), (names[0], "new", "at most 60% of old", false),
        ]
        for (strategy, group, words, isKept) in table {
            let expectation = Expectation(
                strategy: strategy, group: group, metric: "zombie.max", threshold: try Threshold(words, in: .seconds))
            try report.judge([expectation])
            let outcomes = report.strategies.flatMap(\.outcomes)
            #expect(outcomes.map(\.verdict) == [isKept ? .pass : .fail], "\(strategy) \(group ?? "") \(words)")
        }
        let bound = try Threshold("at most 3", in: .count)
        let share = try Threshold("at most 60% of old", in: .count)
        for (expectation, fault) in [
            (
                Expectation(strategy: names[0], group: "neww", metric: "zombie.max", threshold: bound),
                ExpectationFault.unknownGroup("neww")
            ),
            (Expectation(strategy: "x", group: "new", metric: "zombie.max", threshold: bound), .unknownStrategy("x")),
            (Expectation(strategy: names[0], metric: "zombie.max", threshold: share), .unknownStrategy("old")),
        ] {
            #expect(throws: fault) { try report.judge([expectation]) }
        }
    }

    @Test("A run passes only if it is complete and its conditions took effect")
    func onlyAValidRunPasses() throws {
        var report = Sample.report()
        try report.judge(Sample.expectations().filter { $0.strategy == "tuned" && $0.metric == "zombie.max" })
        #expect(report.verdict == .pass)
        var vacuous = report
        vacuous.vacuous = ["The dead zone at 12 min began where there was no cellular network."]
        #expect(vacuous.verdict == .fail)
        var partial = report
        partial.isComplete = false
        #expect(partial.verdict == .fail)
        var stopped = report
        stopped.strategies[0].stops = ["phone 0: more actions for one event than an outbox holds"]
        #expect(stopped.verdict == .fail)
    }
}
