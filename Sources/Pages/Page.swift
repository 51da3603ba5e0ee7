import DeadzoneCompare
import DeadzoneDocuments
import DeadzonePrimitives
import DeadzoneShipped
public import DeadzoneTraces

/// The report as one file of HTML: opens from disk, asks nobody for anything, and can be read with scripts off. Equal runs
/// give equal bytes.
public enum Page {
    /// Runs that are shown in full; of more there is a line each.
    public static let mostFull = 8

    /// - Parameters:
    ///   - exhibits: in the order in which they ran.
    ///   - change: what has changed since the baseline, in one sentence.
    public static func html(_ exhibits: [Exhibit], change: String? = nil) -> String {
        let reports = exhibits.map(\.report)
        var body = header(reports, change)
        if reports.count > 1 { body += Overview(reports: reports).html }
        let stories = exhibits.reduce(0) { $0 + $1.stories.count }
        for (number, exhibit) in exhibits.enumerated() where exhibits.count <= mostFull {
            body += run(number, exhibit, isAlone: exhibits.count == 1, stories: stories)
        }
        if exhibits.count > mostFull {
            body += "<section class=\"part reproduce\"><h2>What the numbers stand on</h2>"
            body += RunReport.commonModel(reports).html + "</section>\n"
        }
        body +=
            "<footer><p>deadzone \(Markup.escaped(reports.first?.tool ?? "")). A simulation: what is modelled, and what is "
            + "not, stands above.</p></footer>\n"
        return document(title(reports), body)
    }

    /// - Parameter title: escaped.
    static func document(_ title: String, _ body: String) -> String {
        head(title) + body + "</main>\n<script>\(script)</script>\n</body></html>\n"
    }

    private static func title(_ reports: [RunReport]) -> String {
        guard let first = reports.first else { return "Nothing was run" }
        return reports.count == 1
            ? Markup.escaped(first.scenario.name, atMost: 160)
            : title(ofMany: reports)
    }

    /// Cells of one matrix have a name in common; other runs have only their number.
    private static func title(ofMany reports: [RunReport]) -> String {
        let names = Set(reports.map(\.scenario.nameWithoutCell))
        return names.count == 1 ? Markup.escaped(names.first ?? "", atMost: 120) : "\(reports.count) runs"
    }

    private static func head(_ title: String) -> String {
        let policy =
            "default-src 'none'; style-src '\(hash(style))'; script-src '\(hash(script))'; base-uri 'none'; "
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

    private static func header(_ reports: [RunReport], _ change: String?) -> String {
        guard let first = reports.first else {
            return "<header><h1>Nothing was run</h1><p class=\"lede\">No scenario came to its end.</p></header>\n"
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
        let verdict = reports.count == 1 ? Answer.verdict(first) : Overview.verdict(reports)
        return """
            <header><p class="kicker">Deadzone report · \(facts.joined(separator: " · "))</p>
            <h1>\(title(reports))</h1><p class="sentence">\(verdict)\
            \(change.map { " <span class=\"change\">\(Markup.escaped($0, atMost: 300))</span>" } ?? "")</p>
            \(first.scenario.about.isEmpty ? "" : "<p class=\"lede\">\(Markup.escaped(first.scenario.about, atMost: 600))</p>")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private static func run(_ number: Int, _ exhibit: Exhibit, isAlone: Bool, stories: Int) -> String {
        let report = exhibit.report
        let name = Markup.escaped(report.scenario.name, atMost: 160)
        let heading = isAlone ? "" : "<h2 class=\"run\">\(Answer.verdict(report)) \(name)</h2>\n"
        let pair =
            LatencyChart(id: "latency-\(number)", exhibit: exhibit).html
            + ParetoChart(id: "pareto-\(number)", exhibit: exhibit).html
        let charts =
            EnergyChart(id: "energy-\(number)", exhibit: exhibit).html
            + (pair.isEmpty ? "" : "<div class=\"pair\">\(pair)</div>\n")
            + HerdChart(id: "herd-\(number)", exhibit: exhibit).html
        return "<article class=\"run\" id=\"run-\(number)\">\n" + heading + Answer(report: report).html
            + LanesFigure("lanes-\(number)", exhibit, stories: stories).html
            + (charts.isEmpty ? "" : "<section class=\"part\"><h2>Why</h2>\(charts)</section>\n")
            + NumbersTable(report: report).html + GroupsTable(report: report).html + Reproduce(report: report).html
            + "</article>\n"
    }

    /// When the phones of one run try to connect, as a picture; nil unless there are several.
    public static func herd(_ exhibit: Exhibit) -> String? { HerdChart(id: "herd", exhibit: exhibit).svg }

    static var style: String { chartStyle + shipped("Sources/Pages/page.css") }
    /// What a chart needs, on a page or alone.
    static var chartStyle: String { Palette.css + shipped("Sources/Pages/chart.css") }
    static var script: String { shipped("Sources/Pages/page.js") }

    /// As a content security policy wants it: SHA-256 in base64 of what stands between the tags.
    public static func hash(_ text: String) -> String {
        let hex = Array(Fingerprint(of: text).hex.utf8)
        let bytes = stride(from: 0, to: hex.count, by: 2).map { at in
            UInt8(String(decoding: hex[at..<at + 2], as: UTF8.self), radix: 16) ?? 0
        }
        return "sha256-" + base64(bytes)
    }

    /// RFC 4648, 4.
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

    /// Hatches: whoever sees no colour sees them. The script keeps those of the lanes upright while it zooms.
    private static let patterns = """
        <svg class="defs" width="0" height="0" aria-hidden="true"><defs>
        <pattern id="h-waste" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-paper" d="M0 3H6"/></pattern>
        </defs></svg>

        """
}
