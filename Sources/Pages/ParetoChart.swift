import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzoneTraces

/// A chart of energy above idle against latency, with one point for each strategy. A strategy that is worse on both axes
/// than another is hollow. Idle energy is left out: it is the same for all and would move the points together.
struct ParetoChart {
    private static let (width, height, left, right, top, bottom) = (550, 300, 58, 40, 40, 40)
    private static let plotArea = PlotArea(left: left, right: width - right, top: top, bottom: height - bottom)
    /// Y coordinate of a latency that has no number.
    private static let neverY = 16.0
    private static let energy = "battery.above_idle_joules"

    let id: String
    let tracedRun: RunWithTraces

    private struct Point {
        let index: Int
        let x: Double
        let y: Double
        let xInterval: (low: Double, high: Double)
        let yInterval: (low: Double, high: Double)
    }

    var html: String {
        guard let speed = HeadlineMetric.speed(tracedRun.report) else { return "" }
        let points = tracedRun.report.strategies.indices.compactMap { point($0, speed.name) }
        guard points.count > 1, let metric = Catalogue.metric(named: speed.name) else { return "" }
        let xs = points.flatMap { [$0.xInterval.low, $0.xInterval.high] }
        let ys = points.flatMap { [$0.yInterval.low, $0.yInterval.high] }.filter(\.isFinite)
        let (highest, lowest) = (ys.max() ?? 1, max(1, ys.min() ?? 1))
        let isLog = highest > 20 * lowest
        let (least, most) = (xs.min() ?? 0, xs.max() ?? 1)
        // Points that lie close together get the whole width.
        let isCut = least > most / 2 && least < most
        let margin = (most - least) * 0.12
        let x = ChartScale(
            isCut ? max(0, least - margin) : 0, isCut ? most + margin : most * 1.12, onto: Double(Self.left),
            Double(Self.width - Self.right))
        let y = ChartScale(
            isLog ? lowest * 0.7 : 0, highest * (isLog ? 1.4 : 1.12), onto: Double(Self.height - Self.bottom),
            Double(Self.top), isLog: isLog)
        let front = points.filter { one in
            !points.contains { $0.x <= one.x && $0.y <= one.y && ($0.x < one.x || $0.y < one.y) }
        }.sorted { $0.x < $1.x }
        var drawing = grid(x, y, metric) + frontLine(front, x, y)
        var labels = LabelPlacement(plotArea: Self.plotArea, top: 4)
        for point in points { labels.block(x(point.x), Self.yPosition(point.y, y)) }
        for point in points {
            drawing += cross(point, x, y)
            let isFront = front.contains { $0.index == point.index }
            let name = Markup.escaped(tracedRun.report.strategies[point.index].name, atMost: 24)
            drawing += Marker(index: point.index).svg(
                x(point.x), Self.yPosition(point.y, y), isHollow: !isFront, title: name)
            let length = min(tracedRun.report.strategies[point.index].name.columns, 24)
            let place = labels.place(length: length, at: x(point.x), Self.yPosition(point.y, y))
            drawing += """
                <text class="end\(place.isFlipped ? " flip" : "")" x="\(Markup.coordinate(place.x))" \
                y="\(Markup.coordinate(place.y))">\(name)</text>
                """
        }
        return Markup.figure(
            id, "Battery against latency",
            "\(metric.label) over energy above idle; lower left is better.\(isCut ? " The energy axis does not begin at zero." : "") Crosses are 95% intervals. A hollow mark is worse than another on both "
                + "axes. A mark at the top has no value: too many messages are lost or pending.",
            width: Self.width, height: Self.height, drawing, after: table(points, front, metric))
    }

    private func point(_ index: Int, _ speed: String) -> Point? {
        let measurement = tracedRun.report.strategies[index].measurement
        guard let x = measurement.figure(Self.energy)?.double, let figure = measurement.figure(speed),
            figure != .nothing
        else { return nil }
        func number(_ figure: Figure?, _ other: Double) -> Double {
            figure == .never || figure?.isOpen == true ? .infinity : figure?.double ?? other
        }
        let y = number(figure, .infinity)
        func interval(_ name: String, _ value: Double) -> (Double, Double) {
            let interval = measurement.interval(name)
            return (number(interval?.low, value), number(interval?.high, value))
        }
        return Point(
            index: index, x: x, y: y, xInterval: interval(Self.energy, x), yInterval: interval(speed, y))
    }

    private static func yPosition(_ value: Double, _ y: ChartScale) -> Double { value.isFinite ? y(value) : neverY }

    private func cross(_ point: Point, _ x: ChartScale, _ y: ChartScale) -> String {
        let (px, py) = (Markup.coordinate(x(point.x)), Markup.coordinate(Self.yPosition(point.y, y)))
        return """
            <path class="cross \(Palette.strategy(point.index))" d="M\(Markup.coordinate(x(point.xInterval.low))) \(py)\
            H\(Markup.coordinate(x(point.xInterval.high)))M\(px) \(Markup.coordinate(Self.yPosition(point.yInterval.low, y)))\
            V\(Markup.coordinate(Self.yPosition(point.yInterval.high, y)))"/>
            """
    }

    private func frontLine(_ front: [Point], _ x: ChartScale, _ y: ChartScale) -> String {
        guard let first = front.first else { return "" }
        // Staircase: points above and to the right of it are beaten.
        var d = "M\(Markup.coordinate(x(first.x))) \(Self.top)V\(Markup.coordinate(Self.yPosition(first.y, y)))"
        for point in front.dropFirst() {
            d += "H\(Markup.coordinate(x(point.x)))V\(Markup.coordinate(Self.yPosition(point.y, y)))"
        }
        return "<path class=\"front\" d=\"\(d)H\(Self.width - Self.right)\"/>"
    }

    private func grid(_ x: ChartScale, _ y: ChartScale, _ metric: Metric) -> String {
        var drawing = ""
        for tick in x.ticks(5) {
            let place = Markup.coordinate(x(tick))
            drawing += "<path class=\"grid\" d=\"M\(place) \(Self.top)V\(Self.height - Self.bottom)\"/>"
            drawing +=
                "<text class=\"tick\" x=\"\(place)\" y=\"\(Self.height - 22)\">\(EnergyChart.number(tick))</text>"
        }
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(y.to * 1e9)))
        drawing += Self.plotArea.gridLines(y) { "\(unit.text(Billionths(count: Int128($0 * 1e9)))) \(unit.name)" }
        drawing += Self.plotArea.gridLine(Self.neverY, "never")
        return drawing
            + "<text class=\"tick\" x=\"\(Self.left + (Self.width - Self.left - Self.right) / 2)\" y=\"\(Self.height - 5)\">joules of one phone above idle</text>"
    }

    private func table(_ points: [Point], _ front: [Point], _ metric: Metric) -> String {
        let rows = points.map { point in
            let measurement = tracedRun.report.strategies[point.index].measurement
            return [
                Markup.escaped(tracedRun.report.strategies[point.index].name, atMost: 60),
                HeadlineMetric.number("battery.joules", measurement), HeadlineMetric.number(Self.energy, measurement),
                HeadlineMetric.number(metric.name, measurement),
                front.contains { $0.index == point.index } ? "on the Pareto front" : "worse on both",
            ]
        }
        return Markup.table("battery against latency", ["strategy", "energy", "above idle", metric.label, ""], rows)
    }
}
