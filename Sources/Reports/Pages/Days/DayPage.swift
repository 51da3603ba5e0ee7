import DeadzoneBase
package import DeadzoneCaptures

/// Generates the HTML page of a recorded day: the recorded lanes, and below them simulated ones on the same time axis.
/// It is one file, loads nothing, and is readable without scripts.
package enum DayPage {
    private static let id = "lanes-0"

    /// - Parameter simulated: name and history of each strategy that was run on the day.
    package static func html(_ report: DayReport, simulated: [(name: String, history: PhoneHistory)]) -> String {
        let title = Markup.escaped(report.name, atMost: 160)
        let body =
            header(report, title) + "<article class=\"run\">\n" + facts(report) + lanes(report, simulated)
            + agreement(report) + untold(report)
            + "</article>\n<footer><p>deadzone. Lanes above are recorded, lanes below are simulated.</p></footer>\n"
        return ReportPage.document(title, body)
    }

    private static func header(_ report: DayReport, _ title: String) -> String {
        let day = report.day
        let facts = [PhoneDay.span(day.length), day.began.map(PhoneDay.date), "\(day.history.entries) entries"]
        return """
            <header><p class="kicker">Deadzone day · \(facts.compactMap(\.self).joined(separator: " · "))</p>
            <h1>\(title)</h1>
            <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>

            """
    }

    private static func facts(_ report: DayReport) -> String {
        let rows = report.facts.map { [Markup.escaped($0.name), Markup.escaped($0.text, atMost: 400)] }
        return "<section class=\"part\"><h2>What happened</h2>\n\(table(rows))</section>\n"
    }

    private static func table(_ rows: [[String]]) -> String {
        var text = "<div class=\"wide\"><table><tbody>\n"
        for row in rows {
            text += "<tr>"
            for (index, cell) in row.enumerated() {
                text += index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div>\n"
    }

    private static func lanes(_ report: DayReport, _ simulated: [(name: String, history: PhoneHistory)]) -> String {
        let axis = TimeAxis(horizon: max(report.day.length, 1) * 1_000_000)
        let stack = LaneStack(id: id, axis: axis, events: [])
        let recorded = DayLanes(id: id, axis: axis, day: report.day)
        var blocks = stack.block(0, "<b>Recorded</b>", recorded.lanes)
        if let doze = report.doze {
            var lanes = [recorded.doze("Doze of \(doze.platform)", doze.shipped.simulated)]
            if !report.day.dozeTimes.isEmpty {
                lanes.append(recorded.doze("\(doze.platform), adjusted", doze.adjusted.simulated))
            }
            blocks += stack.block(1, "<b>Simulated Doze</b>", lanes)
        }
        let watts = max(0.001, simulated.map(\.history.peakWatts).max() ?? 0)
        let joules = max(0.001, simulated.map(\.history.joules).max() ?? 0)
        for (index, strategy) in simulated.enumerated() {
            let renderer = LaneRenderer(
                id: id, history: strategy.history, axis: axis, watts: watts, joules: joules,
                columnWatts: LaneRenderer.columnWatts(simulated.map(\.history), axis))
            let name = Markup.escaped(strategy.name, atMost: 60)
            blocks += stack.block(2 + index, "<b>Simulated: \(name)</b>", renderer.lanes)
        }
        return """
            <section class="part"><h2>Timeline</h2>
            <p class="lede">The recorded day, and the same day in the simulation. The app's messages and the sizes of \
            traffic are assumed.</p>
            \(legend)
            \(LaneStack.controls(whole: "whole day"))
            <div class="lanes" id="\(id)" tabindex="0" role="group" aria-label="Recorded and simulated lanes" \
            \(axis.attributes) data-joules="\(Markup.coordinate(joules))">
            \(stack.ruler(LaneStack.FillPattern.allCases))\(blocks)</div>
            <p class="readout" aria-live="polite" hidden></p></section>

            """
    }

    private static let legend = """
        <p class="legend"><span><i class="sw a-front"></i>on, or in front</span>\
        <span><i class="sw r-active"></i>radio busy</span><span><i class="sw a-back"></i>light Doze</span>\
        <span><i class="sw a-deep"></i>deep Doze</span>\
        <span><i class="sw n-wifi"></i>Wi-Fi</span><span><i class="sw n-cellular"></i>cellular</span>\
        <span><i class="sw n-dark"></i>out of service</span></p>
        """

    private static func agreement(_ report: DayReport) -> String {
        let rows = report.agreement.map { row in row.map { Markup.escaped($0, atMost: 200) } }
        guard let head = rows.first, rows.count > 1 else { return "" }
        return
            "<section class=\"part\"><h2>Recorded and simulated</h2>\n\(table([head] + rows.dropFirst()))"
            + report.agreementNotes.map { "<p>\(Markup.escaped($0, atMost: 200))</p>" }.joined() + "</section>\n"
    }

    private static func untold(_ report: DayReport) -> String {
        let items = report.day.untold.map { "<li>\(Markup.escaped($0, atMost: 200))</li>" }.joined()
        return "<section class=\"part\"><h2>Not in the file</h2><ul>\(items)</ul></section>\n"
    }
}

/// Draws the lanes of a recorded day.
struct DayLanes {
    let id: String
    let axis: TimeAxis
    let day: PhoneDay

    var lanes: [DrawnLane] {
        let all = [network, radio("Mobile radio", day.mobileBusy), radio("Wi-Fi radio", day.wifiBusy)]
        let more = [
            onOff("Screen", "The screen is on.", day.screen), onOff("Locked", "The phone is locked.", day.locked),
            onOff("App", "The app is in front.", day.foreground),
            doze("Doze", day.doze), onOff("Charger", "The charger is connected.", day.plugged),
        ]
        return (all + more).filter { !$0.drawing.isEmpty }
    }

    /// Adds each stretch with a wanted value to a path.
    private func path<Value>(
        _ lane: Lane<Value>, top: Int, bottom: Int, where isWanted: (Value) -> Bool
    ) -> BarPath {
        var path = BarPath()
        let wanted = lane.stretches.filter { isWanted($0.value) }
        let step = axis.step(wanted.count, atMost: LaneRenderer.maxBars)
        var free = Int64.min
        for stretch in wanted {
            let (start, end) = (stretch.start * 1_000_000, stretch.end * 1_000_000)
            // Short stretches that follow each other within a step become one mark.
            guard start >= free || end - start >= step else { continue }
            path.add(axis(start), axis(end), top: top, bottom: bottom)
            free = end + step
        }
        return path
    }

    private var network: DrawnLane {
        let wifi = path(day.network, top: 0, bottom: 50) { $0 == .wifi }
        let cellular = path(day.network, top: 70, bottom: 120) { $0 == .cellular }
        let out = path(day.cellular, top: 70, bottom: 120) { $0 == .outOfService || $0 == .emergencyOnly }
        return DrawnLane(
            name: "Wi-Fi / cellular",
            meaning: "The network that apps used. Hatched: the cellular network is out of service.", height: 14,
            drawing: wifi.svg("n-there n-wifi") + cellular.svg("n-there n-cellular")
                + out.svg("n-dark", hatch: "h-dark-\(id)"),
            key: "network")
    }

    private func radio(_ name: String, _ lane: Lane<Bool>) -> DrawnLane {
        DrawnLane(
            name: name, meaning: "Busy: packets passed, or the phone's timeout after the last one has not ended.",
            height: 12, drawing: path(lane, top: 0, bottom: 120) { $0 }.svg("r-active"), key: "busy")
    }

    private func onOff(_ name: String, _ meaning: String, _ lane: Lane<Bool>) -> DrawnLane {
        DrawnLane(
            name: name, meaning: meaning, height: 8,
            drawing: path(lane, top: 0, bottom: 80) { $0 }.svg("a-front"), key: "state")
    }

    func doze(_ name: String, _ lane: Lane<RecordedDoze>) -> DrawnLane {
        let light = path(lane, top: 40, bottom: 120) { $0 == .light }
        let deep = path(lane, top: 0, bottom: 120) { $0 == .deep }
        return DrawnLane(
            name: Markup.escaped(name, atMost: 40), meaning: "Low: light Doze. High: deep Doze.", height: 12,
            drawing: light.svg("a-back") + deep.svg("a-deep"), key: "doze")
    }
}
