import DeadzoneBase
package import DeadzoneMetrics

extension Threshold {
    /// The bound as text, such as `at most 60% of naive (36.8 J)`.
    package func words(_ unit: Metric.Unit, _ bounds: ClosedRange<Billionths>?) -> String {
        words(bounds) { $0.text(unit) }
    }

    /// The bound as text, with numbers in the given format.
    func words(_ bounds: ClosedRange<Billionths>?, _ number: (Billionths) -> String) -> String {
        switch bound {
        case .value(let value): return relation.words + number(value)
        case .range(let low, let high): return "\(number(low)) to \(number(high))"
        case .share(let ratio, let name):
            let numbers = bounds.map { " (\(number($0.lowerBound)))" } ?? ""
            return "\(relation.words)\(ratio.text(.ratio)) of \(name.escapedForTerminal)\(numbers)"
        case .around(let ratio, let name):
            let numbers = bounds.map { " (\(number($0.lowerBound)) to \(number($0.upperBound)))" } ?? ""
            return "within \(ratio.text(.ratio)) of \(name.escapedForTerminal)\(numbers)"
        }
    }
}

extension Outcome {
    /// Measured value, the reason of a failure, and the note.
    var valueText: String {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        let parts = (value == .nothing ? [] : [value.text(unit)]) + [reason].compactMap(\.self)
        return parts.joined(separator: ": ") + (note.map { ", " + $0 } ?? "")
    }

    /// Number of pending messages, which the value leaves out. `nil` if there are none.
    package var note: String? { pending.map { "and \($0.text(.count)) pending" } }
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
