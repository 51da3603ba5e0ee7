import DeadzoneBase
import DeadzoneMetrics
import Testing

@testable import DeadzoneReports

// Parts of a tuning report that must not contradict each other.
extension TuneTextTests {
    @Test func aValueAndItsChangeAreOfTheSameQuantity() throws {
        // Broken: a value of all replicas together stands beside a change of the means, so that the two contradict.
        var report = try report()
        report.scenarios = [report.scenarios[0]]
        func ofOneScenario(_ row: TuneReport.TuneRow) -> TuneReport.TuneRow {
            var row = row
            row.results = Array(row.results.prefix(1))
            return row
        }
        report.present = ofOneScenario(report.present)
        (report.rows, report.front) = (report.rows.map(ofOneScenario), report.front.map(ofOneScenario))
        // All replicas together, the proposal seems worse.
        report.present.results[0].means[0] = figure(400)
        report.rows[1].results[0].means[0] = figure(320)
        report.rows[1].results[0].figures[0] = figure(121)
        #expect(report.meansText(of: 0, in: report.rows[1]) == "400 J -> 320 J")
        let text = report.text(.plain)
        #expect(text.contains("400 J") && text.contains("320 J") && !text.contains("121 J"), "\(text)")
        let metric = report.json["rows"]?.items?[1]["results"]?.items?[0]["metrics"]?["battery.joules"]
        #expect(metric?["mean"]?.textInLines == "320" && metric?["value"]?.textInLines == "121")
        report.scenarios.append(.init(name: "ship", worldHash: "cc", isHeldOut: false))
        #expect(report.meansText(of: 0, in: report.rows[1]) == nil)
    }

    @Test func theBestOfEachGoalHasItsOwnTitle() throws {
        // Broken: two proposals have one title, or a goal has the title of another one.
        var report = try report()
        let rows: [(goals: [String], titles: [String])] = [
            (["battery.joules"], ["best"]), (["availability.ratio"], ["best"]),
            (["battery.joules", "availability.ratio"], ["cheapest", "best availability.ratio"]),
            (["battery.joules", "battery.promotions"], ["best battery.joules", "best battery.promotions"]),
            (["battery.joules", "zombie.max"], ["cheapest", "fastest"]),
            // In milliseconds, in seconds, and in seconds without a better direction.
            (["latency.call.p50", "app.suspended_s"], ["fastest", "best app.suspended_s"]),
            (["latency.call.p50", "zombie.max"], ["best latency.call.p50", "best zombie.max"]),
            (["calls.ok", "availability.ratio"], ["best calls.ok", "best availability.ratio"]),
            (
                ["battery.joules", "zombie.max", "availability.ratio"],
                ["cheapest", "fastest", "best availability.ratio"]
            ),
            (
                ["battery.joules", "zombie.max", "zombie.p95"], ["cheapest", "best zombie.max", "best zombie.p95"]
            ),
        ]
        for (goals, titles) in rows {
            report.goals = try goals.map { try #require(Catalogue.metric(named: $0)) }
            #expect(goals.indices.map { report.title(of: .init(kinds: [.best($0)], values: [])) } == titles)
        }
    }

    @Test func aProposalAtTheEdgeOfADemandSaysSo() throws {
        // Broken: a value just below the one that breaks a demand is recommended without a word.
        var report = try report()
        #expect(report.edgeText.isEmpty && report.json["edges"]?.items?.isEmpty == true)
        report.edges = [.init(setting: 0, value: "100s", demand: 0)]
        let text =
            "Close to the edge: with keepalive.interval 100s, delivery.down.lost at most 2 breaks. Choose a value with a margin."
        #expect(report.edgeText == text)
        #expect(report.text(.plain).contains("Close to the edge: with keepalive.interval 100s"))
        let edge = report.json["edges"]?.items?.first
        #expect(edge?["setting"]?.string == "keepalive.interval" && edge?["value"]?.string == "100s")
    }

    @Test func aBetterPointOfTheFrontIsProposedOrExplained() throws {
        // Broken: the present settings are called the cheapest beside a point of the front that is cheaper beyond
        // chance, and nothing says why; or one of many points is trusted as if it were the only one.
        var report = try report()
        report.rows = [report.rows[1]]
        report.rows[0].changes[0] = scaled(1.1)
        var point = report.front[0]
        point.changes[0] = scaled(0.975)
        report.front = [point]
        #expect(point.changes[0].p == 0.031_25)
        #expect(report.missedGains.map(\.goal) == [0] && report.isProven(report.missedGains[0]))
        report.front = [report.rows[0], point]
        #expect(report.missedGains.map(\.front) == [1] && !report.isProven(report.missedGains[0]))
        let zombie = try #require(Catalogue.metric(named: "zombie.max"))
        report.front[1].results[0].worse = [.init(zombie, present: figure(1), new: figure(9))]
        let text =
            "Not proposed: a point of the front with Energy -2.5% [-2.5%, -2.5%]. It was chosen among 2 points, so this can be chance; more replicas decide. Worse: \(zombie.label) in lift 1 s -> 9 s."
        #expect(report.missedText == text)
        // A demand that it breaks, or a proposal that is better too.
        report.front[1].results[0].demands[0].isKept = false
        #expect(report.missedText.isEmpty)
        report.front[1].results[0].demands[0].isKept = true
        report.rows[0].changes[0] = scaled(0.99)
        #expect(report.missedText.isEmpty)
    }
}
