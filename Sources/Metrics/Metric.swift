import DeadzoneBase
import DeadzoneDevice

/// The definition of a number that a run produces: its name, unit, meaning and formula. A new metric is one more entry
/// in the `Catalogue`. JSON, pages, expectations, `list` and `explain` then include it; the terminal shows only the
/// metrics that its tables name.
package struct Metric: Sendable {
    package enum Unit: String, Sendable {
        case joules = "J"
        case joulesPerHour = "J/h"
        case joulesPerDay = "J/d"
        case percent = "%"
        case percentPerHour = "%/h"
        case percentPerDay = "%/d"
        case milliampereHours = "mAh"
        case milliampereHoursPerHour = "mAh/h"
        case milliampereHoursPerDay = "mAh/d"
        case milliseconds = "ms"
        case seconds = "s"
        case bytes = "B"
        case ratio = "ratio"
        case count = "count"
        case perHour = "/h"
    }

    package enum Better: String, Sendable {
        case lower, higher
        /// Neither direction is better: the metric describes the run, not the strategy.
        case neither
    }

    package let name: String
    /// A few plain words for the row of a table.
    package let label: String
    package let unit: Unit
    package let better: Better
    /// One sentence for a list.
    package let meaning: String
    /// A paragraph that says exactly what is counted and what is not.
    package let explanation: String
    let formula: Formula

    /// `true` for rows of the tables under `battery.joules`, by state or by cause.
    package var isPartOfEnergy: Bool { unit == .joules && !name.hasPrefix("battery.") }

    /// The phones that a metric covers in a scenario with several phones.
    package enum Scope: String, Sendable {
        /// Sum over all phones.
        case allPhones = "all phones"
        /// Mean per phone.
        case onePhone = "a phone"

        package var words: String {
            switch self {
            case .allPhones: "with several phones the sum of all"
            case .onePhone: "with several phones the mean of one"
            }
        }
    }

    /// `nil` for a ratio over all phones, or a quantile of their pooled samples.
    package var scope: Scope? { formula.scope }

    /// Row title of a table about this many phones.
    package func title(phones: Int) -> String {
        switch phones > 1 ? scope : nil {
        case .allPhones: "\(label), all \(phones) phones"
        case .onePhone: "\(label), a phone"
        case nil: label
        }
    }

    init(
        _ name: String, _ label: String, _ unit: Unit, _ better: Better, _ meaning: String, _ explanation: String,
        _ formula: Formula
    ) {
        self.name = name
        self.label = label
        self.unit = unit
        self.better = better
        self.meaning = meaning
        self.explanation = explanation
        self.formula = formula
    }
}

/// The aggregated records of one strategy in one replica, with the computed energy.
struct PricedReplica: Sendable {
    let fold: RunFold
    let energy: EnergyTable
    /// Capacity of the phone's battery in microjoules, and its voltage in millivolts. 0 if the scenario gives none.
    let microjoules: Int128
    let millivolts: Int128
    /// 1, or 0 if there is no platform. A ratio divided by 0 is reported as not measured.
    let platformCount: Int128

    init(_ fold: RunFold, _ prices: Prices) {
        self.fold = fold
        energy = EnergyTable(fold, prices)
        microjoules = (prices.battery?.capacity.femtojoules ?? 0) / 1_000_000_000
        millivolts = Int128(prices.battery?.millivolts ?? 0)
        platformCount = prices.processor == nil ? 0 : 1
    }

    var phones: Int128 { Int128(fold.phones) }
}

/// The way in which a metric is computed from the records of all replicas. All arithmetic uses integers. The only
/// rounding is in `Billionths`.
enum Formula: Sendable {
    typealias ReplicaQuantity = @Sendable (PricedReplica) -> Int128

    /// Sum of `top` over the replicas, times `factor`, over the sum of `bottom`. A bottom of one per replica gives the
    /// mean of a count. A bottom of phones gives the mean per phone. A bottom of time gives a share or a rate.
    case ratio(_ top: ReplicaQuantity, times: Int128, over: ReplicaQuantity, of: Metric.Scope? = nil)
    /// A part of the mean energy of one phone, in joules. Processor energy is not measured if there is no platform.
    case energy(@Sendable (EnergyTable) -> Int128, ofProcessor: Bool = false)
    /// A quantile over the samples of all replicas together. `perUnit` nanoseconds make one of the metric's unit.
    case quantile(SampleFamily, Share, perUnit: Int128, isZeroIfEmpty: Bool)

    var scope: Metric.Scope? {
        switch self {
        case .ratio(_, _, _, let scope): scope
        case .energy: .onePhone
        case .quantile: nil
        }
    }

    static func mean(_ count: @escaping ReplicaQuantity) -> Self {
        .ratio(count, times: 1, over: { _ in 1 }, of: .allPhones)
    }

    /// Mean of a count that only a platform model produces.
    static func platformMean(_ count: @escaping ReplicaQuantity) -> Self {
        .ratio(count, times: 1, over: { $0.platformCount }, of: .allPhones)
    }

    /// Seconds per phone of a duration that only a platform model produces.
    static func platformSeconds(_ nanoseconds: @escaping ReplicaQuantity) -> Self {
        .ratio(nanoseconds, times: 1, over: { $0.platformCount * $0.phones * 1_000_000_000 }, of: .onePhone)
    }

    /// Count per hour and phone.
    static func perHour(_ count: @escaping ReplicaQuantity) -> Self {
        .ratio(count, times: 3_600_000_000_000, over: { $0.fold.elapsed }, of: .onePhone)
    }

    static func seconds(_ nanoseconds: @escaping ReplicaQuantity) -> Self {
        .ratio(nanoseconds, times: 1, over: { $0.phones * 1_000_000_000 }, of: .onePhone)
    }

    static func milliseconds(
        _ q: Share, of samples: SampleFamily, isZeroIfEmpty: Bool = false
    ) -> Self {
        .quantile(samples, q, perUnit: 1_000_000, isZeroIfEmpty: isZeroIfEmpty)
    }

    static func seconds(
        _ q: Share, of samples: SampleFamily, isZeroIfEmpty: Bool = false
    ) -> Self {
        .quantile(samples, q, perUnit: 1_000_000_000, isZeroIfEmpty: isZeroIfEmpty)
    }
}
