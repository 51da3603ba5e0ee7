package import DeadzoneBase
package import DeadzoneMetrics

extension LiveReport {
    /// Terminal text of the report.
    package func text(_ style: Style) -> String {
        let parts = [
            heading(style), unenactedText(style), figures(style), causes(style), attemptText(style), lawText(style),
            flowText(style), expectationText(style), RunReport.troubleText(troubles, style), noteText(style),
            model.text(style, isVerbose: false, hasVerboseFlag: false), conclusionText(style),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        var facts = ["live", plural(lengths.count, "run"), DurationText.short(scenario.duration)]
        facts.append("seed \(seed)")
        if !isComplete { facts.append("stopped before its end") }
        return style.paint(scenario.name.escapedForTerminal, .bold) + "\n"
            + style.paint(facts.joined(separator: ", "), .dim) + "\n"
    }

    /// Lists the parts of the scenario that are not applied to real programs.
    package func unenactedText(_ style: Style) -> String { Self.unenactedText(unsupported, style) }

    package static func unenactedText(_ all: [(what: String, why: String)], _ style: Style) -> String {
        guard !all.isEmpty else { return "" }
        return style.heading("Not applied") + all.map { "  \($0.what): \($0.why)\n" }.joined()
    }

    private func figures(_ style: Style) -> String {
        var table = TextTable()
        table.row(
            [TextTable.TextCell(""), TextTable.TextCell(""), TextTable.TextCell(name.escapedForTerminal, .bold)]
                + (twin.map { [TextTable.TextCell($0.name.escapedForTerminal + ", simulated", .bold)] } ?? []))
        for metric in Catalogue.all where measuredMetrics.contains(metric.name) && !metric.isPartOfEnergy {
            let figures = [measurement, twin?.measurement].compactMap { $0?.figure(metric.name) }
            let unit = PrintedUnit(metric.unit, for: figures.compactMap(\.billionths).max() ?? .zero)
            let cells = figures.map { TextTable.TextCell($0.text(in: unit)) }
            table.row([TextTable.TextCell("  " + metric.label), TextTable.TextCell(unit.name, .dim)] + cells)
        }
        return table.text(style)
    }

    private func causes(_ style: Style) -> String {
        var table = TextTable()
        table.heading("Energy by cause and by state [J]")
        let rows = [measurement.energyByCause, measurement.energyByState].flatMap { $0 }
        for row in rows where row.joules != .zero {
            table.row([TextTable.TextCell("  " + row.name), TextTable.TextCell(NumberText.short(row.joules))])
        }
        return table.text(style)
    }

    /// The column with the number of the run, from 1. Empty for a single run.
    private func runCell(_ run: Int) -> [TextTable.TextCell] {
        lengths.count > 1 ? [TextTable.TextCell("  \(run + 1)")] : []
    }

    private var runHeading: [String] { lengths.count > 1 ? ["run"] : [] }

    private func attemptText(_ style: Style) -> String {
        guard !attempts.isEmpty else { return "" }
        var table = TextTable(leftAligned: [4 + runHeading.count])
        table.heading("Attempts")
        let head = runHeading + ["try", "at", "after the loss", "after the last attempt", ""]
        table.row(head.map { TextTable.TextCell($0, .dim) })
        for attempt in attempts {
            var verdict = attempt.didOpen ? "opened" : ""
            if let bounds = attempt.bounds, let isInside = attempt.isInside {
                verdict += (verdict.isEmpty ? "" : ", ") + "preset \(Self.text(bounds)): "
                verdict += isInside ? "in" : "OUT"
            }
            table.row(
                runCell(attempt.run) + [
                    TextTable.TextCell("  \(attempt.number)"), TextTable.TextCell(Self.text(attempt.at - .zero)),
                    TextTable.TextCell(attempt.afterLoss.map(Self.text) ?? ""),
                    TextTable.TextCell(attempt.wait.map(Self.text) ?? ""),
                    TextTable.TextCell(verdict, attempt.isInside == false ? .red : nil),
                ])
        }
        return table.text(style)
    }

    private func lawText(_ style: Style) -> String {
        guard !presetChecks.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 3])
        table.heading("Rules of the preset")
        for law in presetChecks {
            table.row([
                TextTable.TextCell(law.isKept ? "  pass" : "  FAIL", law.isKept ? .green : .red),
                TextTable.TextCell(law.name),
                TextTable.TextCell("\(law.inside) of \(law.of)"), TextTable.TextCell(law.tolerance, .dim),
            ])
        }
        return table.text(style)
    }

    private func flowText(_ style: Style) -> String {
        guard !flows.isEmpty else { return "" }
        /// The JSON has all flows.
        let shown = flows.prefix(20)
        var table = TextTable(leftAligned: [runHeading.count, 3 + runHeading.count])
        table.heading("Flows")
        let head = runHeading + ["", "at", "open", "end", "up", "down", "repeated", "pings", "silence"]
        table.row(head.map { TextTable.TextCell($0, .dim) })
        for flow in shown {
            table.row(
                runCell(flow.run) + [
                    TextTable.TextCell("  " + flow.name), TextTable.TextCell(Self.text(flow.beganAt - .zero)),
                    TextTable.TextCell(flow.openedAt.map { Self.text($0 - flow.beganAt) } ?? ""),
                    TextTable.TextCell(flow.ending ?? ""), TextTable.TextCell("\(flow.up.bytes) B"),
                    TextTable.TextCell("\(flow.down.bytes) B"),
                    TextTable.TextCell("\(flow.up.repeats + flow.down.repeats)"),
                    TextTable.TextCell("\(flow.up.pings + flow.down.pings)"),
                    TextTable.TextCell(Self.text(flow.longestSilence)),
                ])
        }
        let more = flows.count - shown.count
        return table.text(style) + (more > 0 ? "  and \(more) more\n" : "")
    }

    private func expectationText(_ style: Style) -> String {
        guard !outcomes.isEmpty || !unjudged.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4])
        table.heading("Expectations")
        for outcome in outcomes { table.row(outcome.cells) }
        return table.text(style) + unjudged.map { "  not judged: \($0)\n" }.joined()
            + (outcomes.isEmpty ? "" : RunReport.outcomeSummary(outcomes, style))
    }

    /// The last line: what decided the verdict.
    private func conclusionText(_ style: Style) -> String {
        let text = style.wrapped(conclusion.escapedForTerminal, indent: 2)
        return style.paint(text, verdict == .fail ? .red : isUnjudged ? .bold : .green) + "\n"
    }

    private func noteText(_ style: Style) -> String {
        var lines = notes
        lines.append(
            "Delay of packets: median \(Self.milliseconds(packetsLate.half)) ms, 99th percentile "
                + "\(Self.milliseconds(packetsLate.most)) ms. Delay of timeline changes: at most "
                + "\(Self.milliseconds(changesLate.longest)) ms.")
        lines.append("A live run uses real time: it has no digest and cannot be a baseline.")
        return style.heading("Notes")
            + lines.map { "  \(style.wrapped($0.escapedForTerminal, indent: 2, after: 2))\n" }.joined()
    }

    /// `1 s to 1.5 s`; `1 s and more` without an upper bound; `2 s` if the preset allows one value only.
    package static func text(_ bounds: ClosedRange<TimeSpan>) -> String {
        let (least, most) = (text(bounds.lowerBound), text(bounds.upperBound))
        if bounds.upperBound == .longest { return least + " and more" }
        return least == most ? least : least + " to " + most
    }

    static func text(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds)), places: 2) + " s"
    }

    private static func milliseconds(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds) * 1_000), places: 2)
    }
}
