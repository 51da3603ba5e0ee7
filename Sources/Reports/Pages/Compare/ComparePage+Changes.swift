import DeadzoneMetrics

extension ComparePage {
    /// Most strategies shown; a larger file would be slow to open. The JSON has all.
    private static let maxComparisons = 150
    private static let maxRows = 30

    /// Section with every strategy that differs, and a row for each of the most important metrics.
    var changes: String {
        let listed = report.scenarios.flatMap { scenario in
            scenario.allComparisons.filter { !$0.isUnchanged }.map { (scenario, $0) }
        }
        guard report.reference != .none else { return "" }
        guard !listed.isEmpty else {
            let what = report.uncompared.isEmpty ? "Nothing" : "Nothing in what was compared"
            return
                "<section class=\"part\"><h2>Changes</h2><p>\(what): all records of all replicas are identical."
                + "</p></section>\n"
        }
        var text =
            "<section class=\"part\"><h2>\(report.reference == .baseline ? "Changes" : "Differences")</h2>\n"
        text +=
            "<p class=\"lede\">On the axis: the difference of the means over replicas and its interval, relative to the "
        text += "value before. The axis is logarithmic in both directions, with 0.1% in the middle.</p>\n"
        var last = ""
        for (scenario, comparison) in listed.prefix(Self.maxComparisons) {
            if scenario.name != last {
                text += "<h3 class=\"scenario\">\(Markup.escaped(scenario.name))</h3>\n"
                last = scenario.name
            }
            text += part(comparison)
            if let advice = scenario.advice(for: comparison) { text += "<p class=\"hint\">\(advice)</p>\n" }
        }
        let more = listed.count - Self.maxComparisons
        return text + (more > 0 ? "<p>and \(more) more strategies that differ</p>" : "") + "</section>\n"
    }

    private func part(_ comparison: StrategyComparison) -> String {
        let (shown, more) = comparison.rows(atMost: Self.maxRows)
        var text =
            "<div class=\"comparison\"><p><b class=\"who\">\(Markup.escaped(comparison.subject.name, atMost: 60))</b> "
        text += "<span class=\"hint\">\(Markup.escaped(comparison.summaryText, atMost: 200))</span></p>\n"
        if shown.isEmpty {
            text += "<p>No main metric differs.</p>\n"
        } else {
            text += "<div class=\"wide\"><table class=\"changes\"><thead><tr><th>metric</th><th>"
            text += comparison.against == nil ? "before" : Markup.escaped(comparison.against ?? "", atMost: 30)
            text +=
                "</th><th>now</th><th>change</th><th>verdict</th><th>\(ChangeStrip.ruler)</th><th>difference [interval]</th><th>pairs</th>"
            text += "<th>p</th></tr></thead><tbody>\n"
            text += shown.filter { $0.family == .primary }.map { row($0, in: comparison) }.joined()
            let secondary = shown.filter { $0.family != .primary }
            if !secondary.isEmpty {
                text += "<tr><th colspan=\"9\">exploratory: these never fail the comparison</th></tr>\n"
                text += secondary.map { row($0, in: comparison) }.joined()
            }
            text += "</tbody></table></div>\n"
        }
        if more > 0 { text += "<p class=\"hint\">and \(more) more exploratory metrics in the JSON</p>\n" }
        return text + divergence(comparison) + "</div>\n"
    }

    private func row(_ change: MetricChange, in comparison: StrategyComparison) -> String {
        let isFlattered = comparison.isFlattered(change)
        let kind =
            switch change.decision {
            case .worse: "worse"
            case .better: isFlattered ? "plain" : "better"
            default: "plain"
            }
        let sign = isFlattered ? "lower, but more was lost" : change.sign
        let cells = [change.differenceText, change.pairs, change.pText].map { Markup.escaped($0, atMost: 200) }
        return "<tr class=\"\(kind)\"><th scope=\"row\">"
            + "<abbr title=\"\(Markup.escaped(change.metric.meaning, atMost: 300))\">\(Markup.escaped(change.metric.label))</abbr></th>"
            + "<td>\(HeadlineMetric.text(change.old, change.metric))</td><td><b>\(HeadlineMetric.text(change.new, change.metric))</b></td>"
            + "<td>\(Markup.escaped(change.changeText).replacing("-", with: "−"))</td><td class=\"sign\">\(sign)</td>"
            + "<td>\(ChangeStrip(change: change).svg)</td>"
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }

    private func divergence(_ comparison: StrategyComparison) -> String {
        guard let divergence = comparison.divergence else { return "" }
        let place = "<p>First difference: \(Markup.escaped(divergence.locationText, atMost: 200)).</p>\n"
        guard !divergence.events.isEmpty else { return place }
        let lines = divergence.events.map { Markup.escaped($0, atMost: 400) }
        let more = divergence.unseen > 0 ? "\nand \(divergence.unseen) more" : ""
        return place + "<details><summary>Events there now</summary><pre><code>"
            + lines.joined(separator: "\n") + more + "</code></pre></details>\n"
    }
}

extension MetricChange {
    /// Number of pairs with the more frequent direction, such as `18 of 20 lower`.
    fileprivate var pairs: String {
        guard contrast.isPaired else { return "unpaired" }
        if contrast.lower == 0 && contrast.higher == 0 { return "" }
        let isLower = contrast.lower >= contrast.higher
        return "\(isLower ? contrast.lower : contrast.higher) of \(contrast.count) \(isLower ? "lower" : "higher")"
    }

    /// Sign and word, so that colour is never the only mark.
    fileprivate var sign: String {
        switch decision {
        case .worse: "✗ worse"
        case .better: "✓ better"
        case .changed: "changed"
        case .small: "negligible"
        case .undecided: "undecided"
        case .same: "same"
        }
    }
}
