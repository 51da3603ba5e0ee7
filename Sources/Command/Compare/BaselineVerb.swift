import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let baseline: Verb = Verb(
        "baseline", "Save results as a baseline, or show which results differ from a baseline",
        arguments: .some(
            "save|diff SCENARIO",
            "save or diff, then scenario files, folders, file name patterns, or - for standard input"),
        flags: [
            .baseline, .seed, .replicas, .strategy, .with, .only, .jobs, .noCache, .json, .trace, .exitZero, .force,
            .replace,
            .verbose,
        ],
        examples: [
            Example(
                "deadzone baseline save Scenarios --baseline base.json",
                "save the results in a text file that you can commit to Git"),
            Example(
                "deadzone baseline diff Scenarios --baseline base.json",
                "show which metrics changed, and in which simulated minute the change begins"),
            Example(
                "deadzone baseline diff mine.yaml --baseline base.json --trace before.ndjson",
                "also show the first event that differs from the earlier run"),
        ],
        next: [
            Example(
                "deadzone compare Scenarios --baseline base.json",
                "test whether the changes are statistically significant")
        ],
        details: """
            Simulations are exact, so a changed number means changed behaviour. `diff` exits with 1 if any result
            differs. `save` keeps the stored results of all scenarios that the command does not name. With --replace,
            `save` removes these results, for example those of deleted scenarios. --force overwrites a file that is not
            a baseline.
            """
    ) { invocation, context in
        let words = ["save", "diff"]
        let word = invocation.arguments[0]
        guard words.contains(word) else {
            throw ToolFault.unknownName(word, "word", among: words, help: "deadzone baseline save or diff")
        }
        let scenarios = Array(invocation.arguments.dropFirst())
        guard !scenarios.isEmpty else { throw ToolFault.missingArgument(.baseline) }
        let options = try CompareOptions(invocation, context)
        guard let path = options.baseline else {
            throw ToolFault(.missingArgument, "no baseline file is given", help: ["add --baseline FILE"])
        }
        let files = try ScenarioFiles(
            scenarios, adding: options.wanted.strategies, jobs: invocation.number(.jobs), context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: options.isJSON, junit: nil, invocation, context)
        }
        files.noteRenamed(invocation, context)
        let work = BaselineCall(path: path, options: options, invocation: invocation, context: context)
        return word == "save" ? try work.save(files) : try work.diff(files)
    }
}

private struct BaselineCall {
    let path: String
    let options: CompareOptions
    let invocation: Invocation
    let context: CommandContext

    private var runner: ScenarioRunner {
        ScenarioRunner(by: ParallelExecutor(jobs: options.jobs, invocation, context))
    }

    func save(_ files: ScenarioFiles) throws -> ExitCode {
        let kept = try keptBefore()
        let plan = try ComparePlan(files, nil, GateFile(), options.wanted)
        var runs: [BaselineRun] = []
        let isComplete = try runner.run(plan.parts) { part, finished throws(ToolFault) in
            guard finished.isComplete else { return }
            // A run that proves nothing cannot serve as a baseline.
            guard finished.troubles.isEmpty else {
                throw ToolFault(
                    .runFailed,
                    "\(BaselineFile.quote(part.scenario.name)) is not a valid run:  "
                        + finished.troubles[0].escapedForTerminal, help: ["nothing was saved"])
            }
            runs.append(finished.kept)
        }
        guard isComplete else {
            context.errors.write("stopped: nothing was saved\n")
            return .init(context.interruptionCode())
        }
        let new = Baseline.of(runs)
        let baseline = try kept.map { old throws(ToolFault) in try merged(new, old, plan) } ?? new
        let text = baseline.text
        if path == PathExpansion.standardInput {
            context.output.write(text)
            return .ok
        }
        do throws(SystemFault) {
            try Files.write(Array(text.utf8), to: path)
        } catch {
            throw ToolFault.unwritable(error)
        }
        if options.isJSON { context.output.write(text) }
        if !invocation.has(.quiet) {
            warn(about: runs)
            let rest = baseline.runs.count - runs.count
            context.errors.write(
                "\(path.escapedForTerminal): \(plural(runs.count, "scenario"))\(rest > 0 ? " saved, \(rest) kept" : ""), "
                    + "\(text.utf8.count) bytes\n")
        }
        return .ok
    }

    /// Warns if a comparison with these runs cannot decide about the primary metrics, whatever they show.
    private func warn(about runs: [BaselineRun]) {
        let needed = PrimaryMetric.neededReplicas
        let few = runs.filter { $0.replicas < needed }
        guard let first = few.first else { return }
        let rest = few.count > 1 ? " and \(plural(few.count - 1, "more scenario"))" : ""
        context.errors.write(
            "warning: \(BaselineFile.quote(first.name))\(rest): \(plural(first.replicas, "replica")) cannot decide whether a "
                + "primary metric is worse (latency, energy, …); save at least \(needed): --replicas \(needed)\n")
    }

