import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings

extension Flag {
    static let strategies = Flag(
        "strategies", takes: .text("FILE"),
        "runs the strategies of this file on the capture's messages and compares them")
    static let toScenario = Flag(
        "to-scenario", takes: .text("FILE"), "writes the capture's world as a scenario for `run`")
}

/// What other strategies would have cost for the messages of a capture.
struct WhatIf {
    /// Where nobody names others.
    static let usualStrategies = """
          naive: {strategy: websocket-naive}
          recommended: {strategy: deadzone-recommended}

        """

    let invocation: Invocation
    let surroundings: Surroundings
    let text: String
    /// Of the simulation.
    let duration: TimeSpan
    private let summary: String
    private let loaded: LoadedScenarios

    init?(_ world: @autoclosure () -> CapturedWorld, _ invocation: Invocation, _ surroundings: Surroundings) throws {
        guard invocation.text(.strategies) != nil || invocation.text(.toScenario) != nil else { return nil }
        self.invocation = invocation
        self.surroundings = surroundings
        let world = world()
        guard !world.isEmpty else {
            throw CommandFault(.badCapture, "the capture holds no message of an application: there is nothing to ask")
        }
        for note in world.notes where !invocation.has(.quiet) { surroundings.errors.write("note: \(note)\n") }
        duration = world.duration
        summary = world.summary
        text = world.text(strategies: try invocation.text(.strategies).map(Self.strategies) ?? Self.usualStrategies)
        loaded = ScenarioLoader(surroundings.vocabulary, read: ScenarioFiles.read)
            .load(Array(text.utf8), name: invocation.text(.toScenario) ?? "what-if.yaml")
        guard loaded.faults.isEmpty, loaded.scenarios.count == 1 else {
            let faults = loaded.faults.sorted.map { faultText($0, files: loaded.files) }.joined(separator: "\n")
            throw CommandFault(
                .badProfile, "the strategies do not make a scenario\n" + faults,
                help: ["a map of names to strategies, as under `strategies:` of a scenario"])
        }
    }

    /// A map of strategies, or a scenario's part that begins with `strategies:`.
    private static func strategies(in path: String) throws(CommandFault) -> String {
        switch ScenarioFiles.read(path) {
        case .failure(let trouble):
            throw CommandFault(.unreadable, "cannot read \(visible(path, atMost: 200)): \(trouble.message)")
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

    func write() throws(CommandFault) {
        guard let path = invocation.text(.toScenario) else { return }
        do throws(SystemFault) {
            try Files.write(Array(text.utf8), to: path)
        } catch {
            throw .unwritable(error)
        }
        guard !invocation.has(.quiet) else { return }
        surroundings.errors.write(
            "wrote \(visible(path, atMost: 200)): \(summary)\nnext: deadzone run \(shellWord(path))\n")
    }

    /// The comparison; nil if nobody asked for one, or it was stopped.
    func run(jobs: Int) throws -> RunReport? {
        guard invocation.text(.strategies) != nil, let scenario = loaded.scenarios.first else { return nil }
        let seed = scenario.seed ?? 1
        let assignment = Assignment(
            scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: scenario.replicas)
        let progress = Progress(
            "what if", total: scenario.strategies.count * scenario.replicas, surroundings,
            isSilent: invocation.has(.quiet))
        let yield = assignment.run(jobs: jobs, isStopped: surroundings.isInterrupted) { progress.advance() }
        progress.finish(plural(scenario.strategies.count, "strategy", "strategies"))
        return try ReportMaker(
            scenario: scenario, contenders: scenario.strategies, seed: seed, jobs: jobs, surroundings: surroundings,
            isSilent: invocation.has(.quiet)
        ).report(yield)
    }

    func comparison(_ report: ReplayReport.WhatIf, _ style: Style, reproduce command: String) -> String {
        report.run.terminalText(style, reproduce: command, isVerbose: invocation.has(.verbose))
    }
}
