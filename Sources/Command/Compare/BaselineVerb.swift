import DeadzoneArchive
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces

extension Verb {
    static let baseline: Verb = Verb(
        "baseline", "saves what scenarios come to, or shows what has changed since",
        arguments: .some("save|diff SCENARIO", "files, folders, patterns, or - for standard input"),
        flags: [
            .baseline, .seed, .replicas, .strategy, .jobs, .json, .trace, .exitZero, .force, .replace, .verbose,
        ],
        examples: [
            Example("deadzone baseline save Scenarios --baseline base.json", "a small file, made to be committed"),
            Example("deadzone baseline diff Scenarios --baseline base.json", "which metric, and from which minute on"),
            Example(
                "deadzone baseline diff mine.yaml --baseline base.json --trace before.ndjson",
                "with the first event that is different, before and now"),
        ],
        next: [Example("deadzone compare Scenarios --baseline base.json", "with statistics and gates")],
        details: """
            Results are exact, so a changed number is a changed behaviour: `diff` ends with 1 if anything differs. `save`
            keeps what a baseline has of scenarios that are not named; with --replace it holds the named ones alone, which
            also removes what is gone. --force replaces a file that is no baseline.
            """
    ) { invocation, surroundings in
        let words = ["save", "diff"]
        let word = invocation.arguments[0]
        guard words.contains(word) else {
            throw ToolFault.unknownName(word, "word", among: words, help: "deadzone baseline save or diff")
        }
        let scenarios = Array(invocation.arguments.dropFirst())
        guard !scenarios.isEmpty else { throw ToolFault.missingArgument(.baseline) }
        let options = try CompareOptions(invocation, cores: surroundings.cores)
        guard let path = options.baseline else {
            throw ToolFault(.missingArgument, "which file?", help: ["add --baseline FILE"])
        }
        let files = try ScenarioFiles(scenarios, surroundings)
        guard files.areSound else {
            return try files.refuse(isJSON: options.isJSON, junit: nil, invocation, surroundings)
        }
        let work = BaselineWork(path: path, options: options, invocation: invocation, surroundings: surroundings)
        return word == "save" ? try work.save(files) : try work.diff(files)
    }
}

private struct BaselineWork {
    let path: String
    let options: CompareOptions
    let invocation: Invocation
    let surroundings: Surroundings

    private var runner: ScenarioRunner {
        ScenarioRunner(by: Crew(jobs: options.jobs, invocation, surroundings))
    }

    func save(_ files: ScenarioFiles) throws -> ExitCode {
        let kept = try keptBefore()
        let plan = try ComparePlan(files, nil, GateFile(), options.wanted)
        var runs: [BaselineRun] = []
        for part in plan.parts {
            let (finished, isComplete) = try runner.run(part)
            guard let finished, isComplete else {
                surroundings.errors.write("stopped: nothing was saved\n")
                return .init(surroundings.interruptionCode())
            }
            // What proves nothing is no measure for anything.
            guard finished.troubles.isEmpty else {
                throw ToolFault(
                    .runFailed,
                    "\(BaselineFile.quote(part.scenario.name)) proves nothing: "
                        + finished.troubles[0].visible, help: ["nothing was saved"])
            }
            runs.append(finished.kept)
        }
        let new = Baseline.of(runs)
        let baseline = try kept.map { old throws(ToolFault) in try merged(new, old, plan) } ?? new
        let text = baseline.text
        if path == Expansion.standardInput {
            surroundings.output.write(text)
            return .ok
        }
        do throws(SystemFault) {
            try Files.write(Array(text.utf8), to: path)
        } catch {
            throw ToolFault.unwritable(error)
        }
        if options.isJSON { surroundings.output.write(text) }
        if !invocation.has(.quiet) {
            let rest = baseline.runs.count - runs.count
            surroundings.errors.write(
                "\(path.visible): \(plural(runs.count, "scenario"))\(rest > 0 ? " saved, \(rest) kept" : ""), "
                    + "\(text.utf8.count) bytes\n")
        }
        return .ok
    }

    /// What the file holds already. A slip of the hand should not cost a scenario file.
    private func keptBefore() throws(ToolFault) -> Baseline? {
        guard path != Expansion.standardInput, Files.kind(of: path) != .missing else { return nil }
        if try Archive.at(path) != nil, !invocation.has(.force) {
            throw ToolFault(
                .fileExists, "\(BaselineFile.quote(path)) is a result, and no baseline to add to",
                help: ["name another file, or --force replaces it"])
        }
        do throws(ToolFault) {
            let file = try BaselineFile(path)
            return invocation.has(.replace) ? nil : file.baseline
        } catch {
            if invocation.has(.force) { return nil }
            guard error.code == .noBaseline else { throw error }
            throw ToolFault(
                .fileExists, "\(BaselineFile.quote(path)) is there already, and no baseline",
                help: ["--force replaces it"])
        }
    }

