import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let merge: Verb = Verb(
        "merge", "puts the shards of a run together, as if it had never been divided",
        arguments: .some("SHARD", "files that `run --shard` wrote, folders of them, or patterns"),
        flags: [.jobs, .json, .out, .format, .exitZero, .verbose],
        examples: [
            Example("deadzone merge shards", "prints what `run` would have printed"),
            Example("deadzone merge shards --format json,html --out results", "and writes what it would have written"),
        ],
        next: [Example("deadzone run mine.yaml --shard 3/64 --out shards", "runs one that is missing")],
        details: """
            Every shard is needed, from 1 to the last; which was named first, or twice, makes no difference. The scenarios have
            to lie where they lay when the shards ran. Ends as `run` would have.
            """
    ) { invocation, surroundings in
        var options = try RunOptions(invocation, surroundings)
        let paths: [String]
        do throws(SystemFault) {
            paths = try Expansion.files(invocation.arguments, suffixes: [ShardFile.suffix])
        } catch {
            throw Expansion.isUnmatched(error)
                ? ToolFault.nothingMatched(error, help: "name shards, as `run --shard` wrote them, or a folder of them")
                : .unreadable(error)
        }
        let shards = try ShardSet(paths)
        options.take(shards.request)
        let files = try ScenarioFiles(shards.request.arguments, surroundings)
        guard files.areSound else {
            return try files.refuse(isJSON: options.isJSON, junit: options.results.junit, invocation, surroundings)
        }
        var running = try Running(
            options: options, shards: shards, invocation: invocation, surroundings: surroundings)
        return try running.run(files)
    }
}
