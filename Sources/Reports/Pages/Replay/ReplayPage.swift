import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneReplay

/// Generates the HTML page of a replayed packet capture. It is one file. It opens from disk, loads nothing, and is
/// readable without scripts. Equal captures give equal bytes.
package enum ReplayPage {
    /// Most rows of a table; the JSON has more.
    private static let maxRows = 50
    private static let maxCostEntries = 15
    private static let shownOccasions = 5

    package static func html(_ result: ReplayResult) -> String {
        let report = result.report
        let title = Markup.escaped(report.name, atMost: 160)
        let body =
            header(report, title) + "<article class=\"run\">\n" + cards(report) + whatIf(result) + lanes(report)
            + why(report) + flows(report) + foundation(report)
            + "</article>\n<footer><p>deadzone. Joules are those of the profile's phone "
            + "and network: compare profiles before you trust one.</p></footer>\n"
        return ReportPage.document(title, body)
    }

    static func joules(_ number: Double) -> String { short(number) + " J" }

    private static func short(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "–" }
        return NumberText.short(Billionths(count: Int128((number * 1e9).rounded())))
    }

    private static func percent(_ part: Double, of whole: Double) -> String {
        whole > 0 ? "\(Int((part / whole * 100).rounded()))%" : "–"
    }

    // MARK: The first screen

    private static func header(_ report: ReplayReport, _ title: String) -> String {
        let capture = report.capture
        let facts = [
            capture.format, "\(capture.counts.packets) packets",
            TimeText.span(Int64(clamping: capture.counts.duration.count)),
            "\(capture.tcpFlows + capture.udpFlows) flows",
        ]
        return """
            <header><p class="kicker">Deadzone replay · \(facts.joined(separator: " · "))</p>
            <h1>\(title)</h1><p class="sentence">\(sentence(report))</p>
            \(report.radio.map { "<p class=\"lede\">\(Markup.escaped($0.about, atMost: 600))</p>" } ?? "")
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private static func sentence(_ report: ReplayReport) -> String {
        guard report.capture.counts.packets > 0, let radio = report.ownRadio else {
            return "The capture contains no packets."
        }
        let name = Markup.escaped(radio.profile, atMost: 80)
        let share = percent(tails(radio), of: radio.bill.joules)
        let subject = report.neighbours == nil ? "" : " for the phone's own traffic"
        return
            "On <b>\(name)</b>, the radio used <b>\(joules(radio.bill.joules))</b>\(subject); \(share) of it in tails, "
            + "after the last byte." + (report.neighbours.map { " \(local($0))." } ?? "")
    }

    /// The energy that local traffic adds, as a sentence without a full stop.
    private static func local(_ neighbours: ReplayReport.Neighbours) -> String {
        "Local traffic, which a cellular network does not carry, would \(neighbours.added < 0 ? "save" : "add") "
            + "<b>\(joules(abs(neighbours.added)))</b>"
    }

    /// Joules spent in tails: states in which the radio waits for more data.
    private static func tails(_ radio: ReplayReport.RadioCost) -> Double {
        let tails: Set = ["tail", "short_drx", "long_drx", "inactive", "fach"]
        return radio.bill.states.reduce(0) { tails.contains($1.name) ? $0 + $1.joules : $0 }
    }

    private static func cards(_ report: ReplayReport) -> String {
        guard let radio = report.ownRadio, report.capture.counts.packets > 0 else { return "" }
        let watts = radio.bill.seconds > 0 ? radio.bill.joules / radio.bill.seconds : 0
        let promotions = radio.bill.states.first { $0.state == .promotion }
        let added = report.neighbours.map {
            "; local traffic: \($0.added < 0 ? "−" : "+")\(joules(abs($0.added))), not included"
        }
        var cards = [
            card(
                report.neighbours == nil ? "Energy of the radio" : "Energy of the radio, without local traffic",
                joules(radio.bill.joules),
                "\(short(watts * 1_000)) mW on average over \(TimeText.span(Int64(radio.bill.seconds * 1e9)))"
                    + (added ?? "")),
            card(
                "Energy in tails", percent(tails(radio), of: radio.bill.joules),
                "\(joules(tails(radio))) after the last byte"),
            card(
                "Promotions", "\(promotions?.count ?? 0)",
                "\(joules(promotions?.joules ?? 0)); each promotion leaves the idle state"),
        ]
        if let dearest = report.habits.remotes.first {
            cards.append(
                card(
                    "Peer with the most energy", joules(dearest.joules),
                    "\(Markup.escaped(dearest.name, atMost: 60)), \(percent(dearest.joules, of: radio.bill.joules))"))
        }
        return
            "<section class=\"answer\"><h2 class=\"unseen\">The answer</h2><div class=\"cards\">\n\(cards.joined())</div></section>\n"
    }

    private static func card(_ title: String, _ big: String, _ words: String) -> String {
        "<article class=\"card\"><h3>\(title)</h3><p class=\"big\">\(big)</p><p class=\"delta\">\(words)</p></article>\n"
    }

    // MARK: What others would have spent

    private static func whatIf(_ result: ReplayResult) -> String {
        guard let whatIf = result.whatIf else { return "" }
        let rows = whatIf.rows.map { [$0.title] + $0.cells }
        let troubles = whatIf.run.troubles.map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
        return """
            <section class="part"><h2>\(ReplayResult.WhatIf.title)</h2>
            <p class="lede">\(Markup.escaped(result.whatIfWords, atMost: 1_000)).</p>
            \(table([""] + whatIf.columns.map { Markup.escaped($0, atMost: 60) }, rows))\
            \(troubles.isEmpty ? "" : "<ul class=\"troubles\">\(troubles)</ul>")</section>
            \(NumbersTable(report: whatIf.run, title: "The strategies").html)
            """
    }

    // MARK: What happened

    private static func lanes(_ report: ReplayReport) -> String {
        guard let picture = report.picture, let radio = report.ownRadio, let begin = picture.begin,
            !picture.cells.isEmpty
        else { return "" }
        return ReplayFigure(report: report, radio: radio, picture: picture, begin: begin).html
    }

    // MARK: Why

    private static func why(_ report: ReplayReport) -> String {
        guard let radio = report.ownRadio else { return "" }
        let states = radio.bill.states.map { state in
            [
                state.name, "\(state.count)", short(state.seconds), short(state.joules),
                bar(state.joules, of: radio.bill.joules),
            ]
        }
        var text = "<section class=\"part\"><h2>Why</h2>\n<h3>Joules by state</h3>"
        text += table(["state", "times", "seconds", "joules", "share"], states)
        text += advice(report) + calls(report)
        for (title, payers) in [("Joules by peer", report.habits.remotes), ("Joules by app", report.habits.apps)] {
            guard !payers.isEmpty else { continue }
            let rows = payers.prefix(Self.maxCostEntries).map { payer in
                [
                    Markup.escaped(payer.name, atMost: 80), "\(payer.flows)", short(payer.joules),
                    bar(payer.joules, of: radio.bill.joules),
                ]
            }
            text += "<h3>\(title)</h3>" + table(["name", "flows", "joules", "share"], Array(rows))
        }
        return text + periodic(report) + "</section>\n"
    }

    private static func advice(_ report: ReplayReport) -> String {
        guard !report.habits.advice.isEmpty else { return "" }
        let lines = report.habits.advice.map { advice in
            "<li><b>\(joules(advice.joules))</b> \(Markup.escaped(advice.habit.words, atMost: 200)). "
                + "\(Markup.escaped(advice.habit.fix, atMost: 200)) would save at most \(joules(advice.saves))."
                + occasions(of: advice, report) + "</li>"
        }
        return "<h3>Most expensive habits</h3><ul class=\"words\">\(lines.joined())</ul>\n"
    }

    /// The most expensive bursts of a habit as a list.
    private static func occasions(of advice: ReplayReport.Advice, _ report: ReplayReport) -> String {
        let lines = report.occasions(of: advice, atMost: Self.shownOccasions, time: time(report))
        guard !lines.isEmpty else { return "" }
        return "<ul>" + lines.map { "<li>\(Markup.escaped($0, atMost: 300))</li>" }.joined() + "</ul>"
    }

    /// Formats times from the earliest packet, as the text does. The timeline begins with the promotion before it.
    private static func time(_ report: ReplayReport) -> ((Timestamp) -> String)? {
        guard report.picture?.begin != nil else { return nil }
        return { TimeText.span(Int64(clamping: report.secondsFromStart($0).count)) }
    }

    private static func calls(_ report: ReplayReport) -> String {
        guard !report.habits.calls.isEmpty else { return "" }
        let lines = report.habits.calls.map {
            "<li>\(Markup.escaped(report.words($0, time: time(report)), atMost: 400)).</li>"
        }
        return "<h3>Calls</h3><ul class=\"words\">\(lines.joined())</ul>\n"
    }

    private static func periodic(_ report: ReplayReport) -> String {
        guard !report.habits.periodic.isEmpty else { return "" }
        let rows = report.habits.periodic.prefix(Self.maxRows).map { flow in
            [
                Markup.escaped(flow.remoteName ?? flow.flow, atMost: 80), short(flow.interval), short(flow.jitter),
                "\(flow.count)", short(flow.joules),
            ]
        }
        return "<h3>Periodic traffic</h3>"
            + table(["flow", "interval, s", "jitter, s", "intervals", "joules"], Array(rows))
    }

    // MARK: Flows

    private static func flows(_ report: ReplayReport) -> String {
        guard !report.flows.isEmpty else { return "" }
        let isDivided = report.dividesEnergy
        func joules(_ joules: Double?) -> [String] { isDivided ? [joules.map(short) ?? ""] : [] }
        var rows = report.ownFlows.prefix(Self.maxRows).map { flow in
            [peer(flow)] + joules(flow.joules)
                + ["\(flow.upPackets + flow.downPackets)", "\(flow.upBytes)", "\(flow.downBytes)"]
        }
        let neighbourTraffic = report.neighbourFlows
        let all = Int(clamping: report.capture.tcpFlows + report.capture.udpFlows) - (neighbourTraffic?.count ?? 0)
        let more =
            all > rows.count
            ? "<p class=\"hint\">The \(rows.count) flows with the most \(isDivided ? "energy" : "bytes"), of \(all).</p>"
            : ""
        if let neighbourTraffic {
            rows.append(
                ["local traffic, \(plural(neighbourTraffic.count, "flow")), not carried by a cellular network"]
                    + joules(neighbourTraffic.joules)
                    + ["\(neighbourTraffic.packets)", "\(neighbourTraffic.up)", "\(neighbourTraffic.down)"])
        }
        let head = ["flow"] + (isDivided ? ["joules"] : []) + ["packets", "bytes up", "bytes down"]
        return "<section class=\"part\"><h2>Flows</h2>" + table(head, rows, kind: "flows") + more + "</section>\n"
    }

    /// Name of the peer and of the app if known, and the addresses, with a place for a line break between them.
    private static func peer(_ flow: ReplayReport.FlowRow) -> String {
        let names = [flow.remoteName, flow.app].compactMap(\.self).joined(separator: ", ")
        let addresses = flow.name.split(separator: " > ").map {
            "<span\($0.count <= 30 ? " class=\"whole\"" : "")>\(Markup.escaped(String($0), atMost: 60))</span>"
        }
        return (names.isEmpty ? "" : "<b>\(Markup.escaped(names, atMost: 80))</b> ")
            + "<code>\(addresses.joined(separator: " &gt; "))</code>"
    }

    // MARK: What the numbers stand on

    private static func foundation(_ report: ReplayReport) -> String {
        var facts: [(String, String)] = [
            ("link", report.interfaces.map(\.linkTypeName).uniqued.joined(separator: ", ")),
            ("direction", report.direction.reason),
        ]
        if let radio = report.radio {
            facts.append(("rules", "\(radio.rules.rawValue), stamps \(radio.stamps.rawValue)"))
            facts.append(("profile", radio.profile))
        }
        if let error = report.capture.error { facts.append(("the file is truncated", error)) }
        let rows = facts.map { ["<b>\($0)</b>", Markup.escaped($1, atMost: 400)] }
        let words = report.neighbours.map { [$0.words] } ?? []
        let notes = (words + report.notes).map { "<li>\(Markup.escaped($0, atMost: 400))</li>" }.joined()
        return """
            <section class="part"><h2>Method and notes</h2>
            \(table(["", ""], rows))\(notes.isEmpty ? "" : "<ul>\(notes)</ul>")
            <p>Repeat with: <code>deadzone replay \(Markup.escaped(report.name, atMost: 160))\
            \(report.radio.map { " --profile \(Markup.escaped($0.profile, atMost: 80)) --rules \($0.rules.rawValue) --stamps \($0.stamps.rawValue)" } ?? "")\
            \(Markup.escaped(report.flags.map { " " + $0 }.joined(), atMost: 300))</code></p></section>

            """
    }

    private static func table(_ head: [String], _ rows: [[String]], kind: String = "") -> String {
        let isOfFacts = head.allSatisfy(\.isEmpty)
        let kind = isOfFacts ? "facts" : kind
        var text = "<div class=\"wide\"><table\(kind.isEmpty ? "" : " class=\"\(kind)\"")>"
        if !isOfFacts {
            text += "<thead><tr>" + head.map(Markup.head).joined() + "</tr></thead>"
        }
        text += "<tbody>\n"
        for row in rows {
            text +=
                "<tr>" + row.enumerated().map { $0 == 0 ? "<th scope=\"row\">\($1)</th>" : "<td>\($1)</td>" }.joined()
            text += "</tr>\n"
        }
        return text + "</tbody></table></div>\n"
    }

    /// Bar for a share, with its percentage.
    private static func bar(_ part: Double, of whole: Double) -> String {
        let width = whole > 0 ? min(max(part / whole, 0), 1) * 160 : 0
        return "<svg class=\"share\" width=\"230\" height=\"12\" viewBox=\"0 0 230 12\" aria-hidden=\"true\">"
            + "<rect class=\"c-payload\" width=\"\(Markup.coordinate(width))\" height=\"12\"/>"
            + "<text x=\"\(Markup.coordinate(width + 5))\" y=\"10\">\(percent(part, of: whole))</text></svg>"
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
