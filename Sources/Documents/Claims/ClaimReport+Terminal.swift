public import DeadzoneCompare
import DeadzonePrimitives

extension ClaimReport {
    /// All of them at a glance, article by article.
    public static func text(_ reports: [ClaimReport], _ style: Style) -> String {
        var text = ""
        for article in Article.allCases {
            let own = reports.filter { $0.article == article }
            guard !own.isEmpty else { continue }
            text += style.heading(article.title) + "\n" + own.map { $0.row(style) }.joined() + "\n"
        }
        return text + tally(reports) + "\n"
    }

    private static let (idWidth, verdictWidth) = (4, 14)

    private func row(_ style: Style) -> String {
        let lead = Self.idWidth + 1 + Self.verdictWidth
        let head = style.paint(id.padded(to: Self.idWidth), .bold) + " " + painted(style, to: Self.verdictWidth)
        return head + style.wrapped(sentence, indent: lead, after: lead) + "\n"
            + String(repeating: " ", count: lead) + style.paint("here: ", .dim)
            + style.wrapped(measured, indent: lead, after: lead + 6) + "\n"
    }

    private func painted(_ style: Style, to width: Int) -> String {
        let word = verdict.rawValue.padded(to: width)
        return verdict == .confirmed ? style.paint(word, .green) : verdict == .refuted ? style.paint(word, .red) : word
    }

    /// How many of each verdict there are.
    public static func tally(_ reports: [ClaimReport]) -> String {
        let counts = ClaimVerdict.allCases.map { verdict in (verdict, reports.count { $0.verdict == verdict }) }
        return "\(reports.count) claims: "
            + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
    }

    /// One of them in full.
    public func text(_ style: Style) -> String {
        var text = style.heading("\(id), \(article.title)") + "\n"
        text += style.wrapped("\(sentence).", indent: 0) + "\n\n"
        text += painted(style, to: 0) + ": " + verdict.words + "\n"
        if !holdsFor.isEmpty {
            text +=
                style.wrapped("It holds for " + holdsFor.map(\.visible).joined(separator: "; ") + ".", indent: 0) + "\n"
        }
        text += "\n" + table.text(style) + "\n" + style.paint("It would be true with", .bold) + "\n"
        text += rule.bounds.map { "  \($0.finding.visible): \($0.words)\n" }.joined()
        text += "\n" + style.paint("Instead", .bold) + "\n  " + style.wrapped(instead, indent: 2, after: 2) + "\n"
        return text + "\n" + style.paint("Again", .bold) + "\n  \(again)\n"
    }

    /// Cells are rows of their own where there are several; what the rule does not judge stands dim.
    private var table: TextTable {
        var table = TextTable(leftAligned: [0, 2, 3])
        table.row([.init("measured", .bold), .init("", .bold), .init("95 % of resamples", .bold), .init("")])
        for cell in cells {
            if cells.count > 1 {
                table.row([.init(cell.name.visible, .bold), .init(""), .init(""), .init(cell.verdict.rawValue)])
            }
            let judged = judged(cell)
            for finding in cell.findings {
                let name = (cells.count > 1 ? "  " : "") + finding.name.visible
                table.row([
                    .init(name, judged.contains(finding) ? nil : .dim), .init(finding.figure.text(finding.unit)),
                    .init(finding.intervalText ?? "", .dim), .init(""),
                ])
            }
        }
        return table
    }
}
