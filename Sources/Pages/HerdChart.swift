import DeadzoneCompare
import DeadzonePrimitives
import DeadzoneTraces

/// When many phones try to connect: one histogram for each strategy, on one time axis and one scale.
struct HerdChart {
    private static let (width, left, right, row) = (1_120, 160, 20, 84)
    private static let columns = 320

    let id: String
    let exhibit: Exhibit

    var html: String {
        guard let (drawing, height, about) = chart else { return "" }
        return Markup.figure(id, "The herd", about, width: Self.width, height: height, drawing, after: table)
    }

    /// A file of its own; nil for who is alone.
    var svg: String? {
        guard let (drawing, height, about) = chart else { return nil }
        let title = "\(Markup.escaped(exhibit.report.scenario.name)): attempts to connect"
        return Markup.picture(title, about, width: Self.width, height: height, drawing)
    }

    private var chart: (drawing: String, height: Int, about: String)? {
        let report = exhibit.report
        guard report.scenario.phones > 1, report.focus.phone == nil, !exhibit.stories.isEmpty else { return nil }
        let horizon = report.scenario.duration.nanoseconds
        let span = exhibit.stories[0].arrivalSpan
        // Whole steps in each column, so that none has more of them than another.
        let tenths = max(1, (Int(horizon / span) + Self.columns - 1) / Self.columns)
        let bins = exhibit.stories.map { Self.binned($0.arrivals, tenths) }
        guard let most = bins.joined().max(), most > 0 else { return nil }
        let count = max(1, (Int(horizon / span) + tenths - 1) / tenths)
        let step = Double(Self.width - Self.left - Self.right) / Double(count)
        var drawing = ""
        for (index, bin) in bins.enumerated() {
            let base = (index + 1) * Self.row - 8
            var bars = ""
            for (column, arrivals) in bin.enumerated() where arrivals > 0 {
                let height = max(0.6, Double(arrivals) / Double(most) * Double(Self.row - 18))
                let x = Double(Self.left) + Double(column) * step
                bars +=
                    "M\(Markup.place(x)) \(base)v-\(Markup.place(height))h\(Markup.place(max(0.6, step - 0.3)))V\(base)z"
            }
            let name = Markup.escaped(report.strategies[index].name, atMost: 20)
            let peak = exhibit.stories[index].arrivals.max() ?? 0
            drawing += Marker(index: index).svg(10, Double(base - 24))
            drawing += "<text class=\"row\" x=\"22\" y=\"\(base - 20)\">\(name)</text>"
            drawing += "<text class=\"part\" x=\"22\" y=\"\(base - 5)\">peak \(peak) in \(TimeText.span(span))</text>"
            drawing += "<path class=\"herd \(Palette.strategy(index))\" d=\"\(bars)\"/>"
            drawing += "<path class=\"axis\" d=\"M\(Self.left) \(base)H\(Self.width - Self.right)\"/>"
        }
        let height = bins.count * Self.row + 20
        let scale = Scale(0, Double(horizon), onto: Double(Self.left), Double(Self.width - Self.right))
        for tick in TimeText.ticks(horizon) {
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.place(scale(Double(tick))))\" y=\"\(height - 4)\">\(TimeText.text(tick))</text>"
        }
        let about =
            "Attempts to connect of all \(report.scenario.phones) phones in replica \(report.focus.replica ?? 0), in columns of "
            + "\(TimeText.span(Int64(tenths) * span)); the same scale for every strategy."
        return (drawing, height, about)
    }

    private static func binned(_ arrivals: [Int32], _ tenths: Int) -> [Int] {
        stride(from: 0, to: arrivals.count, by: tenths).map { first in
            arrivals[first..<min(first + tenths, arrivals.count)].reduce(0) { $0 + Int($1) }
        }
    }

    private var table: String {
        let rows = exhibit.stories.enumerated().map { index, story in
            let seconds = Self.binned(story.arrivals, max(1, Int(1_000_000_000 / story.arrivalSpan)))
            let last = story.arrivals.lastIndex { $0 > 0 } ?? 0
            return [
                Markup.escaped(exhibit.report.strategies[index].name, atMost: 60),
                "\(story.arrivals.reduce(0) { $0 + Int($1) })", "\(story.arrivals.max() ?? 0)", "\(seconds.max() ?? 0)",
                TimeText.text(Int64(last) * story.arrivalSpan),
            ]
        }
        return Markup.table(
            "the herd",
            [
                "strategy", "attempts", "most in \(TimeText.span(exhibit.stories[0].arrivalSpan))", "most in 1s",
                "last at",
            ],
            rows)
    }
}
