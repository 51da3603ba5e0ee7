public import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics
import DeadzonePrimitives

/// A metric along the values of one setting, a curve for each strategy: hollow where what is demanded does not hold, with a line
/// at each boundary.
public struct BoundaryFigure {
    private static let (width, left, right) = (680, 80, 150)
    private static let (top, plot, bottom) = (10, 260, 34)

    private let report: BoundaryReport

    public init(_ report: BoundaryReport) { self.report = report }

    public var svg: String {
        let places = report.strategies.first?.trials ?? []
        let caption = "\(report.metric) over \(report.setting)"
        return Markup.picture(
            Markup.escaped(caption, atMost: 200),
            Markup.escaped("\(report.scenario). Hollow where \(report.demand) does not hold.", atMost: 300),
            width: Self.width,
            height: Self.top + Self.plot + Self.bottom, axes(places) + curves)
    }

    private var numbers: [Double] { report.strategies.flatMap { $0.trials.compactMap(\.measured.double) } }
    private var y: Scale {
        Scale(0, (numbers.max() ?? 1) * 1.05, onto: Double(Self.top + Self.plot), Double(Self.top))
    }

    private func x(_ place: Double) -> Double {
        Scale(0, 1, onto: Double(Self.left + 8), Double(Self.width - Self.right - 8))(place)
    }

    private func axes(_ places: [BoundaryReport.Trial]) -> String {
        var drawing = ""
        for tick in y.ticks(5) {
            let place = Markup.place(y(tick))
            drawing += "<path class=\"grid\" d=\"M\(Self.left) \(place)H\(Self.width - Self.right)\"/>"
            drawing +=
                "<text class=\"left\" x=\"\(Self.left - 6)\" y=\"\(Markup.place(y(tick) + 4))\">"
                + "\(Markup.escaped(Figure.value(Billionths(count: Int128(tick * 1e9))).text(report.unit)))</text>"
        }
        // Values that would stand upon one another: the first of them speaks.
        var free = -Double.infinity
        for trial in places where x(trial.place) >= free {
            free = x(trial.place) + 56
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.place(x(trial.place)))\" y=\"\(Self.top + Self.plot + 18)\">"
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
                    "<path class=\"missing \(Palette.strategy(index))\" d=\"M\(middle) \(Self.top)V\(Self.top + Self.plot)\"/>"
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
        var below = -20.0
        for end in ends.sorted(by: { $0.y < $1.y }) {
            below = max(end.y, below + 13)
            drawing +=
                "<text class=\"end\" x=\"\(Self.width - Self.right + 9)\" y=\"\(Markup.place(below + 4))\">\(end.text)</text>"
        }
        return drawing
    }
}
