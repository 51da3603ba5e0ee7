import DeadzoneBase
import DeadzoneMetrics

/// HTML tables of lost messages and silence by cause, and of the cost of each entry of the timeline.
struct LossSection {
    let report: RunReport

    var html: String {
        let text = causes + entries
        return text.isEmpty
            ? "" : "<section class=\"part\"><h2>Lost messages and silence</h2>\(text)</section>\n"
    }

    private var causes: String {
        let losses = report.strategies.map(\.measurement.losses)
        var groups: [(title: String, unit: Metric.Unit, columns: [[LossTables.LossRow]])] = []
        for (direction, way) in [(Direction.down, "server to app"), (.up, "app to server")] {
            groups.append(("Lost by cause, \(way)", .count, losses.map { $0.byCause(direction) }))
            groups.append(("Lost by place, \(way)", .count, losses.map { $0.byPlace(direction) }))
        }
        groups.append(("Silence by cause", .seconds, losses.map(\.silenceByCause)))
        let bodies = groups.map { body($0.title, $0.unit, $0.columns) }.joined()
        guard !bodies.isEmpty else { return "" }
        return table(bodies)
            + "<p class=\"hint\">Messages of one replica and seconds of one phone, means over all replicas. The rows of a "
            + "table add up to its total.</p>"
    }

    private func body(_ title: String, _ unit: Metric.Unit, _ columns: [[LossTables.LossRow]]) -> String {
        guard let first = columns.first else { return "" }
        let shown = first.indices.filter { row in columns.contains { $0[row].value != .zero } }
        guard !shown.isEmpty else { return "" }
        let sums = columns.map { Billionths(count: $0.reduce(Int128(0)) { $0 + $1.value.count }) }
        let printed = PrintedUnit(unit, for: sums.max() ?? .zero)
        var text = group(title)
        for row in shown {
            text += "<tr><th scope=\"row\" title=\"\(first[row].name)\">\(Markup.escaped(first[row].title))</th>"
            text += columns.map { "<td>\(Self.number($0[row].value, printed))</td>" }.joined() + "</tr>\n"
        }
        text += "<tr><th scope=\"row\">total</th>"
        return text + sums.map { "<td>\(Self.number($0, printed))</td>" }.joined() + "</tr>\n</tbody>\n"
    }

    private static func number(_ value: Billionths, _ unit: PrintedUnit) -> String {
        value == .zero ? "–" : unit.text(value) + (unit.name.isEmpty ? "" : " " + unit.name)
    }

    // MARK: Entries

    private var entries: String {
        guard let first = report.strategies.first?.entries else { return "" }
        let rows = first.indices.filter { row in report.strategies.contains { !$0.entries[row].share.isZero } }
        guard !rows.isEmpty else { return "" }
        let seconds = PrintedUnit(.seconds, for: .zero)
        var text = group("Cost of each timeline entry: messages lost, time without a connection, energy")
        for row in rows {
            text += "<tr><th scope=\"row\">\(Markup.escaped(first[row].datedTitle, atMost: 120))</th>"
            for strategy in report.strategies {
                let cost = strategy.entries[row]
                text += "<td>\(NumberText.short(cost.share.lost)) lost<small>\(seconds.text(cost.share.silence)) s"
                text += (cost.joules.map { ", " + $0.text } ?? "") + "</small></td>"
            }
            text += "</tr>\n"
        }
        return table(text + "</tbody>\n")
            + "<p class=\"hint\">A loss is charged to the change that ended the connection or stopped the app. Energy is "
            + "not charged to entries. If it is shown, it is the difference to the same run without the entry.</p>"
    }

    // MARK: Markup

    private var head: String {
        "<tr><td></td>"
            + report.strategies.indices.map { "<th scope=\"col\">\(report.label($0))</th>" }.joined() + "</tr>"
    }

    private func group(_ title: String) -> String {
        "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(report.strategies.count + 1)\">\(title)</th></tr>\n"
    }

    private func table(_ bodies: String) -> String {
        "<div class=\"wide\"><table class=\"numbers\"><thead>\(head)</thead>\n\(bodies)</table></div>"
    }
}
