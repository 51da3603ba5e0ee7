import DeadzoneBase
import DeadzoneMetrics

/// A chart of two goals, relative to the present settings, on logarithmic axes. Small squares are the points of the
/// search. Marks with crosses are the rows of the report and the front, measured in fresh weathers.
struct TuneChart {
    private static let (width, height, left, right, top, bottom) = (680, 420, 62, 40, 16, 46)
    /// Points farther from the present settings than this factor are left out.
    private static let farthest = 50.0
    /// More points of the search are thinned out.
    private static let maxPoints = 3_000
    let report: TuneReport

    private struct Mark {
        /// Index of the point.
        let index: Int
        let name: String
        let colour: Int
        let isHollow: Bool
        /// Ratios to the present settings.
        let (x, y): (Double, Double)
        let (xs, ys): (ClosedRange<Double>, ClosedRange<Double>)
        let title: String
    }

    /// Empty with one goal, or if the results have no ratios to the present settings.
    var html: String {
        guard report.goals.count > 1, report.isComplete else { return "" }
        let marks = marks
        guard marks.count > 1 else { return "" }
        let tried = tried
        let xs = marks.flatMap { [$0.xs.lowerBound, $0.xs.upperBound] } + tried.map(\.x)
        let ys = marks.flatMap { [$0.ys.lowerBound, $0.ys.upperBound] } + tried.map(\.y)
        func scale(_ values: [Double]) -> (low: Double, high: Double) {
            ((values.min() ?? 1) * 0.94, (values.max() ?? 1) * 1.07)
        }
        let (horizontal, vertical) = (scale(xs), scale(ys))
        func drawing(_ width: Int) -> String {
            let area = PlotArea(
                left: Self.left, right: width - Self.right, top: Self.top, bottom: Self.height - Self.bottom)
            let x = ChartScale(
                horizontal.low, horizontal.high, onto: Double(area.left), Double(area.right), isLog: true)
            return draw(marks, tried, area, x, area.yScale(vertical.low, vertical.high, isLog: true))
        }
        let (first, second) = (report.goals[0], report.goals[1])
        let left = report.points.count - tried.count
        let about =
            "\(second.label) over \(first.label), each relative to the present settings. \(better) "
            + "Small squares are points of the search; they look better than they are. Crosses are 95% intervals of new replicas."
            + (left > 0
                ? " \(plural(left, "point")) of the search \(left == 1 ? "is" : "are") outside of the chart." : "")
        return Markup.figure(
            "front", "The front", Markup.escaped(about, atMost: 600), width: Self.width, height: Self.height,
            drawing(Self.width), narrow: NarrowDrawing(height: Self.height, svg: drawing(NarrowDrawing.width)))
    }

    private var better: String {
        let directions = report.goals.prefix(2).map { $0.better == .higher }
        switch (directions[0], directions[1]) {
        case (false, false): return "Lower left is better."
        case (false, true): return "Upper left is better."
        case (true, false): return "Lower right is better."
        case (true, true): return "Upper right is better."
        }
    }

    /// The points of the front lie below the proposals, and these below the present settings.
    private var marks: [Mark] {
        let marks = TunePagePoint.all(report).enumerated().map { mark($0.element, $0.offset) }
        return marks.filter(\.isHollow) + marks.filter { !$0.isHollow && $0.colour > 0 }
            + marks.filter { $0.colour == 0 }
    }

    private func mark(_ point: TunePagePoint, _ index: Int) -> Mark {
        func range(_ goal: Int, _ value: Double) -> ClosedRange<Double> {
            guard !point.isPresent, let interval = point.row.changes[goal].interval else { return value...value }
            return max(interval.lowerBound + 1, 1 / Self.farthest)...max(interval.upperBound + 1, 1 / Self.farthest)
        }
        let settings = point.isPresent ? "present settings" : point.settingsText(report)
        return Mark(
            index: index, name: point.name, colour: point.colour, isHollow: point.isHollow, x: point.x, y: point.y,
            xs: range(0, point.x), ys: range(1, point.y),
            title: (point.name.isEmpty || point.isPresent ? "" : point.name + ": ") + settings)
    }

