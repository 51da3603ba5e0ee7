import DeadzoneMetrics

/// A chart of energy above idle against latency, with one point for each strategy. A strategy that is worse on both axes
/// than another is hollow. Idle energy is left out: it is the same for all and would move the points together.
struct ParetoChart {
    private static let (width, height, left, right, top, bottom) = (550, 300, 58, 40, 40, 40)
    /// Most characters of a name beside its point.
    private static let (nameLength, narrowNameLength) = (24, 16)
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
        let energies =
            isCut ? (max(0, least - margin), most + margin) : (0, most * 1.12)
        let latencies = isLog ? (lowest * 0.7, highest * 1.4) : (0, highest * 1.12)
        let front = points.filter { one in
            !points.contains { $0.x <= one.x && $0.y <= one.y && ($0.x < one.x || $0.y < one.y) }
        }.sorted { $0.x < $1.x }
        func drawing(width: Int, nameLength: Int) -> String {
            let area = PlotArea(
                left: Self.left, right: width - Self.right, top: Self.top, bottom: Self.height - Self.bottom)
            let x = ChartScale(energies.0, energies.1, onto: Double(area.left), Double(area.right))
            return draw(
                points, front, area, x, area.yScale(latencies.0, latencies.1, isLog: isLog), metric,
                nameLength: nameLength)
        }
        return Markup.figure(
            id, "Battery against latency",
            "\(metric.label) over energy above idle; lower left is better.\(isCut ? " The energy axis does not begin at zero." : "") Crosses are 95% intervals. A hollow mark is worse than another on both "
                + "axes. A mark at the top has no value: too many messages are lost or pending.",
            width: Self.width, height: Self.height, drawing(width: Self.width, nameLength: Self.nameLength),
            narrow: NarrowDrawing(
                height: Self.height, svg: drawing(width: NarrowDrawing.width, nameLength: Self.narrowNameLength)),
            after: table(points, front, metric))
    }

    private func draw(
        _ points: [Point], _ front: [Point], _ area: PlotArea, _ x: ChartScale, _ y: ChartScale, _ metric: Metric,
        nameLength: Int
    ) -> String {
        var drawing = grid(area, x, y, metric) + frontLine(front, area, x, y)
        var labels = LabelPlacement(plotArea: area)
        for point in points { labels.block(x(point.x), Self.yPosition(point.y, y)) }
        for point in points {
            drawing += cross(point, x, y)
            let isFront = front.contains { $0.index == point.index }
            let name = tracedRun.report.strategies[point.index].name
            let shown = Markup.escaped(name, atMost: nameLength)
            drawing += Marker(index: point.index).svg(
                x(point.x), Self.yPosition(point.y, y), isHollow: !isFront, title: shown)
            let place = labels.place(
                length: min(name.columns, nameLength), at: x(point.x), Self.yPosition(point.y, y))
            drawing += """
                <text class="end\(place.isFlipped ? " flip" : "")" x="\(Markup.coordinate(place.x))" \
                y="\(Markup.coordinate(place.y))">\(shown)</text>
                """
        }
        return drawing
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

    private func frontLine(_ front: [Point], _ area: PlotArea, _ x: ChartScale, _ y: ChartScale) -> String {
        guard let first = front.first else { return "" }
        // Staircase: points above and to the right of it are beaten.
        var d = "M\(Markup.coordinate(x(first.x))) \(area.top)V\(Markup.coordinate(Self.yPosition(first.y, y)))"
        for point in front.dropFirst() {
            d += "H\(Markup.coordinate(x(point.x)))V\(Markup.coordinate(Self.yPosition(point.y, y)))"
        }
        return "<path class=\"front\" d=\"\(d)H\(area.right)\"/>"
    }

    private func grid(_ area: PlotArea, _ x: ChartScale, _ y: ChartScale, _ metric: Metric) -> String {
        var drawing = ""
        // A label takes about 50 pixels.
        for tick in x.ticks(area.right - area.left > 300 ? 5 : 3) {
            let place = Markup.coordinate(x(tick))
            drawing += "<path class=\"grid\" d=\"M\(place) \(area.top)V\(area.bottom)\"/>"
            drawing +=
                "<text class=\"tick\" x=\"\(place)\" y=\"\(Self.height - 22)\">\(EnergyChart.number(tick))</text>"
        }
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(y.to * 1e9)))
        drawing += area.gridLines(y) { "\(unit.text(Billionths(count: Int128($0 * 1e9)))) \(unit.name)" }
        drawing += area.gridLine(Self.neverY, "never")
        return drawing
            + "<text class=\"tick\" x=\"\((area.left + area.right) / 2)\" y=\"\(Self.height - 5)\">joules of one phone above idle</text>"
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
