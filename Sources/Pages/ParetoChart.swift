import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzoneTraces

/// Battery against latency, a point for each strategy: who is beaten on both sides is hollow.
struct ParetoChart {
    private static let (width, height, left, right, top, bottom) = (550, 300, 58, 40, 40, 40)
    private static let plane = Plane(left: left, right: width - right, top: top, bottom: height - bottom)
    /// Where a latency stands that no number can be given for.
    private static let never = 16.0

    let id: String
    let exhibit: Exhibit

    private struct Point {
        let index: Int
        let x: Double
        let y: Double
        let xInterval: (low: Double, high: Double)
        let yInterval: (low: Double, high: Double)
    }

    var html: String {
        guard let speed = Goal.speed(exhibit.report) else { return "" }
        let points = exhibit.report.strategies.indices.compactMap { point($0, speed.name) }
        guard points.count > 1, let metric = Catalogue.metric(named: speed.name) else { return "" }
        let xs = points.flatMap { [$0.xInterval.low, $0.xInterval.high] }
        let ys = points.flatMap { [$0.yInterval.low, $0.yInterval.high] }.filter(\.isFinite)
        let (highest, lowest) = (ys.max() ?? 1, max(1, ys.min() ?? 1))
        let isLog = highest > 20 * lowest
        let x = Scale(0, (xs.max() ?? 1) * 1.12, onto: Double(Self.left), Double(Self.width - Self.right))
        let y = Scale(
            isLog ? lowest * 0.7 : 0, highest * (isLog ? 1.4 : 1.12), onto: Double(Self.height - Self.bottom),
            Double(Self.top), isLog: isLog)
        let front = points.filter { one in
            !points.contains { $0.x <= one.x && $0.y <= one.y && ($0.x < one.x || $0.y < one.y) }
        }.sorted { $0.x < $1.x }
        var drawing = grid(x, y, metric) + frontLine(front, x, y)
        // Names that would lie on each other go one below the other.
        var taken: [(x: Double, y: Double)] = []
        for point in points {
            drawing += cross(point, x, y)
            let isFront = front.contains { $0.index == point.index }
            let name = Markup.escaped(exhibit.report.strategies[point.index].name, atMost: 24)
            drawing += Marker(index: point.index).svg(
                x(point.x), Self.place(point.y, y), isHollow: !isFront, title: name)
            let isLate = x(point.x) > Double(Self.width) * 0.72
            var line = Self.place(point.y, y) - 7
            while taken.contains(where: { abs($0.x - x(point.x)) < 110 && abs($0.y - line) < 12 }) { line += 13 }
            taken.append((x(point.x), line))
            drawing += """
                <text class="end\(isLate ? " flip" : "")" x="\(Markup.place(x(point.x) + (isLate ? -9 : 9)))" \
                y="\(Markup.place(line))">\(name)</text>
                """
        }
        return Markup.figure(
            id, "Battery against latency",
            "\(metric.label), over energy: lower left is better. Crosses are 95% intervals; a hollow mark is beaten on both "
                + "axes. Who stands at the top lost so many that the quantile is never reached, or has them pending.",
            width: Self.width, height: Self.height, drawing, after: table(points, front, metric))
    }

    private func point(_ index: Int, _ speed: String) -> Point? {
        let measurement = exhibit.report.strategies[index].measurement
        guard let x = measurement.figure("battery.joules")?.double, let figure = measurement.figure(speed),
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
            index: index, x: x, y: y, xInterval: interval("battery.joules", x), yInterval: interval(speed, y))
    }

    private static func place(_ value: Double, _ y: Scale) -> Double { value.isFinite ? y(value) : never }

    private func cross(_ point: Point, _ x: Scale, _ y: Scale) -> String {
        let (px, py) = (Markup.place(x(point.x)), Markup.place(Self.place(point.y, y)))
        return """
            <path class="cross \(Palette.strategy(point.index))" d="M\(Markup.place(x(point.xInterval.low))) \(py)\
            H\(Markup.place(x(point.xInterval.high)))M\(px) \(Markup.place(Self.place(point.yInterval.low, y)))\
            V\(Markup.place(Self.place(point.yInterval.high, y)))"/>
            """
    }

    private func frontLine(_ front: [Point], _ x: Scale, _ y: Scale) -> String {
        guard let first = front.first else { return "" }
        // Stairs: what lies above and to the right of them is beaten.
        var d = "M\(Markup.place(x(first.x))) \(Self.top)V\(Markup.place(Self.place(first.y, y)))"
        for point in front.dropFirst() { d += "H\(Markup.place(x(point.x)))V\(Markup.place(Self.place(point.y, y)))" }
        return "<path class=\"front\" d=\"\(d)H\(Self.width - Self.right)\"/>"
    }

    private func grid(_ x: Scale, _ y: Scale, _ metric: Metric) -> String {
        var drawing = ""
        for tick in x.ticks(5) {
            let place = Markup.place(x(tick))
            drawing += "<path class=\"grid\" d=\"M\(place) \(Self.top)V\(Self.height - Self.bottom)\"/>"
            drawing +=
                "<text class=\"tick\" x=\"\(place)\" y=\"\(Self.height - 22)\">\(EnergyChart.number(tick))</text>"
        }
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(y.to * 1e9)))
        drawing += Self.plane.lines(y) { "\(unit.text(Billionths(count: Int128($0 * 1e9)))) \(unit.name)" }
        drawing += Self.plane.line(Self.never, "never")
        return drawing
            + "<text class=\"tick\" x=\"\(Self.left + (Self.width - Self.left - Self.right) / 2)\" y=\"\(Self.height - 5)\">joules of one phone</text>"
    }

    private func table(_ points: [Point], _ front: [Point], _ metric: Metric) -> String {
        let rows = points.map { point in
            let measurement = exhibit.report.strategies[point.index].measurement
            return [
                Markup.escaped(exhibit.report.strategies[point.index].name, atMost: 60),
                Goal.number("battery.joules", measurement), Goal.number(metric.name, measurement),
                front.contains { $0.index == point.index } ? "on the front" : "beaten on both",
            ]
        }
        return Markup.table("battery against latency", ["strategy", "energy", metric.label, ""], rows)
    }
}
