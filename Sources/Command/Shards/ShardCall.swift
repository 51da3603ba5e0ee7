import DeadzoneBase
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// Executes one `run --shard` command: simulates this shard's parts of every scenario and writes them to one file. It
/// prints no results; `merge` prints those of all shards together.
struct ShardCall {
    let shard: Shard
    let options: RunOptions
    let invocation: Invocation
    let context: CommandContext

    func run(_ files: ScenarioFiles) throws -> ExitCode {
        guard let path = options.results.folder else {
            throw ToolFault(.missingArgument, "`--shard` needs a folder", help: ["name one with --out DIR"])
        }
        let request = options.request(invocation.arguments)
        let file = path + "/" + shard.fileName
        if invocation.has(.resume), let known = try? ShardFile(reading: file), known.shard == shard,
            known.request == request
        {
            printUnlessQuiet("\(file.escapedForTerminal) already exists and is complete")
            return .ok
        }
        let folder: OutputFolder
        do throws(SystemFault) { folder = try OutputFolder(path) } catch { throw ToolFault.unwritable(error) }
        var maker = ShardMaker(shard, request)
        for scenario in files.files.flatMap(\.loaded.scenarios) {
            let namedStrategies = try options.selected(scenario)
            let simulationPlan = try options.simulationPlan(
                scenario, namedStrategies, seed: options.seed ?? scenario.seed ?? 1)
            var executor = ParallelExecutor(jobs: options.jobs, invocation, context)
            // Many machines share a home folder, and each part is simulated once.
            executor.cache = nil
            let progress = executor.progress(visible(scenario.name), total: maker.countOwnParts(of: simulationPlan))
            let isDone = maker.run(simulationPlan, scenario, namedStrategies, by: executor) { progress.advance() }
            progress.clear()
            guard isDone else {
                context.errors.write("stopped: \(file.escapedForTerminal) was not written\n")
                return .init(context.interruptionCode())
            }
            // Most shards of such a run have no work, which would look like an error.
            if scenario.world.isCoupled, invocation.has(.verbose) || simulationPlan.partCount < shard.count {
                printUnlessQuiet(
                    "\(visible(scenario.name)): its phones affect each other, so each replica of a strategy is one part"
                )
            }
        }
        do throws(SystemFault) {
            try folder.stage(maker.file.bytes, as: shard.fileName)
            try folder.publish()
        } catch {
            throw ToolFault.unwritable(error)
        }
        printUnlessQuiet("\(file.escapedForTerminal): \(maker.ownPartCount) of \(plural(maker.totalPartCount, "part"))")
        return .ok
    }

    private func printUnlessQuiet(_ line: String) {
        if !invocation.has(.quiet) { context.output.write(line + "\n") }
    }
}
