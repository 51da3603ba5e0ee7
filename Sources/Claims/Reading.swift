import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// How a finding is read from what the strategies of a scenario came to.
struct Reading: Sendable {
    typealias Answer = (figure: Figure, interval: Interval?)

    let name: String
    let unit: Metric.Unit
    /// Facts that it needs beside metrics.
    let kinds: Set<Kind>
    /// The cell that it is of, where a claim compares cells; empty: of each.
    let cell: String
    let answer: @Sendable (ClaimRun) -> Answer

    private init(
        _ name: String, _ unit: Metric.Unit, needs kinds: Set<Kind> = [], cell: String = "",
        _ answer: @escaping @Sendable (ClaimRun) -> Answer
    ) {
        self.name = name
        self.unit = unit
        self.kinds = kinds
        self.cell = cell
        self.answer = answer
    }

    /// A number that has no interval.
    private static func number(
        _ name: String, _ unit: Metric.Unit, needs kinds: Set<Kind> = [],
        _ number: @escaping @Sendable (ClaimRun) -> Double
    ) -> Self {
        Self(name, unit, needs: kinds) { (Figure(number($0)), nil) }
    }

    /// The same of one cell, for a claim that sets cells beside each other.
    func `in`(_ cell: String) -> Self { Self(name, unit, needs: kinds, cell: cell, answer) }
}

extension Reading {
    /// What one strategy came to in a metric of the catalogue.
    static func metric(_ name: String, _ metric: String, of strategy: String) -> Self {
        Self(name, unit(of: metric)) { run in
            let measurement = run.measurement(of: strategy)
            return (measurement.known(metric), measurement.interval(metric))
        }
    }

    /// The sum of some metrics by the minute of one phone.
    static func perMinute(_ name: String, _ metrics: [String], of strategy: String) -> Self {
        number(name, unit(of: metrics[0])) { run in
            run.measurement(of: strategy).sum(metrics) / run.minutes / run.phones
        }
    }

    /// The sum of some metrics as a share of the sum of others.
    static func share(_ name: String, _ parts: [String], of whole: [String], _ strategy: String) -> Self {
        number(name, .ratio) { run in
            run.measurement(of: strategy).sum(parts) / run.measurement(of: strategy).sum(whole)
        }
    }

    /// So much of one metric for each of another.
    static func each(_ name: String, _ metric: String, per other: String, of strategy: String) -> Self {
        number(name, unit(of: metric)) { run in
            run.measurement(of: strategy).sum([metric]) / run.measurement(of: strategy).sum([other])
        }
    }

    /// How much less of something one strategy came to than another, as a share; below zero where it is more.
    static func saving(_ name: String, _ metric: String, of strategy: String, against other: String) -> Self {
        number(name, .ratio) { run in
            let share = 1 - run.measurement(of: strategy).sum([metric]) / run.measurement(of: other).sum([metric])
            // Hundredths of a percent: what is less is which packet happened to be repeated.
            return (share * 10_000).rounded() / 10_000
        }
    }

    /// How much more of something one strategy came to than another.
    static func excess(_ name: String, _ metric: String, of strategy: String, over other: String) -> Self {
        number(name, unit(of: metric)) { run in
            run.measurement(of: strategy).sum([metric]) - run.measurement(of: other).sum([metric])
        }
    }

    /// How long the cellular radio is in some states, each time that it is promoted.
    static func perPromotion(_ name: String, _ states: [String], of strategy: String) -> Self {
        number(name, .seconds) { run in
            let measurement = run.measurement(of: strategy)
            let radio = measurement.radioTime.first { $0.radio == "cellular" }
            let seconds = radio?.states.reduce(0) { states.contains($1.name) ? $0 + $1.seconds.double : $0 }
            return (seconds ?? .nan) / (measurement.sum(["battery.promotions"]) / run.phones)
        }
    }

    /// When something happened for the first time, in the first replica; nothing where it never did.
    static func first(_ name: String, _ kind: Kind, of strategy: String) -> Self {
        number(name, .seconds, needs: [kind]) { run in
            run.chronicles(of: strategy)[kind].first.map { Double($0.nanoseconds) / 1e9 } ?? .nan
        }
    }

    /// How often something happened, in the first replica.
    static func times(_ name: String, _ kind: Kind, of strategy: String) -> Self {
        number(name, .count, needs: [kind]) { Double($0.chronicles(of: strategy)[kind].count) }
    }

    /// The most of something within a second, in the first replica, from so many seconds on.
    static func peak(_ name: String, _ kind: Kind, from second: Int64, of strategy: String) -> Self {
        number(name, .count, needs: [kind]) {
            Double($0.chronicles(of: strategy)[kind].peak(within: .seconds(1), from: .zero + .seconds(second)))
        }
    }

    /// How much less of something one strategy comes to than another where both come to most within so long, in the first
    /// replica, as a share.
    static func flattening(
        _ name: String, _ kind: Kind, within span: TimeSpan, of strategy: String, against other: String
    ) -> Self {
        number(name, .ratio, needs: [kind]) { run in
            func peak(_ strategy: String) -> Double {
                Double(run.chronicles(of: strategy)[kind].peak(within: span, from: .zero + .nanoseconds(1)))
            }
            return 1 - peak(strategy) / peak(other)
        }
    }

    /// The longest of something that has a length, in the first replica.
    static func longest(_ name: String, _ kind: Kind, of strategy: String) -> Self {
        number(name, .seconds, needs: [kind]) { Double($0.chronicles(of: strategy)[kind].longest) / 1e9 }
    }

    /// The time from one to the next of what a metric counts.
    static func between(_ name: String, _ metric: String, of strategy: String) -> Self {
        number(name, .seconds) { run in 60 * run.minutes * run.phones / run.measurement(of: strategy).sum([metric]) }
    }

    /// What a metric of time leaves of so many seconds.
    static func remaining(_ name: String, of seconds: Double, after metric: String, of strategy: String) -> Self {
        number(name, .seconds) { run in seconds - run.measurement(of: strategy).sum([metric]) }
    }

    private static func unit(of metric: String) -> Metric.Unit {
        guard let unit = Catalogue.metric(named: metric)?.unit else { preconditionFailure("no metric \(metric)") }
        return unit
    }
}
