import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

/// One call of `run`, or of `merge`: scenario after scenario, then the outputs.
struct Running {
    let options: RunOptions
    let invocation: Invocation
    let surroundings: Surroundings
    private let writer: ResultWriter
    private var finished = FinishedRuns()
    private var wasStopped = false
    private var summary = RunSummary()
    /// Where harvests come from that somebody else has brought in; nil: they are simulated.
    private var shards: ShardSet?

    init(
        options: RunOptions, shards: ShardSet? = nil, invocation: Invocation, surroundings: Surroundings
    ) throws(ToolFault) {
        self.options = options
        self.shards = shards
        self.invocation = invocation
        self.surroundings = surroundings
        writer = try ResultWriter(options.results)
    }

    mutating func run(_ files: ScenarioFiles) throws -> ExitCode {
        finished.asked = files.files.reduce(0) { $0 + $1.loaded.scenarios.count }
        let events = try options.events.map { try EventFile($0, surroundings) }
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
        surroundings.output.write(summary.text(style))
        // Events that were cut short leave no file behind.
        if !wasStopped { try events?.finish() }
        finished.isComplete = !wasStopped
        var leftOut = try writer.write(finished, surroundings)
        if wasStopped, let events = options.events, events != "-" { leftOut.append(events) }
        if wasStopped || !leftOut.isEmpty {
            if wasStopped { surroundings.errors.write("stopped: what is shown is incomplete\n") }
            ResultWriter.tell(leftOut, surroundings)
            return .init(surroundings.interruptionCode())
        }
        let isKept = finished.runs.allSatisfy { $0.report.verdict == .pass }
        return isKept || options.isExitZero ? .ok : .gateFailed
    }

    /// One line for all cells of a matrix.
    private func progress(of scenarios: [Scenario]) throws(ToolFault) -> Progress {
        var parts = 0
        for scenario in scenarios {
            let replicas = options.focus.replica != nil ? 1 : options.replicas ?? scenario.replicas
            parts += try options.selected(scenario).count * replicas
        }
        return crew.progress(visible(scenarios.first?.nameWithoutCell ?? ""), total: parts)
    }

    private mutating func run(
        _ scenario: Scenario, of name: String, _ events: EventFile?, _ progress: Progress
    ) throws {
        let contenders = try options.selected(scenario)
        let seed = options.seed ?? scenario.seed ?? 1
        var assignment = try options.assignment(scenario, contenders, seed: seed)
        let wantsWitnesses = options.results.wantsWitnesses || invocation.has(.verbose)
        assignment.sortsByPhone = wantsWitnesses && shards == nil
        if invocation.has(.verbose) {
            surroundings.errors.write(
                "\(visible(scenario.name)): world \(scenario.worldHash.short), seed \(seed), "
                    + "\(plural(assignment.size, "part")) on \(plural(min(options.jobs, assignment.size), "thread"))\n")
            for contender in contenders {
                surroundings.errors.write("  \(visible(contender.name)): strategy \(contender.hash.short)\n")
            }
        }
        let gathered = try shards?.gather(assignment, scenario, contenders)
        let yield = assignment.run(
            by: crew, from: gathered, onPart: { progress.advance() }, onReplica: writer.onReplica)
        if gathered != nil, !yield.isComplete, !crew.isStopped() { throw ToolFault.otherScenario(scenario.name) }
        var report = try ReportMaker(scenario, contenders, seed: seed, focus: options.focus, by: crew).report(yield)
        if let whole = report, whole.isComplete {
            report = WitnessFinder(assignment, yield, by: crew).witnessed(whole, onlyFailed: !wantsWitnesses)
        }
        wasStopped = report?.isComplete != true
        if scenario.labels.isEmpty {
            let verdict = wasStopped ? "stopped" : report?.verdict == .pass ? "pass" : "FAIL"
            progress.finish(
                "\(verdict), \(plural(contenders.count, "strategy", "strategies")), "
                    + plural(assignment.seeds.count, "replica"))
        }
        guard let report else { return }
        writer.end(report)
        finished.runs.append(
            FinishedRun(
                report: report, scenario: scenario, contenders: contenders, assignment: assignment,
                totals: options.results.totals(of: yield, asked: finished.asked),
                isStopped: surroundings.isInterrupted))
        guard let events, !wasStopped else { return }
        events.write(assignment, contenders.map(\.name), scenario, surroundings.isInterrupted)
        wasStopped = surroundings.isInterrupted()
    }

    private var crew: Crew { Crew(jobs: options.jobs, invocation, surroundings) }

    private var style: Style { Style(invocation, surroundings.outputTerminal) }

    /// One comparison, or one table for all cells of a matrix.
    private func printTables(_ reports: ArraySlice<RunReport>, of name: String, _ scenarios: [Scenario]) {
        guard let report = reports.first, let scenario = scenarios.first else { return }
        let chosen = options.strategies.map { " --strategy " + ShellWord.text($0) }.joined()
        let look = "deadzone run \(ShellWord.text(name)) --seed \(report.seed)"
        let replicas = report.focus.replica == nil ? " --replicas \(report.replicas)" : ""
        let command = look + replicas + report.focus.flags + chosen
        if reports.startIndex > 0 { surroundings.output.write("\n") }
        surroundings.output.write(
            scenarios.count == 1
                ? report.terminalText(style, reproduce: command, look: look, isVerbose: invocation.has(.verbose))
                : RunReport.matrixText(
                    Array(reports), metrics: scenario.columns.isEmpty ? nil : scenario.columns, style,
                    reproduce: command, isVerbose: invocation.has(.verbose)))
    }
}

extension Scenario {
    /// What all cells of a matrix are called.
    fileprivate var nameWithoutCell: String {
        let suffix = labels.isEmpty ? "" : " [" + labels.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ") + "]"
        return String(name.dropLast(suffix.count))
    }
}
