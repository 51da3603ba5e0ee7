package import DeadzoneMetrics

/// Generates the HTML page that shows whether the claims of four articles on mobile clients are true. It contains
/// measurements, verdicts and pictures.
package enum ClaimsPage {
    private static let title = "Claims of four articles, measured"

    package static func html(_ reports: [ClaimReport]) -> String {
        var body = """
            <header><p class="kicker">Deadzone · \(ClaimReport.verdictCounts(reports))</p>
            <h1>\(title)</h1><p class="lede">\(Markup.escaped(ClaimReport.introduction, atMost: 2_000))</p>
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
        for article in Article.allCases {
            let own = reports.filter { $0.article == article }
            if !own.isEmpty { body += section(article, own) }
        }
        return ReportPage.document(title, body)
    }

    /// The SVG files that `ClaimReport.markdown` refers to.
    package static func pictures(_ reports: [ClaimReport]) -> [(name: String, text: String)] {
        reports.compactMap { report in
            guard let name = report.pictureFile else { return nil }
            return ClaimFigure(report).map { (name, $0.svg) }
        }
    }

    private static func section(_ article: Article, _ reports: [ClaimReport]) -> String {
        var text =
            "<section class=\"part\"><h2>\(Markup.escaped(article.title))</h2>\n<p>\(Markup.escaped(article.about, atMost: 400))</p>\n"
        for (verdict, heading) in ClaimReport.headings {
            let some = reports.filter { $0.verdict == verdict }
            guard !some.isEmpty else { continue }
            text += "<h3>\(heading)</h3>\n" + some.map(claim).joined()
        }
        return text + "</section>\n"
    }

    private static func claim(_ report: ClaimReport) -> String {
        let holds = report.holdingConditions.map { Markup.escaped($0) }.joined(separator: "; ")
        let rows = report.cells.flatMap { cell in
            cell.findings.map { finding in
                [
                    Markup.escaped(cell.name.isEmpty ? finding.name : "\(cell.name), \(finding.name)"),
                    Markup.escaped(finding.figure.text(finding.unit)), Markup.escaped(finding.intervalText ?? ""),
                ]
            }
        }
        return """
            <article class="claim" id="\(report.id)">
            <p><strong>\(report.id)</strong> \(Markup.escaped(report.claim, atMost: 400)): \
            <strong>\(Markup.escaped(report.value, atMost: 200))</strong></p>
            <p><b class="verdict">\(report.verdict.rawValue)</b> \
            Measured: \(Markup.escaped(report.measured, atMost: 1_200)).\(holds.isEmpty ? "" : " It holds for \(holds).")</p>
            <p>\(Markup.escaped(report.instead, atMost: 1_200))</p>
            \(ClaimFigure(report)?.html ?? "")\(Markup.table("measurements for \(report.id)", ["finding", "measured", "95% interval"], rows))\
            <p class="again"><code>\(Markup.escaped(report.rerunCommand, atMost: 300))</code></p></article>

            """
    }
}
