import DeadzoneHost
public import DeadzoneCompare
public import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings

/// What other strategies would have cost for the messages of a capture.
public struct WhatIfMaker {
    /// Where nobody names others.
    private static let usualStrategies = """
          naive: {strategy: websocket-naive}
          recommended: {strategy: deadzone-recommended}

        """

    /// The scenario.
    public let text: String
    /// Of the simulation.
    public let duration: TimeSpan
    /// What the scenario holds, in one line.
    public let summary: String
    public let notes: [String]
    private let loaded: LoadedScenarios

    /// - Parameters:
    ///   - strategies: the file that names them; nil: a few that everybody knows.
    ///   - name: of the scenario, for faults.
    public init(
        _ world: CapturedWorld, strategies: String?, name: String, _ vocabulary: Vocabulary
    ) throws(ToolFault) {
        guard !world.isEmpty else {
            throw ToolFault(.badCapture, "the capture holds no message of an application: there is nothing to ask")
        }
        notes = world.notes
        duration = world.duration
        summary = world.summary
        text = world.text(strategies: try strategies.map(Self.strategies) ?? Self.usualStrategies)
        loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(Array(text.utf8), name: name)
        guard loaded.faults.isEmpty, loaded.scenarios.count == 1 else {
            let faults = loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined(separator: "\n")
            throw ToolFault(
                .badProfile, "the strategies do not make a scenario\n" + faults,
                help: ["a map of names to strategies, as under `strategies:` of a scenario"])
        }
    }

    /// A map of strategies, or a scenario's part that begins with `strategies:`.
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

    /// What the strategies come to; nil if it was stopped before one replica was finished.
    public func run(by crew: Crew) throws -> RunReport? {
        guard let scenario = loaded.scenarios.first else { return nil }
        let seed = scenario.seed ?? 1
        let assignment = Assignment(
            scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: scenario.replicas)
        let progress = crew.progress("what if", total: scenario.strategies.count * scenario.replicas)
        let yield = assignment.run(by: crew) { progress.advance() }
        progress.finish(plural(scenario.strategies.count, "strategy", "strategies"))
        return try ReportMaker(scenario, scenario.strategies, seed: seed, by: crew).report(yield)
    }
}
