public import DeadzoneFit
import DeadzonePrimitives

extension RadioFitReport {
    /// `deadzone/fit-radio/1`
    public var json: JSON {
        .object([
            "schema": .string("deadzone/fit-radio/1"), "tool": .object(["version": .string(tool)]),
            "sources": .array(sources.map { .string($0) }), "base": .string(base),
            "found": .array(findings.map(\.json)),
            "not_told": .array(
                untold.map { .object(["setting": .string($0.setting), "why": .string($0.why)]) }),
            "notes": .array(notes.map { .string($0) }), "yaml": .string(yaml),
        ])
    }

    /// The answer on a terminal.
    public func text(_ style: Style) -> String {
        [heading(style), found(style), unknown(style), noteText(style)].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        style.paint("Numbers of a radio that explain what was measured", .bold) + "\n"
            + style.paint((sources.joined(separator: ", ") + ", over \(base)").visible, .dim) + "\n"
    }

    private func found(_ style: Style) -> String {
        guard !findings.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3])
        table.row(["", "taken", "the data allow", "base"].map { TextTable.Cell($0, .dim) })
        for finding in findings {
            table.row([
                TextTable.Cell("  " + finding.setting), TextTable.Cell(finding.value, .bold),
                TextTable.Cell(finding.allowed), TextTable.Cell(finding.base?.visible ?? ""),
            ])
        }
        return table.text(style)
    }

    private func unknown(_ style: Style) -> String {
        guard !untold.isEmpty else { return "" }
        return style.heading("Stays as the base has it") + untold.map { "  \($0.setting): \($0.why)\n" }.joined()
    }

    private func noteText(_ style: Style) -> String {
        notes.isEmpty ? "" : style.heading("Notes") + notes.map { "  \($0.visible)\n" }.joined()
    }
}

extension RadioFitReport.Finding {
    fileprivate var json: JSON {
        .object([
            "setting": .string(setting), "value": .string(value), "unit": .string(unit),
            "min": .number(range.lowerBound),
            "max": .number(range.upperBound), "base": base.map { .string($0) } ?? .null,
        ])
    }
}
