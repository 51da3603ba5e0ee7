import DeadzoneMetrics

/// A small plot of one metric's change with its confidence interval. All strips share one axis: the relative change,
/// logarithmic to both sides, so that 1 % and 100 % are both visible.
struct ChangeStrip {
    private static let width = 170.0
    private static let middle = 85.0
    /// Smaller changes than the first value are drawn in the middle; larger ones than the second at the end, as an
    /// arrow.
    private static let (minShown, maxShown) = (0.001, 1.0)

    let change: MetricChange

    /// X coordinate of a relative change. From the middle to the end are three powers of ten.
    private static func place(_ share: Double) -> Double {
        let size = abs(share)
        guard size > minShown else { return middle }
        let powers =
            (ChartScale.log2(min(size, maxShown)) - ChartScale.log2(minShown))
            / (ChartScale.log2(maxShown) - ChartScale.log2(minShown))
        return middle + (share < 0 ? -1 : 1) * powers * (middle - 8)
    }

    static let ruler: String = {
        let ticks: [(Double, String)] = [
            (-1, "−100%"), (-0.01, "−1%"), (0, "0"), (0.01, "+1%"), (1, "+100%"),
        ]
        let texts = ticks.enumerated().map { index, tick in
            let anchor = index == 0 ? "start" : index == ticks.count - 1 ? "end" : "middle"
            let x = index == 0 ? 0 : index == ticks.count - 1 ? width : place(tick.0)
            return "<text x=\"\(Markup.coordinate(x))\" y=\"11\" text-anchor=\"\(anchor)\">\(tick.1)</text>"
        }
        return "<svg class=\"change\" viewBox=\"0 0 170 14\" aria-hidden=\"true\">\(texts.joined())</svg>"
    }()

    /// Empty if there is no relative change: the old value is not positive, or a value is not a number.
    var svg: String {
        guard case .value(let old) = change.old, case .value(let new) = change.new, old.count > 0 else { return "" }
        func share(_ difference: Int128) -> Double { Double(difference) / Double(old.count) }
        let own = share(new.count - old.count)
        var drawing = "<path class=\"grid\" d=\"M0 9H170M\(Markup.coordinate(Self.middle)) 2V16\"/>"
        if change.contrast.count > 1, let interval = change.contrast.interval {
            let (low, high) = (Self.place(share(interval.lowerBound)), Self.place(share(interval.upperBound)))
            drawing +=
                "<path class=\"reach\" d=\"M\(Markup.coordinate(low)) 9H\(Markup.coordinate(max(high, low + 1)))\"/>"
        }
        let x = Self.place(own)
        if abs(own) > Self.maxShown {
            drawing +=
                "<path class=\"point\" d=\"M\(Markup.coordinate(x)) 4l\(own < 0 ? -7 : 7) 5l\(own < 0 ? 7 : -7) 5z\"/>"
        } else {
            let isOpen = change.decision == .undecided
            drawing +=
                "<circle class=\"point\(isOpen ? " hollow" : "")\" cx=\"\(Markup.coordinate(x))\" cy=\"9\" r=\"4\"/>"
        }
        let words = "\(change.changeText), \(change.decision.rawValue)"
        return "<svg class=\"change\" viewBox=\"0 0 170 18\" role=\"img\" aria-label=\"\(Markup.escaped(words))\">"
            + "\(drawing)</svg>"
    }
}
