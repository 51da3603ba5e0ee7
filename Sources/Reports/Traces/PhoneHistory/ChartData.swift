package import DeadzoneBase
import DeadzoneDevice
package import DeadzoneMetrics

/// The data that charts of one strategy need beyond its metrics: latency curves and energy by cause, over all replicas.
package struct ChartData: Sendable {
    /// A latency distribution as a curve, with the number of messages that arrived, were lost, or are pending.
    package struct LatencyCurve: Sendable {
        package let points: [SpanHistogram.CurvePoint]
        package let arrived: Int64
        package let lost: Int64
        /// Number of messages still pending at the horizon; not part of the curve.
        package let pending: Int64

        package var isEmpty: Bool { arrived + lost == 0 }
    }

    /// The energy that one cause of traffic (such as keepalives) used per phone, as the mean over all replicas.
    package struct CauseEnergy: Sendable {
        package let cause: Cause
        package let joules: Double
        /// Part of `joules` that was spent while the radio stayed up after the last byte.
        package let inTails: Double
    }

    package let down: LatencyCurve
    package let up: LatencyCurve
    package let calls: LatencyCurve
    /// Causes with energy above zero, in the order of the enumeration.
    package let energyByCause: [CauseEnergy]

    /// - Parameter all: All replicas, merged.
    package init(of all: RunFold, prices: Prices) {
        func curve(_ histogram: SpanHistogram, pending: RecordKind?) -> LatencyCurve {
            LatencyCurve(
                points: histogram.curve(), arrived: histogram.count, lost: histogram.lost,
                pending: pending.map { Int64(clamping: all.sum(of: $0)) } ?? 0)
        }
        down = curve(all[of: .deliveredDown], pending: .pendingDown)
        up = curve(all[of: .acknowledgedUp], pending: .pendingUp)
        calls = curve(all[of: .answered], pending: .callPending)
        energyByCause = Self.energyByCause(all, prices)
    }

    private static let tails: [RadioState] = [.tail, .shortDRX, .longDRX]

    private static func energyByCause(_ fold: RunFold, _ prices: Prices) -> [CauseEnergy] {
        let phones = Double(max(1, fold.phones))
        let bills = prices.radios.interfaces.map { interface in
            EnergyBill(fold.ledger, on: interface, prices.radios.technologies(of: interface))
        }
        return Cause.allCases.compactMap { cause in
            var energy = bills.reduce(Energy.zero) { $0 + $1.energy(for: cause) }
            if let processor = prices.processor { energy += fold.wakes.energy(for: cause, processor) }
            let tail = bills.reduce(Energy.zero) { sum, bill in
                tails.reduce(sum) { $0 + bill.energy(in: $1, for: cause) }
            }
            guard energy > .zero else { return nil }
            return CauseEnergy(cause: cause, joules: energy.joules / phones, inTails: tail.joules / phones)
        }
    }
}

extension Energy {
    var joules: Double { Double(femtojoules) / 1e15 }
}
