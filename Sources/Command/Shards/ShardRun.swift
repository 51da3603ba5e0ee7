import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

/// One call of `run --shard`: the parts of every scenario that are this shard's, into one file. Nobody is told what they came to:
/// `merge` tells it of all of them together.
struct ShardRun {
    let shard: Shard
    let options: RunOptions
    let invocation: Invocation
    let surroundings: Surroundings

    func run(_ files: ScenarioFiles) throws -> ExitCode {
        guard let path = options.results.folder else {
            throw ToolFault(.missingArgument, "`--shard` needs a folder", help: ["name one with --out DIR"])
        }
        let request = options.request(invocation.arguments)
        let file = path + "/" + shard.fileName
        if invocation.has(.resume), let known = try? ShardFile(reading: file), known.shard == shard,
            known.request == request
        {
            tell("\(file.visible) is there already, and whole")
            return .ok
        }
        let folder: OutputFolder
        do throws(SystemFault) { folder = try OutputFolder(path) } catch { throw ToolFault.unwritable(error) }
        var maker = ShardMaker(shard, request)
        for scenario in files.files.flatMap(\.loaded.scenarios) {
            let contenders = try options.selected(scenario)
            let assignment = try options.assignment(scenario, contenders, seed: options.seed ?? scenario.seed ?? 1)
            let crew = Crew(jobs: options.jobs, invocation, surroundings)
            let progress = crew.progress(visible(scenario.name), total: maker.size(of: assignment))
            let isDone = maker.run(assignment, scenario, contenders, by: crew) { progress.advance() }
            progress.clear()
            guard isDone else {
                surroundings.errors.write("stopped: \(file.visible) was not written\n")
                return .init(surroundings.interruptionCode())
            }
            // Most shards of such a run have nothing to do, which would look like a mistake.
            if scenario.world.isCoupled, invocation.has(.verbose) || assignment.size < shard.count {
                tell("\(visible(scenario.name)): its phones meet, so a replica of a strategy is one part")
            }
        }
        do throws(SystemFault) {
            try folder.stage(maker.file.bytes, as: shard.fileName)
            try folder.publish()
        } catch {
            throw ToolFault.unwritable(error)
        }
        tell("\(file.visible): \(maker.own) of \(plural(maker.all, "part"))")
        return .ok
    }

    private func tell(_ line: String) {
        if !invocation.has(.quiet) { surroundings.output.write(line + "\n") }
    }
}
