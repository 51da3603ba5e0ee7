import DeadzoneMetrics

/// The page section that gives an overview of several runs. It has small multiples if they are few enough to read, and
/// a table with one row for each run.
struct Overview {
    /// Most small multiples; more would be unreadable.
    static let maxMultiples = 48
    /// Up to this number of runs, table rows are complete. With more, rows are shortened, so that ten thousand runs
    /// fit.
    private static let maxLongRows = 500

    /// Most strips in one small multiple.
    private static let maxStrips = 4

    let reports: [RunReport]
    private let isOneScenario: Bool

    init(reports: [RunReport]) {
        self.reports = reports
        isOneScenario = Set(reports.map(\.scenario.nameWithoutCell)).count == 1
    }

    var html: String {
        "<section class=\"part\" id=\"runs\"><h2>\(reports.count) runs</h2>\n"
            + failures + (MatrixChart(reports)?.html ?? "") + multiples + distributions + list
            + "</section>\n"
    }

    static func verdict(_ reports: [RunReport], _ across: [AcrossReport]) -> String {
        let failed = reports.indices.count { reports[$0].verdict == .fail && !across.allowFailure(ofRun: $0) }
        if failed == 0, reports.allSatisfy({ $0.strategies.allSatisfy(\.outcomes.isEmpty) }) {
            let words = reports.contains(where: \.isUnjudged) ? "Expectations not judged" : "No expectations"
            return "<span class=\"verdict\">\(words)</span>"
        }
        let allowed = reports.count { $0.verdict == .fail } - failed
        if failed == 0, allowed > 0 {
            return
                "<span class=\"verdict pass\">✓ \(reports.count - allowed) of \(reports.count) runs pass, as many as "
                + "demanded</span>"
        }
        let unjudged = reports.count(where: \.isUnjudged)
        if failed == 0, unjudged > 0 {
            let passed = reports.count - unjudged
            let words = "\(passed) of \(reports.count) runs pass; \(unjudged) not judged"
            return "<span class=\"verdict pass\">✓ \(words)</span>"
        }
        return failed == 0
            ? "<span class=\"verdict pass\">✓ All \(reports.count) runs pass</span>"
            : "<span class=\"verdict fail\">✗ \(failed) of \(reports.count) runs fail</span>"
    }

    /// Most expectations in the list of those that are not met.
    private static let maxFailures = 20

    /// The expectations that are not met and the reasons why a run proves nothing, so that each failing run has its
    /// reason. Empty if every run passes.
    private var failures: String {
        var rows: [[String]] = []
        for report in reports {
            rows += report.troubles.map { [name(report), "", "", "", $0] }
            for outcome in report.strategies.flatMap(\.outcomes) where outcome.verdict == .fail {
                let expectation = outcome.expectation
                let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
                rows.append([
                    name(report), expectation.subject.name, expectation.metric,
                    expectation.threshold.words(unit, outcome.bounds), outcome.valueText,
                ])
            }
        }
        guard !rows.isEmpty else { return "" }
        let head = ["run", "strategy", "metric", "expected", "measured"].map(Markup.head).joined()
        let lines = rows.prefix(Self.maxFailures).map { row in
            "<tr class=\"fail\"><th scope=\"row\">\(Markup.escaped(row[0], atMost: 100))</th>"
                + row.dropFirst().map { "<td>\(Markup.escaped($0, atMost: 300))</td>" }.joined() + "</tr>\n"
        }
        let more = rows.count - Self.maxFailures
        return
            "<h3>Not met</h3>\n<div class=\"wide\"><table class=\"failures\"><thead><tr>\(head)</tr></thead><tbody>\n"
            + lines.joined() + "</tbody></table></div>\n" + (more > 0 ? "<p>and \(more) more</p>\n" : "")
    }

    /// Small multiples: for each run a strip per headline metric, with a mark for each strategy. A strip extends from
    /// zero to the largest value of its run.
    private var multiples: String {
        // With one strategy there is nothing to compare.
        guard reports.count <= Self.maxMultiples, reports.contains(where: { $0.strategies.count > 1 }) else {
            return ""
        }
        let cells = reports.enumerated().map { number, report in
            let goals = HeadlineMetric.columns(of: report).prefix(Self.maxStrips)
            let strips = goals.map { strip($0, report) }.joined()
            return """
                <article class="multiple \(report.verdict.rawValue)"><h3><a href="#run-\(number)">\
                \(Self.mark(report)) \(Markup.escaped(name(report), atMost: 80))</a></h3>\(strips)</article>

                """
        }
        return "<div class=\"multiples\">\(cells.joined())</div>\n"
    }

    /// Sign of the verdict; empty for a passing run without expectations.
    private static func mark(_ report: RunReport) -> String {
        report.verdict == .fail ? "✗" : report.strategies.allSatisfy(\.outcomes.isEmpty) ? "" : "✓"
    }

    /// Axis values of a cell if all runs are cells of one matrix (the heading has their common name); otherwise the
    /// name of the scenario.
    private func name(_ report: RunReport) -> String {
        isOneScenario && !report.scenario.cell.isEmpty ? report.scenario.cellText : report.scenario.name
    }

