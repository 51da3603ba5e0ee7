package import DeadzoneMetrics

extension RunReport {
    /// Markdown for a step summary or a pull request comment: for each run the verdict, the failures and the table.
    package static func markdown(of runs: [RunReport], across: [AcrossReport] = []) -> String {
        let failed = runs.indices.count { runs[$0].verdict == .fail && !across.allowFailure(ofRun: $0) }
        let unjudged = runs.count(where: \.isUnjudged)
        let verdict = failed > 0 ? "fail ❌" : unjudged == runs.count && unjudged > 0 ? "not judged ⚠️" : "pass ✅"
        let heading =
            "## Deadzone: \(verdict)\n\n\(runs.count - failed - unjudged) of \(runs.count) runs pass"
            + (unjudged > 0 ? "; \(unjudged) not judged.\n\n" : ".\n\n")
        return Markdown.truncated([heading] + across.map(\.markdown) + runs.map(\.markdownPart)) {
            "\nand \($0) more runs, left out because of the size limit\n"
        }
    }

    private var markdownPart: String {
        let symbol = verdict == .fail ? "❌" : isUnjudged ? "⚠️" : "✅"
        var text = "### \(symbol) \(Markdown.escaped(scenario.name))\n\n"
        for trouble in troubles { text += "- invalid run: \(Markdown.escaped(trouble))\n" }
        for outcome in strategies.flatMap(\.outcomes) where outcome.verdict == .fail || outcome.pending != nil {
            let unit = Catalogue.metric(named: outcome.expectation.metric)?.unit ?? .count
            text +=
                "- \(outcome.verdict == .fail ? "" : "holds: ")**\(Markdown.escaped(outcome.expectation.subject.name))**: "
            text += "`\(outcome.expectation.metric)` is \(Markdown.escaped(outcome.valueText)); the bound is "
            text += "\(Markdown.escaped(outcome.expectation.threshold.words(unit, outcome.bounds)))\n"
        }
        for sentence in unjudgedSentences { text += "- \(Markdown.escaped(sentence))\n" }
        let measurements = strategies.map(\.measurement)
        let metrics = groups.flatMap(\.metrics)
        var used: Set<String> = []
        let rows = metrics.map { metric -> [String] in
            let figures = measurements.map { $0.figure(metric.name) ?? .nothing }
            let marks = Ranking(metric, measurements).marks
            used.formUnion(marks.map(\.rawValue))
            if figures.contains(where: \.isOpen) { used.insert(">") }
            // One unit for a row, so that its numbers can be compared by eye.
            let unit = PrintedUnit(metric.unit, for: figures.compactMap(\.billionths).max() ?? .zero)
            return [self.title(of: metric)]
                + zip(figures, marks).map { figure, mark in
                    let text = Markdown.escaped(figure.text(withUnit: unit))
                    let sign = sign(mark)
                    return mark == .best
                        ? "**\(text)**" : sign.isEmpty ? text : "\(text) \(Markdown.escaped(sign))"
                }
        }
        text +=
            "\n<details><summary>numbers: \(replicas == 1 ? "1 replica" : "\(replicas) replicas"), seed \(seed)</summary>\n\n"
        text += Markdown.table([""] + strategies.map { Markdown.escaped($0.name) }, rows)
        let legend = legendNotes(used, best: "bold is").map { Markdown.escaped($0) }
        if !legend.isEmpty { text += "\n" + legend.joined(separator: "; ") + "\n" }
        return text + "\n</details>\n\n"
    }
}
