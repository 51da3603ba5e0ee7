import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

extension Verb {
    static let compare: Verb = Verb(
        "compare", "compares with a baseline, or strategies with one of them, and checks gates",
        arguments: .some("SCENARIO", "files, folders, patterns, or - for standard input; or one result, of SQLite"),
        flags: [
            .baseline, .against, .gates, .seed, .replicas, .strategy, .jobs, .json, .out, .format, .exitZero,
            .annotate, .verbose,
        ], formats: CompareFormat.allCases.map(\.rawValue),
        examples: [
            Example("deadzone compare Scenarios --baseline base.json", "what has changed since, and is it real"),
            Example(
                "deadzone compare now/results.sqlite --baseline then/results.sqlite", "two results; nothing is run"),
            Example("deadzone compare mine.yaml --against naive --replicas 40", "everyone beside one strategy"),
            Example("deadzone compare Scenarios --baseline base.json --gates gates.yaml", "may this be merged"),
            Example(
                "deadzone compare Scenarios --baseline base.json --gates gates.yaml --annotate --out report",
                "for CI: annotations, and a page, JSON, Markdown and JUnit in a folder"),
        ],
        next: [
            Example("deadzone explain gates", "the language of gates"),
            Example("deadzone baseline save Scenarios --baseline base.json", "once a change is meant"),
        ],
        details: """
            Without --seed and --replicas, those of the baseline. Ends with 1 if a gate or an expectation does not hold, and,
            against a baseline without gates, if a metric is worse beyond chance and beyond 1%. What the baseline does not
            have is not compared, and told. The files in --out are compare.json, compare.md, compare.xml and compare.html.
            """
    ) { invocation, surroundings in
        let options = try CompareOptions(invocation, cores: surroundings.cores)
        guard options.baseline != nil || options.wanted.against != nil || options.gates != nil else {
            throw ToolFault(
                .missingArgument, "compared with what?",
                help: ["--baseline FILE, --against STRATEGY or --gates FILE", "deadzone help compare has examples"])
        }
        let archive = try ComparedArchive(invocation, surroundings)
        let files = try archive?.files ?? ScenarioFiles(invocation.arguments, surroundings)
        guard files.areSound else {
            return try files.refuse(isJSON: options.isJSON, junit: options.junit, invocation, surroundings)
        }
        var gates = GateFile()
        if let path = options.gates {
            switch try GateFile.read(path) {
            case .gates(let file): gates = file
            case .faults(let faults, let texts):
                return try ScenarioFiles(faults, of: texts)
                    .refuse(isJSON: options.isJSON, junit: options.junit, invocation, surroundings)
            }
        }
        let baseline = try options.baseline.map { path throws(ToolFault) in try BaselineFile(path) }
        let plan = try ComparePlan(files, baseline, gates, options.wanted, kept: archive?.kept)
        var running = CompareRun(
            options: options, gates: gates, baseline: baseline, archive: archive, invocation: invocation,
            surroundings: surroundings)
        return try running.run(plan)
    }
}

/// One call of `compare`: scenario after scenario, then the outputs.
private struct CompareRun {
    let options: CompareOptions
    let gates: GateFile
    let baseline: BaselineFile?
    /// Nil: scenarios are run.
    let archive: ComparedArchive?
    let invocation: Invocation
    let surroundings: Surroundings
    /// Each divergence that is told costs a replica more.
    private static let mostTold = 20
    private var told = 0

    init(
        options: CompareOptions, gates: GateFile, baseline: BaselineFile?, archive: ComparedArchive?,
        invocation: Invocation, surroundings: Surroundings
    ) {
        self.options = options
        self.gates = gates
        self.baseline = baseline
        self.archive = archive
        self.invocation = invocation
        self.surroundings = surroundings
    }

    mutating func run(_ plan: ComparePlan) throws -> ExitCode {
        // Before anything runs: a mistaken name should not cost the run.
        let folder: OutputFolder?
        do throws(SystemFault) {
            folder = try options.folder.map { path throws(SystemFault) in try OutputFolder(path) }
        } catch {
            throw ToolFault.unwritable(error)
        }
        let runner = ScenarioRunner(by: Crew(jobs: options.jobs, invocation, surroundings))
        var scenarios: [ComparedScenario] = []
        var isComplete = true
        for part in plan.parts where isComplete {
            let (finished, isWhole) = try archive.map { ($0.finished(part), true) } ?? runner.run(part)
            isComplete = isWhole
            if let finished { scenarios.append(compared(part, finished, runner)) }
        }
        let report = CompareReport(
            tool: toolVersion,
            reference: baseline != nil ? .baseline : options.wanted.against.map { .strategy($0) } ?? .none,
            floor: gates.floor, scenarios: scenarios, uncompared: plan.uncompared, hasGates: options.gates != nil,
            isComplete: isComplete)
        try write(report, plan, folder)
        if !isComplete {
            surroundings.errors.write("stopped: what is shown is incomplete\n")
            return .init(surroundings.interruptionCode())
        }
        return report.verdict == .pass || options.isExitZero ? .ok : .gateFailed
    }

    private mutating func compared(
        _ part: ComparePlan.Part, _ finished: ScenarioRunner.Finished, _ runner: ScenarioRunner
    ) -> ComparedScenario {
        var comparer = Comparer(floor: gates.floor, seed: part.seed)
        var comparisons: [StrategyComparison] = []
        for contender in part.contenders {
            if let old = part.old, let baseline {
                comparer.compare(
                    contender.name, finished.kept, with: old, measured: baseline.baseline.metrics
                ).map { comparisons.append($0) }
            } else if let other = options.wanted.against, other != contender.name {
                comparer.compare(contender.name, against: other, in: finished.kept).map { comparisons.append($0) }
            }
        }
        for index in comparisons.indices where told < Self.mostTold {
            guard let divergence = comparisons[index].divergence else { continue }
            comparisons[index].divergence = runner.told(divergence, of: comparisons[index].strategy, part)
            told += 1
        }
        let file = archive == nil ? part.file : ComparedArchive.file
        let judge = GateJudge(finished.kept, old: part.old) { ScenarioRunner.command(file, $0, $1) }
        return ComparedScenario(
            name: part.scenario.name, worldHash: part.scenario.worldHash.hex, seed: part.seed,
            replicas: finished.kept.replicas, comparisons: comparisons,
            outcomes: part.gates.compactMap {
                judge.judge($0.threshold, of: $0.metric, $0.subject, level: $0.level, place: $0.place)
            },
            troubles: finished.troubles,
            command: "deadzone run \(ShellWord.text(file)) --seed \(part.seed) --replicas \(part.replicas)",
            model: finished.model)
    }

    private func write(_ report: CompareReport, _ plan: ComparePlan, _ folder: OutputFolder?) throws(ToolFault) {
        if let format = options.printed {
            surroundings.output.write(format.text(report))
        } else {
            let style = Style(invocation, surroundings.outputTerminal)
            surroundings.output.write(report.terminalText(style, isVerbose: invocation.has(.verbose)))
        }
        if invocation.has(.annotate) {
            let files = Dictionary(plan.parts.map { ($0.scenario.name, $0.file) }) { first, _ in first }
            surroundings.errors.write(report.annotations { files[$0] })
        }
        guard let folder else { return }
        do throws(SystemFault) {
            for format in options.written {
                try folder.stage(Array(format.text(report).utf8), as: format.fileName)
            }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
