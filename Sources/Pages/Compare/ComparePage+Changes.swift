import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics

extension ComparePage {
    /// Beyond it the file would be slow to open; JSON has all.
    private static let mostComparisons = 150
    private static let mostRows = 30

    /// Every strategy that differs, with a row for each metric that a reader asks for first.
    var changes: String {
        let told = report.scenarios.flatMap { scenario in
            scenario.allComparisons.filter { !$0.isUnchanged }.map { (scenario, $0) }
        }
        guard report.reference != .none else { return "" }
        guard !told.isEmpty else {
            return
                "<section class=\"part\"><h2>What changed</h2><p>Nothing: every record of every replica is what it was."
                + "</p></section>\n"
        }
        var text =
            "<section class=\"part\"><h2>\(report.reference == .baseline ? "What changed" : "Differences")</h2>\n"
        text +=
            "<p class=\"lede\">On the axis: the difference of the means over replicas and where it lies, relative to what "
        text += "was before; logarithmic to both sides, a tenth of a percent in the middle.</p>\n"
        var last = ""
        for (scenario, comparison) in told.prefix(Self.mostComparisons) {
            if scenario.name != last {
                text += "<h3 class=\"scenario\">\(Markup.escaped(scenario.name))</h3>\n"
                last = scenario.name
            }
            text += part(comparison)
            if let advice = scenario.advice(for: comparison) { text += "<p class=\"hint\">\(advice)</p>\n" }
        }
        let more = told.count - Self.mostComparisons
        return text + (more > 0 ? "<p>and \(more) more strategies that differ</p>" : "") + "</section>\n"
    }

    private func part(_ comparison: StrategyComparison) -> String {
        let (shown, more) = comparison.rows(atMost: Self.mostRows)
        var text =
            "<div class=\"comparison\"><p><b class=\"who\">\(Markup.escaped(comparison.subject.name, atMost: 60))</b> "
        text += "<span class=\"hint\">\(Markup.escaped(comparison.storyText, atMost: 200))</span></p>\n"
        if shown.isEmpty {
            text += "<p>No metric of the first rank differs.</p>\n"
        } else {
            text += "<div class=\"wide\"><table class=\"changes\"><thead><tr><td></td><th>metric</th><th>"
            text += comparison.against == nil ? "before" : Markup.escaped(comparison.against ?? "", atMost: 30)
            text +=
                "</th><th>now</th><th>change</th><th>\(ChangeStrip.ruler)</th><th>difference [where it lies]</th><th>pairs</th>"
            text += "<th>p</th></tr></thead><tbody>\n" + shown.map(row).joined() + "</tbody></table></div>\n"
        }
        if more > 0 { text += "<p class=\"hint\">and \(more) more metrics, in the JSON</p>\n" }
        return text + divergence(comparison) + "</div>\n"
    }

    private func row(_ change: MetricChange) -> String {
        let kind =
            switch change.decision {
            case .worse: "worse"
            case .better: "better"
            default: "plain"
            }
        let cells = [change.differenceText, change.pairs, change.pText].map { Markup.escaped($0, atMost: 200) }
        return "<tr class=\"\(kind)\"><td>\(change.sign)</td><th scope=\"row\">"
            + "<abbr title=\"\(Markup.escaped(change.metric.meaning, atMost: 300))\">\(Markup.escaped(change.metric.label))</abbr></th>"
            + "<td>\(Goal.text(change.old, change.metric))</td><td><b>\(Goal.text(change.new, change.metric))</b></td>"
            + "<td>\(Markup.escaped(change.changeText).replacing("-", with: "−"))</td><td>\(ChangeStrip(change: change).svg)</td>"
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }

    private func divergence(_ comparison: StrategyComparison) -> String {
        guard let divergence = comparison.divergence else { return "" }
        let place = "<p>First does something else in \(Markup.escaped(divergence.placeText, atMost: 200)).</p>\n"
        guard !divergence.events.isEmpty else { return place }
        let lines = divergence.events.map { Markup.escaped($0, atMost: 400) }
        let more = divergence.unseen > 0 ? "\nand \(divergence.unseen) more" : ""
        return place + "<details><summary>What happens there now</summary><pre><code>"
            + lines.joined(separator: "\n") + more + "</code></pre></details>\n"
    }
}

extension MetricChange {
    /// `18 of 20 lower`.
    fileprivate var pairs: String {
        guard contrast.isPaired else { return "unpaired" }
        if contrast.lower == 0 && contrast.higher == 0 { return "" }
        let isLower = contrast.lower >= contrast.higher
        return "\(isLower ? contrast.lower : contrast.higher) of \(contrast.count) \(isLower ? "lower" : "higher")"
    }

    /// Never colour alone.
    fileprivate var sign: String {
        switch decision {
        case .worse: "✗ worse"
        case .better: "✓ better"
        case .changed: "changed"
        case .small: "small"
        case .undecided: "undecided"
        case .same: "same"
        }
    }
}
