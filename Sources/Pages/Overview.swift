import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzoneTraces

/// Many runs on one page: small multiples as long as they can be read, and a line for each of any number.
struct Overview {
    /// More would be wallpaper.
    static let mostMultiples = 48
    /// Runs whose names and numbers stand in full; beyond it a line is kept short, so that ten thousand fit.
    private static let mostLong = 500

    /// Strips of one small picture.
    private static let mostStrips = 4

    let reports: [RunReport]
    private let isOneScenario: Bool

    init(reports: [RunReport]) {
        self.reports = reports
        isOneScenario = Set(reports.map(\.scenario.nameWithoutCell)).count == 1
    }

    var html: String {
        "<section class=\"part\" id=\"runs\"><h2>\(reports.count) runs</h2>\n"
            + (MatrixChart(reports)?.html ?? "") + multiples + clouds + list
            + "</section>\n"
    }

    static func verdict(_ reports: [RunReport]) -> String {
        let failed = reports.count { $0.verdict == .fail }
        if failed == 0, reports.allSatisfy({ $0.strategies.allSatisfy(\.outcomes.isEmpty) }) {
            return "<span class=\"verdict\">Nothing was demanded</span>"
        }
        return failed == 0
            ? "<span class=\"verdict pass\">✓ All \(reports.count) runs pass</span>"
            : "<span class=\"verdict fail\">✗ \(failed) of \(reports.count) runs fail</span>"
    }

    /// One small picture for each run: of each goal every strategy a mark, from nothing to the largest of that run.
    private var multiples: String {
        // A picture of one strategy has nothing to compare.
        guard reports.count <= Self.mostMultiples, reports.contains(where: { $0.strategies.count > 1 }) else {
            return ""
        }
        let cells = reports.enumerated().map { number, report in
            let goals = Goal.asked(of: report).prefix(Self.mostStrips)
            let strips = goals.map { mini($0, report) }.joined()
            return """
                <article class="multiple \(report.verdict.rawValue)"><h3><a href="#run-\(number)">\
                \(Self.mark(report)) \(Markup.escaped(name(report), atMost: 80))</a></h3>\(strips)</article>

                """
        }
        return "<div class=\"multiples\">\(cells.joined())</div>\n"
    }

    /// Nothing is said where nothing was demanded.
    private static func mark(_ report: RunReport) -> String {
        report.verdict == .fail ? "✗" : report.strategies.allSatisfy(\.outcomes.isEmpty) ? "" : "✓"
    }

    /// Of cells of one matrix what sets them apart; the name that they share is the heading.
    private func name(_ report: RunReport) -> String {
        isOneScenario && !report.scenario.cell.isEmpty ? report.scenario.cellWords : report.scenario.name
    }

    private func mini(_ goal: Goal, _ report: RunReport) -> String {
        guard let metric = Catalogue.metric(named: goal.name) else { return "" }
        let figures = report.strategies.map { $0.measurement.figure(goal.name) ?? .nothing }
        let scale = Scale(0, max(figures.compactMap(\.double).max() ?? 0, 1e-9), onto: 112, 232)
        var drawing =
            "<text class=\"who\" x=\"0\" y=\"14\">\(Markup.shortened(goal.title, to: 18))</text><path class=\"grid\" d=\"M112 10H232\"/>"
        for (index, figure) in figures.enumerated() {
            guard let value = figure.double else { continue }
            let words = Markup.escaped(report.strategies[index].name, atMost: 40) + " " + Goal.text(figure, metric)
            drawing += Marker(index: index).svg(scale(value), 10, title: words)
        }
        let words = report.strategies.indices.map {
            Markup.escaped(report.strategies[$0].name, atMost: 30) + " " + Goal.text(figures[$0], metric)
        }
        return "<svg class=\"mini\" viewBox=\"0 0 240 20\" role=\"img\" aria-label=\"\(goal.title): "
            + "\(words.joined(separator: ", "))\">\(drawing)</svg>"
    }

    /// Where the runs lie: for each goal a cloud of all, one row for each strategy.
    private var clouds: String {
        guard reports.count > Self.mostMultiples else { return "" }
        let names = strategies
        return ["battery.joules", "latency.down.p95", "delivery.down.lost", "zombie.max"].map { cloud($0, names) }
            .joined()
    }

    /// Every name of a strategy, in the order of the first meeting; more than a few are not drawn.
    private var strategies: [String] {
        var names: [String] = []
        for report in reports {
            for strategy in report.strategies where names.count < 12 && !names.contains(strategy.name) {
                names.append(strategy.name)
            }
        }
        return names
    }

    private func cloud(_ name: String, _ names: [String]) -> String {
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
                bars += "M\(left + column * 4) \(base)v-\(Markup.place(height))h3.4V\(base)z"
            }
            drawing += Marker(index: row).svg(8, Double(base - 6))
            drawing += "<text class=\"row\" x=\"20\" y=\"\(base - 2)\">\(Markup.escaped(names[row], atMost: 20))</text>"
            drawing += "<path class=\"herd \(Palette.strategy(row))\" d=\"\(bars)\"/>"
            drawing += "<path class=\"axis\" d=\"M\(left) \(base)h\(columns * 4 + 4)\"/>"
        }
        let height = names.count * 34 + 24
        let scale = Scale(0, most, onto: Double(left), Double(left + columns * 4))
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(most * 1e9)))
        for tick in scale.ticks(6) {
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.place(scale(tick)))\" y=\"\(height - 6)\">"
                + "\(unit.text(Billionths(count: Int128(tick * 1e9)))) \(unit.name)</text>"
        }
        return Markup.figure(
            "cloud-" + name.replacing(".", with: "-"), metric.label, "How many runs came to how much, by strategy.",
            width: 1_140, height: height, drawing)
    }

    /// One line for each run. Closing tags that HTML needs not are left out: there may be ten thousand.
    private var list: String {
        let goals = reports.first.map(Goal.asked) ?? []
        let isLong = reports.count <= Self.mostLong
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
                text += "<td>" + figures.prefix(isLong ? 8 : 4).map { Goal.text($0, metric) }.joined(separator: " · ")
            }
            text += "\n"
        }
        let first = reports[0].strategies.prefix(isLong ? 8 : 4).map { Markup.escaped($0.name, atMost: 40) }
        return text
            + "</table></div><p>Numbers in the order of the strategies: \(first.joined(separator: " · ")).</p></details>\n"
    }
}
