public import DeadzoneFit
import DeadzonePrimitives

extension FitReport {
    /// The answer on a terminal.
    public func text(_ style: Style) -> String {
        let parts = [heading(style), found(style), verdict(style), unknown(style), noteText(style)]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        let facts = [
            plural(recordings.count, "recording"), plural(waits, "wait"), plural(pings, "ping"),
            like.map { "like \($0)" },
        ].compactMap { $0 }
        return style.paint("Settings that explain what was recorded", .bold) + "\n"
            + style.paint(facts.joined(separator: ", ").visible, .dim) + "\n"
    }

    private func found(_ style: Style) -> String {
        guard !findings.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3])
        table.row(
            ["", "taken", "the recording allows", like == nil ? "" : "preset"].map { TextTable.Cell($0, .dim) })
        for finding in findings {
            table.row([
                TextTable.Cell("  " + finding.setting), TextTable.Cell(finding.value, .bold),
                TextTable.Cell(finding.allowed),
                TextTable.Cell(
                    (finding.preset?.visible ?? "") + (finding.isRefuted ? "  WRONG" : ""),
                    finding.isRefuted ? .red : nil),
            ])
        }
        return table.text(style)
    }

    private func verdict(_ style: Style) -> String {
        guard let like else { return "" }
        var text = style.heading("Against \(like.visible)")
        if let judged { text += "  \(judged.inside) of \(plural(judged.of, "attempt")) as its law has them\n" }
        text += complaints.map { "  \($0)\n" }.joined()
        return text + "  " + (isLike ? "nothing speaks against it" : "it is another client") + "\n"
    }

    private func unknown(_ style: Style) -> String {
        guard !untold.isEmpty else { return "" }
        return style.heading("Not told by the recording") + untold.map { "  \($0.setting): \($0.why)\n" }.joined()
    }

    private func noteText(_ style: Style) -> String {
        notes.isEmpty ? "" : style.heading("Notes") + notes.map { "  \($0.visible)\n" }.joined()
    }
}
