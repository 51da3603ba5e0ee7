import DeadzoneBase
package import DeadzoneMetrics
import DeadzoneShipped

/// Generates the HTML page with the report of simulation runs. It is one file. It opens from disk, loads nothing, and
/// is readable without scripts. Equal runs give equal bytes.
package enum ReportPage {
    /// Most runs that are shown in full; of more runs, each is one row of a table.
    package static let maxDetailedRuns = 8

    /// - Parameters:
    ///   - tracedRuns: The runs, in the order in which they ran.
    ///   - across: Comparisons of these runs across networks.
    ///   - change: What has changed since the baseline, in one sentence.
    package static func html(
        _ tracedRuns: [RunWithTraces], across: [AcrossReport] = [], change: String? = nil
    ) -> String {
        let reports = tracedRuns.map(\.report)
        var body = header(reports, across, change)
        for (number, report) in across.enumerated() {
            body += AcrossSection(report: report, number: number, isAlone: across.count == 1).html
        }
        if reports.count > 1 { body += Overview(reports: reports).html }
        let histories = tracedRuns.reduce(0) { $0 + $1.histories.count }
        for (number, tracedRun) in tracedRuns.enumerated() where tracedRuns.count <= maxDetailedRuns {
            body += run(number, tracedRun, isAlone: tracedRuns.count == 1, histories: histories)
        }
        if tracedRuns.count > maxDetailedRuns {
            body += "<section class=\"part reproduce\"><h2>Model and assumptions</h2>"
            body += RunReport.commonModel(reports).html + "</section>\n"
        }
        body +=
            "<footer><p>deadzone \(Markup.escaped(reports.first?.tool ?? "")). Simulated results; the model and its limits "
            + "are listed above.</p></footer>\n"
        return document(title(reports), body)
    }

    /// - Parameter title: HTML, already escaped.
    static func document(_ title: String, _ body: String) -> String {
        head(title) + body + "</main>\n<script>\(script)</script>\n</body></html>\n"
    }

    private static func title(_ reports: [RunReport]) -> String {
        guard let first = reports.first else { return "No run" }
        return reports.count == 1
            ? Markup.escaped(first.scenario.name, atMost: 160)
            : title(ofMany: reports)
    }

    /// Common name of the cells of one matrix; otherwise the number of runs.
    private static func title(ofMany reports: [RunReport]) -> String {
        let names = Set(reports.map(\.scenario.nameWithoutCell))
        return names.count == 1 ? Markup.escaped(names.first ?? "", atMost: 120) : "\(reports.count) runs"
    }

    private static func head(_ title: String) -> String {
        let policy =
            "default-src 'none'; style-src '\(policyHash(style))'; script-src '\(policyHash(script))'; base-uri 'none'; "
            + "form-action 'none'"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark"><title>\(title)</title>
            <style>\(style)</style></head><body>
            \(patterns)<main>

            """
    }

    private static func header(_ reports: [RunReport], _ across: [AcrossReport], _ change: String?) -> String {
        guard let first = reports.first else {
            return "<header><h1>No run</h1><p class=\"lede\">No scenario completed.</p></header>\n"
        }
        let facts =
            reports.count == 1
            ? [
                DurationText.short(first.scenario.duration),
                first.scenario.phones == 1 ? "one phone" : "\(first.scenario.phones) phones",
                first.replicas == 1 ? "1 replica" : "\(first.replicas) replicas", "seed \(first.seed)",
            ]
            : [
                "\(reports.count) runs", "seed \(first.seed)",
                "\(reports.reduce(0) { $0 + $1.strategies.count * $1.replicas }) simulations",
            ]
        let verdict = reports.count == 1 ? SummarySection.verdict(first) : Overview.verdict(reports, across)
        return """
            <header><p class="kicker">Deadzone report · \(facts.joined(separator: " · "))</p>
            <h1>\(title(reports))</h1><p class="sentence">\(verdict)\
            \(change.map { " <span class=\"change\">\(Markup.escaped($0, atMost: 300))</span>" } ?? "")</p>
            \(first.scenario.about.isEmpty ? "" : "<p class=\"lede\">\(Markup.escaped(first.scenario.about, atMost: 600))</p>")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private static func run(_ number: Int, _ tracedRun: RunWithTraces, isAlone: Bool, histories: Int) -> String {
        let report = tracedRun.report
        let name = Markup.escaped(report.scenario.name, atMost: 160)
        let heading = isAlone ? "" : "<h2 class=\"run\">\(SummarySection.verdict(report)) \(name)</h2>\n"
        let pair =
            LatencyChart(id: "latency-\(number)", tracedRun: tracedRun).html
            + ParetoChart(id: "pareto-\(number)", tracedRun: tracedRun).html
        let charts =
            EnergyChart(id: "energy-\(number)", tracedRun: tracedRun).html
            + (pair.isEmpty ? "" : "<div class=\"pair\">\(pair)</div>\n")
            + HerdChart(id: "herd-\(number)", tracedRun: tracedRun).html
        return "<article class=\"run\" id=\"run-\(number)\">\n" + heading
            + SummarySection(report: report, series: tracedRun.series).html
            + LanesFigure("lanes-\(number)", tracedRun, histories: histories).html
            + (charts.isEmpty ? "" : "<section class=\"part\"><h2>Why</h2>\(charts)</section>\n")
            + LossSection(report: report).html + NumbersTable(report: report).html + GroupsTable(report: report).html
            + ReproduceSection(report: report).html
            + "</article>\n"
    }

    /// The timeline of one phone, for a page that shows it beside the scenario. Such a page needs `style`, `script` and
    /// `patterns`.
    /// - Parameter isOverview: `true` leaves out marks that are visible only after zooming in.
    /// - Returns: The figure, and `true` if nothing was left out.
    package static func timeline(_ tracedRun: RunWithTraces, isOverview: Bool) -> (html: String, isComplete: Bool) {
        let figure = LanesFigure("lanes-0", tracedRun, histories: tracedRun.histories.count, isOverview: isOverview)
        return (figure.html, figure.isComplete)
    }

    /// Answer, energy, losses and numbers of a run, for the same page.
    package static func results(_ tracedRun: RunWithTraces) -> String {
        let report = tracedRun.report
        return "<p class=\"sentence\">\(SummarySection.verdict(report))</p>"
            + SummarySection(report: report, series: tracedRun.series).html
            + EnergyChart(id: "energy-0", tracedRun: tracedRun).html + LossSection(report: report).html
            + NumbersTable(report: report).html
    }

    /// The primary metrics that some strategy of a run has, in the order of `compare`, with a label of two or three words.
    package static func primaryMetrics(of report: RunReport) -> [(metric: Metric, label: String)] {
        PrimaryMetric.all.compactMap { primary in
            guard let metric = Catalogue.metric(named: primary.name) else { return nil }
            // Traffic that the scenario does not have is lost or pending nowhere.
            let sent = ["delivery.down", "delivery.up", "calls"].first { primary.name.hasPrefix($0 + ".") }
            let isMeasured = report.strategies.contains { strategy in
                strategy.measurement.figure(primary.name) ?? .nothing != .nothing
                    && sent.map { strategy.measurement.figure($0 + ".sent")?.isNonzero ?? false } ?? true
            }
            guard isMeasured else { return nil }
            return (metric, primary.label)
        }
    }

    /// A value with a unit that keeps it short.
    package static func text(_ figure: Figure, _ metric: Metric) -> String { HeadlineMetric.text(figure, metric) }

    /// SVG file of the connection attempts of all phones in a run. `nil` unless there are several phones.
    package static func herdSVG(_ tracedRun: RunWithTraces) -> String? {
        HerdChart(id: "herd", tracedRun: tracedRun).svg
    }

    package static var style: String { chartStyle + shipped("Sources/Reports/Pages/page.css") }
    /// Style sheet of a chart, on a page or in a standalone file.
    static var chartStyle: String { Palette.css + shipped("Sources/Reports/Pages/chart.css") }
    package static var script: String { shipped("Sources/Reports/Pages/page.js") }

    /// Hash source for a content security policy: SHA-256 in base64 of the text between the tags.
    package static func policyHash(_ text: String) -> String {
        let hex = Array(Fingerprint(of: text).hex.utf8)
        let bytes = stride(from: 0, to: hex.count, by: 2).map { at in
            UInt8(String(decoding: hex[at..<at + 2], as: UTF8.self), radix: 16) ?? 0
        }
        return "sha256-" + base64(bytes)
    }

    /// Base64 (RFC 4648 §4).
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var out = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                out.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : "=")
            }
        }
        return out
    }

    /// Fill patterns that are recognisable without colour. The script keeps the angle of the lanes' patterns during
    /// zoom.
    package static let patterns = """
        <svg class="defs" width="0" height="0" aria-hidden="true"><defs>
        <pattern id="h-waste" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-paper" d="M0 3H6"/></pattern>
        </defs></svg>

        """
}