    /// Ratios of the search points that are near enough to be drawn.
    private var tried: [(x: Double, y: Double)] {
        let step = max(1, report.points.count / Self.maxPoints)
        return stride(from: 0, to: report.points.count, by: step).compactMap { index in
            let ratios = zip(report.goals, report.points[index].objectives).map { $0.better == .higher ? 1 / $1 : $1 }
            guard ratios.prefix(2).allSatisfy({ 1 / Self.farthest < $0 && $0 < Self.farthest }) else { return nil }
            return (ratios[0], ratios[1])
        }
    }

    private func draw(
        _ marks: [Mark], _ tried: [(x: Double, y: Double)], _ area: PlotArea, _ x: ChartScale, _ y: ChartScale
    ) -> String {
        var drawing = axes(area, x, y)
        let squares = tried.map { point in
            "M\(Markup.coordinate(x(point.x) - 0.8)) \(Markup.coordinate(y(point.y) - 0.8))h1.6v1.6h-1.6z"
        }
        drawing += "<path class=\"axis\" d=\"\(squares.joined())\"/>"
        var labels = LabelPlacement(plotArea: area)
        for mark in marks { labels.block(x(mark.x), y(mark.y)) }
        for mark in marks {
            let (px, py) = (x(mark.x), y(mark.y))
            drawing += """
                <g data-point="\(mark.index)"><path class="cross \(Palette.strategy(mark.colour))" d="M\(Markup.coordinate(x(mark.xs.lowerBound))) \
                \(Markup.coordinate(py))H\(Markup.coordinate(x(mark.xs.upperBound)))M\(Markup.coordinate(px)) \
                \(Markup.coordinate(y(mark.ys.lowerBound)))V\(Markup.coordinate(y(mark.ys.upperBound)))"/>
                """
            drawing += Marker(index: mark.colour).svg(
                px, py, isHollow: mark.isHollow, title: Markup.escaped(mark.title, atMost: 300))
            drawing += "</g>"
            guard !mark.name.isEmpty else { continue }
            let place = labels.place(length: mark.name.columns, at: px, py)
            drawing += """
                <text class="end\(place.isFlipped ? " flip" : "")" x="\(Markup.coordinate(place.x))" \
                y="\(Markup.coordinate(place.y))">\(Markup.escaped(mark.name, atMost: 40))</text>
                """
        }
        return drawing
    }

    /// Grid lines at ratios, as percentages of the present value.
    private func axes(_ area: PlotArea, _ x: ChartScale, _ y: ChartScale) -> String {
        func percent(_ ratio: Double) -> String { TuneReport.percentOf(ratio) }
        var drawing = ""
        var free = -Double.infinity
        for tick in x.ratioTicks where x(tick) > free {
            let place = Markup.coordinate(x(tick))
            free = x(tick) + 46
            drawing += "<path class=\"grid\" d=\"M\(place) \(area.top)V\(area.bottom)\"/>"
            drawing += "<text class=\"tick\" x=\"\(place)\" y=\"\(area.bottom + 16)\">\(percent(tick))</text>"
        }
        var last = Double.infinity
        for tick in y.ratioTicks where y(tick) < last - 14 {
            last = y(tick)
            drawing += area.gridLine(y(tick), percent(tick))
        }
        let caption = Markup.escaped("\(report.goals[0].label), % of present", atMost: 60)
        drawing +=
            "<text class=\"tick flip\" x=\"\(area.right)\" y=\"\(Self.top - 4)\">\(Markup.escaped(report.goals[1].label, atMost: 44)), upwards</text>"
        return drawing
            + "<text class=\"tick\" x=\"\((area.left + area.right) / 2)\" y=\"\(Self.height - 8)\">\(caption)</text>"
    }
}

extension ChartScale {
    /// Round ratios inside the scale: fine ones if the scale covers less than a factor of two.
    fileprivate var ratioTicks: [Double] {
        guard to >= 2 * from else { return ticks(6) }
        let steps = to >= 20 * from ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7]
        let ratios = [0.01, 0.1, 1, 10, 100].flatMap { power in steps.map { $0 * power } }
        return ratios.filter { from <= $0 && $0 <= to }
    }
}
