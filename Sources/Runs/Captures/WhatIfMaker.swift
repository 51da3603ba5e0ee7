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

    private static let maximumFaults = 3

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
            let faults = loaded.faults.sorted.prefix(Self.maximumFaults).map(\.message)
            throw ToolFault(
                .badProfile, "the strategies are not valid: " + faults.joined(separator: "; "),
                help: [
                    "a map of names to strategies, as under `strategies:` of a scenario, or a preset of `fit --to-preset`"
                ])
        }
    }

    /// Reads a map of strategies from a file: a file of strategies, a scenario with `strategies:`, or a preset,
    /// which is one strategy with the name of its file.
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
            if lines.contains(where: { line in ["strategy:", "preset:"].contains(where: line.hasPrefix) }) {
                let file = String(path.split(separator: "/").last ?? "preset")
                let name = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
                let plain = String(name.map { $0.isLetter || $0.isNumber || " -_.".contains($0) ? $0 : "-" })
                return "  \"\(plain)\":\n" + indented(withoutHead(lines), by: 4)
            }
            return indented(lines, by: 2)
        }
    }

    /// The lines of a preset without `version:` and `about:`, which belong to the file.
    private static func withoutHead(_ lines: [String]) -> [String] {
        var isHead = false
        return lines.filter { line in
            if !line.hasPrefix(" "), !line.isEmpty {
                isHead = ["version:", "about:"].contains { line.hasPrefix($0) }
            }
            return !isHead
        }
    }

    private static func indented(_ lines: [String], by count: Int) -> String {
        let blanks = String(repeating: " ", count: count)
        return lines.map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n") + "\n"
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
