import DeadzoneBase
package import DeadzoneMetrics

/// Generates the HTML page of a comparison, as a basis to decide whether a change may be merged. It is one file. It
/// opens from disk, loads nothing, and is readable without scripts. Equal comparisons give equal bytes.
package struct ComparePage: Sendable {
    /// Most failing gates shown, and below most passing gates.
    private static let maxFailures = 200
    private static let maxKept = 100

    let report: CompareReport

    package static func html(_ report: CompareReport) -> String {
        let page = ComparePage(report: report)
        let body =
            page.header + "<article class=\"run\">\n" + page.cards + page.regressions + page.openQuestions + page.gates
            + page.uncompared
            + page.changes + page.foundation + "</article>\n"
            + "<footer><p>deadzone \(Markup.escaped(report.tool)). Simulated results; the model and its limits "
            + "are listed above.</p></footer>\n"
        return ReportPage.document(page.title, body)
    }

    private var title: String {
        let whose =
            report.scenarios.count == 1
            ? Markup.escaped(report.scenarios[0].name, atMost: 160)
            : CompareReport.count(report.scenarios.count, "scenario", "scenarios")
        switch report.reference {
        case .none: return "\(whose): gates"
        case .baseline: return "\(whose) against the baseline"
        case .strategy(let name): return "\(whose): all strategies against \(Markup.escaped(name, atMost: 60))"
        }
    }

    private var header: String {
        let (sign, word) =
            switch report.statedVerdict {
            case .pass: ("✓", "Pass")
            case .fail: ("✗", "Fail")
            case .undecided: ("~", "Undecided")
            }
        let replicas = Set(report.scenarios.map(\.replicaText))
        let facts = [
            replicas.count == 1 ? replicas.first : nil,
            report.reference == .none
                ? nil : "changes of less than \(Markup.escaped(report.floor.text(.ratio))) are ignored",
        ].compactMap(\.self)
        let troubles = report.scenarios.flatMap { scenario in scenario.troubles.map { "\(scenario.name): \($0)" } }
        let alarm = troubles.prefix(20).map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
        return """
            <header><p class="kicker">\((["Deadzone comparison"] + facts).joined(separator: " · "))</p>
            <h1>\(title)</h1>
            <p class="sentence"><span class="verdict \(report.statedVerdict.rawValue)">\(sign) \
            \(word):</span> \(Markup.escaped(report.summary, atMost: 1_000))</p>
            \(report.identityText.map { "<p class=\"hint\">\(Markup.escaped($0))</p>" } ?? "")
            \(renames)\
            \(alarm.isEmpty ? "" : "<ul class=\"troubles\">\(alarm)</ul>")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private var renames: String {
        report.renameSentences.prefix(Self.maxKept).map {
            "<p class=\"hint\">\(Markup.escaped($0, atMost: 400))</p>\n"
        }.joined()
    }

    // MARK: The first screen

    private var cards: String {
        guard report.reference != .none else { return "" }
        let cards = ChangeCard.goals.compactMap { ChangeCard(goal: $0, in: report)?.html }
        return
            "<section class=\"answer\"><h2 class=\"unseen\">The answer</h2><div class=\"cards\">\n\(cards.joined())</div></section>\n"
    }

    // MARK: Gates

    private var gates: String {
        let outcomes = report.outcomes
        guard !outcomes.isEmpty else { return unjudged }
        let broken = outcomes.filter(\.isFailure) + outcomes.filter(\.isWarning)
        let kept = outcomes.filter { $0.outcome.verdict == .pass }
        var text = "<section class=\"part\"><h2>\(report.boundCount.heading)</h2>\n"
        let sum = report.boundCount.someHold(kept.count, of: outcomes.count)
        text += "<p>\(sum.prefix(1).uppercased() + sum.dropFirst()).</p>\n"
        if !broken.isEmpty {
            text += Self.table(broken.prefix(Self.maxFailures).map(row), broken.count, Self.maxFailures)
        }
        if !kept.isEmpty {
            text += "<details><summary>\(report.boundCount.heading) that hold</summary>\n"
            text += Self.table(kept.prefix(Self.maxKept).map(row), kept.count, Self.maxKept) + "</details>\n"
        }
        return text + "</section>\n" + unjudged
    }

    private var unjudged: String {
        let items = report.unjudged.prefix(Self.maxKept).map {
            "<li><b>\(Markup.escaped($0.scenario, atMost: 200))</b>: \(Markup.escaped($0.note, atMost: 400))</li>\n"
        }
        return Self.list("Not judged", items, of: report.unjudged.count)
    }

    /// A section with the first items of a list, and the number of the others; empty without items.
    private static func list(_ title: String, _ items: [String], of count: Int) -> String {
        guard !items.isEmpty else { return "" }
        let more = count - items.count
        return "<section class=\"part\"><h2>\(title)</h2><ul>\n" + items.joined() + "</ul>"
            + (more > 0 ? "<p>and \(more) more</p>" : "") + "</section>\n"
    }

    private static func table(_ rows: [String], _ all: Int, _ most: Int) -> String {
        "<div class=\"wide\"><table class=\"gates\"><thead><tr><td></td><th>scenario</th><th>strategy</th><th>metric</th>"
            + "<th>bound</th><th>is</th><th>written in</th></tr></thead><tbody>\n" + rows.joined()
            + "</tbody></table></div>" + (all > most ? "<p>and \(all - most) more</p>" : "") + "\n"
    }

    private func row(_ outcome: GateOutcome) -> String {
        let (kind, sign) =
            outcome.isFailure ? ("fail", "✗") : outcome.isWarning ? ("warn", "⚠ warn") : ("pass", "✓")
        var row = "<tr class=\"\(kind)\"><td>\(sign)</td><th scope=\"row\">\(Markup.escaped(outcome.scenario))</th>"
        row += "<td>\(Markup.escaped(outcome.subject.name, atMost: 60))</td><td>\(Markup.escaped(outcome.metric))</td>"
        row += "<td>\(Markup.escaped(outcome.boundText))</td><td>\(Markup.escaped(outcome.valueText))</td>"
        row += "<td>\(outcome.isExpectation ? "the scenario" : Markup.escaped(outcome.place?.text ?? ""))</td></tr>\n"
        if let worst = outcome.worst, let words = outcome.worstText {
            row += "<tr class=\"worst\"><td></td><td colspan=\"6\">\(Markup.escaped(words, atMost: 300))"
            row += "<pre><code>\(worst.commands.map { Markup.escaped($0, atMost: 2_000) }.joined(separator: "\n"))"
            row += "</code></pre></td></tr>\n"
        }
        return row
    }

    // MARK: Regressions

    private var regressions: String {
        let all = report.regressions
        guard !all.isEmpty else { return "" }
        return list(
            all, "Regressions",
            "Primary metrics that are worse: significantly and by more than a negligible amount, or from no loss to some. "
                + "These make the comparison fail.")
    }

    private var openQuestions: String {
        let all = report.openQuestions
        guard !all.isEmpty else { return "" }
        return list(
            all, "Undecided",
            "Primary metrics that seem worse, although this can be chance. These do not make the comparison fail.")
    }

    private func list(_ all: [Regression], _ title: String, _ words: String) -> String {
        let items = all.prefix(Self.maxFailures).map { one in
            "<li>\(Markup.escaped(one.scenario.name)): \(Markup.escaped(one.sentence, atMost: 400))</li>\n"
        }
        return "<section class=\"part\"><h2>\(title)</h2>\n<p>\(words)</p><ul>\n" + items.joined() + "</ul>"
            + (all.count > items.count ? "<p>and \(all.count - items.count) more</p>" : "") + "</section>\n"
    }

    // MARK: What is not compared

    private var uncompared: String {
        let items = report.uncompared.prefix(Self.maxKept).map {
            "<li><b>\(Markup.escaped($0.name, atMost: 200))</b>: \(Markup.escaped($0.sentence))</li>\n"
        }
        return Self.list("Not compared", items, of: report.uncompared.count)
    }

    // MARK: What the numbers stand on

    private var foundation: String {
        let limit = 200
        let rows = report.scenarios.prefix(limit).map { scenario in
            "<tr><th scope=\"row\">\(Markup.escaped(scenario.name))</th><td>\(scenario.seed) · \(scenario.replicas)</td>"
                + "<td><code>\(Markup.escaped(String(scenario.worldHash.prefix(16))))</code></td>"
                + "<td><code>\(Markup.escaped(scenario.command, atMost: 2_000))</code></td></tr>\n"
        }
        let more = report.scenarios.count - rows.count
        return """
            <section class="part reproduce"><h2>Reproduce</h2>
            <p>The result is identical on any machine. Only scenarios with the same world are compared; their strategies can differ.</p>
            <div class="wide"><table><thead><tr><th>scenario</th><th>seed · replicas</th><th>world</th><th>command</th></tr></thead>
            <tbody>\(rows.joined())</tbody></table></div>\(more > 0 ? "<p>and \(more) more</p>" : "")
            <h2>Method and model</h2>
            <p>Before, now and their difference are means over replicas. Replicas with the same seed have the same random events and \
            are compared in pairs, others as two samples. p is the share of exchanges of before and now that differ at least as \
            much, adjusted for the number of metrics (Holm), separately for primary and exploratory metrics. The interval contains all differences that the same test does not reject. \
            If it contains zero, the result is undecided.</p>
            \(model.html)</section>

            """
    }

    /// Model notes of all scenarios, without duplicates.
    private var model: ModelNotes {
        let notes = report.scenarios.compactMap(\.model)
        var all = ModelNotes(radios: [], limits: [])
        for note in notes {
            all.radios += note.radios.filter { !all.radios.contains($0) }
            all.population += note.population.filter { !all.population.contains($0) }
            all.limits += note.limits.filter { !all.limits.contains($0) }
            if all.platform == nil { all.platform = note.platform }
        }
        return all
    }
}
