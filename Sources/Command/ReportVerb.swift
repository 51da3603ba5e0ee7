import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

extension Verb {
    static let reporting: Verb = Verb(
        "report", "Regenerate the output in any format from a saved result",
        arguments: .one(
            "RESULT", "result file of `run --json` or `run --out` (JSON or SQLite), or - for standard input"),
        flags: [.out, .format, .jobs, .noCache, .json, .verbose],
        examples: [
            Example(
                "deadzone report results/results.json --format html --out results",
                "write the HTML page of a saved result"),
            Example("deadzone report results.json --format csv", "print the saved result as CSV"),
            Example("deadzone report results.json --json", "print the same JSON again, byte for byte"),
        ],
        next: [
            Example("deadzone run SCENARIO --out results", "run a scenario and save the result"),
            Example("deadzone explain E0421", "explain the error that a result cannot be reproduced"),
        ],
        details: """
            A result file contains its scenario and its seed. `report` runs the simulation again, and compares the
            digest (a hash of all events) of each strategy with the result file. No number of the new output is copied
            from the file.
            """
    ) { invocation, context in
        let call = try ReportCall(invocation, context)
        return try call.run(invocation.arguments[0])
    }
}

/// Executes one `report` command: repeats the runs of a saved result and writes them in the requested formats.
private struct ReportCall {
    private let options: FormatOptions
    private let writer: ResultWriter
    private let executor: ParallelExecutor
    private let invocation: Invocation
    private let context: CommandContext

    init(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        options = try FormatOptions(invocation)
        guard options.folder != nil || options.printed != nil else {
            throw ToolFault(
                .missingArgument, "no output format is given",
                help: ["--format \(ReportFormat.names.joined(separator: "|")), and --out DIR for files"])
        }
        writer = try ResultWriter(options)
        executor = ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context)
        self.invocation = invocation
        self.context = context
    }

    func run(_ path: String) throws -> ExitCode {
        let saved = try SavedResult(path, context)
        let progress = executor.progress(
            "running \(visible(path, atMost: 60)) again",
            total: saved.runs.reduce(0) { $0 + $1.replicas * $1.selection.count })
        var finished = FinishedRuns()
        finished.requestedCount = saved.isSingle ? 1 : max(2, saved.runs.count)
        for run in saved.runs {
            guard let run = try rerun(run, path, requestedCount: saved.runs.count, progress) else {
                context.errors.write("stopped: nothing was written\n")
                return .init(context.interruptionCode())
            }
            finished.runs.append(run)
        }
        progress.finish(plural(saved.runs.count, "run"))
        finished.compareNetworks()
        let leftOut = try writer.write(finished, context)
        guard leftOut.isEmpty else {
            ResultWriter.reportLeftOut(leftOut, context)
            return .init(context.interruptionCode())
        }
        writer.reportWritten(invocation, context)
        return .ok
    }

    /// Simulates a saved run again. `nil` if it was stopped.
    private func rerun(
        _ saved: SavedResult.SavedRun, _ path: String, requestedCount: Int, _ progress: Progress
    ) throws -> FinishedRun? {
        let scenario = try saved.loaded(from: path, context).scenarios[0]
        let namedStrategies = try saved.selection.enumerated().map { index, name in
            guard let namedStrategy = scenario.strategies.first(where: { $0.name == name }) else {
                throw ToolFault.noResult(path, "the scenario has no strategy \(visible(name, atMost: 60))")
            }
            guard namedStrategy.hash.hex == saved.hashes[index] else {
                throw ToolFault.otherDigest(saved.name, "\(visible(name)) now has the hash \(namedStrategy.hash.short)")
            }
            return namedStrategy
        }
        guard saved.focus.phone ?? 0 < scenario.world.phones else {
            throw ToolFault.noResult(path, "the scenario has no phone with the number in `phone`")
        }
        var simulationPlan = SimulationPlan(
            scenario, namedStrategies, seed: saved.seed, replicas: saved.replicas, focus: saved.focus)
        simulationPlan.foldsByPhone = options.wantsWitnesses
        simulationPlan.keepsReplicaDetails = scenario.isOnNetwork
        let results = simulationPlan.run(by: executor, onPart: { progress.advance() }, onReplica: writer.onReplica)
        let maker = ReportMaker(
            scenario, namedStrategies, seed: saved.seed, focus: saved.focus, by: executor.withoutProgress)
        guard results.isComplete, let report = try maker.report(results), report.isComplete else { return nil }
        for (strategy, digest) in zip(report.strategies, saved.digests) where strategy.digest != digest {
            throw ToolFault.otherDigest(
                saved.name,
                "\(visible(strategy.name)) gives the digest \(strategy.digest), but the result has \(visible(digest))")
        }
        writer.end(report)
        let finder = WitnessFinder(simulationPlan, results, by: executor)
        return FinishedRun(
            report: options.wantsWitnesses ? finder.addingWitnesses(report, onlyFailed: false) : report,
            scenario: scenario,
            namedStrategies: namedStrategies, simulationPlan: simulationPlan,
            totals: options.totals(of: results, requestedCount: requestedCount),
            networkSeries: AcrossMaker.series(results, report, scenario, namedStrategies),
            isStopped: context.isInterrupted)
    }
}

extension SavedResult.SavedRun {
    /// Loads the saved scenario and checks that its world is unchanged.
    func loaded(from path: String, _ context: CommandContext) throws(ToolFault) -> LoadedScenarios {
        // A resolved scenario refers to no other files.
        let loader = ScenarioLoader(context.vocabulary) { _ in
            .failure(FileError("a result must not refer to other files"))
        }
        var loaded = loader.load(Array(resolved.utf8), name: "resolved scenario")
        for fault in loaded.faults.sorted {
            context.errors.write(faultText(fault, files: loaded.files) + "\n")
        }
        guard loaded.scenarios.count == 1 else { throw .noResult(path, "the resolved scenario cannot be read") }
        loaded.scenarios[0].labels = cell.map { ($0.key, $0.value) }
        guard loaded.scenarios[0].worldHash.hex == worldHash else {
            throw ToolFault.otherDigest(name, "the world hash is now \(loaded.scenarios[0].worldHash.short)")
        }
        return loaded
    }
}

extension ToolFault {
    fileprivate static func otherDigest(_ scenario: String, _ what: String) -> Self {
        Self(
            .otherDigest, "\(visible(scenario, atMost: 120)) cannot be reproduced from the result: \(what)",
            help: [
                "another version or another strategy made it, or the file was edited",
                "deadzone run SCENARIO --out DIR makes a new result",
            ])
    }
}
