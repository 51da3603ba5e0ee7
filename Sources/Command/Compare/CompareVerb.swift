import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let compare: Verb = Verb(
        "compare", "Compare results with a baseline, or strategies with each other, and fail on regressions",
        arguments: .some(
            "SCENARIO", "scenario files, folders, file name patterns, - for standard input, or one SQLite result file"),
        flags: [
            .baseline, .against, .gates, .seed, .replicas, .strategy, .with, .only, .jobs, .noCache, .watch, .json,
            .out,
            .format,
            .exitZero, .strict,
            .annotate, .verbose,
        ], formats: CompareFormat.allCases.map(\.rawValue),
        examples: [
            Example(
                "deadzone compare Scenarios --baseline base.json",
                "show which metrics changed, and which changes are statistically significant"),
            Example(
                "deadzone compare now/results.sqlite --baseline then/results.sqlite",
                "compare two saved results without running a scenario"),
            Example(
                "deadzone compare mine.yaml --against naive --replicas 40",
                "compare all other strategies with the strategy naive"),
            Example(
                "deadzone compare Scenarios/handoff/elevator.yaml --with mine=mine.yaml --against patient",
                "compare your own client with a strategy of shipped scenarios"),
            Example(
                "deadzone compare Scenarios --baseline base.json --gates gates.yaml",
                "check the bounds in gates.yaml, to decide if a change can be merged"
            ),
            Example(
                "deadzone compare Scenarios --baseline base.json --gates gates.yaml --annotate --out report",
                "for CI: print annotations, and write JSON, Markdown, JUnit and HTML files"),
        ],
        next: [
            Example("deadzone explain gates", "explain how to write gates"),
            Example(
                "deadzone baseline save Scenarios --baseline base.json",
                "accept an intended change: save the new results"),
        ],
        wordings: [CompareOptions.strictWording],
        details: """
            By default, --seed and --replicas are taken from the baseline. Exits with 1 if a gate or an expectation is
            not met. With a baseline, `compare` also exits with 1 if a primary metric is worse: significantly and by
            more than 1%, or from no loss to some. Primary metrics are lost and pending messages, failed calls, latency
            (p95), zombies, recovery (p95) and energy above idle. A file of gates adds to this rule, or says
            `extends: none`. Scenarios and strategies that the baseline does not contain, or contains with another
            world, are listed but not compared. With --strict, they fail the comparison.
            The files in --out are compare.json, compare.md, compare.xml and compare.html. --format also takes sarif, for
            code scanning, and rdjsonl, for reviewdog.
            """
    ) { invocation, context in
        let options = try CompareOptions(invocation, context)
        guard options.baseline != nil || options.wanted.against != nil || options.gates != nil else {
            throw ToolFault(
                .missingArgument, "nothing to compare with is given",
                help: ["add --baseline FILE, --against STRATEGY or --gates FILE", "deadzone help compare has examples"])
        }
        var gates = GateFile()
        if let path = options.gates {
            switch try GateFile.read(path) {
            case .gates(let file): gates = file
            case .faults(let faults, let texts):
                return try ScenarioFiles(faults, of: texts)
                    .publishFaults(isJSON: options.isJSON, junit: options.junit, invocation, context)
            }
        }
        return try CompareCall.run(options, gates, invocation, context)
    }
}

/// Executes one `compare` or `check` command: runs the scenarios one after another, then writes the outputs.
struct CompareCall {
    let options: CompareOptions
    let gates: GateFile
    let baseline: BaselineFile?
    /// `nil` if the scenarios are simulated.
    let archive: ComparedArchive?
    let invocation: Invocation
    let context: CommandContext
    /// Limit for divergences described by their events. Each of them costs one more replica.
    private static let maxDescribed = 20
    private var described = 0
    /// Name of the preset that `check` applies. `nil` for `compare`.
    private let preset: String?

