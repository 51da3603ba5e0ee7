import DeadzoneBase
package import DeadzoneMetrics

/// A chart of one metric over the values of one setting, with a curve for each strategy. Marks are hollow where the
/// demand does not hold; a vertical line marks each boundary.
package struct BoundaryFigure {
    private static let width = 680
    private static let plotArea = PlotArea(left: 80, right: width - 150, top: 10, bottom: 270)

    private let report: BoundaryReport

    package init(_ report: BoundaryReport) { self.report = report }

    package var svg: String {
        let places = report.strategies.first?.trials ?? []
        let caption = "\(report.subject) over \(report.setting)"
        return Markup.standaloneSVG(
            Markup.escaped(caption, atMost: 200),
            Markup.escaped("\(report.scenario). Hollow marks: \(report.demand) does not hold.", atMost: 300),
            width: Self.width,
            height: Self.plotArea.bottom + 34, axes(places) + curves)
    }

    private var numbers: [Double] { report.strategies.flatMap { $0.trials.compactMap(\.measured.double) } }
    private var y: ChartScale { Self.plotArea.yScale(0, (numbers.max() ?? 1) * 1.05) }

    private func x(_ place: Double) -> Double {
        ChartScale(0, 1, onto: Double(Self.plotArea.left + 8), Double(Self.plotArea.right - 8))(place)
    }

    private func axes(_ places: [BoundaryReport.BoundaryTrial]) -> String {
        var drawing = Self.plotArea.gridLines(y) {
            Markup.escaped(report.text(of: .value(Billionths(count: Int128($0 * 1e9)))))
        }
        // Of labels that would overlap, only the first is drawn.
        var free = -Double.infinity
        for trial in places where x(trial.fraction) >= free {
            free = x(trial.fraction) + 56
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.coordinate(x(trial.fraction)))\" y=\"\(Self.plotArea.bottom + 18)\">"
                + "\(Markup.shortened(trial.value, to: 14))</text>"
        }
        return drawing
    }

    private var curves: String {
        var drawing = ""
        var ends: [(y: Double, text: String)] = []
        for (index, row) in report.strategies.enumerated() {
            for edge in row.edges {
                let middle = Markup.coordinate(x((edge.before.fraction + edge.after.fraction) / 2))
                drawing +=
                    "<path class=\"missing \(Palette.strategy(index))\" d=\"M\(middle) \(Self.plotArea.top)V\(Self.plotArea.bottom)\"/>"
            }
            let points = row.trials.compactMap { trial in
                trial.measured.double.map { (x: x(trial.fraction), y: y($0), trial: trial) }
            }
            guard let last = points.last else { continue }
            let path = points.map { "\(Markup.coordinate($0.x)) \(Markup.coordinate($0.y))" }.joined(separator: "L")
            drawing += "<path class=\"curve \(Palette.strategy(index)) dash\(index % 4)\" d=\"M\(path)\"/>"
            for point in points {
                let title = "\(row.name), \(point.trial.value): \(report.text(of: point.trial.measured))"
                drawing += Marker(index: index).svg(
                    point.x, point.y, isHollow: !point.trial.isKept, title: Markup.escaped(title))
            }
            ends.append((last.y, Markup.shortened(row.name, to: 22)))
        }
        return drawing + Self.plotArea.curveLabels(ends)
    }
}
