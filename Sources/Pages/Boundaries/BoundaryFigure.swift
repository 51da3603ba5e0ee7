public import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzonePrimitives

/// A metric along the values of one setting, a curve for each strategy: hollow where what is demanded does not hold, with a line
/// at each boundary.
public struct BoundaryFigure {
    private static let width = 680
    private static let plane = Plane(left: 80, right: width - 150, top: 10, bottom: 270)

    private let report: BoundaryReport

    public init(_ report: BoundaryReport) { self.report = report }

    public var svg: String {
        let places = report.strategies.first?.trials ?? []
        let caption = "\(report.subject) over \(report.setting)"
        return Markup.picture(
            Markup.escaped(caption, atMost: 200),
            Markup.escaped("\(report.scenario). Hollow where \(report.demand) does not hold.", atMost: 300),
            width: Self.width,
            height: Self.plane.bottom + 34, axes(places) + curves)
    }

    private var numbers: [Double] { report.strategies.flatMap { $0.trials.compactMap(\.measured.double) } }
    private var y: Scale { Self.plane.height(0, (numbers.max() ?? 1) * 1.05) }

    private func x(_ place: Double) -> Double {
        Scale(0, 1, onto: Double(Self.plane.left + 8), Double(Self.plane.right - 8))(place)
    }

    private func axes(_ places: [BoundaryReport.Trial]) -> String {
        var drawing = Self.plane.lines(y) {
            Markup.escaped(Figure.value(Billionths(count: Int128($0 * 1e9))).text(report.unit))
        }
        // Values that would stand upon one another: the first of them speaks.
        var free = -Double.infinity
        for trial in places where x(trial.place) >= free {
            free = x(trial.place) + 56
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.place(x(trial.place)))\" y=\"\(Self.plane.bottom + 18)\">"
                + "\(Markup.shortened(trial.value, to: 14))</text>"
        }
        return drawing
    }

    private var curves: String {
        var drawing = ""
        var ends: [(y: Double, text: String)] = []
        for (index, row) in report.strategies.enumerated() {
            for edge in row.edges {
                let middle = Markup.place(x((edge.before.place + edge.after.place) / 2))
                drawing +=
                    "<path class=\"missing \(Palette.strategy(index))\" d=\"M\(middle) \(Self.plane.top)V\(Self.plane.bottom)\"/>"
            }
            let points = row.trials.compactMap { trial in
                trial.measured.double.map { (x: x(trial.place), y: y($0), trial: trial) }
            }
            guard let last = points.last else { continue }
            let path = points.map { "\(Markup.place($0.x)) \(Markup.place($0.y))" }.joined(separator: "L")
            drawing += "<path class=\"curve \(Palette.strategy(index)) dash\(index % 4)\" d=\"M\(path)\"/>"
            for point in points {
                let title = "\(row.name), \(point.trial.value): \(point.trial.measured.text(report.unit))"
                drawing += Marker(index: index).svg(
                    point.x, point.y, isHollow: !point.trial.isKept, title: Markup.escaped(title))
            }
            ends.append((last.y, Markup.shortened(row.name, to: 22)))
        }
        return drawing + Self.plane.names(ends)
    }
}