    private func strip(_ goal: HeadlineMetric, _ report: RunReport) -> String {
        guard let metric = Catalogue.metric(named: goal.name) else { return "" }
        let figures = report.strategies.map { $0.measurement.figure(goal.name) ?? .nothing }
        let scale = ChartScale(0, max(figures.compactMap(\.double).max() ?? 0, 1e-9), onto: 112, 232)
        var drawing =
            "<text class=\"who\" x=\"0\" y=\"14\">\(Markup.shortened(goal.title, to: 18))</text><path class=\"grid\" d=\"M112 10H232\"/>"
        for (index, figure) in figures.enumerated() {
            guard let value = figure.double else { continue }
            let words =
                Markup.escaped(report.strategies[index].name, atMost: 40) + " " + HeadlineMetric.text(figure, metric)
            drawing += Marker(index: index).svg(scale(value), 10, title: words)
        }
        let words = report.strategies.indices.map {
            Markup.escaped(report.strategies[$0].name, atMost: 30) + " " + HeadlineMetric.text(figures[$0], metric)
        }
        return "<svg class=\"mini\" viewBox=\"0 0 240 20\" role=\"img\" aria-label=\"\(goal.title): "
            + "\(words.joined(separator: ", "))\">\(drawing)</svg>"
    }

    /// Histograms over all runs: a chart for each of four metrics, with one row for each strategy.
    private var distributions: String {
        guard reports.count > Self.maxMultiples else { return "" }
        let names = strategies
        return ["battery.joules", "latency.down.p95", "delivery.down.lost", "zombie.max"].map {
            distribution($0, names)
        }
        .joined()
    }

    /// Names of the strategies in order of first appearance, at most 12.
    private var strategies: [String] {
        var names: [String] = []
        for report in reports {
            for strategy in report.strategies where names.count < 12 && !names.contains(strategy.name) {
                names.append(strategy.name)
            }
        }
        return names
    }

    private func distribution(_ name: String, _ names: [String]) -> String {
        guard let metric = Catalogue.metric(named: name) else { return "" }
        var values = [[Double]](repeating: [], count: names.count)
        for report in reports {
            for strategy in report.strategies {
                guard let row = names.firstIndex(of: strategy.name),
                    let value = strategy.measurement.figure(name)?.double
                else { continue }
                values[row].append(value)
            }
        }
        guard let most = values.joined().max(), most > 0 else { return "" }
        let (columns, left) = (240, 160)
        var drawing = ""
        for (row, values) in values.enumerated() {
            var counts = [Int](repeating: 0, count: columns + 1)
            for value in values { counts[Int(value / most * Double(columns))] += 1 }
            let peak = max(1, counts.max() ?? 1)
            let base = row * 34 + 32
            var bars = ""
            for (column, count) in counts.enumerated() where count > 0 {
                let height = max(1, Double(count) / Double(peak) * 26)
                bars += "M\(left + column * 4) \(base)v-\(Markup.coordinate(height))h3.4V\(base)z"
            }
            drawing += Marker(index: row).svg(8, Double(base - 6))
            drawing += "<text class=\"row\" x=\"20\" y=\"\(base - 2)\">\(Markup.escaped(names[row], atMost: 20))</text>"
            drawing += "<path class=\"herd \(Palette.strategy(row))\" d=\"\(bars)\"/>"
            drawing += "<path class=\"axis\" d=\"M\(left) \(base)h\(columns * 4 + 4)\"/>"
        }
        let height = names.count * 34 + 24
        let scale = ChartScale(0, most, onto: Double(left), Double(left + columns * 4))
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(most * 1e9)))
        for tick in scale.ticks(6) {
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.coordinate(scale(tick)))\" y=\"\(height - 6)\">"
                + "\(unit.text(Billionths(count: Int128(tick * 1e9)))) \(unit.name)</text>"
        }
        return Markup.figure(
            "cloud-" + name.replacing(".", with: "-"), metric.label, "Number of runs by value, for each strategy.",
            width: 1_140, height: height, drawing)
    }

    /// Table with one row for each run. Optional closing tags are omitted to save space: there may be ten thousand
    /// rows.
    private var list: String {
        let goals = reports.first.map(HeadlineMetric.columns) ?? []
        let isLong = reports.count <= Self.maxLongRows
        var text =
            "<details class=\"data\"\(isLong ? " open" : "")><summary>Every run</summary><div class=\"wide\"><table class=\"runs\">"
        text += "<thead><tr><td><th>run" + goals.map { "<th>\($0.heading)" }.joined() + "<tbody>\n"
        let metrics = goals.map { Catalogue.metric(named: $0.name) }
        for report in reports {
            text += (report.verdict == .pass ? "<tr><td>" : "<tr class=fail><td>") + Self.mark(report) + "<th>"
            text += Markup.escaped(name(report), atMost: isLong ? 100 : 50)
            for (goal, metric) in zip(goals, metrics) {
                guard let metric else { continue }
                let figures = report.strategies.map { $0.measurement.figure(goal.name) ?? .nothing }
                text +=
                    "<td>"
                    + figures.prefix(isLong ? 8 : 4).map { HeadlineMetric.text($0, metric) }.joined(separator: " · ")
            }
            text += "\n"
        }
        let first = reports[0].strategies.prefix(isLong ? 8 : 4).map { Markup.escaped($0.name, atMost: 40) }
        return text
            + "</table></div><p>Numbers are in the order of the strategies: \(first.joined(separator: " · ")).</p></details>\n"
    }
}
