import DeadzoneBase
import DeadzoneMetrics

/// Histograms of the number of connection attempts of all phones over time, one for each strategy, with common axes.
struct HerdChart {
    private static let (width, left, right, row) = (1_120, 160, 20, 84)
    private static let columns = 320

    let id: String
    let tracedRun: RunWithTraces

    var html: String {
        guard let (drawing, height, about) = chart else { return "" }
        return Markup.figure(
            id, "Connection attempts of all phones", about, width: Self.width, height: height, drawing, after: table)
    }

    /// Standalone SVG file. `nil` for a single phone.
    var svg: String? {
        guard let (drawing, height, about) = chart else { return nil }
        let title = "\(Markup.escaped(tracedRun.report.scenario.name)): connection attempts"
        return Markup.standaloneSVG(title, about, width: Self.width, height: height, drawing)
    }

    private var chart: (drawing: String, height: Int, about: String)? {
        let report = tracedRun.report
        guard report.scenario.phones > 1, report.focus.phone == nil, !tracedRun.histories.isEmpty else { return nil }
        let horizon = report.scenario.duration.nanoseconds
        let span = tracedRun.histories[0].attemptSpan
        // Each column covers the same whole number of steps.
        let stepsPerColumn = max(1, (Int(horizon / span) + Self.columns - 1) / Self.columns)
        let bins = tracedRun.histories.map { Self.binned($0.attemptCounts, stepsPerColumn) }
        guard let most = bins.joined().max(), most > 0 else { return nil }
        let count = max(1, (Int(horizon / span) + stepsPerColumn - 1) / stepsPerColumn)
        let step = Double(Self.width - Self.left - Self.right) / Double(count)
        var drawing = ""
        for (index, bin) in bins.enumerated() {
            let base = (index + 1) * Self.row - 8
            var bars = ""
            for (column, arrivals) in bin.enumerated() where arrivals > 0 {
                let height = max(0.6, Double(arrivals) / Double(most) * Double(Self.row - 18))
                let x = Double(Self.left) + Double(column) * step
                bars +=
                    "M\(Markup.coordinate(x)) \(base)v-\(Markup.coordinate(height))h\(Markup.coordinate(max(0.6, step - 0.3)))V\(base)z"
            }
            let name = Markup.escaped(report.strategies[index].name, atMost: 20)
            let peak = tracedRun.histories[index].attemptCounts.max() ?? 0
            drawing += Marker(index: index).svg(10, Double(base - 24))
            drawing += "<text class=\"row\" x=\"22\" y=\"\(base - 20)\">\(name)</text>"
            drawing += "<text class=\"part\" x=\"22\" y=\"\(base - 5)\">peak \(peak) in \(TimeText.span(span))</text>"
            drawing += "<path class=\"herd \(Palette.strategy(index))\" d=\"\(bars)\"/>"
            drawing += "<path class=\"axis\" d=\"M\(Self.left) \(base)H\(Self.width - Self.right)\"/>"
        }
        let height = bins.count * Self.row + 20
        let scale = ChartScale(0, Double(horizon), onto: Double(Self.left), Double(Self.width - Self.right))
        for tick in TimeText.ticks(horizon) {
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.coordinate(scale(Double(tick))))\" y=\"\(height - 4)\">\(TimeText.text(tick))</text>"
        }
        let about =
            "Connection attempts of all \(report.scenario.phones) phones in replica \(report.focus.replica ?? 0), in columns of "
            + "\(TimeText.span(Int64(stepsPerColumn) * span)). All strategies have the same scale."
        return (drawing, height, about)
    }

    private static func binned(_ arrivals: [Int32], _ stepsPerColumn: Int) -> [Int] {
        stride(from: 0, to: arrivals.count, by: stepsPerColumn).map { first in
            arrivals[first..<min(first + stepsPerColumn, arrivals.count)].reduce(0) { $0 + Int($1) }
        }
    }

    private var table: String {
        let rows = tracedRun.histories.enumerated().map { index, history in
            let seconds = Self.binned(history.attemptCounts, max(1, Int(1_000_000_000 / history.attemptSpan)))
            let last = history.attemptCounts.lastIndex { $0 > 0 } ?? 0
            return [
                Markup.escaped(tracedRun.report.strategies[index].name, atMost: 60),
                "\(history.attemptCounts.reduce(0) { $0 + Int($1) })", "\(history.attemptCounts.max() ?? 0)",
                "\(seconds.max() ?? 0)",
                TimeText.text(Int64(last) * history.attemptSpan),
            ]
        }
        return Markup.table(
            "connection attempts of all phones",
            [
                "strategy", "attempts", "peak in \(TimeText.span(tracedRun.histories[0].attemptSpan))", "peak in 1s",
                "last attempt at",
            ],
            rows)
    }
}
