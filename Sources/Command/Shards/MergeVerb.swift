import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let merge: Verb = Verb(
        "merge", "Merge the results of all shards (parts) of a run",
        arguments: .some(
            "SHARD", "shard files that `run --shard` wrote, folders with shard files, or file name patterns"),
        flags: [.jobs, .json, .out, .format, .exitZero, .verbose],
        examples: [
            Example("deadzone merge shards", "print the same output as a run without shards"),
            Example("deadzone merge shards --format json,html --out results", "also write JSON and HTML files"),
        ],
        next: [Example("deadzone run mine.yaml --shard 3/64 --out shards", "run a missing shard")],
        details: """
            `merge` needs all shards of a run, in any order; a shard may be named twice. The scenario files must be at
            the same paths as when the shards ran. The exit code is the same as that of a `run` without shards.
            """
    ) { invocation, context in
        var options = try RunOptions(invocation, context)
        let paths: [String]
        do throws(SystemFault) {
            paths = try PathExpansion.files(invocation.arguments, suffixes: [ShardFile.suffix])
        } catch {
            throw PathExpansion.isUnmatched(error)
                ? ToolFault.nothingMatched(error, help: "name shard files of `run --shard`, or a folder of them")
                : .unreadable(error)
        }
        let shards = try ShardSet(paths)
        options.adopt(shards.request)
        let files = try ScenarioFiles(
            shards.request.arguments, adding: options.selection, across: options.across, context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: options.isJSON, junit: options.results.junit, invocation, context)
        }
        var call = try RunCall(
            options: options, shards: shards, invocation: invocation, context: context)
        return try call.run(files)
    }
}
