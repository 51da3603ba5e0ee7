package import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios

/// Simulates the messages of a packet capture with other strategies, to show what those would have cost.
package struct WhatIfMaker {
    /// Strategies to compare if none are named.
    private static let usualStrategies = """
          naive: {strategy: websocket-naive}
          recommended: {strategy: deadzone-recommended}

        """

    /// YAML text of the scenario.
    package let text: String
    /// Duration of the simulation.
    package let duration: TimeSpan
    /// Content of the scenario in one line.
    package let summary: String
    package let notes: [String]
    private let loaded: LoadedScenarios

    /// - Parameters:
    ///   - strategies: file that defines the strategies; `nil` uses two well-known ones.
    ///   - name: name of the scenario in fault messages.
    package init(
        _ world: CapturedScenario, strategies: String?, name: String, _ vocabulary: Vocabulary
    ) throws(ToolFault) {
        guard !world.isEmpty else {
            throw ToolFault(
                .badCapture, "the capture contains no application messages to compare with", help: world.notes)
        }
        notes = world.notes
        duration = world.duration
        summary = world.summary
        text = world.text(strategies: try strategies.map(Self.strategies) ?? Self.usualStrategies)
        loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(Array(text.utf8), name: name)
        guard loaded.faults.isEmpty, loaded.scenarios.count == 1 else {
            let faults = loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined(separator: "\n")
            throw ToolFault(
                .badProfile, "the strategies are not valid\n" + faults,
                help: ["a map of names to strategies, as under `strategies:` of a scenario"])
        }
    }

    /// Reads a map of strategies from a file: the whole file, or the part of a scenario under `strategies:`.
    private static func strategies(in path: String) throws(ToolFault) -> String {
        switch ScenarioFiles.read(path) {
        case .failure(let trouble):
            throw ToolFault(.unreadable, "cannot read \(visible(path, atMost: 200)): \(trouble.message)")
        case .success(let bytes):
            var lines = String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
            if let head = lines.firstIndex(where: { $0.hasPrefix("strategies:") }) {
                lines.removeFirst(head + 1)
                let end = lines.firstIndex { !$0.isEmpty && !$0.hasPrefix(" ") && !$0.hasPrefix("#") }
                return lines[..<(end ?? lines.endIndex)].joined(separator: "\n") + "\n"
            }
            return lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n") + "\n"
        }
    }

    /// Runs the strategies; `nil` if the run was stopped before one replica was finished.
    package func run(by executor: ParallelExecutor) throws -> RunReport? {
        guard let scenario = loaded.scenarios.first else { return nil }
        let seed = scenario.seed ?? 1
        let simulationPlan = SimulationPlan(
            scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: scenario.replicas)
        let progress = executor.progress("what if", total: scenario.strategies.count * scenario.replicas)
        let results = simulationPlan.run(by: executor) { progress.advance() }
        progress.finish(plural(scenario.strategies.count, "strategy", "strategies"))
        return try ReportMaker(scenario, scenario.strategies, seed: seed, by: executor).report(results)
    }
}
