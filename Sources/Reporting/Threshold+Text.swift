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
    /// `1:02:03.250`, or `02:03.250` within the first hour.
    static func clock(_ milliseconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let thousandths = milliseconds % 1_000
        let fraction =
            String(repeating: "0", count: thousandths < 10 ? 2 : thousandths < 100 ? 1 : 0) + "\(thousandths)"
        return (hours > 0 ? "\(hours):" : "") + two(minutes) + ":" + two(milliseconds / 1_000 % 60) + "." + fraction
    }

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
