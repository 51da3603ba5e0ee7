/// The plot area of a chart: its edges, horizontal grid lines at round values, and curve labels. The labels are at the
/// ends of curves.
struct PlotArea {
    let left: Int
    let right: Int
    let top: Int
    let bottom: Int

    /// Vertical scale from the lower edge to the upper one.
    func yScale(_ from: Double, _ to: Double, isLog: Bool = false) -> ChartScale {
        ChartScale(from, to, onto: Double(bottom), Double(top), isLog: isLog)
    }

    /// Horizontal grid lines at round values, with labels on the left.
    func gridLines(_ y: ChartScale, _ figure: (Double) -> String) -> String {
        (y.isLog ? y.logTicks : y.ticks(5)).map { gridLine(y($0), figure($0)) }.joined()
    }

    /// One horizontal grid line with its label.
    func gridLine(_ y: Double, _ text: String) -> String {
        "<path class=\"grid\" d=\"M\(left) \(Markup.coordinate(y))H\(right)\"/>"
            + "<text class=\"left\" x=\"\(left - 6)\" y=\"\(Markup.coordinate(y + 4))\">\(text)</text>"
    }

    /// Names of the curves on the right, each at the height where its curve ends, or lower if another name is there.
    func curveLabels(_ ends: [(y: Double, text: String)]) -> String {
        var (drawing, last) = ("", -20.0)
        for end in ends.sorted(by: { $0.y < $1.y }) {
            last = max(end.y, last + 13)
            drawing += "<text class=\"end\" x=\"\(right + 9)\" y=\"\(Markup.coordinate(last + 4))\">\(end.text)</text>"
        }
        return drawing
    }
}
