import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// Executes one `run` or `merge` command: processes the scenarios one after another, then writes the outputs.
struct RunCall {
    let options: RunOptions
    let invocation: Invocation
    let context: CommandContext
    private let writer: ResultWriter
    private var finished = FinishedRuns()
    private var wasStopped = false
    private var summary = RunSummary()
    /// Index of the current file's first run in `finished`.
    private var fileStart = 0
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
        let planned = try plan(files)
        let simulator = ScenarioSimulator(
            options: options, onReplica: writer.onReplica,
            progress: FileProgress(partCounts(planned, files), executor),
            requestedCount: finished.requestedCount)
        // An archive receives the replicas of one scenario after the other.
        let jobs = writer.onReplica == nil ? options.jobs : 1
        let order = ParallelExecutor(jobs: jobs, invocation, context)
        let all = executor
        var taken = 0
        try order.inOrder(planned.count) { index, executor in
            Result { try simulator.simulated(planned[index], by: jobs == 1 ? all : executor) }
        } take: { (index, outcome: Result<SimulatedScenario, any Error>) throws in
            taken = index + 1
            try take(outcome.get(), planned[index], events, simulator.progress)
            if planned[index].isLastOfFile {
                endFile(files.files[planned[index].file], planned[index], simulator.progress)
            }
            return !wasStopped
        }
        wasStopped = wasStopped || taken < planned.count
        if taken > 0, fileStart < finished.runs.count {
            endFile(files.files[planned[taken - 1].file], planned[taken - 1], simulator.progress)
        }
        simulator.progress.clear()
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
        let isKept = finished.runs.indices.allSatisfy(finished.isKept)
        return isKept || options.isExitZero ? .ok : .gateFailed
    }

    /// All scenarios and cells in the order of the files. Faults of later files are found before anything is run.
    private mutating func plan(_ files: ScenarioFiles) throws -> [PlannedScenario] {
        var planned: [PlannedScenario] = []
        for (file, entry) in files.files.enumerated() {
            for (index, scenario) in entry.loaded.scenarios.enumerated() {
                let namedStrategies = try options.selected(scenario)
                let seed = options.seed ?? scenario.seed ?? 1
                var simulationPlan = try options.simulationPlan(scenario, namedStrategies, seed: seed)
                simulationPlan.foldsByPhone = wantsWitnesses && shards == nil
                simulationPlan.keepsReplicaDetails = scenario.isOnNetwork
                let gathered = try shards?.gather(simulationPlan, scenario, namedStrategies)
                planned.append(
                    PlannedScenario(
                        file: file, isLastOfFile: index == entry.loaded.scenarios.count - 1, scenario: scenario,
                        namedStrategies: namedStrategies, seed: seed, simulationPlan: simulationPlan,
                        gathered: gathered, wantsWitnesses: wantsWitnesses))
            }
        }
        return planned
    }

    /// Number of parts of each file.
    private func partCounts(_ planned: [PlannedScenario], _ files: ScenarioFiles) -> [Int] {
        var counts = Array(repeating: 0, count: files.files.count)
        for index in planned.indices { counts[planned[index].file] += planned[index].simulationPlan.partCount }
        return counts
    }

    private var wantsWitnesses: Bool { options.results.wantsWitnesses || invocation.has(.verbose) }

    /// Adds the results of one scenario to the outputs.
    private mutating func take(
        _ simulated: SimulatedScenario, _ planned: PlannedScenario, _ events: EventFile?, _ progress: FileProgress
    ) {
        if invocation.has(.verbose) { printPlan(planned, progress) }
        wasStopped = simulated.report?.isComplete != true
        if planned.scenario.labels.isEmpty {
            let verdict = wasStopped ? "stopped" : simulated.report?.verdictText ?? "FAIL"
            progress.finish(
                planned.file, planned.nameWithoutCell,
                "\(verdict), \(plural(planned.namedStrategies.count, "strategy", "strategies")), "
                    + Self.counted(simulated.replicaCount, of: planned.simulationPlan.seeds.count))
        }
        guard let report = simulated.report else { return }
        writer.end(report)
        finished.runs.append(
            FinishedRun(
                report: report, scenario: planned.scenario, namedStrategies: planned.namedStrategies,
                simulationPlan: planned.simulationPlan, totals: simulated.totals,
                networkSeries: simulated.networkSeries, isStopped: context.isInterrupted))
        guard let events, !wasStopped else { return }
        events.write(
            planned.simulationPlan, planned.namedStrategies.map(\.name), planned.scenario, context.isInterrupted)
        wasStopped = context.isInterrupted()
    }

    private func printPlan(_ planned: PlannedScenario, _ progress: FileProgress) {
        let parts = planned.simulationPlan.partCount
        progress.clear()
        context.errors.write(
            "\(visible(planned.scenario.name)): world \(planned.scenario.worldHash.short), seed \(planned.seed), "
                + "\(plural(parts, "part")) on \(plural(min(options.jobs, parts), "thread"))\n")
        for namedStrategy in planned.namedStrategies {
            context.errors.write("  \(visible(namedStrategy.name)): strategy \(namedStrategy.hash.short)\n")
        }
    }

    /// Prints the results of a file after its last scenario was taken.
    private mutating func endFile(
        _ file: (name: String, loaded: LoadedScenarios), _ planned: PlannedScenario, _ progress: FileProgress
    ) {
        if !wasStopped { finished.compareNetworks(from: fileStart) }
        let reports = finished.reports[fileStart...]
        let failed = finished.runs.indices[fileStart...].count { !finished.isKept($0) }
        let unjudged = reports.count(where: \.isUnjudged)
        fileStart = finished.runs.count
        if file.loaded.scenarios.first?.labels.isEmpty == false {
            progress.finish(
                planned.file, planned.nameWithoutCell,
                (failed > 0 ? "FAIL, \(failed) of " : unjudged > 0 ? "not judged, \(unjudged) of " : "pass, ")
                    + plural(reports.count, "cell"))
        }
        guard options.printsTables else { return }
        progress.clear()
        printTables(reports, of: file.name, file.loaded.scenarios)
        summary.add(file.name, Array(reports), isKept: failed == 0)
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
        let across = options.across.map { " --across " + ShellWord.text($0.text) } ?? ""
        let cells = options.cells?.flags ?? ""
        let showCommand = "deadzone run \(ShellWord.text(name))\(across)\(added)\(cells) --seed \(report.seed)"
        let replicas = report.focus.replica == nil ? " --replicas \(report.replicas)" : ""
        let command = showCommand + replicas + report.focus.flags + chosen
        if reports.startIndex > 0 { context.output.write("\n") }
        context.output.write(
            scenarios.count == 1
                ? report.terminalText(
                    style, reproduce: command, showCommand: showCommand, isVerbose: isVerbose)
                : RunReport.matrixText(
                    Array(reports), metrics: scenario.columns.isEmpty ? nil : scenario.columns,
                    across: finished.across.filter { report in report.networks.contains { reports.indices ~= $0.run } },
                    style, reproduce: command, isVerbose: isVerbose))
    }
}