    /// The baseline that the file already holds. A file that is not a baseline, such as a scenario, is only replaced
    /// with --force.
    private func keptBefore() throws(ToolFault) -> Baseline? {
        guard path != PathExpansion.standardInput, Files.kind(of: path) != .missing else { return nil }
        if try Archive.at(path) != nil, !invocation.has(.force) {
            throw ToolFault(
                .fileExists, "\(BaselineFile.quote(path)) is a result, not a baseline that can be extended",
                help: ["name another file, or replace it with --force"])
        }
        do throws(ToolFault) {
            let file = try BaselineFile(path)
            return invocation.has(.replace) ? nil : file.baseline
        } catch {
            if invocation.has(.force) { return nil }
            guard error.code == .noBaseline else { throw error }
            throw ToolFault(
                .fileExists, "\(BaselineFile.quote(path)) already exists and is not a baseline",
                help: ["--force replaces it"])
        }
    }

    /// Merges the new runs with the kept ones: other scenarios, and other strategies where only some were named.
    private func merged(_ new: Baseline, _ old: Baseline, _ plan: ComparePlan) throws(ToolFault) -> Baseline {
        var new = new
        for part in plan.parts where part.namedStrategies.count < part.scenario.strategies.count {
            guard let before = old.run(named: part.scenario.name),
                let index = new.runs.firstIndex(where: { $0.name == before.name })
            else { continue }
            guard new.runs[index].hasSameConditions(before) else {
                throw ToolFault(
                    .conflict,
                    "other strategies of \(BaselineFile.quote(part.scenario.name)) are in the baseline with another world, "
                        + "seed or number of replicas",
                    help: ["name all strategies, or replace the rest with --replace"])
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
        plan.noteBaselineSettings(invocation, context)
        var scenarios: [ComparedScenario] = []
        let isComplete = try runner.run(plan.parts) { part, finished in
            var comparer = Comparer(floor: .zero, seed: part.seed)
            let comparisons = part.namedStrategies.compactMap { namedStrategy -> StrategyComparison? in
                guard let old = part.baselineRun,
                    var comparison = comparer.compare(
                        namedStrategy.name, finished.kept, with: old, measured: baseline.baseline.metrics)
                else { return nil }
                comparison.formerName = part.formerNames[namedStrategy.name]
                if let divergence = comparison.divergence {
                    comparison.divergence = runner.withEvents(divergence, of: namedStrategy.name, part)
                }
                return comparison
            }
            var compared = ComparedScenario(
                name: part.scenario.name, worldHash: part.scenario.worldHash.hex, seed: part.seed,
                replicas: finished.kept.replicas, comparisons: comparisons, outcomes: [], troubles: [],
                command: ScenarioRunner.command(
                    part.file, part.scenario, options.wanted.strategies, [], part.seed))
            compared.baselineSeed = part.baselineRun?.seed
            compared.baselineReplicas = part.baselineRun?.replicas
            scenarios.append(compared)
        }
        guard isComplete else {
            context.errors.write("stopped: no result is shown\n")
            return .init(context.interruptionCode())
        }
        let report = CompareReport(
            tool: toolVersion, reference: .baseline, floor: .zero, scenarios: scenarios,
            uncompared: plan.uncompared, usesRecommendedGates: false, isComplete: true)
        if let trace = options.trace { try compareEvents(with: trace, plan) }
        let style = Style(invocation, context.outputTerminal)
        context.output.write(
            options.isJSON
                ? report.json.text() + "\n"
                : report.diffText(style, isVerbose: invocation.has(.verbose)) { name, comparison in
                    guard let part = plan.parts.first(where: { $0.scenario.name == name }),
                        let divergence = comparison.divergence
                    else { return nil }
                    return ScenarioRunner.command(
                        part.file, part.scenario, options.wanted.strategies, [comparison.strategy], divergence.seed)
                        + " --events events.ndjson"
                })
        return report.isSame || options.isExitZero ? .ok : .gateFailed
    }

    /// Prints the comparison of events. With --json it goes to standard error, because standard output holds only the
    /// document.
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
        if options.isJSON { context.errors.write(text) } else { context.output.write(text) }
    }

    /// Simulates in the order in which `run --events` writes events.
    private func compare(_ part: ComparePlan.ScenarioComparison, _ comparison: EventComparison) {
        let simulationPlan = SimulationPlan(
            part.scenario, part.namedStrategies.map(\.strategy), seed: part.seed, replicas: part.replicas)
        let conditions = part.scenario.changeTexts
        for replica in 0..<part.replicas {
            for (strategy, namedStrategy) in part.namedStrategies.enumerated() where !comparison.hasDifference {
                let line = EventLineFormatter(
                    strategy: namedStrategy.name, groups: part.scenario.groupNames, replica: replica,
                    conditions: conditions)
                var walker = comparison.recorder(line)
                simulationPlan.rerun(strategy, replica, into: &walker) {
                    comparison.hasDifference || context.isInterrupted()
                }
            }
        }
    }
}
