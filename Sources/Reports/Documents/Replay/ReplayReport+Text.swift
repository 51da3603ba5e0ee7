import DeadzoneBase
import DeadzoneCaptures
import DeadzoneMetrics
package import DeadzoneReplay

extension ReplayReport {
    /// Most flow rows on a terminal; the JSON has more.
    private static let flowRows = 10

    package func text(_ style: Style) -> String {
        var text = style.paint(file.escapedForTerminal, .bold) + ": " + capture.headline + "\n"
        text += style.wrapped(summary, indent: 0) + "\n"
        if capture.counts.packets > 0 { text += style.wrapped("direction: " + direction.reason, indent: 11) + "\n" }
        if let ownRadio {
            text += "\n" + style.wrapped(energySentence(ownRadio), indent: 0) + "\n" + ownRadio.text(style)
        }
        if let neighbours { text += "  " + style.wrapped(neighbours.words, indent: 2, after: 2) + "\n" }
        if !interfaceTable.isEmpty { text += "\n" + interfaceTable.table.text(style) }
        if !flows.isEmpty { text += "\n" + flowTable.text(style) }
        let habitLines = habitText(style)
        if !habitLines.isEmpty { text += "\n" + habitLines }
        for note in notes { text += "\n" + style.wrapped("note: " + note.escapedForTerminal, indent: 6) }
        if !notes.isEmpty { text += "\n" }
        return text
    }

    private func energySentence(_ own: RadioCost) -> String {
        let local = neighbours.map { " for the phone's own traffic; \($0.addedWords)" } ?? ""
        return "Radio energy on \(own.profile) with \(own.rules.rawValue) rules: \(short(own.bill.joules)) J\(local)"
    }

    private var summary: String {
        guard capture.counts.packets > 0 else {
            return "no packet" + (capture.filteredOut > 0 ? " passed the filter" : "")
        }
        let transports = [
            ("TCP", capture.counts.tcp, capture.tcpFlows),
            ("UDP", capture.counts.udp, capture.udpFlows),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0) in \(plural(Int(clamping: $0.2), "flow"))" }
        let other =
            capture.counts.packets - capture.counts.tcp - capture.counts.udp
        let parts = transports + (other > 0 ? ["\(other) other"] : [])
        let up = "\(capture.counts.upPackets) up with \(size(capture.counts.upBytes))"
        let down = "\(capture.counts.downPackets) down with \(size(capture.counts.downBytes))"
        let unknown = capture.counts.packets - capture.counts.upPackets - capture.counts.downPackets
        return parts.joined(separator: ", ") + "; " + [up, down].joined(separator: ", ")
            + (unknown > 0 ? ", \(unknown) without a direction" : "")
    }

    private var interfaceTable: (table: TextTable, isEmpty: Bool) {
        var table = TextTable(leftAligned: [0, 1])
        let named = interfaces.filter { $0.packets > 0 }
        guard named.count > 1 || named.contains(where: { $0.name != nil || $0.dropped > 0 }) else {
            return (table, true)
        }
        table.row(["interface", "link", "packets", "lost"].map { TextTable.TextCell($0, .bold) })
        for interface in named {
            table.row([
                TextTable.TextCell((interface.name ?? "-").escapedForTerminal),
                TextTable.TextCell(interface.linkTypeName),
                TextTable.TextCell("\(interface.packets)"),
                TextTable.TextCell(interface.dropped == 0 ? "" : "\(interface.dropped)"),
            ])
        }
        return (table, false)
    }

    private var flowTable: TextTable {
        var table = TextTable(leftAligned: [0, 1])
        let title = dividesEnergy ? "flows with the most energy" : "flows with the most bytes"
        table.row(
            ([title, "to", "packets", "up", "down"] + (dividesEnergy ? ["joules"] : [])).map {
                TextTable.TextCell($0, .bold)
            })
        func joules(_ joules: Double?) -> [TextTable.TextCell] {
            dividesEnergy ? [TextTable.TextCell(joules.map(short) ?? "")] : []
        }
        for flow in ownFlows.prefix(Self.flowRows) {
            let app = flow.app.map { " (\($0))" } ?? ""
            table.row(
                [
                    TextTable.TextCell(flow.name),
                    TextTable.TextCell(((flow.remoteName ?? "") + app).escapedForTerminal),
                    TextTable.TextCell("\(flow.upPackets + flow.downPackets)"), TextTable.TextCell(size(flow.upBytes)),
                    TextTable.TextCell(size(flow.downBytes)),
                ] + joules(flow.joules))
        }
        let neighbourTraffic = neighbourFlows
        let unseen =
            Int(capture.tcpFlows + capture.udpFlows) - min(Self.flowRows, ownFlows.count)
            - (neighbourTraffic?.count ?? 0)
        if unseen > 0 { table.row([TextTable.TextCell("and \(unseen) more")]) }
        if let neighbourTraffic {
            table.row(
                [
                    TextTable.TextCell("local traffic, \(plural(neighbourTraffic.count, "flow"))"),
                    TextTable.TextCell(""), TextTable.TextCell("\(neighbourTraffic.packets)"),
                    TextTable.TextCell(size(neighbourTraffic.up)), TextTable.TextCell(size(neighbourTraffic.down)),
                ] + joules(neighbourTraffic.joules))
        }
        return table
    }
}

extension ReplayResult {
    /// Table that compares the capture with simulated strategies.
    package func whatIfText(_ style: Style) -> String {
        guard let whatIf else { return "" }
        var table = TextTable(leftAligned: [0])
        table.row([TextTable.TextCell("")] + whatIf.columns.map { TextTable.TextCell($0.escapedForTerminal, .bold) })
        for row in whatIf.rows { table.row(([row.title] + row.cells).map { TextTable.TextCell($0) }) }
        return style.paint(WhatIf.title, .bold) + "\n" + style.wrapped(whatIfWords, indent: 0) + "\n"
            + table.text(style)
    }
}

extension ReplayReport.RadioCost {
    fileprivate func text(_ style: Style) -> String {
        var table = TextTable(leftAligned: [0])
        table.row(["state", "times", "seconds", "joules"].map { TextTable.TextCell($0, .bold) })
        for state in bill.states {
            table.row([
                TextTable.TextCell(state.name), TextTable.TextCell("\(state.count)"),
                TextTable.TextCell(short(state.seconds)),
                TextTable.TextCell(short(state.joules)),
            ])
        }
        table.row([
            TextTable.TextCell("all", .bold), TextTable.TextCell(""), TextTable.TextCell(short(bill.seconds)),
            TextTable.TextCell(short(bill.joules), .bold),
        ])
        return table.text(style)
    }
}

/// Formats a number with at most nine decimals. From 1e12 on it is printed as it is; ten thousand years have fewer
/// seconds.
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
