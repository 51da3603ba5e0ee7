import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// One cell of a scenario, run: what its strategies came to, and what a metric does not say of its first replica.
struct ClaimRun: Sendable {
    /// What tells the cell from the others.
    let labels: [String]
    let report: RunReport
    /// By strategy; empty where no reading asks.
    let chronicles: [String: Chronicles]

    /// Claims and their scenarios are ours: a name that is missing is a mistake in one of them.
    func measurement(of strategy: String) -> Measurement {
        guard let found = report.strategies.first(where: { $0.name == strategy }) else {
            preconditionFailure(
                "\(report.scenario.name): no strategy \(strategy) among \(report.strategies.map(\.name))")
        }
        return found.measurement
    }

    func chronicles(of strategy: String) -> Chronicles {
        guard let found = chronicles[strategy] else {
            preconditionFailure("\(report.scenario.name): no strategy \(strategy) among \(chronicles.keys.sorted())")
        }
        return found
    }

    var minutes: Double { Double(report.scenario.duration.nanoseconds) / 60e9 }
    var phones: Double { Double(report.scenario.phones) }
}

extension Measurement {
    func known(_ metric: String) -> Figure {
        guard let figure = figure(metric) else { preconditionFailure("no metric \(metric)") }
        return figure
    }

    /// Not a number where one of them is none.
    func sum(_ metrics: [String]) -> Double { metrics.reduce(0) { $0 + (known($1).double ?? .nan) } }
}

extension Figure {
    /// Nothing where it is no number.
    init(_ number: Double) {
        self = number.isFinite ? .value(Billionths(count: Int128((number * 1e9).rounded()))) : .nothing
    }
}
