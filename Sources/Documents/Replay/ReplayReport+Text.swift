import DeadzoneCaptures
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneReplay

extension ReplayReport {
    /// Rows of flows on a terminal; JSON has more.
    private static let flowRows = 10

    public func text(_ style: Style) -> String {
        var text = style.paint(file.visible, .bold) + ": " + capture.headline + "\n"
        text += style.wrapped(summary, indent: 0) + "\n"
        if capture.counts.packets > 0 { text += style.wrapped("direction: " + direction.reason, indent: 11) + "\n" }
        if let radio { text += "\n" + radio.text(style) }
        if let neighbours { text += style.wrapped("  of it " + neighbours.words, indent: 2) + "\n" }
        if !interfaceTable.isEmpty { text += "\n" + interfaceTable.table.text(style) }
        if !flows.isEmpty { text += "\n" + flowTable.text(style) }
        let habitText = habits.text(style)
        if !habitText.isEmpty { text += "\n" + habitText }
        for note in notes { text += "\n" + style.wrapped("note: " + note.visible, indent: 6) }
        if !notes.isEmpty { text += "\n" }
        return text
    }

    private var summary: String {
        guard capture.counts.packets > 0 else {
            return "no packet" + (capture.filteredOut > 0 ? " passed the filter" : "")
        }
        let transports = [
            ("TCP", capture.counts.ipv4TCP + capture.counts.ipv6TCP, capture.tcpFlows),
            ("UDP", capture.counts.ipv4UDP + capture.counts.ipv6UDP, capture.udpFlows),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0) in \(plural(Int(clamping: $0.2), "flow"))" }
        let other =
            capture.counts.packets - capture.counts.ipv4TCP - capture.counts.ipv6TCP - capture.counts.ipv4UDP
            - capture.counts.ipv6UDP
        let parts = transports + (other > 0 ? ["\(other) other"] : [])
        let up = "\(capture.counts.upPackets) up with \(size(capture.counts.upBytes))"
        let down = "\(capture.counts.downPackets) down with \(size(capture.counts.downBytes))"
        let unknown = capture.counts.packets - capture.counts.upPackets - capture.counts.downPackets
        return parts.joined(separator: ", ") + "; " + [up, down].joined(separator: ", ")
            + (unknown > 0 ? ", \(unknown) neither" : "")
    }

    private var interfaceTable: (table: TextTable, isEmpty: Bool) {
        var table = TextTable(leftAligned: [0, 1])
        let named = interfaces.filter { $0.packets > 0 }
        guard named.count > 1 || named.contains(where: { $0.name != nil || $0.dropped > 0 }) else {
            return (table, true)
        }
        table.row(["interface", "link", "packets", "lost"].map { TextTable.Cell($0, .bold) })
        for interface in named {
            table.row([
                TextTable.Cell((interface.name ?? "-").visible), TextTable.Cell(interface.linkTypeName),
                TextTable.Cell("\(interface.packets)"),
                TextTable.Cell(interface.dropped == 0 ? "" : "\(interface.dropped)"),
            ])
        }
        return (table, false)
    }

    private var flowTable: TextTable {
        var table = TextTable(leftAligned: [0, 1])
        table.row(["dearest flows", "to", "packets", "up", "down", "joules"].map { TextTable.Cell($0, .bold) })
        for flow in ownFlows.prefix(Self.flowRows) {
            let app = flow.app.map { " (\($0))" } ?? ""
            table.row([
                TextTable.Cell(flow.name), TextTable.Cell(((flow.remoteName ?? "") + app).visible),
                TextTable.Cell("\(flow.upPackets + flow.downPackets)"), TextTable.Cell(size(flow.upBytes)),
                TextTable.Cell(size(flow.downBytes)), TextTable.Cell(short(flow.joules)),
            ])
        }
        let talk = talkFlows
        let unseen = Int(capture.tcpFlows + capture.udpFlows) - min(Self.flowRows, ownFlows.count) - (talk?.count ?? 0)
        if unseen > 0 { table.row([TextTable.Cell("and \(unseen) more")]) }
        if let talk {
            table.row([
                TextTable.Cell("neighbours' talk, \(plural(talk.count, "flow"))"), TextTable.Cell(""),
                TextTable.Cell("\(talk.packets)"), TextTable.Cell(size(talk.up)), TextTable.Cell(size(talk.down)),
                TextTable.Cell(short(talk.joules)),
            ])
        }
        return table
    }
}

extension ReplayResult {
    /// What was captured beside what others would have spent.
    public func whatIfText(_ style: Style) -> String {
        guard let whatIf else { return "" }
        var table = TextTable(leftAligned: [0])
        table.row([TextTable.Cell("")] + whatIf.columns.map { TextTable.Cell($0.visible, .bold) })
        for row in whatIf.rows { table.row(([row.title] + row.cells).map { TextTable.Cell($0) }) }
        return style.paint(WhatIf.title, .bold) + "\n" + style.wrapped(whatIf.words, indent: 0) + "\n"
            + table.text(style)
    }
}

extension ReplayReport.Radio {
    fileprivate func text(_ style: Style) -> String {
        var table = TextTable(leftAligned: [0])
        table.row(["state", "times", "seconds", "joules"].map { TextTable.Cell($0, .bold) })
        for state in bill.states {
            table.row([
                TextTable.Cell(state.name), TextTable.Cell("\(state.count)"), TextTable.Cell(short(state.seconds)),
                TextTable.Cell(short(state.joules)),
            ])
        }
        table.row([
            TextTable.Cell("all", .bold), TextTable.Cell(""), TextTable.Cell(short(bill.seconds)),
            TextTable.Cell(short(bill.joules), .bold),
        ])
        let heading = "On \(profile) by \(rules.rawValue) rules the radio took \(short(bill.joules)) J:"
        return style.wrapped(heading, indent: 0) + "\n" + table.text(style)
    }
}

/// Nine decimals at most; what is beyond a capture of ten thousand years is no number.
private func short(_ value: Double) -> String {
    guard abs(value) < 1e12 else { return "\(value)" }
    return NumberText.short(Billionths(count: Int128((value * 1e9).rounded())))
}

extension ReplayReport.Capture {
    fileprivate var headline: String {
        let packed = compression.map { " in \($0)" } ?? ""
        return
            "\(format)\(packed), \(plural(Int(clamping: counts.packets), "packet")), \(size(counts.bytes)) on the wire, "
            + NumberText.decimal(counts.duration, places: 3) + " s"
    }
}

private func size(_ bytes: UInt64) -> String {
    let value = Billionths(count: Int128(bytes) * 1_000_000_000)
    let unit = PrintedUnit(.bytes, for: value)
    return unit.text(value) + " " + unit.name
}
