import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Cards and charts of the report page, and the rows of its tables, for runs with known relations between strategies.
struct ReportChartTests {
    /// Two strategies that behave alike, and a third.
    private static let twins = TestWorkspace.scenario
        .replacing(
            "  patient: {strategy: patient}\n", with: "  patient: {strategy: patient}\n  twin: {strategy: patient}\n"
        )
        .replacing(/(?s)expect:.*/, with: "")

    private func page(_ scenario: String) throws -> String {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", scenario)
        let outcome = workspace.run("run @a.yaml -q --format html")
        try #require(outcome.code == .ok, "\(outcome.errors)")
        return outcome.output
    }

    private func card(_ page: String, _ heading: String) throws -> String {
        let start = try #require(page.range(of: "<h3>\(heading)")?.lowerBound)
        return String(page[start...].prefix { $0 != "\n" })
    }

    @Test func exactTieIsNotUndecided() throws {
        // Broken: strategies with exactly the same best value are shown as undecided.
        let page = try page(Self.twins)
        let lost = try card(page, "Lost, server to app")
        #expect(lost.contains("Equal: ") && lost.contains("patient</b>") && lost.contains("twin</b>"), "\(lost)")
        #expect(!lost.contains("eager</b>") && !page.contains("Undecided: "), "\(lost)")
        // If all are equal, the card says so.
        let alike = try self.page(Self.twins.replacing("  eager: {strategy: eager}\n", with: ""))
        #expect(try card(alike, "Lost, server to app").contains("All the same"))
    }

    @Test func barsAndFrontBeginAboveIdle() throws {
        // Broken: idle energy fills most of each bar, colours have no legend, and the points of the front stand in one
        // corner.
        let page = try page(Self.twins)
        let bars = try #require(page.range(of: "id=\"energy-0\"")?.lowerBound)
        let figure = page[bars...].prefix(while: { _ in true })[
            ..<(page[bars...].range(of: "</figure>")?.upperBound ?? page.endIndex)]
        #expect(!figure.contains("<rect class=\"c-base\"") && figure.contains(" J baseline</text>"))
        #expect(
            figure.contains("<i class=\"sw c-payload\"></i>messages")
                && figure.contains("<i class=\"sw in-tails\"></i>"))
        #expect(page.contains("joules of one phone above idle") && page.contains("over energy above idle"))
        // Every colour of a bar is in the legend.
        let used = Set(figure.matches(of: /<rect class="(c-[a-z]+)"/).map { String($0.1) })
        let named = Set(figure.matches(of: /<i class="sw (c-[a-z]+)"/).map { String($0.1) })
        #expect(used.count > 2 && used.isSubset(of: named))
        for colour in named { #expect(page.contains("i.\(colour){")) }
    }

    @Test func labelsUseTheirSpace() throws {
        // Broken: a label is cut although the chart has free space for it.
        let page = try page(Self.twins.replacing("  twin:", with: "  \"service, 30 s\":"))
        let text = page.replacing(/<title>[^<]*<\/title>/, with: "")
        #expect(text.matches(of: /<text class="end"[^>]*>service, 30 s[^<]*</).count >= 2)
        #expect(!text.contains("servi…"))
    }

    @Test func batteryIsComparableAcrossDurations() throws {
        // Broken: percent and milliampere-hours only cover the run, so runs of different length cannot be compared.
        let workspace = try TestWorkspace()
        let scenario = """
            version: 1
            name: Idle
            duration: 1h
            phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
            strategies: {idle: {strategy: patient, ping: 30m}}

            """
        func metrics(_ text: String) throws -> [String: Double] {
            try workspace.write("a.yaml", text)
            let outcome = workspace.run("run @a.yaml --json")
            let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            let strategy = try #require((document?["strategies"] as? [[String: Any]])?.first)
            return (strategy["metrics"] as? [String: Any] ?? [:]).compactMapValues { ($0 as? NSNumber)?.doubleValue }
        }
        for hours in [1.0, 6, 24] {
            let values = try metrics(scenario.replacing("duration: 1h", with: "duration: \(Int(hours))h"))
            func value(_ name: String) -> Double { values["battery." + name] ?? .nan }
            for (day, hour) in [
                ("joules_per_day", "joules_per_hour"), ("percent_per_day", "percent_per_hour"),
                ("charge_per_day", "charge_per_hour"),
            ] { #expect(abs(value(day) - 24 * value(hour)) < 1e-6 * value(day), "\(day) in \(hours) h") }
            #expect(abs(value("charge_per_hour") * hours - value("milliampere_hours")) < 1e-6)
            #expect(abs(value("percent_per_hour") * hours - value("percent")) < 1e-6)
        }
        let full = workspace.run("run @a.yaml -v").output
        for title in [
            "Energy per hour", "Energy per day", "Battery drain per day", "Charge per hour", "Charge per day",
        ] {
            #expect(full.contains(title), "\(title)")
        }
        #expect(!full.contains("no battery in the scenario"))
        try workspace.write("b.yaml", scenario.replacing("battery: 15.4Wh, ", with: ""))
        let bare = workspace.run("run @b.yaml").output
        #expect(bare.contains("no battery in the scenario") && bare.contains("phone: {battery: 15.4Wh}"))
        #expect(workspace.run("run @b.yaml --format html").output.contains("no battery in the scenario"))
    }

    @Test func tablesShowOpeningAndBlockedTimeWhereTheyMatter() throws {
        // Broken: the time until an opened app is fresh, or the time cut off, is in no default table of a scenario that
        // is about it.
        let workspace = try TestWorkspace()
        let scenario = """
            version: 1
            name: Opened
            duration: 30m
            replicas: 3
            phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
            timeline:
              - {at: 10m, dead-zone: 30s}
            traffic: {down: {every: 20s, size: 300B}}
            strategies:
              one: {strategy: composed, transport: quic, keepalive: 15m}

            """
        try workspace.write("a.yaml", scenario)
        let blocked = workspace.run("run @a.yaml")
        #expect(
            blocked.code == .ok && blocked.output.contains("Time cut off on live connections"),
            "\(blocked.output)\(blocked.errors)")
        #expect(!blocked.output.contains("Opening the app"))
        // With a dead connection, that is the figure to look at.
        try workspace.write("b.yaml", TestWorkspace.scenario)
        #expect(!workspace.run("run @b.yaml").output.contains("Time cut off"))
        // An app in the background reads messages only when it is opened.
        try workspace.write(
            "c.yaml",
            scenario.replacing("duration: 30m", with: "duration: 4h").replacing(
                "  - {at: 10m, dead-zone: 30s}\n",
                with: "  - {at: 0s, app: foreground}\n  - {at: 5m, app: background}\n  - {at: 3h, app: foreground}\n"
            ).replacing("cellular: lte-verizon-2021}}", with: "cellular: lte-verizon-2021}, platform: android-14}"))
        let opened = workspace.run("run @c.yaml")
        #expect(opened.output.contains("App opened to fresh data, 95th percentile"), "\(opened.output)\(opened.errors)")
    }
}
