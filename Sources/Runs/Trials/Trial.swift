public import DeadzoneClient
import DeadzoneHost
import DeadzoneMetrics
public import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings

/// What one strategy came to in a scenario: for tests, which hold the numbers to bounds of their own. Seconds and
/// milliseconds are spans; where so much was lost, or is still pending, that there is no number, the span is the longest there is
/// and a number is infinite, so no upper bound is kept. What was not measured is NaN, or the longest span, and keeps none either.
public struct Trial: Sendable {
    public let scenario: String
    public let seed: UInt64
    public let replicas: Int
    /// Of everything that happened: equal digests are equal runs.
    public let digest: String
    private let measurement: Measurement

    /// Any metric, in its own unit. `deadzone list metrics` prints them.
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
        // A billionth of a second is a nanosecond.
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

/// Why a trial came to nothing, in words.
public struct TrialFault: Error, CustomStringConvertible, Sendable {
    public let description: String
    init(_ description: String) { self.description = description }
}

extension Trial {
    /// Quantiles of one metric, such as `latency.down`.
    public struct Spans: Sendable {
        fileprivate let trial: Trial
        fileprivate let name: String
        public var p50: TimeSpan { trial.span(name + ".p50") }
        public var p95: TimeSpan { trial.span(name + ".p95") }
        public var p99: TimeSpan { trial.span(name + ".p99") }
        public var max: TimeSpan { trial.span(name + ".max") }
        /// Of one phone.
        public var total: TimeSpan { trial.span(name + ".total") }
    }

    public struct Messages: Sendable {
        fileprivate let trial: Trial
        fileprivate let name: String
        public var sent: Double { trial.number(name + ".sent") }
        public var delivered: Double { trial.number(name + ".delivered") }
        public var lost: Double { trial.number(name + ".lost") }
        public var pending: Double { trial.number(name + ".pending") }
        public var duplicated: Double { trial.number(name + ".duplicated") }
    }

    public struct BothWays<Part: Sendable>: Sendable {
        /// From the server to the app.
        public let down: Part
        public let up: Part
    }

    public struct Battery: Sendable {
        fileprivate let trial: Trial
        public var joules: Double { trial.number("battery.joules") }
        public var percentPerHour: Double { trial.number("battery.percent_per_hour") }
    }

    public struct Connection: Sendable {
        fileprivate let trial: Trial
        public var attempts: Double { trial.number("connection.attempts") }
        public var handshakes: Double { trial.number("connection.handshakes") }
        public var drops: Double { trial.number("connection.drops") }
        public var falseDrops: Double { trial.number("connection.false_drops") }
    }

    public var zombie: Spans { Spans(trial: self, name: "zombie") }
    public var detection: Spans { Spans(trial: self, name: "detection") }
    public var recovery: Spans { Spans(trial: self, name: "recovery") }
    public var latency: BothWays<Spans> {
        BothWays(down: Spans(trial: self, name: "latency.down"), up: Spans(trial: self, name: "latency.up"))
    }
    public var delivery: BothWays<Messages> {
        BothWays(down: Messages(trial: self, name: "delivery.down"), up: Messages(trial: self, name: "delivery.up"))
    }
    public var battery: Battery { Battery(trial: self) }
    public var connection: Connection { Connection(trial: self) }
    public var pings: Double { number("keepalive.pings") }
    public var availability: Double { number("availability.ratio") }
}

extension Trial {
    /// Runs a strategy in the world of a scenario. It needs not to be among the scenario's own strategies; a name of the
    /// scenario's `strategies` that is the strategy's own is given its settings there.
    /// - Parameters:
    ///   - path: of the scenario.
    ///   - seed: nil: the scenario's own, or 1.
    ///   - replicas: nil: the scenario's own.
    public static func run<S: Strategy>(
        _ type: S.Type, in path: String, seed: UInt64? = nil, replicas: Int? = nil
    ) throws -> Trial {
        var settings = SettingsReader.describing(S.name)
        let standard = S(&settings)
        return try run(standard, in: path, seed: seed, replicas: replicas, preferringScenario: true)
    }

    /// The same with settings of the test's own.
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
            throw TrialFault("\(path) is \(scenarios.count) scenarios; a trial is of one")
        }
        if scenario.strategies.map(\.name) == [Scenario.fleet], scenario.population.allSatisfy({ $0.strategy != nil }) {
            throw TrialFault("every group of \(path) has a strategy of its own, so nobody runs the one on trial")
        }
        let own = preferringScenario ? scenario.strategies.first { $0.strategy.name == S.name }?.strategy : nil
        let seed = seed ?? scenario.seed ?? 1
        let replicas = replicas ?? scenario.replicas
        let assignment = Assignment(scenario, [own ?? AnyStrategy(strategy)], seed: seed, replicas: replicas)
        let yield = assignment.run(by: Crew(jobs: Machine.cores))
        let crop = yield.crops[0]
        if let condition = scenario.conditions.first(where: { !$0.tookEffect(in: crop.replicas.whole) }) {
            throw TrialFault(condition.vacuity)
        }
        return Trial(
            scenario: scenario.name, seed: seed, replicas: replicas, digest: crop.digest,
            measurement: Measurement(of: crop.replicas, seed: seed))
    }
}
