import DeadzoneBase
import DeadzoneMetrics

/// A chart of cumulative latency distributions of messages, on a logarithmic time axis. Lost messages are the gap
/// between curve and 100 %.
struct LatencyChart {
    private static let (width, height, left, right, top, bottom) = (550, 300, 44, 170, 14, 34)
    /// Most characters of a label at the end of a curve, so that it ends at the edge of the chart.
    private static let labelLength = 24
    private static let plotArea = PlotArea(left: left, right: width - right, top: top, bottom: height - bottom)
    /// The plot of a phone's window, with a legend in place of the labels.
    private static let narrowPlot = PlotArea(
        left: left, right: NarrowDrawing.width - 12, top: top, bottom: height - bottom)

    let id: String
    let tracedRun: RunWithTraces

    var html: String {
        guard tracedRun.chartData.count == tracedRun.report.strategies.count else { return "" }
        let kinds: [(String, String, KeyPath<ChartData, ChartData.LatencyCurve>)] = [
            ("down", "Latency of messages to the app", \.down), ("up", "Round trip to the server", \.up),
            ("calls", "Latency of calls", \.calls),
        ]
        return kinds.compactMap { kind, title, curve in
            let curves = tracedRun.chartData.map { $0[keyPath: curve] }
            return curves.contains { !$0.points.isEmpty } ? chart(kind, title, curves) : nil
        }.joined()
    }

    private func chart(_ kind: String, _ title: String, _ curves: [ChartData.LatencyCurve]) -> String {
        let narrow = draw(curves, Self.narrowPlot, hasLabels: false)
        let legend = curves.indices.filter { !curves[$0].isEmpty }.map {
            tracedRun.report.label($0) + lostText(curves[$0])
        }
        return Markup.figure(
            "\(id)-\(kind)", title,
            "Share of all completed messages or calls over time, on a logarithmic axis. A curve that ends below 100% lost the rest.",
            width: Self.width, height: Self.height, draw(curves, Self.plotArea, hasLabels: true),
            narrow: NarrowDrawing(height: Self.height, svg: narrow),
            after: NarrowDrawing.legend(legend) + table(title, curves))
    }

    private func lostText(_ curve: ChartData.LatencyCurve) -> String {
        curve.lost > 0 ? ", \(Self.percent(curve.lost, of: curve.arrived + curve.lost)) lost" : ""
    }

    private func draw(_ curves: [ChartData.LatencyCurve], _ area: PlotArea, hasLabels: Bool) -> String {
        let spans = curves.flatMap { curve in [curve.points.first, curve.points.last].compactMap { $0?.nanoseconds } }
        let least = max(1e6, Double(spans.min() ?? 1))
        let x = ChartScale(
            least * 0.9, max(Double(spans.max() ?? 1), least * 2), onto: Double(area.left), Double(area.right),
            isLog: true)
        let y = area.yScale(0, 1)
        var drawing = grid(area, x, y)
        var labels: [(y: Double, text: String)] = []
        for (index, curve) in curves.enumerated() where !curve.isEmpty {
            let total = Double(curve.arrived + curve.lost)
            var d = "M\(Markup.coordinate(x(x.from))) \(Markup.coordinate(y(0)))"
            for step in curve.points {
                d +=
                    "H\(Markup.coordinate(x(Double(step.nanoseconds))))V\(Markup.coordinate(y(Double(step.count) / total)))"
            }
            d += "H\(Markup.coordinate(x(x.to)))"
            drawing += "<path class=\"curve \(Palette.strategy(index)) dash\(index % 4)\" d=\"\(d)\"/>"
            let end = y(Double(curve.arrived) / total)
            if curve.lost > 0 {
                // Marks the gap between the end of the curve and 100 %: lost messages.
                let edge = Markup.coordinate(x(x.to) - 3 - Double(index * 5))
                drawing +=
                    "<path class=\"missing \(Palette.strategy(index))\" d=\"M\(edge) \(Markup.coordinate(end))V\(Markup.coordinate(y(1)))\"/>"
            }
            let lost = lostText(curve)
            let name = Markup.shortened(
                tracedRun.report.strategies[index].name, to: Self.labelLength - lost.count)
            labels.append((end, name + lost))
            drawing += Marker(index: index).svg(x(x.to), end)
        }
        return drawing + (hasLabels ? area.curveLabels(labels) : "")
    }

    private func grid(_ area: PlotArea, _ x: ChartScale, _ y: ChartScale) -> String {
        var drawing = ""
        for share in [0, 0.25, 0.5, 0.75, 1] { drawing += area.gridLine(y(share), "\(Int(share * 100))%") }
        var (power, last) = (1e6, -100.0)
        while power <= x.to {
            for factor in [1.0, 3] where power * factor >= x.from && power * factor <= x.to {
                let place = x(power * factor)
                guard place - last >= 44 else { continue }
                last = place
                drawing +=
                    "<path class=\"grid\" d=\"M\(Markup.coordinate(place)) \(area.top)V\(area.bottom)\"/>"
                drawing +=
                    "<text class=\"tick\" x=\"\(Markup.coordinate(place))\" y=\"\(Self.height - 14)\">\(TimeText.span(Int64(power * factor)))</text>"
            }
            power *= 10
        }
        return drawing
    }

    private func table(_ title: String, _ curves: [ChartData.LatencyCurve]) -> String {
        let rows = curves.enumerated().map { index, curve in
            func at(_ share: Double) -> String {
                let wanted = share * Double(curve.arrived + curve.lost)
                return curve.points.first { Double($0.count) >= wanted && $0.count > 0 }.map {
                    TimeText.span($0.nanoseconds)
                }
                    ?? "never"
            }
            return [
                Markup.escaped(tracedRun.report.strategies[index].name, atMost: 60), at(0.5), at(0.9), at(0.99),
                curve.points.last.map { TimeText.span($0.nanoseconds) } ?? "–", "\(curve.arrived)", "\(curve.lost)",
                "\(curve.pending)",
            ]
        }
        return Markup.table(
            title.lowercased(), ["strategy", "median", "90%", "99%", "slowest", "arrived", "lost", "pending"], rows)
    }

    static func percent(_ part: Int64, of whole: Int64) -> String {
        NumberText.decimal(Billionths(count: Int128(part) * 100_000_000_000 / Int128(max(1, whole))), places: 1) + "%"
    }
}
