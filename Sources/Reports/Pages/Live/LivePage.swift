import DeadzoneBase
package import DeadzoneMetrics

/// Generates the HTML page of a live run, with the lanes of the real client and of its simulated counterpart. It is one
/// file, and also shows what only packets reveal.
package enum LivePage {
    /// Most attempts or flows shown; the JSON has all.
    private static let maxRows = 200

    /// - Parameter histories: History of the client, then of its twin if it has one.
    package static func html(_ report: LiveReport, histories: [PhoneHistory]) -> String {
        let tracedRun = RunWithTraces(report: report.asRun, histories: histories)
        let body =
            header(report) + unenacted(report)
            + LanesFigure("lanes-0", tracedRun, histories: histories.count).html(of: lede(report))
            + attempts(report) + laws(report) + numbers(report) + expectations(report) + flows(report)
            + foundation(report)
            + "<footer><p>deadzone \(Markup.escaped(report.tool)). A live run uses real time: it has no digest and cannot be "
            + "a baseline.</p></footer>\n"
        return ReportPage.document(Markup.escaped(report.scenario.name, atMost: 160), body)
    }

    private static func header(_ report: LiveReport) -> String {
        let facts = [
            "live", DurationText.short(report.scenario.duration), plural(report.lengths.count, "run"),
            "seed \(report.seed)",
        ]
        let isPass = report.verdict == .pass
        let judged = report.outcomes.count + report.presetChecks.count
        let mark = judged == 0 && isPass ? "" : isPass ? "✓ " : "✗ "
        return """
            <header><p class="kicker">Deadzone report · \(facts.joined(separator: " · "))</p>
            <h1>\(Markup.escaped(report.scenario.name, atMost: 160))</h1>
            <p class="sentence"><span class="verdict \(judged == 0 && isPass ? "" : isPass ? "pass" : "fail")">\(mark)\(report.headline)</span></p>
            \(report.scenario.about.isEmpty ? "" : "<p class=\"lede\">\(Markup.escaped(report.scenario.about, atMost: 600))</p>")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private static func lede(_ report: LiveReport) -> String {
        "The first run of a real client, from its packets and its reports"
            + (report.twin == nil ? "." : ", and the simulated client with the same random events.")
    }

    private static func part(_ title: String, _ body: String) -> String {
        "<section class=\"part\"><h2>\(title)</h2>\(body)</section>\n"
    }

    private static func list(_ lines: [String]) -> String {
        "<ul>" + lines.map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined() + "</ul>"
    }

    private static func unenacted(_ report: LiveReport) -> String {
        guard !report.unsupported.isEmpty else { return "" }
        return part("Not applied", list(report.unsupported.map { "\($0.what): \($0.why)" }))
    }

    // MARK: What only packets tell

    private static func seconds(_ span: TimeSpan?) -> String {
        span.map { NumberText.decimal(Billionths(count: Int128($0.nanoseconds)), places: 2) + " s" } ?? ""
    }

    private static func seconds(_ instant: Instant?) -> String { seconds(instant.map { $0 - Instant.zero }) }

    private static func table(_ head: [String], _ rows: [[String]], of all: Int, isFailed: [Bool] = []) -> String {
        var text = "<div class=\"wide\"><table><thead><tr>" + head.map { "<th scope=\"col\">\($0)</th>" }.joined()
        text += "</tr></thead><tbody>\n"
        for (number, row) in rows.enumerated() {
            text += number < isFailed.count && isFailed[number] ? "<tr class=\"fail\">" : "<tr>"
            for (place, cell) in row.enumerated() {
                text += place == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div>" + (rows.count < all ? "<p>and \(all - rows.count) more</p>" : "")
    }

    private static func attempts(_ report: LiveReport) -> String {
        guard !report.attempts.isEmpty else { return "" }
        let shown = report.attempts.prefix(maxRows)
        let rows = shown.map { attempt in
            let run = report.lengths.count > 1 ? "run \(attempt.run + 1), " : ""
            return [
                "\(run)\(attempt.number)", seconds(attempt.at), seconds(attempt.afterLoss), seconds(attempt.wait),
                attempt.bounds.map { LiveReport.text($0) } ?? "",
                attempt.isInside.map { $0 ? "✓ in" : "✗ out" } ?? "", attempt.didOpen ? "opened" : "",
            ]
        }
        let head = ["try", "at", "after the loss", "after the last try", "preset allows", "verdict", "result"]
        return part(
            "Attempts", table(head, rows, of: report.attempts.count, isFailed: shown.map { $0.isInside == false }))
    }

    private static func laws(_ report: LiveReport) -> String {
        guard !report.presetChecks.isEmpty else { return "" }
        let rows = report.presetChecks.map { law in
            [
                Markup.escaped(law.name), law.isKept ? "✓" : "✗", "\(law.inside) of \(law.of)",
                Markup.escaped(law.tolerance),
            ]
        }
        return part(
            "Comparison with the preset",
            table(
                ["law", "held", "inside", "tolerance"], rows, of: rows.count,
                isFailed: report.presetChecks.map { !$0.isKept }))
    }

    private static func numbers(_ report: LiveReport) -> String {
        let measurements = [report.measurement] + [report.twin?.measurement].compactMap(\.self)
        let metrics = Catalogue.all.filter { metric in
            report.measuredMetrics.contains(metric.name)
                && (!metric.isPartOfEnergy || measurements.contains { $0.figure(metric.name)?.double != 0 })
        }
        let rows = metrics.map { metric in
            [metric.label] + measurements.map { HeadlineMetric.number(metric.name, $0) }
        }
        let head = ["observed"] + report.asRun.strategies.map { Markup.escaped($0.name, atMost: 60) }
        return part("All numbers", table(head, rows, of: rows.count))
    }

    private static func expectations(_ report: LiveReport) -> String {
        let invalid = report.troubles.isEmpty ? "" : part("Invalid run", list(report.troubles))
        guard !report.outcomes.isEmpty || !report.unjudged.isEmpty else { return invalid }
        let rows = report.outcomes.map { outcome in
            let metric = Catalogue.metric(named: outcome.expectation.metric)
            let bound = metric.map { outcome.expectation.threshold.words($0.unit, outcome.bounds) } ?? ""
            return [
                Markup.escaped(outcome.expectation.metric), outcome.verdict == .pass ? "✓" : "✗", Markup.escaped(bound),
                metric.map { HeadlineMetric.text(outcome.value, $0) } ?? "",
            ]
        }
        let judged =
            rows.isEmpty
            ? ""
            : table(
                ["metric", "held", "bound", "is"], rows, of: rows.count,
                isFailed: report.outcomes.map { $0.verdict == .fail })
        return invalid
            + part(
                "Expectations",
                judged + (report.unjudged.isEmpty ? "" : list(report.unjudged.map { "not judged: \($0)" })))
    }

    private static func flows(_ report: LiveReport) -> String {
        guard !report.flows.isEmpty else { return "" }
        let rows = report.flows.prefix(maxRows).map { flow in
            [
                "\(flow.run + 1), \(Markup.escaped(flow.name))", seconds(flow.beganAt),
                seconds(flow.openedAt.map { $0 - flow.beganAt }), seconds(flow.endedAt),
                Markup.escaped(flow.ending ?? ""), "\(flow.up.bytes)", "\(flow.down.bytes)",
                "\(flow.up.repeats + flow.down.repeats)", "\(flow.up.lost + flow.down.lost)",
                "\(flow.up.pings + flow.down.pings)", seconds(flow.longestSilence),
            ]
        }
        let head = [
            "run", "at", "opened after", "ended", "by", "bytes up", "bytes down", "retransmitted", "lost", "pings",
            "longest silence",
        ]
        return part("Flows", table(head, rows, of: report.flows.count))
    }

    private static func foundation(_ report: LiveReport) -> String {
        func milliseconds(_ span: TimeSpan) -> String {
            NumberText.decimal(Billionths(count: Int128(span.nanoseconds) * 1_000), places: 2) + " ms"
        }
        let late =
            "Delay of packets: median \(milliseconds(report.packetsLate.half)), 99th percentile "
            + "\(milliseconds(report.packetsLate.most)). Delay of timeline changes: at most "
            + "\(milliseconds(report.changesLate.longest))."
        return "<section class=\"part reproduce\"><h2>Accuracy and model</h2>" + list(report.notes + [late])
            + report.model.html + "</section>\n"
    }
}
