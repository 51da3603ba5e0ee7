import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

/// Executes one `run` or `merge` command: processes the scenarios one after another, then writes the outputs.
struct RunCall {
    let options: RunOptions
    let invocation: Invocation
    let context: CommandContext
    private let writer: ResultWriter
    private var finished = FinishedRuns()
    private var wasStopped = false
    private var summary = RunSummary()
    /// Shards with results that were computed earlier. `nil` simulates everything.
    private var shards: ShardSet?

    init(
        options: RunOptions, shards: ShardSet? = nil, invocation: Invocation, context: CommandContext
    ) throws(ToolFault) {
        self.options = options
        self.shards = shards
        self.invocation = invocation
        self.context = context
        writer = try ResultWriter(options.results)
    }

    mutating func run(_ files: ScenarioFiles) throws -> ExitCode {
        finished.requestedCount = files.files.reduce(0) { $0 + $1.loaded.scenarios.count }
        let events = try options.events.map { try EventFile($0, context) }
        for (name, loaded) in files.files {
            let first = finished.runs.count
            let progress = try progress(of: loaded.scenarios)
            for scenario in loaded.scenarios where !wasStopped { try run(scenario, of: name, events, progress) }
            if loaded.scenarios.first?.labels.isEmpty == false {
                let reports = finished.reports[first...]
                let failed = reports.count { $0.verdict == .fail }
                progress.finish(
                    (failed > 0 ? "FAIL, \(failed) of " : "pass, ") + plural(reports.count, "cell"))
            }
            if options.printsTables {
                printTables(finished.reports[first...], of: name, loaded.scenarios)
                summary.add(name, Array(finished.reports[first...]))
            }
        }
        context.output.write(summary.text(style))
        // An incomplete event file is not kept.
        if !wasStopped { try events?.finish() }
        finished.isComplete = !wasStopped
        var leftOut = try writer.write(finished, context)
        if wasStopped, let events = options.events, events != "-" { leftOut.append(events) }
        if wasStopped || !leftOut.isEmpty {
            if wasStopped { context.errors.write("stopped: what is shown is incomplete\n") }
            ResultWriter.reportLeftOut(leftOut, context)
            return .init(context.interruptionCode())
        }
        writer.reportWritten(invocation, context)
        let isKept = finished.runs.allSatisfy { $0.report.verdict == .pass }
        return isKept || options.isExitZero ? .ok : .gateFailed
    }

    /// Progress of all cells of a matrix, as one line.
    private func progress(of scenarios: [Scenario]) throws(ToolFault) -> Progress {
        var parts = 0
        for scenario in scenarios {
            let replicas = options.focus.replica != nil ? 1 : options.replicas ?? scenario.replicas
            parts += try options.selected(scenario).count * replicas
        }
        return executor.progress(visible(scenarios.first?.nameWithoutCell ?? ""), total: parts)
    }

    private mutating func run(
        _ scenario: Scenario, of name: String, _ events: EventFile?, _ progress: Progress
    ) throws {
        let namedStrategies = try options.selected(scenario)
        let seed = options.seed ?? scenario.seed ?? 1
        var simulationPlan = try options.simulationPlan(scenario, namedStrategies, seed: seed)
        let wantsWitnesses = options.results.wantsWitnesses || invocation.has(.verbose)
        simulationPlan.foldsByPhone = wantsWitnesses && shards == nil
        if invocation.has(.verbose) {
            context.errors.write(
                "\(visible(scenario.name)): world \(scenario.worldHash.short), seed \(seed), "
                    + "\(plural(simulationPlan.partCount, "part")) on \(plural(min(options.jobs, simulationPlan.partCount), "thread"))\n"
            )
            for namedStrategy in namedStrategies {
                context.errors.write("  \(visible(namedStrategy.name)): strategy \(namedStrategy.hash.short)\n")
            }
        }
        let gathered = try shards?.gather(simulationPlan, scenario, namedStrategies)
        let results = simulationPlan.run(
            by: executor, from: gathered, onPart: { progress.advance() }, onReplica: writer.onReplica)
        if gathered != nil, !results.isComplete, !executor.isStopped() { throw ToolFault.otherScenario(scenario.name) }
        var report = try ReportMaker(scenario, namedStrategies, seed: seed, focus: options.focus, by: executor).report(
            results)
        if let whole = report, whole.isComplete {
            report = WitnessFinder(simulationPlan, results, by: executor).addingWitnesses(
                whole, onlyFailed: !wantsWitnesses)
        }
        if options.wantsEntryEnergy, let whole = report, whole.isComplete {
            report = EntryEnergy(simulationPlan, scenario, by: executor).addingEnergy(whole)
        }
        wasStopped = report?.isComplete != true
        if scenario.labels.isEmpty {
            let verdict = wasStopped ? "stopped" : report?.verdict == .pass ? "pass" : "FAIL"
            progress.finish(
                "\(verdict), \(plural(namedStrategies.count, "strategy", "strategies")), "
                    + Self.counted(results.replicaCount, of: simulationPlan.seeds.count))
        }
        guard let report else { return }
        writer.end(report)
        finished.runs.append(
            FinishedRun(
                report: report, scenario: scenario, namedStrategies: namedStrategies, simulationPlan: simulationPlan,
                totals: options.results.totals(of: results, requestedCount: finished.requestedCount),
                isStopped: context.isInterrupted))
        guard let events, !wasStopped else { return }
        events.write(simulationPlan, namedStrategies.map(\.name), scenario, context.isInterrupted)
        wasStopped = context.isInterrupted()
    }

    /// `20 replicas`, or `172 of 3000 replicas` after a stop.
    private static func counted(_ count: Int, of planned: Int) -> String {
        count < planned ? "\(count) of \(plural(planned, "replica"))" : plural(planned, "replica")
    }

    private var executor: ParallelExecutor { ParallelExecutor(jobs: options.jobs, invocation, context) }

    private var isVerbose: Bool { invocation.has(.verbose) || options.wantsEntryEnergy }

    private var style: Style { Style(invocation, context.outputTerminal) }

    /// Prints one comparison, or one table for all cells of a matrix.
    private func printTables(_ reports: ArraySlice<RunReport>, of name: String, _ scenarios: [Scenario]) {
        guard let report = reports.first, let scenario = scenarios.first else { return }
        let selection = options.selection
        let added = selection.onlyAdditions.shellText
        let chosen = String(selection.shellText.dropFirst(added.count))
        let showCommand = "deadzone run \(ShellWord.text(name))\(added) --seed \(report.seed)"
        let replicas = report.focus.replica == nil ? " --replicas \(report.replicas)" : ""
        let command = showCommand + replicas + report.focus.flags + chosen
        if reports.startIndex > 0 { context.output.write("\n") }
        context.output.write(
            scenarios.count == 1
                ? report.terminalText(
                    style, reproduce: command, showCommand: showCommand, isVerbose: isVerbose)
                : RunReport.matrixText(
                    Array(reports), metrics: scenario.columns.isEmpty ? nil : scenario.columns, style,
                    reproduce: command, isVerbose: isVerbose))
    }
}

extension Scenario {
    /// The common name of all cells of a matrix.
    fileprivate var nameWithoutCell: String {
        let suffix = labels.isEmpty ? "" : " [" + labels.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ") + "]"
        return String(name.dropLast(suffix.count))
    }
}
