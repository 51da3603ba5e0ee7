import DeadzoneBase
package import DeadzoneMetrics

/// Generates the HTML page of a tuning report: the answer, the front with its uncertainty, the path of single changes,
/// and the YAML to paste. It is one file. It opens from disk, loads nothing, and is readable without scripts.
package struct TunePage: Sendable {
    private let report: TuneReport

    package static func html(_ report: TuneReport) -> String {
        let page = TunePage(report: report)
        let body =
            page.header + "<article class=\"run\">\n" + page.cards + page.results
            + page.part("Front", TuneChart(report: report).html + TunePointsTable(report: report).html)
            + page.settings + page.path + page.yaml + page.method
            + "</article>\n<footer><p>deadzone \(Markup.escaped(report.tool)). Simulated results.</p></footer>\n"
        return ReportPage.document(page.title, body)
    }

    private var title: String { "Settings of \(Markup.escaped(report.strategy, atMost: 60))" }

    private var header: String {
        let names = report.scenarios.map { $0.name + ($0.isHeldOut ? " (held out)" : "") }.joined(separator: ", ")
        let alarm = report.troubles.prefix(20).map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
        return """
            <header><p class="kicker">Deadzone tune · \(plural(report.effort.points, "set")) of settings · \
            \(plural(report.replicas, "replica")) · seed \(report.seed)</p>
            <h1>\(title)</h1><p class="sentence">\(Markup.escaped(report.sentence, atMost: 1_000))</p>
            <p class="lede">\(Markup.escaped(names, atMost: 600))</p>
            \(alarm.isEmpty ? "" : "<ul class=\"troubles\">\(alarm)</ul>")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private func part(_ title: String, _ content: String) -> String {
        content.isEmpty ? "" : "<section class=\"part\"><h2>\(title)</h2>\n\(content)</section>\n"
    }

    private func label(_ row: Int) -> String {
        "<b class=\"who\">" + Marker(index: row + 1).inline
            + Markup.escaped(report.title(of: report.rows[row]), atMost: 80)
            + "</b>"
    }

    /// One card for each row, with the change of every goal.
    private var cards: String {
        guard report.isComplete, !report.rows.isEmpty else { return "" }
        let cards = report.rows.indices.map { index in
            let row = report.rows[index]
            let goals = report.goals.indices.map { goal in
                let means = report.meansText(of: goal, in: row).map { "<br>\(Self.unbroken($0)), \(report.meansTitle)" }
                let change = Markup.escaped(TuneReport.text(row.changes[goal]))
                return
                    "<p class=\"delta\">\(Markup.escaped(report.goals[goal].label)): <b>\(change)</b>\(means ?? "")</p>"
            }
            let goal = row.kinds.lazy.compactMap { if case .best(let goal) = $0 { goal } else { nil } }.first ?? 0
            let first = row.changes[goal].change.map { TuneReport.percentChange($0) } ?? "-"
            return """
                <article class="card"><h3>\(label(index))</h3><p class="winner">\(Markup.escaped(report.goals[goal].label))</p>\
                <p class="big">\(Markup.escaped(first).replacing("-", with: "−"))</p>\
                \(goals.joined())<p class="winner">\(plural(row.changed.count, "changed setting"))\
                \(row.meetsDemands ? "" : "; <span class=\"but\">does not keep all demands</span>")</p></article>

                """
        }
        return
            "<section class=\"answer\"><h2 class=\"unseen\">The answer</h2><div class=\"cards\">\n\(cards.joined())</div></section>\n"
    }

    private func table(_ head: [String], _ rows: [[String]]) -> String {
        "<div class=\"wide\"><table><thead><tr>" + head.map(Markup.head).joined() + "</tr></thead><tbody>\n"
            + rows.map { row in
                "<tr><th scope=\"row\">" + row[0] + "</th>" + row.dropFirst().map { "<td>\($0)</td>" }.joined()
                    + "</tr>\n"
            }.joined() + "</tbody></table></div>\n"
    }

    /// Text that stays on one line, because a broken interval is hard to read.
    private static func unbroken(_ text: String) -> String { "<span class=\"whole\">\(Markup.escaped(text))</span>" }

    private var heads: [String] { ["", Markup.escaped(report.presentTitle)] + report.rows.indices.map(label) }

    private var results: String {
        guard report.isComplete else { return "" }
        let tables = report.scenarios.indices.map { scenario in
            "<h3>\(Markup.escaped(report.title(of: report.scenarios[scenario])))</h3>\n"
                + table(heads, rows(of: scenario))
        }
        return part("Results", tables.joined())
    }

    private func rows(of scenario: Int) -> [[String]] {
        let all = [report.present] + report.rows
        let goals = report.goals.indices.map { goal -> [String] in
            let metric = report.goals[goal]
            return [Markup.escaped(metric.label)]
                + all.enumerated().map { index, row in
                    let result = row.results[scenario]
                    let value = Markup.escaped(result.means[goal].text(metric.unit))
                    return index == 0 ? value : value + "<br>" + Self.unbroken(TuneReport.text(result.changes[goal]))
                }
        }
        let demands = report.demands.indices.filter(report.isShown).map { demand -> [String] in
            let own = report.demands[demand]
            return [Markup.escaped(report.text(of: own)) + "<br>all replicas together"]
                + all.map { row in
                    let result = row.results[scenario].demands[demand]
                    let share = Self.unbroken("holds in \(result.keptReplicas) of \(report.replicas)")
                    return "\(result.isKept ? "✓" : "✗") \(Markup.escaped(result.figure.text(own.unit)))<br>\(share)"
                }
        }
        return goals + demands
    }

    private var settings: String {
        let rows = report.settings.indices.map { setting -> [String] in
            let own = report.settings[setting]
            return [
                "<code class=\"whole\">\(Markup.escaped(own.name))</code>", Markup.escaped(own.present ?? "absent"),
            ]
                + report.rows.map { row in
                    row.values[setting].map { "<b>\(Markup.escaped($0))</b>" } ?? "as it is"
                } + [Markup.escaped(own.range)]
        }
        return part("Settings", table(heads + ["tried values"], rows))
    }

    private var path: String {
        guard let proposed = report.proposed, !report.path.isEmpty else { return "" }
        let rows = report.path.map { step in
            [Markup.escaped(report.text(of: step), atMost: 300)]
                + step.changes.map { Self.unbroken(TuneReport.text($0)) }
        }
        return part(
            "From present to \(Markup.escaped(report.title(of: report.rows[proposed]))), one change at a time",
            "<p>Each row is the change of every goal by this step alone. \(Markup.escaped(report.neededText, atMost: 2_000))</p>\n"
                + table(["change"] + report.goals.map { Markup.escaped($0.label) }, rows))
    }

    private var yaml: String {
        let blocks = report.rows.indices.filter { !report.rows[$0].paste.isEmpty }.map { index in
            "<h3>\(label(index))</h3>\n<pre class=\"yaml\"><code>\(Markup.escaped(lines: report.rows[index].paste))</code></pre>\n"
        }
        return part("Paste into the scenario", blocks.joined())
    }

    private var method: String {
        let notes = [
            report.isComplete ? report.edgeText : "", report.isComplete ? report.missedText : "", report.switchText,
            report.effortText,
            report.isComplete ? report.weatherText : "",
            report.isComplete ? report.overfitText : "",
        ]
        let text = notes.filter { !$0.isEmpty }.map { "<p>\(Markup.escaped($0, atMost: 2_000))</p>\n" }.joined()
        return part(
            "Method",
            text + """
                <p>Every set of settings meets the same random conditions, so results are compared replica by replica. An interval contains \
                all changes that a paired permutation test does not reject; ~ marks an undecided change. Values are rounded, and \
                settings return to their present value, as long as this test finds no goal worse.</p>

                """)
    }
}

extension Markup {
    /// Escapes text of several lines, and keeps its line ends.
    fileprivate static func escaped(lines text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0), atMost: 1_000) }
            .joined(separator: "\n")
    }
}
