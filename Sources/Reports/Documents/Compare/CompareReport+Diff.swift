import DeadzoneBase
package import DeadzoneMetrics

extension CompareReport {
    /// `true` if no compared scenario differs in behaviour or settings.
    package var isSame: Bool {
        // A run may name fewer scenarios than the baseline has, so `gone` scenarios do not count, nor do uncompared
        // groups. Any other uncompared item is a difference.
        uncompared.allSatisfy { $0.group != nil || $0.reason == .gone && $0.strategy == nil }
            && scenarios.allSatisfy { $0.comparisons.allSatisfy { $0.isUnchanged && $0.hash == $0.oldHash } }
    }

    private static let maxRows = 20

    /// Text of `baseline diff`: numbers before and now, primary metrics first, and the first divergence. The last line
    /// begins with the losses that differ. There are no statistics, because exact numbers need none to show that they
    /// differ.
    /// - Parameter show: Returns the command that shows the events at the divergence.
    package func diffText(
        _ style: Style, isVerbose: Bool, show: (_ scenario: String, StrategyComparison) -> String?
    ) -> String {
        var text = renameSentences.isEmpty ? "" : renameSentences.map { $0 + "\n" }.joined() + "\n"
        for scenario in scenarios {
            for comparison in scenario.comparisons
            where !(comparison.isUnchanged && comparison.hash == comparison.oldHash) {
                text += style.paint(
                    "\(scenario.name.escapedForTerminal), \(comparison.strategy.escapedForTerminal)", .bold)
                text += ": \(comparison.summaryText)\n"
                text += Self.table(comparison, style, isVerbose)
                for part in comparison.groups {
                    text += "  \(part.group?.escapedForTerminal ?? "")\n" + Self.table(part, style, isVerbose)
                }
                text += Self.divergenceText(comparison, style)
                if let command = show(scenario.name, comparison) { text += "  \(command.escapedForTerminal)\n" }
                text += "\n"
            }
        }
        let rest = uncomparedText(style, isVerbose)
        return text + rest + (rest.isEmpty ? "" : "\n") + (lossSummary.map { $0 + "; " } ?? "") + "\(summary)\n"
    }

    private static func table(_ comparison: StrategyComparison, _ style: Style, _ isVerbose: Bool) -> String {
        let differing = isVerbose ? comparison.allDifferences : comparison.findings
        var table = TextTable(leftAligned: [0])
        for change in isVerbose ? differing[...] : differing.prefix(maxRows) {
            table.row([
                .init("  \(change.metric.name)"), .init(change.whole.old.text(change.metric.unit), .dim),
                .init("->", .dim), .init(change.whole.new.text(change.metric.unit)),
                .init(MetricChange.changeText(change.whole.old, change.whole.new), .dim),
                .init(change.pairsText, .dim),
            ])
        }
        let more = isVerbose ? 0 : differing.count - maxRows
        return table.text(style) + (more > 0 ? "  and \(more) more; -v shows all\n" : "")
            + (differing.isEmpty && !comparison.isUnchanged ? "  no metric differs\n" : "")
    }
}
