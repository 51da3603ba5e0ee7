public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension LiveReport {
    /// The answer on a terminal.
    public func text(_ style: Style) -> String {
        let parts = [
            heading(style), unenactedText(style), figures(style), causes(style), attemptText(style), lawText(style),
            flowText(style), expectationText(style), noteText(style), model.text(style, isVerbose: false),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        var facts = ["live", plural(lengths.count, "run"), DurationText.short(scenario.duration)]
        facts.append("seed \(seed)")
        if !isComplete { facts.append("stopped before its end") }
        return style.paint(scenario.name.visible, .bold) + "\n"
            + style.paint(facts.joined(separator: ", "), .dim) + "\n"
    }

    /// What of the scenario is not done to real programs.
    public func unenactedText(_ style: Style) -> String { Self.unenactedText(unenacted, style) }

    public static func unenactedText(_ all: [(what: String, why: String)], _ style: Style) -> String {
        guard !all.isEmpty else { return "" }
        return style.heading("Not enacted") + all.map { "  \($0.what): \($0.why)\n" }.joined()
    }

    private func figures(_ style: Style) -> String {
        var table = TextTable()
        table.row(
            [TextTable.Cell(""), TextTable.Cell(""), TextTable.Cell(name.visible, .bold)]
                + (twin.map { [TextTable.Cell($0.name.visible + ", simulated", .bold)] } ?? []))
        for metric in Catalogue.all where seen.contains(metric.name) && !metric.isPartOfEnergy {
            let figures = [measurement, twin?.measurement].compactMap { $0?.figure(metric.name) }
            let unit = PrintedUnit(metric.unit, for: figures.compactMap(\.billionths).max() ?? .zero)
            let cells = figures.map { TextTable.Cell($0.text(in: unit)) }
            table.row([TextTable.Cell("  " + metric.label), TextTable.Cell(unit.name, .dim)] + cells)
        }
        return table.text(style)
    }

    private func causes(_ style: Style) -> String {
        var table = TextTable()
        table.heading("Joules by cause, and by state")
        let rows = [measurement.energyByCause, measurement.energyByState].flatMap { $0 }
        for row in rows where row.joules != .zero {
            table.row([TextTable.Cell("  " + row.name), TextTable.Cell(NumberText.short(row.joules))])
        }
        return table.text(style)
    }

    private func attemptText(_ style: Style) -> String {
        guard !attempts.isEmpty else { return "" }
        var table = TextTable(leftAligned: [4])
        table.heading("Attempts")
        table.row(["try", "at", "after the loss", "after the try before", ""].map { TextTable.Cell($0, .dim) })
        for attempt in attempts {
            var verdict = attempt.didOpen ? "opened" : ""
            if let bounds = attempt.bounds, let isInside = attempt.isInside {
                let most = bounds.upperBound == .longest ? "" : " to " + Self.text(bounds.upperBound)
                verdict += (verdict.isEmpty ? "" : ", ") + "preset \(Self.text(bounds.lowerBound))\(most): "
                verdict += isInside ? "in" : "OUT"
            }
            table.row([
                TextTable.Cell("  \(attempt.number)"), TextTable.Cell(Self.text(attempt.at - .zero)),
                TextTable.Cell(attempt.afterLoss.map(Self.text) ?? ""),
                TextTable.Cell(attempt.wait.map(Self.text) ?? ""),
                TextTable.Cell(verdict, attempt.isInside == false ? .red : nil),
            ])
        }
        return table.text(style)
    }

    private func lawText(_ style: Style) -> String {
        guard !laws.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 3])
        table.heading("Laws")
        for law in laws {
            let isKept = law.inside == law.of
            table.row([
                TextTable.Cell(isKept ? "  pass" : "  FAIL", isKept ? .green : .red), TextTable.Cell(law.name),
                TextTable.Cell("\(law.inside) of \(law.of)"), TextTable.Cell(law.tolerance, .dim),
            ])
        }
        return table.text(style)
    }

    private func flowText(_ style: Style) -> String {
        guard !flows.isEmpty else { return "" }
        /// Of more the JSON tells.
        let shown = flows.prefix(20)
        var table = TextTable(leftAligned: [0, 3])
        table.heading("Flows")
        table.row(
            ["", "at", "open", "end", "up", "down", "repeated", "pings", "silence"].map { TextTable.Cell($0, .dim) })
        for flow in shown {
            table.row([
                TextTable.Cell("  " + flow.name), TextTable.Cell(Self.text(flow.beganAt - .zero)),
                TextTable.Cell(flow.openedAt.map { Self.text($0 - flow.beganAt) } ?? ""),
                TextTable.Cell(flow.ending ?? ""), TextTable.Cell("\(flow.up.bytes) B"),
                TextTable.Cell("\(flow.down.bytes) B"), TextTable.Cell("\(flow.up.repeats + flow.down.repeats)"),
                TextTable.Cell("\(flow.up.pings + flow.down.pings)"), TextTable.Cell(Self.text(flow.longestSilence)),
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
            + (outcomes.isEmpty ? "" : RunReport.sum(outcomes, style))
    }

    private func noteText(_ style: Style) -> String {
        var lines = notes
        lines.append(
            "Packets were \(Self.milliseconds(packetsLate.half)) ms late (half of them), 99 % no more than "
                + "\(Self.milliseconds(packetsLate.most)) ms; changes of the timeline at most "
                + "\(Self.milliseconds(changesLate.longest)) ms.")
        lines.append("Time was real: a live result has no digest and is never a baseline.")
        return style.heading("Notes") + lines.map { "  \(style.wrapped($0.visible, indent: 2, after: 2))\n" }.joined()
    }

    static func text(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds)), places: 2) + " s"
    }

    private static func milliseconds(_ span: TimeSpan) -> String {
        NumberText.decimal(Billionths(count: Int128(span.nanoseconds) * 1_000), places: 2)
    }
}
