import DeadzoneMetrics
import DeadzonePrimitives

extension Threshold {
    /// The bound as a person would say it: `at most 60% of naive (36.8 J)`.
    func words(_ unit: Metric.Unit, _ bounds: ClosedRange<Billionths>?) -> String {
        switch bound {
        case .value(let value): return relation.words + value.text(unit)
        case .range(let low, let high): return "\(low.text(unit)) to \(high.text(unit))"
        case .share(let ratio, let name):
            let number = bounds.map { " (\($0.lowerBound.text(unit)))" } ?? ""
            return "\(relation.words)\(ratio.text(.ratio)) of \(name.visible)\(number)"
        case .around(let ratio, let name):
            let numbers = bounds.map { " (\($0.lowerBound.text(unit)) to \($0.upperBound.text(unit)))" } ?? ""
            return "within \(ratio.text(.ratio)) of \(name.visible)\(numbers)"
        }
    }
}

extension Threshold.Relation {
    fileprivate var words: String {
        switch self {
        case .equal, .between: ""
        case .below: "under "
        case .atMost: "at most "
        case .above: "over "
        case .atLeast: "at least "
        }
    }
}

/// `1 h 30 min`: simulated time as people say it.
enum DurationText {
    static func short(_ span: TimeSpan) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"),
            (1_000_000, "ms"), (1_000, "µs"), (1, "ns"),
        ]
        var rest = span.nanoseconds
        var parts: [String] = []
        for (size, name) in units where rest >= size {
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
