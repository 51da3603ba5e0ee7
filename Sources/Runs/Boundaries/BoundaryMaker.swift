public import DeadzoneCompare
import DeadzoneHost
import DeadzoneMetrics
public import DeadzoneScenarios
import DeadzoneSettings

/// Searches for the values of one setting at which an expectation stops being met. It runs the scenario repeatedly with
/// different values.
public struct BoundaryMaker {
    public struct BoundaryRequest: Sendable {
        /// The scenario's file.
        public var file: String
        /// Path of the setting: keys joined by dots.
        public var setting: String
        public var from: String
        public var to: String
        public var isLog = false
        /// Bound in the syntax of a scenario's `expect`: `metric: bound`, or `group: {metric: bound}`.
        public var demand: String
        public var steps = 5
        public var seed: UInt64?
        public var replicas: Int?
        /// Strategies to test.
        public var strategies = StrategySelection()

        public init(file: String, setting: String, from: String, to: String, demand: String) {
            self.file = file
            self.setting = setting
            self.from = from
            self.to = to
            self.demand = demand
        }
    }

    /// Number of bisections of a grid interval; the boundary is found to a 64th of the interval.
    private static let halvings = 6

    private let request: BoundaryRequest
    private let vocabulary: Vocabulary
    private let executor: ParallelExecutor

    public init(_ question: BoundaryRequest, _ vocabulary: Vocabulary, by executor: ParallelExecutor) {
        self.request = question
        self.vocabulary = vocabulary
        self.executor = executor
    }

    /// Returns the report; `nil` if the search was stopped.
    public func report() throws -> BoundaryReport? {
        guard let range = ValueRange(from: request.from, to: request.to, isLog: request.isLog) else {
            throw ToolFault(
                .badFlagValue, "\(quote(request.from)) to \(quote(request.to)) is not a range",
                help: ["two values with the same unit, the lower first; with --log both must be above zero"])
        }
        let plain = try load()
        let names = try strategies(of: plain)
        let first = try scenario(at: range.value(at: 0), names)
        guard let demand = first.demands.first, let metric = Catalogue.metric(named: demand.metric) else {
            throw ToolFault.unknownName(
                requestedMetric.metric, "metric", among: Catalogue.all.map(\.name),
                help: "deadzone list metrics shows all metrics")
        }
        let progress = executor.progress("boundary", total: request.steps)
        let search = EdgeSearch(steps: request.steps, halvings: Self.halvings)
        var measured: [Double: [Figure]] = [:]
        let found = try search.answers { place -> [Bool]? in
            defer { progress.advance() }
            guard let outcomes = try outcomes(at: range.value(at: place), names) else { return nil }
            measured[place] = outcomes.map(\.value)
            return outcomes.map { $0.verdict == .pass }
        }
        progress.clear()
        guard !found.isEmpty else { return nil }
        return BoundaryReport(
            scenario: plain.name, setting: request.setting, from: range.value(at: 0), to: range.value(at: 1),
            metric: metric.name, group: demand.group, threshold: try Threshold(demand.bound, in: metric.unit),
            unit: metric.unit,
            seed: seed(of: first.scenario),
            replicas: request.replicas ?? first.scenario.replicas,
            strategies: first.namedStrategies.enumerated().map { index, namedStrategy in
                BoundaryReport.StrategyTrials(
                    name: namedStrategy.name,
                    trials: found.map { place, answers in
                        BoundaryReport.BoundaryTrial(
                            fraction: place, value: range.value(at: place),
                            measured: measured[place]?[index] ?? .nothing,
                            isKept: answers[index])
                    })
            })
    }

    /// A scenario loaded with one value of the varied setting, and the bound that each strategy must meet there.
    private struct BoundaryScenario {
        let scenario: Scenario
        let namedStrategies: [NamedStrategy]
        let demands: [ExpectedBound]
    }

