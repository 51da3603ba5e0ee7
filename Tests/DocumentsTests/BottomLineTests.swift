import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// The conclusion of a run in one or two sentences.
struct BottomLineTests {
    private func line(
        _ sides: (name: String, tail: Int64, lost: Int)..., replicas: Int = 6, idle: Int64 = 0
    ) -> String? {
        FullRun.side(sides, replicas: replicas, idle: idle).bottomLine
    }

    @Test func energyAboveIdleIsNamedIfIdlingIsMostOfIt() {
        // Broken: on a quiet day the sentence says that a client costs 1 % less, where its own part is 15 % less.
        #expect(
            line(("a", 300, 0), ("b", 900, 0), idle: 20_000)
                == "Both lose nothing. a uses the least energy, 26% less (60% less above idle) than b.")
        #expect(
            line(("a", 900, 0), ("b", 300, 7), idle: 20_000)
                == "a loses nothing and uses 34% more energy (151% more above idle) than b, which loses 33%.")
        #expect(
            line(("a", 2_600, 0), ("b", 0, 21), idle: 20_000)
                == "a loses nothing and uses 180% more energy (28 times above idle) than b, which loses 100%.")
        // Idling is just less than half of the energy of b: 167.44 J are above idle.
        #expect(line(("a", 300, 0), ("b", 900, 0), idle: 14_000)?.contains("above idle") == false)
        #expect(line(("a", 300, 0), ("b", 900, 0), idle: 14_100)?.contains("above idle") == true)
        #expect(line(("a", 900, 0), ("b", 900, 0), idle: 20_000) == "Both lose nothing. All use the same energy.")
    }

    @Test func aClientThatDeliversNothingIsNotTheCheapest() {
        // Broken: a client with all its messages pending uses the least energy, so the sentence recommends it.
        func line(_ delivered: Int..., replicas: Int = 6) -> String? {
            var report = Sample.report(replicas: replicas, name: "Sides")
            report.strategies = delivered.enumerated().map { index, count in
                StrategyReport(
                    name: ["a", "b", "c"][index], hash: "", digest: "",
                    measurement: Sample.measurement(
                        replicas: replicas, tail: Int64(300 * (index + 1)), pings: 9, isZombie: false,
                        delivered: count))
            }
            return report.bottomLine
        }
        let late = "100% of the messages of a are still pending."
        #expect(
            line(0, 21)
                == "Both lose nothing. \(late) Only b delivers about as much as the best, so energy is not compared.")
        #expect(
            line(0, 21, 21)
                == "All 3 lose nothing. \(late) Of the 2 that deliver about as much as the best, b uses the least energy."
        )
        #expect(line(0, 21, 21, replicas: 1) == line(0, 21, 21))
        #expect(line(20, 21)?.contains("pending. a uses the least energy, ") == true)
    }

    @Test func theEnergyOfEqualDeliveriesIsCompared() {
        // Broken: a strategy wins although its interval overlaps another one, or the number of the others is wrong.
        #expect(line(("a", 300, 0)) == nil)
        #expect(line(("a", 300, 0), ("b", 900, 0)) == "Both lose nothing. a uses the least energy, 52% less than b.")
        #expect(line(("a", 900, 0), ("b", 900, 0)) == "Both lose nothing. All use the same energy.")
        #expect(line(("a", 900, 0), ("b", 901, 0)) == "Both lose nothing. Their energy does not differ beyond chance.")
        #expect(
            line(("a", 900, 0), ("b", 300, 0), replicas: 1)
                == "Both lose nothing. b uses the least energy, 52% less than a.")
        #expect(
            line(("a", 300, 0), ("b", 301, 0), ("c", 900, 0))
                == "All 3 lose nothing. a and b use the least energy, and their intervals overlap.")
        #expect(
            line(("a", 300, 0), ("b", 301, 0), ("c", 302, 0), ("d", 900, 0))
                == "All 4 lose nothing. a, b and c use the least energy, and their intervals overlap.")
        #expect(
            line(("a", 300, 0), ("b", 301, 0), ("c", 302, 0), ("d", 300, 0), ("e", 900, 0))
                == "All 5 lose nothing. a, b, c and 1 more use the least energy, and their intervals overlap.")
        #expect(
            line(("a", 300, 0), ("b", 301, 0), ("c", 302, 0), ("d", 300, 0), ("e", 301, 0), ("f", 900, 0))
                == "All 6 lose nothing. a, b, c and 2 more use the least energy, and their intervals overlap.")
        #expect(
            line(("a", 300, 2), ("b", 900, 2))
                == "Both lose 9.5% of the messages. a uses the least energy, 52% less than b.")
        #expect(
            line(("a", 300, 2), ("b", 900, 2), ("c", 600, 2))
                == "All 3 lose 9.5% of the messages. a uses the least energy, 52% less than b.")
    }

    @Test func theMostFaithfulStrategyIsNamed() {
        // Broken: the sentence names another strategy, another price or another loss.
        #expect(
            line(("a", 900, 0), ("b", 300, 7)) == "a loses nothing and uses 108% more energy than b, which loses 33%.")
        #expect(line(("a", 300, 0), ("b", 900, 7)) == "a loses nothing and uses the least energy. b loses 33%.")
        #expect(
            line(("a", 300, 0), ("b", 301, 1)) == "a loses nothing and uses about the same energy as b. b loses 4.8%.")
        #expect(
            line(("a", 900, 1), ("b", 300, 7), ("c", 200, 8))
                == "a loses the least (4.8% of its messages) and uses 153% more energy than c, which loses 38%.")
        #expect(
            line(("a", 900, 0), ("b", 800, 0), ("c", 300, 7))
                == "2 of 3 lose nothing; of these, b uses 90% more energy than c, which loses 33%.")
        #expect(
            line(("a", 200, 0), ("b", 800, 0), ("c", 300, 7))
                == "2 of 3 lose nothing; of these, a uses the least energy. c loses 33%.")
        // A strategy that loses messages is none of these, even if its energy is about the same.
        #expect(
            line(("a", 300, 0), ("b", 900, 0), ("c", 301, 1))
                == "2 of 3 lose nothing; of these, a uses the least energy. c loses 4.8%.")
        #expect(
            line(("a", 300, 0), ("b", 301, 0), ("c", 301, 1))
                == "2 of 3 lose nothing; of these, a uses about the same energy as b. c loses 4.8%.")
        #expect(
            line(("a", 2_600, 0), ("b", 0, 21))
                == "a loses nothing and uses 11 times the energy (28 times above idle) of b, which loses 100%.")
    }

    @Test func sharesHaveTwoDigits() {
        // Broken: a small share is printed as zero, or a large one with a decimal.
        func lost(_ count: UInt32) -> String? {
            var report = FullRun.side([("a", 300, 0), ("b", 900, 0)])
            report.strategies[1].measurement = Sample.measurement(
                replicas: 6, tail: 900, pings: 9, isZombie: false, delivered: 21,
                extra: [FullRun.lost(.down, .noPath, .path, count)]
                    + (0..<20_979).map { _ in Sample.record(.sentDown) })
            return report.bottomLine?.split(separator: "b loses ").last.map(String.init)
        }
        let shares: [(UInt32, String)] = [
            (1, "<0.1%."), (20, "<0.1%."), (21, "0.1%."), (2_099, "10%."), (2_079, "9.9%."), (2_100, "10%."),
            (2_310, "11%."), (2_415, "12%."),
        ]
        for (count, share) in shares { #expect(lost(count) == share, "\(count)") }
    }

    @Test func equalBehaviourIsNamed() {
        // Broken: a setting without any effect looks like a choice between two equal strategies, or a strategy without
        // a digest counts as equal to another one.
        func ending(_ digests: String...) -> String {
            var report = FullRun.side(digests.indices.map { (["a", "b", "c", "d"][$0], 300, 0) })
            for index in digests.indices { report.strategies[index].digest = digests[index] }
            return self.ending(report)
        }
        let claim = " did exactly the same: what differs in their settings had no effect here."
        #expect(ending("1", "2", "1") == "a and c" + claim)
        #expect(ending("2", "1", "2", "1") == "a and c; b and d" + claim)
        #expect(!ending("1", "2", "3").contains(claim) && !ending("", "", "").contains(claim))
    }

    @Test func theShareOfOtherAppsIsNamed() {
        // Broken: on a day on which other apps use most of the energy, two clients look alike without a word, or the
        // share of one client is said of all.
        func lines(_ others: Int64...) -> String {
            var report = FullRun.side(others.indices.map { (["a", "b"][$0], 300, 0) })
            for (index, seconds) in others.enumerated() {
                report.strategies[index].measurement = Sample.measurement(
                    replicas: 6, tail: 300, pings: 9, isZombie: false, delivered: 21,
                    extra: [Sample.radio(.tail, .otherApps, seconds)])
            }
            return report.bottomLineText(Style(hasColour: false, width: 1_000))
        }
        let share = lines(1_000, 9_000).firstMatch(of: /Other apps cause at least about (\d+)% of the energy/)?.1
        #expect(share.flatMap { Int($0) }.map { (50...85).contains($0) } == true, "\(lines(1_000, 9_000))")
        #expect(!lines(9_000, 0).contains("Other apps") && !lines(100, 9_000).contains("Other apps"))
        #expect(!lines(9_000).contains("Other apps"))
    }

    @Test func pendingCallsCountAsWork() {
        // Broken: a client that answers no call at all uses the least energy, so the sentence recommends it.
        func line(messages: Int, pending: Int64...) -> String? {
            var report = Sample.report(replicas: 6, name: "Sides")
            report.strategies = pending.enumerated().map { index, count in
                let calls = (0..<20).map { _ in Sample.record(.called) }
                let waiting = count > 0 ? [Sample.record(.callPending, .nanoseconds(count))] : []
                return StrategyReport(
                    name: ["a", "b"][index], hash: "", digest: "",
                    measurement: Sample.measurement(
                        replicas: 6, tail: Int64(300 * (index + 1)), pings: 9, isZombie: false, delivered: messages,
                        extra: calls + waiting))
            }
            return report.bottomLine
        }
        #expect(line(messages: 21, pending: 20, 0)?.contains("49% of the messages and calls of a are still") == true)
        #expect(line(messages: 21, pending: 20, 0)?.hasSuffix("so energy is not compared.") == true)
        #expect(line(messages: 21, pending: 0, 0)?.hasSuffix("less than b.") == true)
    }

    private func ending(_ report: RunReport) -> String {
        String(report.bottomLineText(Style(hasColour: false, width: 1_000)).split(separator: "\n").last ?? "")
    }

    @Test func theStrategyToShipIsNamed() throws {
        // Broken: a strategy that fails a bound, or delivers less than another, is recommended.
        func report(
            _ sides: [(name: String, tail: Int64, lost: Int)], failing: [String], isFree: Bool = false
        ) throws -> RunReport {
            var report = FullRun.side(sides)
            let judged = sides.map(\.name).filter { !isFree || failing.contains($0) }
            try report.judge(
                judged.map {
                    let bound = failing.contains($0) ? "over 9" : "under 9"
                    return Expectation(
                        strategy: $0, metric: "connection.handshakes", threshold: try Threshold(bound, in: .count))
                })
            return report
        }
        let three: [(name: String, tail: Int64, lost: Int)] = [("a", 900, 0), ("b", 300, 0), ("c", 100, 0)]
        let endings = try [[], ["c"], ["b", "c"], ["a", "b", "c"]].map { ending(try report(three, failing: $0)) }
        expectText(
            endings.joined(separator: "\n"),
            #"""
            All 3 lose nothing. c uses the least energy, 69% less than a.
            To ship: b. It uses the least energy of the 2 strategies that meet all expectations and deliver about as much as the best.
            To ship: a. Only it meets all expectations and delivers about as much as the best.
            To ship: none. Each strategy fails an expectation, or delivers fewer messages than another.
            """#)
        let two = [
            try report([("a", 900, 0), ("b", 300, 7)], failing: ["b"]),
            try report([("a", 300, 0), ("b", 300, 0), ("c", 100, 0)], failing: ["c"]),
        ]
        expectText(
            two.map(ending).joined(separator: "\n"),
            #"""
            To ship: a. Only it meets all expectations and delivers about as much as the best.
            All 3 lose nothing. c uses the least energy, 36% less than b.
            """#)
        // A strategy without an expectation meets none.
        let free = try [["c"], ["b", "c"], ["a", "b", "c"]].map { ending(try report(three, failing: $0, isFree: true)) }
        expectText(
            free.joined(separator: "\n"),
            #"""
            To ship: not decided. Each strategy with an expectation fails one, or delivers fewer messages than another; a and b have no expectation.
            To ship: not decided. Each strategy with an expectation fails one, or delivers fewer messages than another; a has no expectation.
            To ship: none. Each strategy fails an expectation, or delivers fewer messages than another.
            """#)
        #expect(ending(try report([("a", 900, 0)], failing: ["a"])).isEmpty)
        var stopped = try report(three, failing: ["c"])
        stopped.isComplete = false
        #expect(stopped.bottomLineText(.plain).isEmpty)
        #expect(FullRun.side([("a", 1, 0)]).bottomLineText(.plain).isEmpty)
    }

    @Test func aTradeOfEnergyAndLatencyIsLeftOpen() throws {
        // Broken: a choice that only a bound can make is made, or its numbers are those of another strategy.
        var report = FullRun.side([("quick", 900, 0), ("slow", 300, 0)])
        report.strategies[1].measurement = Sample.measurement(
            replicas: 6, tail: 300, pings: 9, isZombie: false, delivered: 21,
            extra: (0..<6).map { _ in Sample.record(.deliveredDown, .seconds(40)) })
        #expect(
            ending(report)
                == "To ship: not decided. slow saves 100.8 J, but takes 39 s longer than quick (Server to app, 95th percentile). Write a bound, such as `latency.down.p95: under 5s`."
        )
        let trade = try #require(EnergyLatencyTrade.all(report, among: [0, 1]).first)
        #expect(trade.boundText == "latency.down.p95: under 5s")
        report.strategies[1].measurement = Sample.measurement(
            replicas: 6, tail: 300, pings: 9, isZombie: true, delivered: 10)
        let other = try #require(EnergyLatencyTrade.all(report, among: [0, 1]).first)
        #expect(other.boundText == "latency.down.p95: under 5s")
        #expect(
            other.tradeText { "s\($0)" }
                == "s1 saves 100.8 J, but loses so much that its latency has no number, unlike s0 (Server to app, 95th percentile)"
        )
    }

    @Test func tradesInBothDirectionsAreNamed() {
        // Broken: a client that sends late is shipped for its energy, because only messages to the app are looked at.
        var report = FullRun.side([("quick", 900, 0), ("slow", 300, 0)])
        for (index, seconds) in [28, 215].enumerated() {
            report.strategies[index].measurement = Sample.measurement(
                replicas: 6, tail: index == 0 ? 900 : 300, pings: 9, isZombie: false, delivered: 21,
                extra: (0..<6).flatMap { _ in
                    [Sample.record(.sentUp), Sample.record(.acknowledgedUp, .seconds(Int64(seconds)))]
                        + (index == 0 ? [] : [Sample.record(.deliveredDown, .seconds(40))])
                })
        }
        expectText(
            ending(report),
            #"""
            To ship: not decided. slow saves 100.8 J, but takes 39 s longer than quick (Server to app, 95th percentile). slow saves 100.8 J, but takes 187 s longer than quick (App to server, 95th percentile). Write bounds, such as `latency.down.p95: under 5s` and `latency.up.p95: under 100s`.
            """#)
    }

    @Test func onlyClientsThatWereKeptFromRunningAreNamed() {
        // Broken: a client that the system wakes for each ping is said to send none.
        func client(_ extra: [Record]) -> Measurement {
            let folds = (0..<6).map { _ in
                let records =
                    [Sample.record(.finished, .minutes(45)), Sample.record(.suspended, .minutes(40))] + extra
                    + (0..<2_807).map { _ in Sample.record(.pinged) }
                var fold = RunFold()
                records.withUnsafeBufferPointer { fold.record($0) }
                return fold
            }
            return Measurement(of: folds, prices: TracedDay.prices, seed: 1)
        }
        var report = FullRun.side([("frozen", 300, 0), ("woken", 300, 0), ("idle", 300, 0)])
        let late = (0..<4).map { _ in Sample.record(.timerLate, .minutes(9)) }
        let clients = [client(late), client([Sample.record(.timerLate, .minutes(4))]), client([])]
        for (index, measurement) in clients.enumerated() { report.strategies[index].measurement = measurement }
        #expect(ending(report).contains("so keepalives and retries of frozen mostly did not run"), "\(ending(report))")
        // Only switches that the client does not have are named.
        func map(_ entries: [(key: String, value: Node)]) -> Node {
            .map(entries.map { Node.MapEntry(key: $0.key, value: $0.value) })
        }
        func hint(_ frozen: [(key: String, value: Node)], server: String) -> String {
            let clients = [("frozen", map(frozen)), ("idle", map([("wake", .text("alarm"))]))]
            let push = map([("push", .text(server))])
            report.scenario.settings = map([("server", push), ("strategies", map(clients))])
            return ending(report).replacing(/.*did not run\./, with: "")
        }
        let all = " `foreground-service`, `wake` and `push` change that."
        #expect(hint([("wake", .text("none"))], server: "none") == all)
        #expect(hint([("foreground-service", .text("true"))], server: "high") == " `wake` changes that.")
        #expect(hint([("foreground-service", .text("true")), ("wake", .text("alarm"))], server: "high") == "")
        report.strategies[0].measurement = clients[1]
        #expect(!ending(report).contains("did not run"), "\(ending(report))")
        for index in 0..<3 { report.strategies[index].measurement = clients[0] }
        #expect(ending(report).contains("so keepalives and retries mostly did not run"), "\(ending(report))")
    }

    @Test func aMissingBatteryIsNamed() {
        // Broken: a scenario with a battery is told to write one, or one without is not.
        let report = FullRun.side([("a", 300, 0), ("b", 900, 0)])
        #expect(report.missingBattery == nil)
        var bare = report
        for index in bare.strategies.indices {
            bare.strategies[index].measurement = Sample.measurement(
                replicas: 6, tail: 300, pings: 9, isZombie: false, hasBattery: false)
        }
        #expect(bare.missingBattery == "no battery in the scenario, so no % and mAh: write phone: {battery: 15.4Wh}")
        #expect(bare.comparisonText(.plain).contains("\n  no battery in the scenario, so no % and mAh: "))
        let hint = "no battery in the scenario, so no % and mAh: write phone: {battery: 15.4Wh}"
        func matrix(_ runs: [RunReport], _ metric: String) -> String {
            RunReport.matrixText(runs, metrics: [metric], .plain, reproduce: "")
        }
        #expect(matrix([bare, bare], "battery.percent_per_day").contains(hint))
        #expect(!matrix([bare, bare], "battery.joules").contains(hint))
        #expect(!matrix([bare, report], "battery.percent_per_day").contains(hint))
        bare.strategies[0] = report.strategies[0]
        #expect(bare.missingBattery == nil)
        bare.strategies = []
        #expect(bare.missingBattery == nil)
    }
}
