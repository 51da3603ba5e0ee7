import DeadzoneBase
import DeadzoneMetrics

/// Computes one measured value of a claim (a finding) from the simulation results of a scenario.
struct FindingReader: Sendable {
    typealias FindingValue = (figure: Figure, interval: Interval?)

    let name: String
    let unit: Metric.Unit
    /// The strategies that the reader reads.
    let strategies: [String]
    /// Catalogue metrics that the reader needs.
    let metrics: [String]
    /// Record kinds that the reader needs in addition to metrics.
    let kinds: Set<RecordKind>
    /// The cell to read, for a claim that compares cells. Empty for every cell.
    let cell: String
    let answer: @Sendable (ClaimRun) -> FindingValue

    private init(
        _ name: String, _ unit: Metric.Unit, of strategies: [String], _ metrics: [String] = [],
        needs kinds: Set<RecordKind> = [], cell: String = "", _ answer: @escaping @Sendable (ClaimRun) -> FindingValue
    ) {
        self.name = name
        self.unit = unit
        self.strategies = strategies
        self.metrics = metrics
        self.kinds = kinds
        self.cell = cell
        self.answer = answer
    }

    /// A number without a confidence interval, computed from metrics.
    private static func number(
        _ name: String, _ unit: Metric.Unit, of strategies: String..., metrics: [String],
        _ number: @escaping @Sendable (ClaimRun) -> Double
    ) -> Self {
        Self(name, unit, of: strategies, metrics) { (Figure(number($0)), nil) }
    }

    /// A number without a confidence interval, computed from the records of the first replica.
    private static func number(
        _ name: String, _ unit: Metric.Unit, of strategies: String..., needs kind: RecordKind,
        _ number: @escaping @Sendable (ClaimRun) -> Double
    ) -> Self {
        Self(name, unit, of: strategies, needs: [kind]) { (Figure(number($0)), nil) }
    }

    /// The same reader for one cell, for a claim that compares cells.
    func `in`(_ cell: String) -> Self {
        Self(name, unit, of: strategies, metrics, needs: kinds, cell: cell, answer)
    }
}

extension FindingReader {
    /// Value of a catalogue metric for one strategy.
    static func metric(_ name: String, _ metric: String, of strategy: String) -> Self {
        Self(name, unit(of: metric), of: [strategy], [metric]) { run in
            let measurement = run.measurement(of: strategy)
            return (measurement.requiredFigure(metric), measurement.interval(metric))
        }
    }

    /// Sum of the metrics per minute and phone.
    static func perMinute(_ name: String, _ metrics: [String], of strategy: String) -> Self {
        number(name, unit(of: metrics[0]), of: strategy, metrics: metrics) { run in
            run.measurement(of: strategy).sum(metrics) / run.minutes / run.phones
        }
    }

    /// Sum of some metrics as a share of the sum of others.
    static func share(_ name: String, _ parts: [String], of whole: [String], _ strategy: String) -> Self {
        number(name, .ratio, of: strategy, metrics: parts + whole) { run in
            run.measurement(of: strategy).sum(parts) / run.measurement(of: strategy).sum(whole)
        }
    }

    /// Ratio of one metric to another.
    static func each(_ name: String, _ metric: String, per other: String, of strategy: String) -> Self {
        number(name, unit(of: metric), of: strategy, metrics: [metric, other]) { run in
            run.measurement(of: strategy).sum([metric]) / run.measurement(of: strategy).sum([other])
        }
    }

    /// Relative reduction of a metric compared with another strategy. Negative for an increase.
    static func saving(_ name: String, _ metric: String, of strategy: String, against other: String) -> Self {
        number(name, .ratio, of: strategy, other, metrics: [metric]) { run in
            let share = 1 - run.measurement(of: strategy).sum([metric]) / run.measurement(of: other).sum([metric])
            // Rounded to hundredths of a percent: smaller differences depend only on which packets happened to be
            // retransmitted.
            return (share * 10_000).rounded() / 10_000
        }
    }

