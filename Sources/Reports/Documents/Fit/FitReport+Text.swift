import DeadzoneBase
package import DeadzoneFit

extension FitReport {
    /// Terminal text of the report.
    package func text(_ style: Style) -> String {
        let parts = [
            heading(style), found(style), comparison(style), contradictions(style), unknown(style), noteText(style),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        let facts = [
            plural(recordings.count, "recording"), plural(waits, "wait"), plural(pings, "ping"),
            like.map { "like \($0)" },
        ].compactMap { $0 }
        return style.paint("Estimated settings", .bold) + "\n"
            + style.paint(facts.joined(separator: ", ").escapedForTerminal, .dim) + "\n"
    }

    private func found(_ style: Style) -> String {
        guard !findings.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3])
        table.row(
            ["", "taken", "possible values", like == nil ? "" : "preset"].map { TextTable.TextCell($0, .dim) })
        for finding in findings {
            table.row([
                TextTable.TextCell("  " + finding.setting), TextTable.TextCell(finding.value, .bold),
                TextTable.TextCell(finding.allowed),
                TextTable.TextCell(
                    (finding.preset?.escapedForTerminal ?? "") + mark(finding),
                    finding.isRefuted ? .red : nil),
            ])
        }
        return table.text(style)
    }

    private func mark(_ finding: FittedSetting) -> String {
        finding.isRefuted ? "  WRONG" : finding.notJudged == nil ? "" : "  not judged"
    }

    private func comparison(_ style: Style) -> String {
        guard let like, let verdict else { return "" }
        var text = style.heading("Comparison with \(like.escapedForTerminal)")
        if let judged, judged.of > 0 {
            text += "  \(judged.inside) of \(plural(judged.of, "attempt")) match its settings\n"
        }
        text += mismatches.map { "  \($0)\n" }.joined()
        for finding in findings {
            if let why = finding.notJudged { text += "  \(finding.setting) is not judged: \(why)\n" }
        }
        let words =
            switch verdict {
            case .contradicted: "the client does not behave like it" + reasonText
            case .notContradicted: "the recording does not contradict it"
            case .undecided:
                "the recording cannot decide: it holds no attempt after a failure or a loss, and no setting that can be compared"
            }
        return text + "  " + words + "\n"
    }

    /// The settings that the recording contradicts, such as `: backoff.base is wrong`. Empty if attempts contradict it.
    private var reasonText: String {
        let wrong = findings.filter(\.isRefuted).map(\.setting)
        guard mismatches.isEmpty, !wrong.isEmpty else { return "" }
        return ": \(wrong.joined(separator: ", ")) \(wrong.count == 1 ? "is" : "are") wrong"
    }

    private func contradictions(_ style: Style) -> String {
        guard !unexplained.isEmpty else { return "" }
        return style.heading("Not explained by the estimated settings, so no file is written")
            + unexplained.map { "  \($0.escapedForTerminal)\n" }.joined()
    }

    private func unknown(_ style: Style) -> String {
        guard !undetermined.isEmpty else { return "" }
        return style.heading("Cannot be estimated from the recording")
            + undetermined.map { "  \($0.setting): \($0.why)\n" }.joined()
    }

    private func noteText(_ style: Style) -> String {
        notes.isEmpty ? "" : style.heading("Notes") + notes.map { "  \($0.escapedForTerminal)\n" }.joined()
    }
}
