import DeadzoneBase
package import DeadzoneMetrics

extension ClaimReport {
    /// Terminal overview of all claims, grouped by article.
    package static func text(_ reports: [ClaimReport], _ style: Style) -> String {
        var text = ""
        for article in Article.allCases {
            let own = reports.filter { $0.article == article }
            guard !own.isEmpty else { continue }
            text += style.heading(article.title) + "\n" + own.map { $0.row(style) }.joined() + "\n"
        }
        return text + verdictCounts(reports) + "\n"
    }

    private static let (idWidth, verdictWidth) = (4, 14)

    private func row(_ style: Style) -> String {
        let lead = Self.idWidth + 1 + Self.verdictWidth
        let head = style.paint(id.padded(to: Self.idWidth), .bold) + " " + painted(style, to: Self.verdictWidth)
        return head + style.wrapped(sentence, indent: lead, after: lead) + "\n"
            + String(repeating: " ", count: lead) + style.paint("measured: ", .dim)
            + style.wrapped(measured, indent: lead, after: lead + 6) + "\n"
    }

    private func painted(_ style: Style, to width: Int) -> String {
        let word = verdict.rawValue.padded(to: width)
        return verdict == .confirmed ? style.paint(word, .green) : verdict == .refuted ? style.paint(word, .red) : word
    }

    /// Number of claims for each verdict, as text.
    package static func verdictCounts(_ reports: [ClaimReport]) -> String {
        let counts = ClaimVerdict.allCases.map { verdict in (verdict, reports.count { $0.verdict == verdict }) }
        return "\(reports.count) claims: "
            + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
    }

    /// Terminal text of one claim in full.
    package func text(_ style: Style) -> String {
        var text = style.heading("\(id), \(article.title)") + "\n"
        text += style.wrapped("\(sentence).", indent: 0) + "\n\n"
        text += painted(style, to: 0) + ": " + verdict.words + "\n"
        if !worldChange.isEmpty {
            let world = "Measured with \(worldChange.words.escapedForTerminal)."
            text +=
                style.wrapped("\(world) `deadzone claims \(id)` measures it in the built-in worlds.", indent: 0) + "\n"
        }
        if !holdingConditions.isEmpty {
            text +=
                style.wrapped(
                    "It holds for " + holdingConditions.map(\.escapedForTerminal).joined(separator: "; ") + ".",
                    indent: 0) + "\n"
        }
        text += "\n" + table.text(style) + "\n" + style.paint("The claim is true if", .bold) + "\n"
        text += rule.bounds.map { "  \($0.finding.escapedForTerminal): \($0.words)\n" }.joined()
        text += "\n" + style.paint("Advice", .bold) + "\n  " + style.wrapped(instead, indent: 2, after: 2) + "\n"
        return text + "\n" + style.paint("Repeat with", .bold) + "\n  \(rerunCommand)\n"
    }

    /// Table of findings. With several cells, each cell has a heading row. Findings that the rule does not judge are
    /// dim.
    private var table: TextTable {
        var table = TextTable(leftAligned: [0, 2, 3])
        table.row([.init("measured", .bold), .init("", .bold), .init("95% interval", .bold), .init("")])
        for cell in cells {
            if cells.count > 1 {
                table.row([
                    .init(cell.name.escapedForTerminal, .bold), .init(""), .init(""), .init(cell.verdict.rawValue),
                ])
            }
            let judged = judged(cell)
            for finding in cell.findings {
                let name = (cells.count > 1 ? "  " : "") + finding.name.escapedForTerminal
                table.row([
                    .init(name, judged.contains(finding) ? nil : .dim), .init(finding.figure.text(finding.unit)),
                    .init(finding.intervalText ?? "", .dim), .init(""),
                ])
            }
        }
        return table
    }
}
