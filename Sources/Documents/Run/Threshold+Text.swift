public import DeadzoneCompare
public import DeadzoneMetrics
import DeadzonePrimitives

extension Threshold {
    /// The bound as a person would say it: `at most 60% of naive (36.8 J)`.
    public func words(_ unit: Metric.Unit, _ bounds: ClosedRange<Billionths>?) -> String {
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

extension Outcome {
    /// What it came to, why that fails, and what it leaves out.
    var valueText: String {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        let parts = (value == .nothing ? [] : [value.text(unit)]) + [reason].compactMap(\.self)
        return parts.joined(separator: ": ") + (note.map { ", " + $0 } ?? "")
    }

    /// What it leaves out.
    public var note: String? { pending.map { "and \($0.text(.count)) pending" } }
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
