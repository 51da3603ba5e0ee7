public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension CompareReport {
    /// Nothing behaves otherwise, as far as anyone can know.
    public var isSame: Bool {
        // Fewer scenarios may be named than there are; what is named and not the same is different.
        uncompared.allSatisfy { $0.group != nil || $0.reason == .gone && $0.strategy == nil }
            && scenarios.allSatisfy { $0.comparisons.allSatisfy { $0.isUnchanged && $0.hash == $0.oldHash } }
    }

    private static let mostRows = 20

    /// What `baseline diff` prints: numbers before and now, without statistics, since none is needed to know that exact
    /// numbers differ; and where the paths part.
    /// - Parameter show: the command that shows what happens there.
    public func diffText(
        _ style: Style, isVerbose: Bool, show: (_ scenario: String, StrategyComparison) -> String?
    ) -> String {
        var text = ""
        for scenario in scenarios {
            for comparison in scenario.comparisons
            where !(comparison.isUnchanged && comparison.hash == comparison.oldHash) {
                text += style.paint("\(scenario.name.visible), \(comparison.strategy.visible)", .bold)
                text += ": \(comparison.storyText)\n"
                text += Self.table(comparison, style, isVerbose)
                for part in comparison.groups {
                    text += "  \(part.group?.visible ?? "")\n" + Self.table(part, style, isVerbose)
                }
                text += Self.divergenceText(comparison, scenario, style)
                if let command = show(scenario.name, comparison) { text += "  \(command.visible)\n" }
                text += "\n"
            }
        }
        let rest = uncomparedText(style, isVerbose)
        return text + rest + (rest.isEmpty ? "" : "\n") + "\(summary)\n"
    }

    private static func table(_ comparison: StrategyComparison, _ style: Style, _ isVerbose: Bool) -> String {
        let differing = comparison.changes.filter { $0.decision != .same && (isVerbose || !$0.metric.isPartOfEnergy) }
        var table = TextTable(leftAligned: [0])
        for change in isVerbose ? differing[...] : differing.prefix(mostRows) {
            table.row([
                .init("  \(change.metric.name)"), .init(change.whole.old.text(change.metric.unit), .dim),
                .init("->", .dim), .init(change.whole.new.text(change.metric.unit)),
                .init(MetricChange.changeText(change.whole.old, change.whole.new), .dim),
                .init(change.pairsText, .dim),
            ])
        }
        let more = isVerbose ? 0 : differing.count - mostRows
        return table.text(style) + (more > 0 ? "  and \(more) more: -v shows all\n" : "")
            + (differing.isEmpty && !comparison.isUnchanged ? "  no metric differs\n" : "")
    }
}
