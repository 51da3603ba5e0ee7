import DeadzoneBase
import DeadzoneMetrics

/// The simulation results of one scenario, or of one cell of its matrix, from which claims are tested. They are the
/// results of its strategies, and the event times of its first replica.
struct ClaimRun: Sendable {
    /// Axis values that distinguish the cell.
    let labels: [String]
    let report: RunReport
    /// Time that the app is in the background. `nil` if it is random.
    let timeInBackground: TimeSpan?
    /// Event times by strategy. Empty if no reader needs them.
    let eventTimes: [String: EventTimesByKind]

    /// Traps if the strategy is missing: claims and their scenarios are part of the program, so that is a programming
    /// error.
    func measurement(of strategy: String) -> Measurement {
        guard let found = report.strategies.first(where: { $0.name == strategy }) else {
            preconditionFailure(
                "\(report.scenario.name): no strategy \(strategy) among \(report.strategies.map(\.name))")
        }
        return found.measurement
    }

    func eventTimes(of strategy: String) -> EventTimesByKind {
        guard let found = eventTimes[strategy] else {
            preconditionFailure("\(report.scenario.name): no strategy \(strategy) among \(eventTimes.keys.sorted())")
        }
        return found
    }

    var backgroundSeconds: Double? { timeInBackground.map { Double($0.nanoseconds) / 1e9 } }
    var minutes: Double { Double(report.scenario.duration.nanoseconds) / 60e9 }
    var phones: Double { Double(report.scenario.phones) }
}

extension Measurement {
    func requiredFigure(_ metric: String) -> Figure {
        guard let figure = figure(metric) else { preconditionFailure("no metric \(metric)") }
        return figure
    }

    /// The sum of the metrics. NaN if one of them is not a number.
    func sum(_ metrics: [String]) -> Double { metrics.reduce(0) { $0 + (requiredFigure($1).double ?? .nan) } }
}

extension Figure {
    /// Creates a figure. A number that is not finite becomes `nothing`.
    init(_ number: Double) {
        self = number.isFinite ? .value(Billionths(count: Int128((number * 1e9).rounded()))) : .nothing
    }
}
