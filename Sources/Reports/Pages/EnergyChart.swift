import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics

/// A bar chart of the energy in joules by cause of traffic, with one bar for each strategy. The part spent in tails
/// (radio awake after the last byte) is hatched and named. The baseline, the energy of the radios while they rest, is a
/// number beside the bar: it would be the larger part of most bars. The metric `battery.above_idle_joules` subtracts
/// more, the energy of a phone that always rests, so this page never calls the baseline idle.
struct EnergyChart {
    private static let (width, left, right) = (1_120, 170, 170)
    private static let (bar, row) = (24, 62)
    /// Rows of a phone's window have the name above the bar.
    private static let (narrowRow, narrowRight) = (76, 10)

    let id: String
    let tracedRun: RunWithTraces

    var html: String {
        let strategies = tracedRun.report.strategies
        guard tracedRun.chartData.count == strategies.count, !strategies.isEmpty else { return "" }
        let totals = tracedRun.chartData.map { $0.energyByCause.reduce(0) { $0 + $1.joules } }
        let lengths = zip(tracedRun.chartData, totals).map { $1 - Self.baseline($0) }
        guard let most = lengths.max(), most > 0 else { return "" }
        let height = strategies.count * Self.row + 30
        let scale = ChartScale(0, most, onto: Double(Self.left), Double(Self.width - Self.right))
        var drawing = grid(scale, ticks: 6, height: height)
        for (index, figures) in tracedRun.chartData.enumerated() {
            drawing += row(index, figures, lengths[index], scale, y: index * Self.row + 10)
        }
        let narrowHeight = strategies.count * Self.narrowRow + 30
        let narrowScale = ChartScale(
            0, most, onto: Double(Self.narrowRight), Double(NarrowDrawing.width - Self.narrowRight))
        var narrow = grid(narrowScale, ticks: 3, height: narrowHeight)
        for (index, figures) in tracedRun.chartData.enumerated() {
            narrow += narrowRow(index, figures, lengths[index], narrowScale, y: index * Self.narrowRow + 10)
        }
        return Markup.figure(
            id, "Joules by cause",
            "Energy of one phone, mean over all replicas, without the baseline: paging and beacons while its radios "
                + "rest. Hatched: energy in tails, the time after the last byte.",
            width: Self.width, height: height, drawing, narrow: NarrowDrawing(height: narrowHeight, svg: narrow),
            after: legend + tailSummary + table(totals))
    }

    private func grid(_ scale: ChartScale, ticks: Int, height: Int) -> String {
        scale.ticks(ticks).map { tick in
            let x = Markup.coordinate(scale(tick))
            return "<path class=\"grid\" d=\"M\(x) 6V\(height - 22)\"/>"
                + "<text class=\"tick\" x=\"\(x)\" y=\"\(height - 6)\">\(Self.number(tick)) J</text>"
        }.joined()
    }

    private static func baseline(_ figures: ChartData) -> Double {
        figures.energyByCause.reduce(0) { $1.cause == .baseline ? $0 + $1.joules : $0 }
    }

    /// Colours with the causes in the bars that share each of them.
    private var legend: String {
        let present = Cause.allCases.filter { cause in
            cause != .baseline
                && tracedRun.chartData.contains { $0.energyByCause.contains { $0.cause == cause && $0.joules > 0 } }
        }
        var colours: [String] = []
        for cause in present where !colours.contains(cause.colourClass) { colours.append(cause.colourClass) }
        let entries = colours.map { colour in
            let names = present.filter { $0.colourClass == colour }.map(\.title).joined(separator: ", ")
            return "<span><i class=\"sw \(colour)\"></i>\(names)</span>"
        }
        return "<p class=\"legend\">\(entries.joined())<span><i class=\"sw in-tails\"></i>in tails</span></p>\n"
    }

    private func row(_ index: Int, _ figures: ChartData, _ length: Double, _ scale: ChartScale, y: Int) -> String {
        let name = Markup.shortened(tracedRun.report.strategies[index].name, to: 23)
        let x = Markup.coordinate(scale(length) + 6)
        return Marker(index: index).svg(10, Double(y + 12))
            + "<text class=\"row\" x=\"22\" y=\"\(y + 16)\">\(name)</text>" + stack(figures, scale, y: y)
            + "<text class=\"total\" x=\"\(x)\" y=\"\(y + 17)\">\(Self.number(length)) J</text>"
            + (Self.baselineText(figures).map { "<text class=\"part\" x=\"\(x)\" y=\"\(y + 31)\">\($0)</text>" } ?? "")
    }

