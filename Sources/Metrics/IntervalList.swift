package import DeadzoneBase

/// The intervals of all metrics of one strategy, in the order of the catalogue. A metric without an interval has `nil`.
package struct IntervalList: BinaryCodable, Equatable, Sendable {
    private var intervals = [Interval?](repeating: nil, count: Catalogue.all.count)

    package init() {}

    subscript(metric: Int) -> Interval? {
        get { intervals[metric] }
        set { intervals[metric] = newValue }
    }

    package mutating func code(through coder: inout BinaryCoder) {
        for metric in intervals.indices {
            var kind: Int64 = intervals[metric] == nil ? 0 : 1
            coder.code(&kind)
            coder.require(kind == 0 || kind == 1)
            guard kind == 1 else { continue }
            var interval = intervals[metric] ?? Interval(low: .nothing, high: .nothing)
            interval.low.code(through: &coder)
            interval.high.code(through: &coder)
            intervals[metric] = interval
        }
    }
}

extension Figure: BinaryCodable {
    package mutating func code(through coder: inout BinaryCoder) {
        var (kind, count): (Int64, Int128) =
            switch self {
            case .value(let value): (0, value.count)
            case .atLeast(let bound): (1, bound.count)
            case .never: (2, 0)
            case .nothing: (3, 0)
            }
        coder.code(&kind)
        coder.code(&count)
        switch kind {
        case 0: self = .value(Billionths(count: count))
        case 1: self = .atLeast(Billionths(count: count))
        case 2: self = .never
        case 3: self = .nothing
        default: coder.markCorrupt()
        }
    }
}