    /// Difference of a metric to that of another strategy.
    static func excess(_ name: String, _ metric: String, of strategy: String, over other: String) -> Self {
        number(name, unit(of: metric), of: strategy, other, metrics: [metric]) { run in
            run.measurement(of: strategy).sum([metric]) - run.measurement(of: other).sum([metric])
        }
    }

    /// Time of the cellular radio in the given states per promotion.
    static func perPromotion(_ name: String, _ states: [String], of strategy: String) -> Self {
        number(name, .seconds, of: strategy, metrics: ["battery.promotions"]) { run in
            let measurement = run.measurement(of: strategy)
            let radio = measurement.radioTime.first { $0.radio == "cellular" }
            let seconds = radio?.states.reduce(0) { states.contains($1.name) ? $0 + $1.seconds.double : $0 }
            return (seconds ?? .nan) / (measurement.sum(["battery.promotions"]) / run.phones)
        }
    }

    /// Time of the first record of this kind, in the first replica. `nothing` if there is none.
    static func first(_ name: String, _ kind: RecordKind, of strategy: String) -> Self {
        number(name, .seconds, of: strategy, needs: kind) { run in
            run.eventTimes(of: strategy)[kind].first.map { Double($0.nanoseconds) / 1e9 } ?? .nan
        }
    }

    /// Number of records of this kind, in the first replica.
    static func times(_ name: String, _ kind: RecordKind, of strategy: String) -> Self {
        number(name, .count, of: strategy, needs: kind) { Double($0.eventTimes(of: strategy)[kind].count) }
    }

    /// Highest number of records of this kind in one second, in the first replica, from the given second on.
    static func peak(_ name: String, _ kind: RecordKind, from second: Int64, of strategy: String) -> Self {
        number(name, .count, of: strategy, needs: kind) {
            Double($0.eventTimes(of: strategy)[kind].peak(within: .seconds(1), from: .zero + .seconds(second)))
        }
    }

    /// Relative reduction of the peak number of records within `span`, compared with another strategy, in the first
    /// replica.
    static func flattening(
        _ name: String, _ kind: RecordKind, within span: TimeSpan, of strategy: String, against other: String
    ) -> Self {
        number(name, .ratio, of: strategy, other, needs: kind) { run in
            func peak(_ strategy: String) -> Double {
                Double(run.eventTimes(of: strategy)[kind].peak(within: span, from: .zero + .nanoseconds(1)))
            }
            return 1 - peak(strategy) / peak(other)
        }
    }

    /// Longest duration among the records of this kind, in the first replica.
    static func longest(_ name: String, _ kind: RecordKind, of strategy: String) -> Self {
        number(name, .seconds, of: strategy, needs: kind) { Double($0.eventTimes(of: strategy)[kind].longest) / 1e9 }
    }

    /// Mean time between two events that a metric counts.
    static func between(_ name: String, _ metric: String, of strategy: String) -> Self {
        number(name, .seconds, of: strategy, metrics: [metric]) { run in
            60 * run.minutes * run.phones / run.measurement(of: strategy).sum([metric])
        }
    }

    /// Time that the app ran in the background: the background time of the world, minus the time in which the app was
    /// suspended. `nothing` if the background time is random.
    /// - Parameter start: Seconds that the app runs before its first suspension, if they are not meant.
    static func ranInBackground(_ name: String, of strategy: String, besides start: Double = 0) -> Self {
        number(name, .seconds, of: strategy, metrics: ["app.suspended_s"]) { run in
            (run.backgroundSeconds ?? .nan) - start - run.measurement(of: strategy).sum(["app.suspended_s"])
        }
    }

    private static func unit(of metric: String) -> Metric.Unit {
        guard let unit = Catalogue.metric(named: metric)?.unit else { preconditionFailure("no metric \(metric)") }
        return unit
    }
}