    /// Loads the scenarios and the baseline, and executes the command.
    static func run(
        _ options: CompareOptions, _ gates: GateFile, preset: String? = nil, _ invocation: Invocation,
        _ context: CommandContext
    ) throws -> ExitCode {
        let archive = try ComparedArchive(invocation, context)
        let files =
            try archive?.files
            ?? ScenarioFiles(
                invocation.arguments, adding: options.wanted.strategies, jobs: invocation.number(.jobs), context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: options.isJSON, junit: options.junit, invocation, context)
        }
        files.noteRenamed(invocation, context)
        let baseline = try options.baseline.map { path throws(ToolFault) in try BaselineFile(path) }
        let plan = try ComparePlan(files, baseline, gates, options.wanted, kept: archive?.kept)
        plan.noteBaselineSettings(invocation, context)
        var call = CompareCall(
            options: options, gates: gates, preset: preset, baseline: baseline, archive: archive,
            invocation: invocation, context: context)
        return try call.run(plan)
    }

    private init(
        options: CompareOptions, gates: GateFile, preset: String?, baseline: BaselineFile?, archive: ComparedArchive?,
        invocation: Invocation, context: CommandContext
    ) {
        self.options = options
        self.gates = gates
        self.preset = preset
        self.baseline = baseline
        self.archive = archive
        self.invocation = invocation
        self.context = context
    }

    private mutating func run(_ plan: ComparePlan) throws -> ExitCode {
        // Open the folder before any run, so that a wrong name does not waste the run.
        let folder: OutputFolder?
        do throws(SystemFault) {
            folder = try options.folder.map { path throws(SystemFault) in try OutputFolder(path) }
        } catch {
            throw ToolFault.unwritable(error)
        }
        let executor = ParallelExecutor(jobs: options.jobs, invocation, context)
        let runner = ScenarioRunner(by: executor)
        var scenarios: [ComparedScenario] = []
        var isComplete = true
        if let archive {
            scenarios = plan.parts.compactMap { part in archive.finished(part).map { compared(part, $0, runner) } }
        } else {
            isComplete = try runner.run(plan.parts) { part, finished in
                scenarios.append(compared(part, finished, runner))
            }
        }
        var report = CompareReport(
            tool: toolVersion,
            reference: baseline != nil ? .baseline : options.wanted.against.map { .strategy($0) } ?? .none,
            floor: gates.floor, scenarios: scenarios, uncompared: plan.uncompared,
            usesRecommendedGates: gates.extendsRecommended, isComplete: isComplete)
        report.preset = preset
        report.isStrict = options.isStrict
        report.unjudged = plan.unjudged
        try write(report, plan, folder)
        if !isComplete {
            context.errors.write("stopped: what is shown is incomplete\n")
            return .init(context.interruptionCode())
        }
        return report.verdict == .pass || options.isExitZero ? .ok : .gateFailed
    }

    private mutating func compared(
        _ part: ComparePlan.ScenarioComparison, _ finished: ScenarioRunner.FinishedScenario, _ runner: ScenarioRunner
    ) -> ComparedScenario {
        var comparer = Comparer(floor: gates.floor, seed: part.seed)
        var comparisons: [StrategyComparison] = []
        for namedStrategy in part.namedStrategies {
            if let old = part.baselineRun, let baseline {
                comparer.compare(
                    namedStrategy.name, finished.kept, with: old, measured: baseline.baseline.metrics
                ).map { comparisons.append($0) }
            } else if let other = options.wanted.against, other != namedStrategy.name {
                comparer.compare(namedStrategy.name, against: other, in: finished.kept).map { comparisons.append($0) }
            }
        }
        for index in comparisons.indices {
            comparisons[index].formerName = part.formerNames[comparisons[index].strategy]
        }
        for index in comparisons.indices where described < Self.maxDescribed {
            guard let divergence = comparisons[index].divergence else { continue }
            comparisons[index].divergence = runner.withEvents(divergence, of: comparisons[index].strategy, part)
            described += 1
        }
        let file = archive == nil ? part.file : ComparedArchive.file
        let added = options.wanted.strategies.onlyAdditions
        let cell = CellSelection.flags(of: part.scenario)
        var judge = GateJudge(finished.kept, old: part.baselineRun) {
            ScenarioRunner.command(file, part.scenario, added, $0, $1)
        }
        judge.judgingCommand = { [self] strategy, place in judgingCommand(part, strategy, place) }
        var scenario = ComparedScenario(
            name: part.scenario.name, worldHash: part.scenario.worldHash.hex, seed: part.seed,
            replicas: finished.kept.replicas, comparisons: comparisons,
            outcomes: part.gates.compactMap {
                $0.isPreset
                    ? judge.judgePreset($0.threshold, of: $0.metric, $0.subject, place: $0.place)
                    : judge.judge($0.threshold, of: $0.metric, $0.subject, level: $0.level, place: $0.place)
            },
            troubles: finished.troubles,
            command: "deadzone run \(ShellWord.text(file))\(added.shellText)\(cell) --seed \(part.seed) "
                + "--replicas \(part.replicas)",
            model: finished.model)
        scenario.replaced = part.replaced
        scenario.baselineSeed = part.baselineRun?.seed
        scenario.baselineReplicas = part.baselineRun?.replicas
        return scenario
    }

    /// The command that compares with the baseline again. For an expectation, the strategy is enough. A gate file is
    /// checked with all scenarios, because each of its gates must match one.
    private func judgingCommand(
        _ part: ComparePlan.ScenarioComparison, _ strategy: String, _ place: BoundLocation?
    ) -> String? {
        guard let path = options.baseline else { return nil }
        let isExpectation = place?.isExpectation ?? true
        let files = isExpectation && archive == nil ? [part.file] : invocation.arguments
        var words = files.map { ShellWord.text($0) }.joined(separator: " ")
        words += options.wanted.strategies.onlyAdditions.shellText + " --baseline " + ShellWord.text(path)
        if isExpectation {
            words += " --strategy " + ShellWord.text(strategy)
        } else if let gates = options.gates {
            words += " --gates " + ShellWord.text(gates)
        }
        if let seed = options.wanted.seed { words += " --seed \(seed)" }
        if let replicas = options.wanted.replicas { words += " --replicas \(replicas)" }
        return "deadzone compare " + words
    }

    private func write(_ report: CompareReport, _ plan: ComparePlan, _ folder: OutputFolder?) throws(ToolFault) {
        let parts = Dictionary(plan.parts.map { ($0.scenario.name, $0) }) { first, _ in first }
        func place(_ scenario: String, _ strategy: String?) -> BoundLocation? {
            guard let part = parts[scenario] else { return nil }
            return strategy.flatMap(part.place(ofStrategy:)) ?? BoundLocation(file: part.file, line: 1, column: 1)
        }
        let comments = report.reviewComments(place: place)
        if let format = options.printed {
            context.output.write(format.text(report, comments))
        } else {
            let style = Style(invocation, context.outputTerminal)
            context.output.write(report.terminalText(style, isVerbose: invocation.has(.verbose)))
        }
        if invocation.has(.annotate) { context.errors.write(report.annotations(place: place)) }
        guard let folder else { return }
        do throws(SystemFault) {
            for format in options.written {
                try folder.stage(
                    Array(format.text(report, comments).utf8), as: format.fileName, isWatched: invocation.has(.watch))
            }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
