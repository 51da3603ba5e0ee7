import DeadzoneMetrics

/// Draws the chart of one tested claim: bars, or curves like those of a matrix.
struct ClaimFigure {
    private static let (width, left, right) = (680, 270, 110)
    private static let (bar, gap) = (20, 16)

    private let id: String
    private let picture: ClaimPicture
    private let series: [ClaimSeries]
    /// Names of the positions: to the right for curves, downwards for bars.
    private let places: [String]
    private let unit: Metric.Unit

    private struct ClaimSeries {
        let name: String
        let figures: [Figure]
    }

    /// `nil` if the claim has no picture.
    init?(_ report: ClaimReport) {
        guard let picture = report.picture else { return nil }
        let cells = report.cells.filter { picture.cells.isEmpty || $0.name.contains(picture.cells) }
        guard let cell = cells.first else { return nil }
        let rows = picture.findings.map { name in
            ClaimSeries(name: name, figures: cells.map { $0.findings.first { $0.name == name }?.figure ?? .nothing })
        }
        let names = Self.withoutCommonWords(cells.map(\.name))
        let isAcross = picture.kind == .linePerCell || (names == [""] && rows.count > 1)
        series =
            isAcross
            ? names.indices.map { place in ClaimSeries(name: names[place], figures: rows.map { $0.figures[place] }) }
            : rows
        places =
            isAcross
            ? picture.kind == .linePerCell ? Self.withoutCommonWords(picture.findings) : picture.findings : names
        unit = cell.findings.first { $0.name == picture.findings[0] }?.unit ?? .count
        id = "picture-" + report.id
        self.picture = picture
    }

    /// Removes the words that all names begin or end with, because they distinguish nothing. A number keeps its unit.
    private static func withoutCommonWords(_ names: [String]) -> [String] {
        var words = names.map { $0.split(separator: " ") }
        func isCommon(_ word: (ArraySlice<Substring>) -> Substring?) -> Bool {
            guard words.count > 1, let first = words.first.flatMap({ word($0[...]) }) else { return false }
            return words.allSatisfy { $0.count > 1 && word($0[...]) == first }
        }
        while isCommon(\.first) { for index in words.indices { words[index].removeFirst() } }
        while isCommon(\.last), !words.contains(where: { Double($0[$0.count - 2]) != nil }) {
            for index in words.indices { words[index].removeLast() }
        }
        return words.map { words in
            let name = words.joined(separator: " ")
            return String(name.last == "," ? name.dropLast() : name[...])
        }
    }

    private var title: String { Markup.escaped(picture.title) }
    private var caption: String { Markup.escaped(picture.caption, atMost: 400) }

    var html: String {
        let (drawing, height) = picture.kind == .bars ? bars : curves
        return Markup.figure(id, title, caption, width: Self.width, height: height, drawing)
    }

    /// Standalone SVG file.
    var svg: String {
        let (drawing, height) = picture.kind == .bars ? bars : curves
        return Markup.standaloneSVG(title, caption, width: Self.width, height: height, drawing)
    }

    private var numbers: [Double] { series.flatMap { $0.figures.compactMap(\.double) } }

    // MARK: Bars

    /// Horizontal bars, because the names of worlds are long.
    private var bars: (drawing: String, height: Int) {
        let x = ChartScale(
            min(numbers.min() ?? 0, 0), max(numbers.max() ?? 1, 0), onto: Double(Self.left),
            Double(Self.width - Self.right))
        var (drawing, y) = ("", 10)
        for (place, name) in places.enumerated() {
            let isGroup = series.count > 1
            if isGroup && !name.isEmpty {
                drawing += "<text class=\"row\" x=\"0\" y=\"\(y + 12)\">\(Markup.shortened(name, to: 60))</text>"
                y += Self.bar
            }
            for (index, line) in series.enumerated() {
                let figure = line.figures[place]
                let (start, end) = (x(min(figure.double ?? 0, 0)), x(max(figure.double ?? 0, 0)))
                let label = Markup.shortened(isGroup ? line.name : name, to: 44)
                drawing += "<text class=\"left\" x=\"\(Self.left - 8)\" y=\"\(y + 13)\">\(label)</text>"
                drawing +=
                    "<rect class=\"herd \(Palette.strategy(index + 1))\" x=\"\(Markup.coordinate(start))\" y=\"\(y)\" "
                    + "width=\"\(Markup.coordinate(max(end - start, 0.8)))\" height=\"\(Self.bar - 4)\"/>"
                drawing +=
                    "<text class=\"total\" x=\"\(Markup.coordinate(end + 6))\" y=\"\(y + 13)\">"
                    + "\(Markup.escaped(figure.text(unit)))</text>"
                y += Self.bar
            }
            y += isGroup ? Self.gap : 4
        }
        return (drawing, y)
    }

    // MARK: Curves

    private var curves: (drawing: String, height: Int) {
        let most = numbers.max() ?? 1
        let lowest = numbers.filter { $0 > 0 }.min() ?? most
        let isLog = most > 30 * lowest && numbers.allSatisfy { $0 > 0 }
        let y = Self.plotArea.yScale(
            isLog ? lowest * 0.8 : min(numbers.min() ?? 0, 0), most * (isLog ? 1.25 : 1.05), isLog: isLog)
        var drawing = axes(y)
        var ends: [(y: Double, text: String)] = []
        for (index, line) in series.enumerated() {
            let points = line.figures.enumerated().compactMap { place, figure in
                figure.double.map { (place: place, x: x(place), y: y($0), text: figure.text(unit)) }
            }
            guard let last = points.last else { continue }
            let path = points.map { "\(Markup.coordinate($0.x)) \(Markup.coordinate($0.y))" }.joined(separator: "L")
            drawing += "<path class=\"curve \(Palette.strategy(index + 1)) dash\(index % 4)\" d=\"M\(path)\"/>"
            for point in points {
                let title = Markup.escaped("\(line.name), \(places[point.place]): \(point.text)")
                drawing += Marker(index: index + 1).svg(point.x, point.y, title: title)
            }
            ends.append((last.y, Markup.shortened(line.name, to: 26)))
        }
        return (drawing + Self.plotArea.curveLabels(ends), Self.plotArea.bottom + 30)
    }

    private static let plotArea = PlotArea(left: 70, right: width - 180, top: 16, bottom: 266)

    private func x(_ place: Int) -> Double {
        ChartScale(
            0, Double(max(1, places.count - 1)), onto: Double(Self.plotArea.left + 8), Double(Self.plotArea.right - 4))(
                Double(place))
    }

    private func axes(_ y: ChartScale) -> String {
        var drawing = Self.plotArea.gridLines(y) {
            Markup.escaped(Figure.value(Billionths(count: Int128($0 * 1e9))).text(unit))
        }
        for (place, name) in places.enumerated() {
            drawing +=
                "<text class=\"tick\" x=\"\(Markup.coordinate(x(place)))\" y=\"\(Self.plotArea.bottom + 18)\">"
                + "\(Markup.shortened(name, to: 14))</text>"
        }
        return drawing
    }
}