    /// With what was kept of other scenarios and, where only some strategies were named, of the others.
    private func merged(_ new: Baseline, _ old: Baseline, _ plan: ComparePlan) throws(ToolFault) -> Baseline {
        var new = new
        for part in plan.parts where part.contenders.count < part.scenario.strategies.count {
            guard let before = old.run(named: part.scenario.name),
                let index = new.runs.firstIndex(where: { $0.name == before.name })
            else { continue }
            guard new.runs[index].isLike(before) else {
                throw ToolFault(
                    .conflict,
                    "the baseline has other strategies of \(BaselineFile.quote(part.scenario.name)) under another world, "
                        + "seed or number of replicas", help: ["name all strategies, or --replace the rest"])
            }
            let known = part.scenario.strategies.map(\.name)
            new.runs[index].strategies = known.compactMap { name in
                new.runs[index].strategy(named: name) ?? before.strategy(named: name)
            }
        }
        return new.keeping(old)
    }

    func diff(_ files: ScenarioFiles) throws -> ExitCode {
        let baseline = try BaselineFile(path)
        let plan = try ComparePlan(files, baseline, GateFile(), options.wanted)
        var scenarios: [ComparedScenario] = []
        for part in plan.parts {
            let (finished, isComplete) = try runner.run(part)
            guard let finished, isComplete else {
                surroundings.errors.write("stopped: nothing is shown\n")
                return .init(surroundings.interruptionCode())
            }
            var comparer = Comparer(floor: .zero, seed: part.seed)
            let comparisons = part.contenders.compactMap { contender -> StrategyComparison? in
                guard let old = part.old,
                    var comparison = comparer.compare(
                        contender.name, finished.kept, with: old, measured: baseline.baseline.metrics)
                else { return nil }
                if let divergence = comparison.divergence {
                    comparison.divergence = runner.told(divergence, of: contender.name, part)
                }
                return comparison
            }
            scenarios.append(
                ComparedScenario(
                    name: part.scenario.name, worldHash: part.scenario.worldHash.hex, seed: part.seed,
                    replicas: finished.kept.replicas, comparisons: comparisons, outcomes: [], troubles: [],
                    command: ScenarioRunner.command(part.file, [], part.seed)))
        }
        let report = CompareReport(
            tool: toolVersion, reference: .baseline, floor: .zero, scenarios: scenarios,
            uncompared: plan.uncompared, hasGates: true, isComplete: true)
        if let trace = options.trace { try compareEvents(with: trace, plan) }
        let style = Style(invocation, surroundings.outputTerminal)
        surroundings.output.write(
            options.isJSON
                ? report.json.text() + "\n"
                : report.diffText(style, isVerbose: invocation.has(.verbose)) { name, comparison in
                    guard let part = plan.parts.first(where: { $0.scenario.name == name }),
                        let divergence = comparison.divergence
                    else { return nil }
                    return ScenarioRunner.command(part.file, [comparison.strategy], divergence.seed)
                        + " --events events.ndjson"
                })
        return report.isSame || options.isExitZero ? .ok : .gateFailed
    }

    /// To the errors' side: with --json the document is all that is printed.
    private func compareEvents(with path: String, _ plan: ComparePlan) throws {
        let old: [UInt8]
        do throws(SystemFault) {
            old = try Files.read(path, limit: EventComparison.limit)
        } catch {
            throw ToolFault.unreadable(error)
        }
        let comparison = EventComparison(old)
        for part in plan.parts { compare(part, comparison) }
        comparison.finish()
        let text = comparison.text + "\n"
        if options.isJSON { surroundings.errors.write(text) } else { surroundings.output.write(text) }
    }

    /// In the order in which `run --events` writes them.
    private func compare(_ part: ComparePlan.Part, _ comparison: EventComparison) {
        let assignment = Assignment(
            part.scenario, part.contenders.map(\.strategy), seed: part.seed, replicas: part.replicas)
        let conditions = part.scenario.textsOfChanges
        for replica in 0..<part.replicas {
            for (strategy, contender) in part.contenders.enumerated() where !comparison.isDecided {
                let line = EventLine(
                    strategy: contender.name, groups: part.scenario.groupNames, replica: replica,
                    conditions: conditions)
                var walker = comparison.walker(line)
                assignment.again(strategy, replica, into: &walker) {
                    comparison.isDecided || surroundings.isInterrupted()
                }
            }
        }
    }
}
