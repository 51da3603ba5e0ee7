import DeadzoneDocuments
import DeadzoneCompare
import DeadzoneMetrics

/// One change as a mark with its interval, beside all others on the same axis: relative to what was before, logarithmic to both
/// sides, so that one percent and a hundred can both be seen.
struct ChangeStrip {
    private static let width = 170.0
    private static let middle = 85.0
    /// What lies this near is in the middle, what lies beyond is at the end, with an arrow.
    private static let (least, most) = (0.001, 1.0)

    let change: MetricChange

    /// From the middle to the end are three powers of ten.
    private static func place(_ share: Double) -> Double {
        let size = abs(share)
        guard size > least else { return middle }
        let powers = (Scale.log2(min(size, most)) - Scale.log2(least)) / (Scale.log2(most) - Scale.log2(least))
        return middle + (share < 0 ? -1 : 1) * powers * (middle - 8)
    }

    static let ruler: String = {
        let ticks: [(Double, String)] = [
            (-1, "−100%"), (-0.01, "−1%"), (0, "0"), (0.01, "+1%"), (1, "+100%"),
        ]
        let texts = ticks.enumerated().map { index, tick in
            let anchor = index == 0 ? "start" : index == ticks.count - 1 ? "end" : "middle"
            let x = index == 0 ? 0 : index == ticks.count - 1 ? width : place(tick.0)
            return "<text x=\"\(Markup.place(x))\" y=\"11\" text-anchor=\"\(anchor)\">\(tick.1)</text>"
        }
        return "<svg class=\"change\" viewBox=\"0 0 170 14\" aria-hidden=\"true\">\(texts.joined())</svg>"
    }()

    /// Empty where there is no share: from nothing, or to what is no number.
    var svg: String {
        guard case .value(let old) = change.old, case .value(let new) = change.new, old.count > 0 else { return "" }
        func share(_ difference: Int128) -> Double { Double(difference) / Double(old.count) }
        let own = share(new.count - old.count)
        var drawing = "<path class=\"grid\" d=\"M0 9H170M\(Markup.place(Self.middle)) 2V16\"/>"
        if change.contrast.count > 1, let interval = change.contrast.interval {
            let (low, high) = (Self.place(share(interval.lowerBound)), Self.place(share(interval.upperBound)))
            drawing += "<path class=\"reach\" d=\"M\(Markup.place(low)) 9H\(Markup.place(max(high, low + 1)))\"/>"
        }
        let x = Self.place(own)
        if abs(own) > Self.most {
            drawing +=
                "<path class=\"point\" d=\"M\(Markup.place(x)) 4l\(own < 0 ? -7 : 7) 5l\(own < 0 ? 7 : -7) 5z\"/>"
        } else {
            let isOpen = change.decision == .undecided
            drawing += "<circle class=\"point\(isOpen ? " hollow" : "")\" cx=\"\(Markup.place(x))\" cy=\"9\" r=\"4\"/>"
        }
        let words = "\(change.changeText), \(change.decision.rawValue)"
        return "<svg class=\"change\" viewBox=\"0 0 170 18\" role=\"img\" aria-label=\"\(Markup.escaped(words))\">"
            + "\(drawing)</svg>"
    }
}
