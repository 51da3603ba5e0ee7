import DeadzoneBase
package import DeadzoneCaptures

extension DayReport {
    /// Terminal text of the report.
    package func text(_ style: Style) -> String {
        let parts = [
            heading(style), style.list(facts.map { [$0.name, $0.text.escapedForTerminal] }), checks(style),
            agreement(style), unknown(style), untold(style),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        let began = day.began.map { " from \(PhoneDay.date($0))" } ?? ""
        var facts = [
            "\(name): \(PhoneDay.span(day.length))\(began)", day.system,
            plural(day.history.entries, "entry", "entries"),
            Self.percent(day.history.understoodEntries, of: day.history.entries) + " understood",
        ]
        if day.history.backwardEntries > 0 {
            facts.append(
                "\(day.history.backwardEntries) out of order by up to \(PhoneDay.span(day.history.largestStepBack))")
        }
        return style.heading("Recorded day")
            + style.wrapped(facts.joined(separator: ", ").escapedForTerminal, indent: 0) + "\n"
    }

    // MARK: Rows

    /// Answers of the first part, one line for each subject.
    package var facts: [(name: String, text: String)] {
        var rows = day.history.otherHistories == 0 ? [] : [("Source", sourceText)]
        rows.append(("Network", networkText))
        if !day.outages.isEmpty { rows.append(("Service", serviceText)) }
        if day.isIOS {
            rows += [("Signal", signalText), ("Screen", screenText), ("Power", powerText), ("Traffic", byteText)]
            if let keepalives = day.history.keepalives { rows.append(("Push", pushText(keepalives))) }
        } else {
            rows += [("Doze", dozeText), ("Screen", screenText), ("Power", powerText), ("Traffic", trafficText)]
        }
        rows.append(("App", appText))
        if !day.restarts.isEmpty || !day.clockJumps.isEmpty { rows.append(("Clock", clockText)) }
        return rows
    }

    private func share(_ milliseconds: Int64) -> String {
        let permille = day.permille(milliseconds)
        return permille >= 100 ? "\((permille + 5) / 10) %" : "\(permille / 10).\(permille % 10) %"
    }

    private static func percent(_ part: Int, of all: Int) -> String {
        guard all > 0 else { return "0 %" }
        let tenths = part * 1_000 / all
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// The history that is the day if there are several. For an archive, also the names of the entries with the others,
    /// and the command that reads one of them.
    private var sourceText: String {
        let others = day.history.otherSources
        guard !others.isEmpty else {
            let (count, second) = (day.history.otherHistories, PhoneDay.span(day.history.secondLength))
            return "the longest of \(count + 1) histories in the file is used (\(PhoneDay.span(day.length))); "
                + (count == 1 ? "the other lasts \(second)" : "the others last \(second) or less")
        }
        let names = others.map { source in
            "\(source.name) (\(PhoneDay.span(source.length)), \(plural(source.entries, "entry", "entries")))"
        }.joined(separator: ", ")
        // unzip takes the name as a pattern.
        let pattern = others[0].name.replacing("[", with: "[[]")
        let command = "unzip -p \(ShellWord.text(name)) \(ShellWord.text(pattern)) | deadzone day -"
        return "\(day.history.source ?? "") has the longest history (\(PhoneDay.span(day.length))); others: \(names); "
            + "`\(command)` reads another one"
    }

    private var networkText: String {
        var parts = ["Wi-Fi \(share(day.network.total { $0 == .wifi }))"]
        parts += day.technologies.map { "\($0.state == .other ? "cellular" : $0.state.name) \(share($0.time))" }
        parts.append("none \(share(day.network.total { $0 == .none }))")
        var events = [plural(day.handoffs, "handoff")]
        if !day.roams.isEmpty { events.append("\(plural(day.roams.count, "change")) of the access point") }
        let calls = day.suspended.stretches.filter(\.value).count
        if calls > 0 { events.append("data stopped by a call \(plural(calls, "time"))") }
        let off = day.radioOff.total { $0 }
        if off > 0 { events.append("radio switched off for \(PhoneDay.span(off))") }
        return parts.joined(separator: ", ") + "; " + events.joined(separator: ", ")
    }

    private var serviceText: String {
        let longest = day.outages.map(\.length).max() ?? 0
        return "cellular out of service \(plural(day.outages.count, "time")), longest \(PhoneDay.span(longest)); "
            + (day.felt == 0 ? "never without another network" : "\(day.felt) of them without any network")
    }

    private var dozeText: String {
        let parts = [RecordedDoze.light, .deep].map { state in
            let count = day.doze.stretches.count { $0.value == state }
            let name = state == .light ? "light" : "deep"
            let time = PhoneDay.span(day.doze.total { $0 == state })
            return count == 0 ? "no \(name)" : "\(name) \(time) (\(plural(count, "time")))"
        }
        return parts.joined(separator: ", ")
    }

    private var screenText: String {
        let locked = day.locked.total { $0 }
        return "on \(share(day.screen.total { $0 })), \(plural(day.screen.stretches.filter(\.value).count, "time"))"
            + (locked > 0 ? ", locked \(share(locked))" : "")
    }

    private var signalText: String {
        let known = day.signalBars.total { $0 < .max }
        guard known > 0 else { return "not recorded" }
        return "at most one bar for \(PhoneDay.span(day.signalBars.total { $0 <= 1 })) of \(PhoneDay.span(known))"
    }

    private var byteText: String {
        guard let bytes = day.bytes else { return "not recorded" }
        return "cellular \(Self.size(bytes.cellular)); Wi-Fi \(Self.size(bytes.wifi))"
    }

    private static func size(_ count: TrafficInterval.ByteCount) -> String {
        func text(_ bytes: Int64) -> String {
            bytes < 1_000_000
                ? "\(bytes / 1_000).\(bytes / 100 % 10) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        }
        return "\(text(count.down)) down, \(text(count.up)) up"
    }

    private func pushText(_ keepalives: PushKeepalives) -> String {
        "the phone's push connection sent \(plural(Int(keepalives.cellular), "keepalive")) on cellular and "
            + "\(keepalives.wifi) on Wi-Fi; \(plural(day.pushes.count, "push", "pushes")) received"
    }

    private var powerText: String {
        let saver = day.powerSave.total { $0 }
        return "charger \(share(day.plugged.total { $0 }))"
            + (saver > 0 ? ", battery saver \(PhoneDay.span(saver))" : ", no battery saver")
    }

    private var trafficText: String {
        func radio(_ name: String, _ isMobile: Bool, _ busy: Lane<Bool>, _ timeout: RadioTimeout) -> String {
            let count = day.bursts.count { $0.isMobile == isMobile }
            guard count > 0 else { return "\(name) never busy" }
            return "\(name) busy \(share(busy.total { $0 })) in \(plural(count, "burst"))"
                + " (timeout \(PhoneDay.span(timeout.milliseconds))\(timeout.isMeasured ? "" : ", assumed"))"
        }
        return radio("mobile radio", true, day.mobileBusy, day.mobileTimeout) + "; "
            + radio("Wi-Fi", false, day.wifiBusy, day.wifiTimeout)
    }

    private var appText: String {
        guard let app = day.app else {
            let most = day.topApps.prefix(3).map { "\($0.package) \(PhoneDay.span($0.time))" }
            return "choose yours with --app"
                + (most.isEmpty ? "" : "; in front: " + most.joined(separator: ", "))
        }
        let own = day.bursts.filter(\.isOfApp).count
        let pushes = day.pushes.filter(\.isForApp).count
        let front = "\(app) in front for \(PhoneDay.span(day.foreground.total { $0 })), "
        if let bytes = day.bytes {
            return front
                + "\(Self.size(bytes.ofApp)) in \(plural(own, "interval")), \(plural(pushes, "push", "pushes"))"
        }
        return front
            + (day.knowsWakers ? "woke a radio \(plural(own, "time"))" : "radio wake-ups by app are not recorded")
            + ", \(plural(pushes, "push", "pushes")) of high priority"
    }

    private var clockText: String {
        var parts: [String] = []
        if !day.restarts.isEmpty { parts.append(plural(day.restarts.count, "restart")) }
        if let largest = day.clockJumps.max(by: { abs($0.by) < abs($1.by) }) {
            let sign = largest.by < 0 ? "-" : "+"
            parts.append(
                "\(plural(day.clockJumps.count, "change")) of the wall clock, largest \(sign)"
                    + PhoneDay.span(abs(largest.by)))
        }
        return parts.joined(separator: ", ")
    }

    // MARK: Sections

    private func checks(_ style: Style) -> String {
        guard !day.checks.isEmpty else { return "" }
        var table = TextTable()
        table.row(["", "counted", "phone's own", ""].map { TextTable.TextCell($0, .dim) })
        for check in day.checks {
            let tenths = (abs(check.difference) + 5) / 10
            let sign = check.difference < 0 ? "-" : "+"
            table.row([
                TextTable.TextCell("  " + check.name), TextTable.TextCell(PhoneDay.span(check.counted)),
                TextTable.TextCell(PhoneDay.span(check.printed)),
                TextTable.TextCell("\(sign)\(tenths / 10).\(tenths % 10) %", tenths > 10 ? .red : nil),
            ])
        }
        return style.heading("Sums without a charger") + table.text(style)
    }

    /// Rows of the table that compares recording and simulation, the names of the columns first. Empty if there is
    /// nothing to compare.
    package var agreement: [[String]] {
        var rows: [[String]] = []
        if let doze {
            var models = [("recorded", doze.recordedLight, doze.recordedDeep, "", "")]
            var simulated = [(doze.platform, doze.shipped)]
            if !day.dozeTimes.isEmpty { simulated.append(("\(doze.platform), adjusted", doze.adjusted)) }
            for (name, model) in simulated {
                let whole = Self.percent(model.same, of: model.length)
                models.append((name, model.light, model.deep, whole, Self.percent(model.sameAtRest, of: model.rest)))
            }
            rows = [
                [""] + models.map(\.0), ["in the same state of Doze"] + models.map(\.3),
                ["the same, screen off, no charger"] + models.map(\.4),
                ["light Doze began after"] + models.map { Self.list($0.1.entries) },
                ["light Doze lasted"] + models.map { Self.list($0.1.idle) },
                ["windows between them"] + models.map { Self.list($0.1.windows) },
                ["deep Doze began after"] + models.map { Self.list($0.2.entries) },
                ["deep Doze lasted"] + models.map { Self.list($0.2.idle) },
                ["windows between them"] + models.map { Self.list($0.2.windows) },
            ]
            rows = rows.filter { row in row.dropFirst().contains { !$0.isEmpty } }
        }
        guard let radio else { return rows }
        if rows.isEmpty { rows = [["", "recorded", "simulated"]] }
        let gap = Array(repeating: "", count: (rows.first?.count ?? 3) - 3)
        let busy = [radio.recordedBusy, radio.simulatedBusy].map { Self.percent($0, of: radio.length) }
        rows.append(["radios busy", busy[0]] + gap + [busy[1]])
        rows.append(["both busy or both idle", ""] + gap + [Self.percent(radio.same, of: radio.length)])
        return rows
    }

    private static func percent(_ part: Int64, of all: Int64) -> String {
        guard all > 0 else { return "-" }
        let tenths = part * 1_000 / all
        return "\(tenths / 10).\(tenths % 10) %"
    }

    private func agreement(_ style: Style) -> String {
        guard let head = agreement.first else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3])
        table.row(head.map { TextTable.TextCell($0.escapedForTerminal, .dim) })
        for row in agreement.dropFirst() {
            table.row(["  " + row[0]].map { TextTable.TextCell($0) } + row.dropFirst().map { TextTable.TextCell($0) })
        }
        return style.heading("Recorded and simulated") + table.text(style)
            + agreementNotes.map { "  " + style.wrapped($0, indent: 2, after: 2) + "\n" }.joined()
    }

    /// Explanations of the words in the table.
    package var agreementNotes: [String] {
        guard let doze else { return [] }
        var notes: [String] = []
        let spans = [doze.recordedLight, doze.recordedDeep, doze.shipped.light, doze.shipped.deep]
        if spans.contains(where: { !$0.windows.isEmpty }) {
            notes.append("A window is a short time between two times of Doze, in which apps may use the network.")
        }
        // The row "Doze" above counts all times, so its count differs from that of the lengths.
        let recorded = [(RecordedDoze.light, doze.recordedLight.idle), (.deep, doze.recordedDeep.idle)]
        if recorded.contains(where: { state, idle in
            !idle.isEmpty && idle.count < day.doze.stretches.count { $0.value == state }
        }) {
            notes.append(
                "The lengths are of times of Doze that ended by themselves: not by use, a charger or deep Doze.")
        }
        if day.dozeTimes.isAbsent {
            notes.append(
                "adjusted: without Doze, because the phone rested for 2 h or longer without it. The scenario has none.")
        } else if !day.dozeTimes.isEmpty {
            notes.append("adjusted: with the recorded times of Doze and work in windows. The scenario uses the times.")
        }
        return notes
    }

    /// Up to five lengths.
    private static func list(_ lengths: [Int64]) -> String {
        guard !lengths.isEmpty else { return "" }
        let shown = lengths.prefix(5).map { PhoneDay.span($0) }.joined(separator: ", ")
        return shown + (lengths.count > 5 ? ", and \(lengths.count - 5) more" : "")
    }

    private func unknown(_ style: Style) -> String {
        let words = day.history.unknownWords
        guard !words.isEmpty else { return "" }
        let shown = words.prefix(12).map { "\($0.word) (\($0.count))" }.joined(separator: ", ")
        let rest = words.count > 12 ? ", and \(words.count - 12) more" : ""
        return style.heading("Words that are not understood")
            + "  " + style.wrapped(shown + rest, indent: 2, after: 2) + "\n"
    }

    private func untold(_ style: Style) -> String {
        style.heading("Not in the file")
            + day.untold.map { "  " + style.wrapped($0, indent: 4, after: 2) + "\n" }.joined()
    }
}
