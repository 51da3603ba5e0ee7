import DeadzoneDevice
import DeadzonePrimitives

/// One number that a run comes to: how it is called, what it means and how it is computed. A new metric is one more entry of
/// the `Catalogue`, and everything else (JSON, pages, expectations, `list`, `explain`) follows; the terminal shows those that its
/// tables name.
public struct Metric: Sendable {
    public enum Unit: String, Sendable {
        case joules = "J"
        case joulesPerHour = "J/h"
        case percent = "%"
        case percentPerHour = "%/h"
        case milliampereHours = "mAh"
        case milliseconds = "ms"
        case seconds = "s"
        case bytes = "B"
        case ratio = "ratio"
        case count = "count"
        case perHour = "/h"
    }

    public enum Better: String, Sendable {
        case lower, higher
        /// It describes the run, not the strategy.
        case neither
    }

    public let name: String
    /// A few plain words, the row of a table.
    public let label: String
    public let unit: Unit
    public let better: Better
    /// One sentence, for a list.
    public let meaning: String
    /// A paragraph: what exactly is counted, and what is not.
    public let explanation: String
    let formula: Formula

    /// One row of the tables under `battery.joules`, by state or by cause.
    public var isPartOfEnergy: Bool { unit == .joules && !name.hasPrefix("battery.") }

    /// Whose number it is, where there are several phones.
    public enum Scope: String, Sendable {
        /// The sum of all phones.
        case allPhones = "all phones"
        /// The mean of one.
        case onePhone = "a phone"

        public var words: String {
            switch self {
            case .allPhones: "with several phones the sum of all"
            case .onePhone: "with several phones the mean of one"
            }
        }
    }

    /// Nil: a share of what all phones do, or over their samples together.
    public var scope: Scope? { formula.scope }

    /// The row of a table about so many phones.
    public func title(phones: Int) -> String {
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

/// One replica of one strategy, with its energy priced.
struct Replica: Sendable {
    let fold: RunFold
    let energy: EnergyTable
    /// What the phone's battery holds and its voltage; 0 if nobody said.
    let microjoules: Int128
    let millivolts: Int128
    /// 1, or 0 if there is none: what is then divided by it was not measured.
    let platforms: Int128

    init(_ fold: RunFold, _ prices: Prices) {
        self.fold = fold
        energy = EnergyTable(fold, prices)
        microjoules = (prices.battery?.capacity.femtojoules ?? 0) / 1_000_000_000
        millivolts = Int128(prices.battery?.millivolts ?? 0)
        platforms = prices.processor == nil ? 0 : 1
    }

    var phones: Int128 { Int128(fold.phones) }
}

/// How a metric is computed from replicas. In integers; the one rounding is in `Billionths`.
enum Formula: Sendable {
    typealias Quantity = @Sendable (Replica) -> Int128

    /// Sum of `top` over the replicas, times `factor`, over the sum of `bottom`. With a bottom of one per replica it is the
    /// mean of a count; with one of phones, the mean over phones; with one of time, a share or a rate.
    case ratio(_ top: Quantity, times: Int128, over: Quantity, of: Metric.Scope? = nil)
    /// A part of the mean energy of one phone, in joules; not of the processor if there is no platform.
    case energy(@Sendable (EnergyTable) -> Int128, ofProcessor: Bool = false)
    /// Over the samples of all replicas together. `perUnit` nanoseconds make one of the metric's unit.
    case quantile(Samples, Share, perUnit: Int128, isZeroIfEmpty: Bool)

    var scope: Metric.Scope? {
        switch self {
        case .ratio(_, _, _, let scope): scope
        case .energy: .onePhone
        case .quantile: nil
        }
    }

    static func mean(_ count: @escaping Quantity) -> Self { .ratio(count, times: 1, over: { _ in 1 }, of: .allPhones) }

    /// A mean count of what only a platform does.
    static func platformMean(_ count: @escaping Quantity) -> Self {
        .ratio(count, times: 1, over: { $0.platforms }, of: .allPhones)
    }

    /// Seconds of one phone in what only a platform does.
    static func platformSeconds(_ nanoseconds: @escaping Quantity) -> Self {
        .ratio(nanoseconds, times: 1, over: { $0.platforms * $0.phones * 1_000_000_000 }, of: .onePhone)
    }

    /// How often in an hour of one phone.
    static func perHour(_ count: @escaping Quantity) -> Self {
        .ratio(count, times: 3_600_000_000_000, over: { $0.fold.elapsed }, of: .onePhone)
    }

    static func seconds(_ nanoseconds: @escaping Quantity) -> Self {
        .ratio(nanoseconds, times: 1, over: { $0.phones * 1_000_000_000 }, of: .onePhone)
    }

    static func milliseconds(
        _ q: Share, of samples: Samples, isZeroIfEmpty: Bool = false
    ) -> Self {
        .quantile(samples, q, perUnit: 1_000_000, isZeroIfEmpty: isZeroIfEmpty)
    }

    static func seconds(
        _ q: Share, of samples: Samples, isZeroIfEmpty: Bool = false
    ) -> Self {
        .quantile(samples, q, perUnit: 1_000_000_000, isZeroIfEmpty: isZeroIfEmpty)
    }
}
