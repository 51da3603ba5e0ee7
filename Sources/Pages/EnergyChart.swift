import DeadzoneCompare
import DeadzoneDevice
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneTraces

/// Joules by cause, one bar for each strategy; the part that went into tails is hatched and named.
struct EnergyChart {
    private static let (width, left, right) = (1_120, 160, 90)
    private static let (bar, row) = (24, 62)

    let id: String
    let exhibit: Exhibit

    var html: String {
        let strategies = exhibit.report.strategies
        guard exhibit.chartFigures.count == strategies.count, !strategies.isEmpty else { return "" }
        let totals = exhibit.chartFigures.map { $0.spent.reduce(0) { $0 + $1.joules } }
        guard let most = totals.max(), most > 0 else { return "" }
        let height = strategies.count * Self.row + 30
        let scale = Scale(0, most, onto: Double(Self.left), Double(Self.width - Self.right))
        var drawing = ""
        for tick in scale.ticks(6) {
            let x = Markup.place(scale(tick))
            drawing += "<path class=\"grid\" d=\"M\(x) 6V\(height - 22)\"/>"
            drawing += "<text class=\"tick\" x=\"\(x)\" y=\"\(height - 6)\">\(Self.number(tick)) J</text>"
        }
        for (index, figures) in exhibit.chartFigures.enumerated() {
            drawing += row(index, figures, totals[index], scale, y: index * Self.row + 10)
        }
        return Markup.figure(
            id, "Joules by cause",
            "Energy of one phone, mean of all replicas. Hatched: spent in tails, after the last byte, waiting for nothing.",
            width: Self.width, height: height, drawing, after: key + table(totals))
    }

    private func row(_ index: Int, _ figures: ChartFigures, _ total: Double, _ scale: Scale, y: Int) -> String {
        let name = Markup.shortened(exhibit.report.strategies[index].name, to: 20)
        var drawing = Marker(index: index).svg(10, Double(y + 12))
        drawing += "<text class=\"row\" x=\"22\" y=\"\(y + 16)\">\(name)</text>"
        var x = scale(0)
        let sorted = figures.spent.sorted { ($0.joules, $1.cause.rawValue) > ($1.joules, $0.cause.rawValue) }
        for spent in sorted {
            let (whole, own) = (scale(spent.joules) - scale(0), scale(spent.joules - spent.inTails) - scale(0))
            let words =
                "\(spent.cause.title): \(Self.number(spent.joules)) J, \(Self.number(spent.inTails)) J of it in tails"
            let family = spent.cause.family
            drawing += "<g><title>\(words)</title>"
            drawing += Self.rectangle(x, y, own, family) + Self.rectangle(x + own, y, whole - own, family)
            drawing += Self.rectangle(x + own, y, whole - own, "waste") + "</g>"
            // The long name, the short one, or none.
            let names = [spent.cause.title, "\(spent.cause.name)"]
            if let name = names.first(where: { whole > Double($0.count * 6 + 10) }) {
                drawing += "<text class=\"part\" x=\"\(Markup.place(x + 3))\" y=\"\(y + 38)\">\(name)</text>"
            }
            x += whole
        }
        drawing += "<text class=\"total\" x=\"\(Markup.place(x + 6))\" y=\"\(y + 17)\">\(Self.number(total)) J</text>"
        return drawing
    }

    private static func rectangle(_ x: Double, _ y: Int, _ width: Double, _ kind: String) -> String {
        guard width >= 0.1 else { return "" }
        let gap = width > 2 ? 1.0 : 0
        return "<rect class=\"\(kind)\" x=\"\(Markup.place(x))\" y=\"\(y)\" width=\"\(Markup.place(width - gap))\" "
            + "height=\"\(bar)\"/>"
    }

    /// The waste in words: whose tails they were.
    private var key: String {
        let lines = exhibit.chartFigures.indices.map { index in
            let spent = exhibit.chartFigures[index].spent
            let (total, tails) = (spent.reduce(0) { $0 + $1.joules }, spent.reduce(0) { $0 + $1.inTails })
            let worst = spent.filter { $0.inTails > 0 }.sorted { $0.inTails > $1.inTails }.prefix(3)
                .map { "\($0.cause.title) \(Self.number($0.inTails)) J" }
            let share = total > 0 ? Int((tails / total * 100).rounded()) : 0
            return "<li>\(exhibit.report.label(index)): <b>\(share)%</b> wasted in tails, \(Self.number(tails)) J of "
                + "\(Self.number(total)) J" + (worst.isEmpty ? "" : " — of " + worst.joined(separator: ", ")) + "</li>"
        }
        return "<ul class=\"words\">\(lines.joined())</ul>"
    }

    private func table(_ totals: [Double]) -> String {
        let causes = Cause.allCases.filter { cause in
            exhibit.chartFigures.contains { $0.spent.contains { $0.cause == cause } }
        }
        let rows = causes.map { cause in
            [cause.title]
                + exhibit.chartFigures.map { figures in
                    figures.spent.first { $0.cause == cause }.map {
                        "\(Self.number($0.joules)) (\(Self.number($0.inTails)) in tails)"
                    } ?? "–"
                }
        }
        let names = exhibit.report.strategies.map { Markup.escaped($0.name, atMost: 60) }
        return Markup.table("joules by cause", ["cause"] + names, rows + [["total"] + totals.map(Self.number)])
    }

    static func number(_ joules: Double) -> String {
        NumberText.short(Billionths(count: Int128((joules * 1e9).rounded())))
    }
}

extension Cause {
    /// Causes that belong together share a hue; their order and their names tell them apart.
    var family: String {
        switch self {
        case .payload: "c-payload"
        case .keepalive, .pong: "c-keep"
        case .connect, .tls, .dns: "c-connect"
        case .resume, .ack: "c-resume"
        case .retransmit: "c-again"
        case .poll: "c-poll"
        case .push, .wake, .otherApps, .probe: "c-system"
        case .handover, .search: "c-search"
        case .baseline: "c-base"
        }
    }
}
