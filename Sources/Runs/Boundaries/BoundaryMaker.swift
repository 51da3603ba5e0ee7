import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios

/// Searches for the values of one setting at which an expectation stops being met. It runs the scenario repeatedly with
/// different values.
package struct BoundaryMaker {
    package struct BoundaryRequest: Sendable {
        /// The scenario's file.
        package var file: String
        /// Path of the setting: keys joined by dots.
        package var setting: String
        package var from: String
        package var to: String
        package var isLog = false
        /// Bound in the syntax of a scenario's `expect`: `metric: bound`, or `group: {metric: bound}`. `nil` for the
        /// only expectation that the scenario has for the strategies.
        package var demand: String?
        package var steps = 5
        package var seed: UInt64?
        package var replicas: Int?
        /// Strategies to test.
        package var strategies = StrategySelection()

        package init(file: String, setting: String, from: String, to: String, demand: String?) {
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
    /// The requested bound, or the expectation of the scenario.
    private var wanted = ""
    private let vocabulary: Vocabulary
    private let executor: ParallelExecutor

    package init(_ question: BoundaryRequest, _ vocabulary: Vocabulary, by executor: ParallelExecutor) {
        self.request = question
        self.vocabulary = vocabulary
        self.executor = executor
    }

    /// Returns the report; `nil` if the search was stopped before one value was tried. A search that was stopped later
    /// returns what it has found.
    /// - Parameters:
    ///   - renamed: receives the strategies of `--with` that run under another name.
    ///   - tried: receives one line for each value that was tried.
    package mutating func report(
        renamed: ([RenamedStrategy]) -> Void = { _ in }, tried: (String) -> Void = { _ in }
    ) throws -> BoundaryReport? {
        guard let range = ValueRange(from: request.from, to: request.to, isLog: request.isLog) else {
            throw ToolFault(
                .badFlagValue, "\(quote(request.from)) to \(quote(request.to)) is not a range",
                help: ["two values with the same unit, the lower first; with --log both must be above zero"])
        }
        let plain = try load()
        renamed(plain.renamedStrategies)
        try checkSetting(of: plain, range)
        let names = try strategies(of: plain)
        wanted = try request.demand ?? Self.onlyExpectation(of: plain, names)
        let demand = try demand(names)
        let first = try scenario(at: range.naturalValue(at: 0), names)
        let progress = executor.progress("boundary", total: request.steps)
        let search = EdgeSearch(steps: request.steps, halvings: Self.halvings)
        // Neighbouring positions can have the same rounded value; it is run once.
        var known: [String: [TrialResult]] = [:]
        var measured: [Double: [TrialResult]] = [:]
        let found = try search.answers { place -> [Bool]? in
            defer { progress.advance() }
            let value = range.naturalValue(at: place)
            if known[value] == nil {
                known[value] = try results(at: value, names, demand)
                if let results = known[value] { tried(Self.line(value, results.map(\.outcome), names)) }
            }
            guard let results = known[value] else { return nil }
            measured[place] = results
            return results.map { $0.outcome.verdict == .pass }
        }
        progress.clear()
        guard !found.trials.isEmpty else { return nil }
        var report = BoundaryReport(
            scenario: plain.name, setting: request.setting, from: range.naturalValue(at: 0),
            to: range.naturalValue(at: 1), metric: demand.metric.name, group: demand.group,
            threshold: demand.threshold, unit: demand.metric.unit, seed: seed(of: first.scenario),
            replicas: request.replicas ?? first.scenario.replicas,
            strategies: names.enumerated().map { index, name in
                var trials: [BoundaryReport.BoundaryTrial] = []
                for (place, answers) in found.trials where trials.last?.value != range.naturalValue(at: place) {
                    trials.append(
                        BoundaryReport.BoundaryTrial(
                            fraction: place, value: range.naturalValue(at: place),
                            measured: measured[place]?[index].outcome.value ?? .nothing, isKept: answers[index],
                            measurement: measured[place]?[index].measurement))
                }
                return BoundaryReport.StrategyTrials(name: name, trials: trials)
            })
        report.isComplete = found.isComplete
        return report
    }

    private static func line(_ value: String, _ outcomes: [Outcome], _ names: [String]) -> String {
        let parts = zip(names, outcomes).map { name, outcome in
            (names.count > 1 ? visible(name, atMost: 40) + " " : "")
                + (outcome.verdict == .pass ? "holds" : "does not hold")
        }
        return "\(value): " + parts.joined(separator: ", ")
    }

    /// The requested bound, as the scenario reader understands it.
    private struct BoundaryDemand {
        let metric: Metric
        let group: String?
        let threshold: Threshold
        /// Strategy that a relative bound refers to.
        let reference: String?
    }

    /// Refuses a setting that is a map: one value would replace all its settings, also those that the file or the preset
    /// has set. Refuses entries of lists, which have no names, and settings of the statistics, which are no condition.
    private func checkSetting(of plain: Scenario, _ range: ValueRange) throws(ToolFault) {
        if ["replicas", "seed"].contains(request.setting) {
            throw ToolFault(
                .badFlagValue, "`--vary` cannot be `\(request.setting)`: it is no condition of the simulated world",
                help: ["--\(request.setting) sets it for all values; vary a setting of the world or of a strategy"])
        }
        var node = compose(Array(plain.resolved.utf8)).node
        var path: [String] = []
        for key in request.setting.split(separator: ".").map(String.init) {
            if node?.items != nil { throw Self.listFault(path.joined(separator: "."), request) }
            node = node?[key]
            path.append(key)
        }
        guard let entries = node?.entries else { return }
        let scalars = entries.filter { $0.value.scalar != nil && !$0.value.isEmpty }
        let alike = scalars.filter { entry in entry.value.scalar.map(range.hasSameKind) ?? false }
        let shown = (alike.isEmpty ? scalars : alike).prefix(Self.maxSuggestions).map {
            "--vary \(visible(request.setting, atMost: 120)).\(visible($0.key, atMost: 40))  (now \(visible($0.value.scalar ?? "", atMost: 40)))"
        }
        let keys = entries.map { visible($0.key, atMost: 40) }.prefix(Self.maxSuggestions).joined(separator: ", ")
        throw ToolFault(
            .badFlagValue, "`--vary`: \(quote(request.setting)) is not one setting, but a map",
            help: [
                "one value would replace all of {\(keys)\(entries.count > Self.maxSuggestions ? ", …" : "")}; vary one of them"
            ]
                + shown)
    }

    /// The fault of a path such as `timeline.2.dead-zone`.
    private static func listFault(_ list: String, _ request: BoundaryRequest) -> ToolFault {
        ToolFault(
            .badFlagValue,
            "`--vary` cannot be \(quote(request.setting)): `\(visible(list, atMost: 120))` is a list, and its entries "
                + "cannot be varied by number",
            help: [
                "write \"${value}\" in the entry, and matrix: {value: [\(visible(request.from, atMost: 40)), "
                    + "\(visible(request.to, atMost: 40))]} in the scenario; deadzone run compares all values of a "
                    + "matrix"
            ])
    }

    /// Most settings of a map that a fault lists.
    private static let maxSuggestions = 8

    /// The bound of the only expectation that a scenario has for these strategies, as `--expect` would have it.
    private static func onlyExpectation(of plain: Scenario, _ names: [String]) throws(ToolFault) -> String {
        let bounds = plain.expectations.filter { names.contains($0.strategy) }.map { expected in
            let bound = "\(expected.metric): \(quoted(expected.bound))"
            return expected.group.map { "\(quoted($0)): {\(bound)}" } ?? bound
        }
        let different = Set(bounds)
        guard let bound = different.first, different.count == 1 else {
            throw ToolFault(
                .missingArgument, "`--expect` is missing",
                help: [
                    different.isEmpty
                        ? "the scenario expects nothing of the strategies that run"
                        : "the scenario has \(different.count) expectations of the strategies that run: choose one",
                    "example: --expect 'latency.down.p95: under 5s'",
                ])
        }
        return bound
    }

    /// Reads the requested bound with the plain scenario, so that a fault in it is not taken for one of the setting.
    private func demand(_ names: [String]) throws(ToolFault) -> BoundaryDemand {
        let asked = requestedMetric
        let loaded = try load(with: "expect: {\(expectation(names))}\n", blaming: "--expect", wanted)
        let bound = loaded.expectations.first {
            names.contains($0.strategy) && $0.group == asked.group && $0.metric == asked.metric
        }
        guard let bound, let metric = Catalogue.metric(named: bound.metric) else {
            throw ToolFault.unknownName(
                asked.metric, "metric", among: Catalogue.all.map(\.name),
                help: "deadzone list metrics shows all metrics")
        }
        let threshold: Threshold
        do throws(ThresholdFault) {
            threshold = try Threshold(bound.bound, in: metric.unit)
        } catch {
            throw ToolFault(
                .badFlagValue, "`--expect` cannot be \(quote(wanted)): \(error.message)", help: [error.help])
        }
        guard threshold.reference != GateJudge.baseline else {
            throw ToolFault(
                .badFlagValue, "`--expect` cannot be \(quote(wanted)): a boundary has no baseline",
                help: ["name a strategy instead: --expect 'latency.down.p95: at most 110% of patient'"])
        }
        return BoundaryDemand(metric: metric, group: bound.group, threshold: threshold, reference: threshold.reference)
    }

    /// A scenario loaded with one value of the varied setting, and the bound that each strategy must meet there.
    private struct BoundaryScenario {
        let scenario: Scenario
        let namedStrategies: [NamedStrategy]
        let demands: [ExpectedBound]
    }

    /// The metric of the requested bound, and its group; the group is `nil` if the bound covers all phones.
    private var requestedMetric: (group: String?, metric: String) {
        let parts = wanted.split(separator: ":", maxSplits: 1).map { Self.unquoted($0) }
        guard parts.count == 2, parts[1].hasPrefix("{") else { return (nil, parts.first ?? "") }
        return (parts[0], Self.unquoted(parts[1].dropFirst().prefix { $0 != ":" }))
    }

    /// Removes the quotes that YAML allows.
    private static func unquoted(_ text: Substring) -> String {
        String(text.drop { " \"'".contains($0) }.reversed().drop { " \"'".contains($0) }.reversed())
    }

    private func seed(of scenario: Scenario) -> UInt64 { request.seed ?? scenario.seed ?? 1 }

    /// Names of the strategies to test: those of the request, or the one with the varied setting, or all.
    private func strategies(of plain: Scenario) throws(ToolFault) -> [String] {
        let names = try request.strategies.selected(plain).map(\.name)
        let path = request.setting.split(separator: ".").map(String.init)
        guard request.strategies.isEverything, path.count > 2, path[0] == "strategies", names.contains(path[1]) else {
            return names
        }
        return [path[1]]
    }

    private func expectation(_ names: [String]) -> String {
        names.map { "\(Self.quoted($0)): {\(wanted)}" }.joined(separator: ", ")
    }

    /// Loads the scenario with one value of the setting, as a matrix of one cell, and with the requested bound as
    /// expectation.
    private func scenario(at value: String, _ names: [String]) throws(ToolFault) -> BoundaryScenario {
        let asked = requestedMetric
        let scenario = try load(
            with: "matrix: {\(Self.quoted(request.setting)): [\(value)]}\nexpect: {\(expectation(names))}\n",
            blaming: "--vary", "\(request.setting): \(value)")
        return BoundaryScenario(
            scenario: scenario, namedStrategies: scenario.strategies,
            demands: scenario.expectations.filter {
                names.contains($0.strategy) && $0.group == asked.group && $0.metric == asked.metric
            })
    }

    /// Loads a scenario that extends the file with more YAML.
    /// - Parameters:
    ///   - flag: The flag that is at fault if the scenario with its YAML cannot be loaded.
    ///   - text: The value of this flag.
    private func load(with more: String = "", blaming flag: String? = nil, _ text: String = "") throws(ToolFault)
        -> Scenario
    {
        let path = InstalledFiles.resolved(request.file)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let yaml = "extends: \(Self.quoted(parts.last ?? path))\n" + more
        let name = (parts.dropLast() + ["scenario with the varied setting"]).joined(separator: "/")
        var loader = ScenarioLoader(vocabulary, read: ScenarioFiles.read)
        loader.addedStrategies = request.strategies.added
        let loaded = loader.load(Array(yaml.utf8), name: name)
        guard loaded.faults.isEmpty else {
            let what = flag.map { "`\($0)`: \(quote(request.file)) cannot be run with \(quote(text))" }
            throw ToolFault(
                .badFlagValue, what ?? "\(quote(request.file)) cannot be run",
                help: (flag == "--vary" ? pathHelp : [])
                    + loaded.faults.sorted.map {
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

    /// How to write a setting of a strategy, for a setting without `strategies`. `tune` takes the setting alone.
    private var pathHelp: [String] {
        guard !request.setting.hasPrefix("strategies.") else { return [] }
        let name = request.strategies.names.first ?? "NAME"
        let path = "strategies.\(visible(name, atMost: 40)).\(visible(request.setting, atMost: 80))"
        return ["for a setting of a strategy, write --vary '\(path)'"]
    }

    /// The text as a YAML string in double quotes.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The judgement of one strategy at one value, and all its results: of the group, if the bound is about a group.
    private struct TrialResult {
        let outcome: Outcome
        let measurement: Measurement
    }

    /// Judges every strategy at one value; `nil` if the run was stopped. Throws if the run proves nothing, because it
    /// then cannot decide a boundary either. Only the tested strategies are run, and the one that a bound refers to.
    private func results(at value: String, _ names: [String], _ demand: BoundaryDemand) throws -> [TrialResult]? {
        let cell = try scenario(at: value, names)
        let needed = cell.namedStrategies.filter { names.contains($0.name) || $0.name == demand.reference }
        let seed = seed(of: cell.scenario)
        let simulationPlan = SimulationPlan(
            cell.scenario, needed, seed: seed,
            replicas: request.replicas ?? cell.scenario.replicas)
        let results = simulationPlan.run(by: executor.withoutProgress)
        guard results.isComplete else { return nil }
        var bare = cell.scenario
        bare.expectations = cell.demands
        guard
            let report = try ReportMaker(bare, needed, seed: seed, by: executor.withoutProgress).report(results),
            report.isComplete
        else { return nil }
        if let trouble = report.troubles.first {
            throw ToolFault(.runFailed, "\(request.setting) \(value): \(trouble)")
        }
        return report.strategies.flatMap { strategy in
            let group = strategy.groups.first { $0.name == demand.group }
            return strategy.outcomes.map {
                TrialResult(outcome: $0, measurement: group?.measurement ?? strategy.measurement)
            }
        }
    }
}