    /// The metric of the requested bound, and its group; the group is `nil` if the bound covers all phones.
    private var requestedMetric: (group: String?, metric: String) {
        let parts = request.demand.split(separator: ":", maxSplits: 1).map { Self.unquoted($0) }
        guard parts.count == 2, parts[1].hasPrefix("{") else { return (nil, parts.first ?? "") }
        return (parts[0], Self.unquoted(parts[1].dropFirst().prefix { $0 != ":" }))
    }

    /// Removes the quotes that YAML allows.
    private static func unquoted(_ text: Substring) -> String {
        String(text.drop { " \"'".contains($0) }.reversed().drop { " \"'".contains($0) }.reversed())
    }

    private func seed(of scenario: Scenario) -> UInt64 { request.seed ?? scenario.seed ?? 1 }

    /// Names of the strategies to test.
    private func strategies(of plain: Scenario) throws(ToolFault) -> [String] {
        try request.strategies.selected(plain).map(\.name)
    }

    /// Loads the scenario with one value of the setting, as a matrix of one cell, and with the requested bound as
    /// expectation.
    private func scenario(at value: String, _ names: [String]) throws(ToolFault) -> BoundaryScenario {
        let asked = requestedMetric
        let demands = names.map { "\(Self.quoted($0)): {\(request.demand)}" }.joined(separator: ", ")
        let scenario = try load(with: "matrix: {\(Self.quoted(request.setting)): [\(value)]}\nexpect: {\(demands)}\n")
        return BoundaryScenario(
            scenario: scenario, namedStrategies: scenario.strategies.filter { names.contains($0.name) },
            demands: scenario.expectations.filter {
                names.contains($0.strategy) && $0.group == asked.group && $0.metric == asked.metric
            })
    }

    /// Loads a scenario that extends the file with more YAML.
    private func load(with more: String = "") throws(ToolFault) -> Scenario {
        let path = InstalledFiles.resolved(request.file)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let text = "extends: \(Self.quoted(parts.last ?? path))\n" + more
        let name = (parts.dropLast() + ["scenario with the varied setting"]).joined(separator: "/")
        var loader = ScenarioLoader(vocabulary, read: ScenarioFiles.read)
        loader.addedStrategies = request.strategies.added
        let loaded = loader.load(Array(text.utf8), name: name)
        guard loaded.faults.isEmpty else {
            throw ToolFault(
                .badFlagValue, "\(quote(request.file)) cannot be run with \(quote(request.setting))",
                help: loaded.faults.sorted.map {
                    [$0.message, $0.label, $0.help].filter { !$0.isEmpty }.joined(separator: "; ")
                })
        }
        guard loaded.scenarios.count == 1 else {
            throw ToolFault(
                .conflict, "\(quote(request.file)) has a matrix", help: ["name a scenario without `matrix:`"]
            )
        }
        return loaded.scenarios[0]
    }

    /// The text as a YAML string in double quotes.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Judges every strategy at one value; `nil` if the run was stopped. Throws if the run proves nothing, because it
    /// then cannot decide a boundary either.
    private func outcomes(at value: String, _ names: [String]) throws -> [Outcome]? {
        let cell = try scenario(at: value, names)
        let seed = seed(of: cell.scenario)
        let simulationPlan = SimulationPlan(
            cell.scenario, cell.namedStrategies.map(\.strategy), seed: seed,
            replicas: request.replicas ?? cell.scenario.replicas)
        let results = simulationPlan.run(by: executor.withoutProgress)
        guard results.isComplete else { return nil }
        var bare = cell.scenario
        bare.expectations = cell.demands
        guard
            let report = try ReportMaker(bare, cell.namedStrategies, seed: seed, by: executor.withoutProgress).report(
                results),
            report.isComplete
        else { return nil }
        if let trouble = report.troubles.first {
            throw ToolFault(.runFailed, "\(request.setting) \(value): \(trouble)")
        }
        return report.strategies.flatMap(\.outcomes)
    }
}
