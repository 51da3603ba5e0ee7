import DeadzoneMetrics

/// Charts of the results of one scenario matrix, one for each headline metric. The x axis is the longest axis of the
/// matrix, in file order. Each strategy and each combination of the other axes has a curve.
struct MatrixChart {
    private static let (width, height, left, right, top, bottom) = (550, 300, 62, 120, 16, 42)
    private static let plotArea = PlotArea(left: left, right: width - right, top: top, bottom: height - bottom)
    /// The plot of a phone's window, with a legend in place of the labels.
    private static let narrowPlot = PlotArea(
        left: left, right: NarrowDrawing.width - 12, top: top, bottom: height - bottom)
    /// Most curves in a chart; more cannot be distinguished.
    private static let maxCurves = 10
    private static let minCells = 3

    private struct MatrixCurve {
        let name: String
        /// Indexed by position on the axis; `nil` if there is no such cell.
        var figures: [Figure?]
    }

    private let reports: [RunReport]
    private let axis: String
    private let values: [String]

    /// `nil` if the runs are not cells of one matrix, or too few for a curve.
    init?(_ reports: [RunReport]) {
        guard let first = reports.first, Set(reports.map(\.scenario.nameWithoutCell)).count == 1 else { return nil }
        let keys = first.scenario.cell.map(\.key)
        let columns = keys.map { key -> (key: String, values: [String]) in
            var values: [String] = []
            for value in reports.compactMap({ $0.scenario.cell.first { $0.key == key }?.value })
            where !values.contains(value) { values.append(value) }
            return (key, values)
        }
        guard let longest = columns.map(\.values.count).max(), longest >= Self.minCells,
            let column = columns.last(where: { $0.values.count == longest })
        else { return nil }
        self.reports = reports
        axis = column.key
        values = column.values
    }

    var html: String {
        let charts = goals.map(chart).joined()
        return charts.isEmpty ? "" : "<div class=\"pair\">\(charts)</div>\n"
    }

    /// Names of the metrics to draw: the scenario's columns, or those of the first screen. If cells differ in duration,
    /// energy is compared per hour.
    private var goals: [String] {
        let isEven = Set(reports.map(\.scenario.duration)).count == 1
        return HeadlineMetric.columns(of: reports[0]).map {
            !isEven && $0.name == "battery.joules" ? "battery.joules_per_hour" : $0.name
        }
    }

    private func chart(_ name: String) -> String {
        guard let metric = Catalogue.metric(named: name) else { return "" }
        let (series, unseen) = series(name)
        let numbers = series.flatMap { $0.figures.compactMap { $0?.double } }
        guard let most = numbers.max(), most > 0 else { return "" }
        let lowest = numbers.filter { $0 > 0 }.min() ?? most
        let isLog = lowest > 0 && most > 30 * lowest && numbers.allSatisfy { $0 > 0 }
        func drawing(_ area: PlotArea, hasLabels: Bool) -> String {
            let y = area.yScale(isLog ? lowest * 0.8 : 0, most * (isLog ? 1.25 : 1.05), isLog: isLog)
            var drawing = grid(area, y, metric)
            var labels: [(y: Double, text: String)] = []
            for (index, line) in series.enumerated() {
                let (path, last) = curve(index, line, area, y)
                drawing += path
                if let last { labels.append((last, Markup.shortened(line.name, to: 18))) }
            }
            return drawing + (hasLabels ? area.curveLabels(labels) : "")
        }
        let legend = series.enumerated().map { index, line in
            Marker(index: index).inline + Markup.escaped(line.name, atMost: 60)
        }
        let about =
            "\(metric.label) for each “\(Markup.escaped(axis, atMost: 40))”, in the order of the file\(isLog ? ", on a logarithmic axis" : "")."
            + (unseen > 0 ? " \(unseen) more curves are in the table." : "")
        return Markup.figure(
            "matrix-" + name.replacing(".", with: "-"), metric.label, about, width: Self.width, height: Self.height,
            drawing(Self.plotArea, hasLabels: true),
            narrow: NarrowDrawing(height: Self.height, svg: drawing(Self.narrowPlot, hasLabels: false)),
            after: NarrowDrawing.legend(legend))
    }

    private func series(_ name: String) -> (shown: [MatrixCurve], unseen: Int) {
        var found: [MatrixCurve] = []
        let isOne = Set(reports.flatMap { $0.strategies.map(\.name) }).count == 1
        for report in reports {
            let cell = report.scenario.cell
            guard let place = cell.first(where: { $0.key == axis }).flatMap({ values.firstIndex(of: $0.value) }) else {
                continue
            }
            let others = cell.filter { $0.key != axis }.map(\.value)
            for strategy in report.strategies {
                let words = (isOne && !others.isEmpty ? [] : [strategy.name]) + others
                let name0 = words.joined(separator: " · ")
                let index = found.firstIndex { $0.name == name0 } ?? found.count
                if index == found.count {
                    found.append(MatrixCurve(name: name0, figures: Array(repeating: nil, count: values.count)))
                }
                found[index].figures[place] = strategy.measurement.figure(name)
            }
        }
        return (Array(found.prefix(Self.maxCurves)), max(0, found.count - Self.maxCurves))
    }

    private func x(_ place: Int, _ area: PlotArea) -> Double {
        ChartScale(0, Double(values.count - 1), onto: Double(area.left + 8), Double(area.right - 4))(Double(place))
    }

    /// Draws one curve; it is interrupted where a cell has no number.
    private func curve(
        _ index: Int, _ series: MatrixCurve, _ area: PlotArea, _ y: ChartScale
    ) -> (drawing: String, last: Double?) {
        var (d, marks) = ("", "")
        var (isOpen, last): (Bool, Double?) = (false, nil)
        for (place, figure) in series.figures.enumerated() {
            guard let value = figure?.double else {
                isOpen = false
                continue
            }
            let at = y(value)
            d += "\(isOpen ? "L" : "M")\(Markup.coordinate(x(place, area))) \(Markup.coordinate(at))"
            marks += Marker(index: index).svg(
                x(place, area), at,
                title: Markup.escaped("\(values[place]): \(NumberText.short(Billionths(count: Int128(value * 1e9))))"))
            (isOpen, last) = (true, at)
        }
        return ("<path class=\"curve \(Palette.strategy(index)) dash\(index % 4)\" d=\"\(d)\"/>" + marks, last)
    }

    private func grid(_ area: PlotArea, _ y: ChartScale, _ metric: Metric) -> String {
        let unit = PrintedUnit(metric.unit, for: Billionths(count: Int128(y.to * 1e9)))
        var drawing = area.gridLines(y) { "\(unit.text(Billionths(count: Int128($0 * 1e9)))) \(unit.name)" }
        // Skips axis labels that would overlap the label before.
        var end = -100.0
        for (place, value) in values.enumerated() {
            let text = Markup.shortened(value, to: 15)
            let half = Double(min(value.columns, 15)) * 3.2 + 3
            guard x(place, area) - half >= end else { continue }
            end = x(place, area) + half
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.coordinate(x(place, area)))\" y=\"\(area.bottom + 16)\">\(text)</text>"
        }
        let middle = (area.left + area.right) / 2
        return drawing
            + "<text class=\"tick\" x=\"\(middle)\" y=\"\(Self.height - 6)\">\(Markup.escaped(axis, atMost: 40))</text>"
    }
}
