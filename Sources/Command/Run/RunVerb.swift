import DeadzoneRuns

extension Verb {
    static let run: Verb = Verb(
        "run", "runs every strategy of a scenario and compares them",
        arguments: .some("SCENARIO", "files, folders, patterns, or - for standard input"),
        flags: [
            .seed, .replicas, .replica, .phone, .strategy, .shard, .resume, .jobs, .json, .out, .format, .events,
            .exitZero, .annotate, .verbose,
        ],
        examples: [
            Example("deadzone run Scenarios/handoff/elevator.yaml", "prints the comparison"),
            Example("deadzone run mine.yaml --seed monday --replicas 40", "other weather, narrower intervals"),
            Example(
                "deadzone run Scenarios --json --out results", "a folder, as JSON on standard output and in a file"),
            Example("deadzone run mine.yaml --strategy patient --events events.ndjson", "everything that happened"),
            Example("deadzone run mine.yaml -v", "and whose the longest and the percentiles are"),
            Example("deadzone run mine.yaml --replica 4 --phone 55 --events -", "what happened to that one"),
            Example("deadzone run mine.yaml --replicas 1000 --shard 3/64 --out shards", "a part of it, for `merge`"),
        ],
        next: [
            Example("deadzone explain zombie.max", "what a number means"),
            Example("deadzone lint mine.yaml --print-resolved", "what exactly is run"),
        ],
        details: "Ends with 1 if an expectation is not met or a declared condition never took effect."
    ) { invocation, surroundings in
        let options = try RunOptions(invocation, surroundings)
        let files = try ScenarioFiles(invocation.arguments, surroundings)
        guard files.areSound else {
            return try files.refuse(isJSON: options.isJSON, junit: options.results.junit, invocation, surroundings)
        }
        if let shard = options.shard {
            return try ShardRun(
                shard: shard, options: options, invocation: invocation, surroundings: surroundings
            ).run(files)
        }
        var running = try Running(options: options, invocation: invocation, surroundings: surroundings)
        return try running.run(files)
    }
}
