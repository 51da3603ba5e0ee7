import DeadzoneDevice
import DeadzoneJournal
public import DeadzoneMetrics
public import DeadzonePrimitives

/// What charts need of all replicas of a strategy beyond the numbers of its measurement.
public struct ChartFigures: Sendable {
    /// How long something took, and how much of it never came.
    public struct Curve: Sendable {
        public let steps: [SpanHistogram.Step]
        public let arrived: Int64
        public let lost: Int64
        /// Still on their way at the horizon; not in the curve.
        public let pending: Int64

        public var isEmpty: Bool { arrived + lost == 0 }
    }

    /// Of one phone, in the mean of all replicas.
    public struct Spent: Sendable {
        public let cause: Cause
        public let joules: Double
        /// Of these: while the radio stayed up after the last byte.
        public let inTails: Double
    }

    public let down: Curve
    public let up: Curve
    public let calls: Curve
    /// Causes that cost something, in the order of the enumeration.
    public let spent: [Spent]

    /// - Parameter all: all replicas, merged.
    public init(of all: RunFold, prices: Prices) {
        func curve(_ histogram: SpanHistogram, pending: Kind?) -> Curve {
            Curve(
                steps: histogram.curve(), arrived: histogram.count, lost: histogram.lost,
                pending: pending.map { Int64(clamping: all.sum(of: $0)) } ?? 0)
        }
        down = curve(all[of: .deliveredDown], pending: .pendingDown)
        up = curve(all[of: .acknowledgedUp], pending: .pendingUp)
        calls = curve(all[of: .answered], pending: .callPending)
        spent = Self.spent(all, prices)
    }

    private static let tails: [RadioState] = [.tail, .shortDRX, .longDRX]

    private static func spent(_ fold: RunFold, _ prices: Prices) -> [Spent] {
        let phones = Double(max(1, fold.phones))
        let bills = Interface.allCases.map { interface in
            Bill(fold.ledger, on: interface, prices.radios.technologies(of: interface))
        }
        return Cause.allCases.compactMap { cause in
            var energy = bills.reduce(Energy.zero) { $0 + $1.energy(for: cause) }
            if let processor = prices.processor { energy += fold.wakes.energy(for: cause, processor) }
            let tail = bills.reduce(Energy.zero) { sum, bill in
                tails.reduce(sum) { $0 + bill.energy(in: $1, for: cause) }
            }
            guard energy > .zero else { return nil }
            return Spent(cause: cause, joules: energy.joules / phones, inTails: tail.joules / phones)
        }
    }
}

extension Energy {
    var joules: Double { Double(femtojoules) / 1e15 }
}