    private func narrowRow(
        _ index: Int, _ figures: ChartData, _ length: Double, _ scale: ChartScale, y: Int
    ) -> String {
        let name = Markup.shortened(tracedRun.report.strategies[index].name, to: 23)
        let right = NarrowDrawing.width - Self.narrowRight
        let baseline = Self.baselineText(figures).map { "<tspan class=\"part\"> \($0)</tspan>" } ?? ""
        return Marker(index: index).svg(Double(Self.narrowRight + 5), Double(y + 6))
            + "<text class=\"row\" x=\"\(Self.narrowRight + 17)\" y=\"\(y + 10)\">\(name)</text>"
            + "<text class=\"total flip\" x=\"\(right)\" y=\"\(y + 10)\">\(Self.number(length)) J\(baseline)</text>"
            + stack(figures, scale, y: y + 17)
    }

    private static func baselineText(_ figures: ChartData) -> String? {
        let joules = baseline(figures)
        return joules > 0 ? "and \(number(joules)) J baseline" : nil
    }

    /// The bar of one strategy, with the names of its longer parts below.
    private func stack(_ figures: ChartData, _ scale: ChartScale, y: Int) -> String {
        var drawing = ""
        var x = scale(0)
        let sorted = figures.energyByCause.filter { $0.cause != .baseline }.sorted {
            ($0.joules, $1.cause.rawValue) > ($1.joules, $0.cause.rawValue)
        }
        for spent in sorted {
            let (whole, own) = (scale(spent.joules) - scale(0), scale(spent.joules - spent.inTails) - scale(0))
            let words =
                "\(spent.cause.title): \(Self.number(spent.joules)) J, \(Self.number(spent.inTails)) J in tails"
            let family = spent.cause.colourClass
            drawing += "<g><title>\(words)</title>"
            drawing += Self.rectangle(x, y, own, family) + Self.rectangle(x + own, y, whole - own, family)
            drawing += Self.rectangle(x + own, y, whole - own, "waste") + "</g>"
            // The long name if it fits, otherwise the short one, otherwise none.
            let names = [spent.cause.title, "\(spent.cause.name)"]
            if let name = names.first(where: { whole > Double($0.count * 6 + 10) }) {
                drawing += "<text class=\"part\" x=\"\(Markup.coordinate(x + 3))\" y=\"\(y + 38)\">\(name)</text>"
            }
            x += whole
        }
        return drawing
    }

    private static func rectangle(_ x: Double, _ y: Int, _ width: Double, _ kind: String) -> String {
        guard width >= 0.1 else { return "" }
        let gap = width > 2 ? 1.0 : 0
        return
            "<rect class=\"\(kind)\" x=\"\(Markup.coordinate(x))\" y=\"\(y)\" width=\"\(Markup.coordinate(width - gap))\" "
            + "height=\"\(bar)\"/>"
    }

    /// Energy wasted in tails as a list, with the three causes that waste most.
    private var tailSummary: String {
        let lines = tracedRun.chartData.indices.map { index in
            let spent = tracedRun.chartData[index].energyByCause
            let (total, tails) = (spent.reduce(0) { $0 + $1.joules }, spent.reduce(0) { $0 + $1.inTails })
            let worst = spent.filter { $0.inTails > 0 }.sorted { $0.inTails > $1.inTails }.prefix(3)
                .map { "\($0.cause.title) \(Self.number($0.inTails)) J" }
            let share = total > 0 ? Int((tails / total * 100).rounded()) : 0
            return
                "<li>\(tracedRun.report.label(index)): <b>\(share)%</b> of the energy in tails, \(Self.number(tails)) J of "
                + "\(Self.number(total)) J" + (worst.isEmpty ? "" : " — mainly " + worst.joined(separator: ", "))
                + "</li>"
        }
        return "<ul class=\"words\">\(lines.joined())</ul>"
    }

    private func table(_ totals: [Double]) -> String {
        let causes = Cause.allCases.filter { cause in
            tracedRun.chartData.contains { $0.energyByCause.contains { $0.cause == cause } }
        }
        let rows = causes.map { cause in
            [cause.title]
                + tracedRun.chartData.map { figures in
                    figures.energyByCause.first { $0.cause == cause }.map {
                        "\(Self.number($0.joules)) (\(Self.number($0.inTails)) in tails)"
                    } ?? "–"
                }
        }
        let names = tracedRun.report.strategies.map { Markup.escaped($0.name, atMost: 60) }
        return Markup.table("joules by cause", ["cause"] + names, rows + [["total"] + totals.map(Self.number)])
    }

    static func number(_ joules: Double) -> String {
        NumberText.short(Billionths(count: Int128((joules * 1e9).rounded())))
    }
}

extension Cause {
    /// CSS class of the colour. Related causes share a hue; their order and their names distinguish them.
    var colourClass: String {
        switch self {
        case .payload: "c-payload"
        case .keepalive, .pong: "c-keep"
        case .connect, .tls, .dns: "c-connect"
        case .resume, .ack: "c-resume"
        case .retransmit: "c-again"
        case .poll: "c-poll"
        case .push, .wake, .otherApps, .probe, .tunnel: "c-system"
        case .handover, .search: "c-search"
        case .baseline: "c-base"
        }
    }
}
