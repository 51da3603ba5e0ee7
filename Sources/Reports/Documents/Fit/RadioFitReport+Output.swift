import DeadzoneBase
package import DeadzoneFit

extension RadioFitReport {
    /// JSON document, `DocumentSchema.radioFit`.
    package var json: JSON {
        .object([
            "schema": DocumentSchema.radioFit.json, "tool": .object(["version": .string(tool)]),
            "sources": .array(sources.map { .string($0) }), "base": .string(base),
            "found": .array(findings.map(\.json)),
            "not_told": .array(
                undetermined.map { .object(["setting": .string($0.setting), "why": .string($0.why)]) }),
            "notes": .array(notes.map { .string($0) }), "yaml": .string(yaml),
        ])
    }

    /// Terminal text of the report.
    package func text(_ style: Style) -> String {
        [heading(style), found(style), unknown(style), noteText(style)].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        style.paint("Estimated numbers of the radio", .bold) + "\n"
            + style.paint(
                (sources.joined(separator: ", ") + ", with other values from \(base)").escapedForTerminal, .dim) + "\n"
    }

    private func found(_ style: Style) -> String {
        guard !findings.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3])
        table.row(["", "taken", "possible values", "base"].map { TextTable.TextCell($0, .dim) })
        for finding in findings {
            table.row([
                TextTable.TextCell("  " + finding.setting), TextTable.TextCell(finding.value, .bold),
                TextTable.TextCell(finding.allowed), TextTable.TextCell(finding.base?.escapedForTerminal ?? ""),
            ])
        }
        return table.text(style)
    }

    private func unknown(_ style: Style) -> String {
        guard !undetermined.isEmpty else { return "" }
        return style.heading("Not estimated, kept from the base profile")
            + undetermined.map { "  \($0.setting): \($0.why)\n" }.joined()
    }

    private func noteText(_ style: Style) -> String {
        notes.isEmpty ? "" : style.heading("Notes") + notes.map { "  \($0.escapedForTerminal)\n" }.joined()
    }
}

extension RadioFitReport.FittedRadioSetting {
    fileprivate var json: JSON {
        .object([
            "setting": .string(setting), "value": .string(value), "unit": .string(unit),
            "min": .number(range.lowerBound),
            "max": .number(range.upperBound), "base": base.map { .string($0) } ?? .null,
        ])
    }
}
