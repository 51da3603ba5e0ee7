public import DeadzoneBase
public import DeadzoneClient
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneScenarios

/// The results of one strategy in one scenario, as properties that a unit test can compare with its own bounds. Metrics
/// in seconds and milliseconds are time spans. If too many messages are lost or pending for a finite value, the span is
/// the longest possible and a number is infinite, so no upper bound holds. A metric that was not measured is NaN, or
/// the longest span, and satisfies no upper bound either.
public struct Trial: Sendable {
    public let scenario: String
    public let seed: UInt64
    public let replicas: Int
    /// Digest of everything that happened: equal digests mean equal runs.
    public let digest: String
    private let measurement: Measurement

    /// Value of any metric in its own unit. `deadzone list metrics` prints the metrics.
    public func value(of metric: String) throws(TrialFault) -> Double {
        guard let figure = measurement.figure(metric) else {
            let near = suggestion(for: metric, among: Catalogue.all.map(\.name))
            throw TrialFault("there is no metric `\(metric)`" + (near.map { "; did you mean `\($0)`?" } ?? ""))
        }
        return Self.number(figure)
    }

    fileprivate func number(_ metric: String) -> Double { measurement.figure(metric).map(Self.number) ?? .nan }

    fileprivate func span(_ metric: String) -> TimeSpan {
        guard case .value(let value)? = measurement.figure(metric), let metric = Catalogue.metric(named: metric) else {
            return .longest
        }
        // One billionth of a second is a nanosecond.
        let nanoseconds = metric.unit == .milliseconds ? value.count / 1_000 : value.count
        return Int64(exactly: nanoseconds).map(TimeSpan.nanoseconds) ?? .longest
    }

    private static func number(_ figure: Figure) -> Double {
        switch figure {
        case .value(let value): value.double
        case .atLeast, .never: .infinity
        case .nothing: .nan
        }
    }
}

/// The error that is thrown if the scenario of a trial cannot be run. It contains the reason as text.
public struct TrialFault: Error, CustomStringConvertible, Sendable {
    public let description: String
    init(_ description: String) { self.description = description }
}

extension Trial {
    /// Percentiles, maximum and total of a metric that measures times, such as `latency.down`.
    public struct SpanFigures: Sendable {
        fileprivate let trial: Trial
        fileprivate let name: String
        public var p50: TimeSpan { trial.span(name + ".p50") }
        public var p95: TimeSpan { trial.span(name + ".p95") }
        public var p99: TimeSpan { trial.span(name + ".p99") }
        public var max: TimeSpan { trial.span(name + ".max") }
        /// Total over one phone's whole run.
        public var total: TimeSpan { trial.span(name + ".total") }
    }

    public struct MessageFigures: Sendable {
        fileprivate let trial: Trial
        fileprivate let name: String
        public var sent: Double { trial.number(name + ".sent") }
        public var delivered: Double { trial.number(name + ".delivered") }
        public var lost: Double { trial.number(name + ".lost") }
        public var pending: Double { trial.number(name + ".pending") }
        public var duplicated: Double { trial.number(name + ".duplicated") }
    }

    public struct BothWays<Part: Sendable>: Sendable {
        /// From server to app.
        public let down: Part
        public let up: Part
    }

    public struct BatteryFigures: Sendable {
        fileprivate let trial: Trial
        public var joules: Double { trial.number("battery.joules") }
        public var percentPerHour: Double { trial.number("battery.percent_per_hour") }
    }

    public struct ConnectionFigures: Sendable {
        fileprivate let trial: Trial
        public var attempts: Double { trial.number("connection.attempts") }
        public var handshakes: Double { trial.number("connection.handshakes") }
        public var drops: Double { trial.number("connection.drops") }
        public var falseDrops: Double { trial.number("connection.false_drops") }
    }

    public var zombie: SpanFigures { SpanFigures(trial: self, name: "zombie") }
    public var detection: SpanFigures { SpanFigures(trial: self, name: "detection") }
    public var recovery: SpanFigures { SpanFigures(trial: self, name: "recovery") }
    public var latency: BothWays<SpanFigures> {
        BothWays(down: SpanFigures(trial: self, name: "latency.down"), up: SpanFigures(trial: self, name: "latency.up"))
    }
    public var delivery: BothWays<MessageFigures> {
        BothWays(
            down: MessageFigures(trial: self, name: "delivery.down"),
            up: MessageFigures(trial: self, name: "delivery.up"))
    }
    public var battery: BatteryFigures { BatteryFigures(trial: self) }
    public var connection: ConnectionFigures { ConnectionFigures(trial: self) }
    public var pings: Double { number("keepalive.pings") }
    public var availability: Double { number("availability.ratio") }
}

extension Trial {
    /// Runs a strategy in the world of a scenario. The scenario need not contain the strategy. If its `strategies`
    /// contains one of this type, its settings there are used.
    /// - Parameters:
    ///   - path: file of the scenario.
    ///   - seed: `nil` takes the scenario's seed, or 1.
    ///   - replicas: `nil` takes the scenario's number of replicas.
    public static func run<S: Strategy>(
        _ type: S.Type, in path: String, seed: UInt64? = nil, replicas: Int? = nil
    ) throws -> Trial {
        var settings = SettingsReader.describing(S.name)
        let standard = S(&settings)
        return try run(standard, in: path, seed: seed, replicas: replicas, preferringScenario: true)
    }

    /// Runs a strategy with the settings that the test has given it.
    public static func run<S: Strategy>(
        _ strategy: S, in path: String, seed: UInt64? = nil, replicas: Int? = nil
    ) throws -> Trial {
        try run(strategy, in: path, seed: seed, replicas: replicas, preferringScenario: false)
    }

    private static func run<S: Strategy>(
        _ strategy: S, in path: String, seed: UInt64?, replicas: Int?, preferringScenario: Bool
    ) throws -> Trial {
        var vocabulary = Vocabulary.standard
        if !vocabulary.strategies.contains(where: { $0.name == S.name }) { vocabulary.strategies.append(.of(S.self)) }
        let files: ScenarioFiles
        do throws(ToolFault) {
            files = try ScenarioFiles([path], vocabulary) { limit throws(SystemFault) in
                try Files.readStandardInput(limit: limit)
            }
        } catch {
            throw TrialFault(error.message)
        }
        if let faults = files.faultsText { throw TrialFault(faults) }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            throw TrialFault("\(path) contains \(scenarios.count) scenarios; a trial runs one")
        }
        if scenario.strategies.map(\.name) == [Scenario.fleet], scenario.population.allSatisfy({ $0.strategy != nil }) {
            throw TrialFault("every group of \(path) has its own strategy, so no phone runs the tested strategy")
        }
        let own = preferringScenario ? scenario.strategies.first { $0.strategy.name == S.name }?.strategy : nil
        let seed = seed ?? scenario.seed ?? 1
        let replicas = replicas ?? scenario.replicas
        let simulationPlan = SimulationPlan(scenario, [own ?? AnyStrategy(strategy)], seed: seed, replicas: replicas)
        let results = simulationPlan.run(by: ParallelExecutor(jobs: HostMachine.cores))
        let result = results.byStrategy[0]
        if let message = scenario.conditions.lazy.compactMap({ $0.noEffectMessage(in: [result.replicas.merged]) }).first
        {
            throw TrialFault(message)
        }
        return Trial(
            scenario: scenario.name, seed: seed, replicas: replicas, digest: result.digest,
            measurement: Measurement(of: result.replicas, seed: seed))
    }
}
