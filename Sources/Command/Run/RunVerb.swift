import DeadzoneRuns

extension Verb {
    static let run: Verb = Verb(
        "run", "Simulate a scenario with each of its strategies and compare the results",
        arguments: .some("SCENARIO", "scenario files, folders, file name patterns, or - for standard input"),
        flags: [
            .seed, .replicas, .replica, .phone, .strategy, .with, .only, .across, .cell, .shard, .resume, .jobs,
            .noCache, .watch, .json, .out,
            .format,
            .events, .entryEnergy, .exitZero, .annotate, .verbose,
        ],
        examples: [
            Example("deadzone run Scenarios/handoff/elevator.yaml", "print a table that compares the strategies"),
            Example(
                "deadzone run mine.yaml --seed monday --replicas 40",
                "use another seed, and 40 replicas for narrower confidence intervals"),
            Example(
                "deadzone run Scenarios --json --out results",
                "run all scenarios of a folder; print JSON, and write it to files"),
            Example(
                "deadzone run mine.yaml --across profiles",
                "compare on every radio profile that fits: does the ranking hold?"),
            Example("deadzone run ping.yaml --cell every=5m", "run one cell of a matrix"),
            Example(
                "deadzone run mine.yaml --strategy patient --events events.ndjson",
                "write all events of one strategy to a file"),
            Example(
                "deadzone run Scenarios/handoff/elevator.yaml --with mine.yaml",
                "also run your own client, with the strategies of another file"),
            Example(
                "deadzone run mine.yaml -v",
                "print each metric, the cost of entries, and the phone of each maximum"),
            Example(
                "deadzone run mine.yaml --replica 4 --phone 55 --events -",
                "print all events of one phone in one replica"),
            Example(
                "deadzone run mine.yaml --replicas 1000 --shard 3/64 --out shards",
                "run part 3 of 64; `merge` combines all parts"),
        ],
        next: [
            Example("deadzone explain zombie.max", "explain a metric"),
            Example("deadzone lint mine.yaml --print-resolved", "show the scenario with all defaults filled in"),
        ],
        details: """
            Exits with 1 if an expectation is not met, or if an event or condition of the scenario had no effect.

            `--format svg` draws the connection attempts of one scenario with several phones. It is refused for a single
            phone.
            """
    ) { invocation, context in
        let options = try RunOptions(invocation, context)
        var files = try ScenarioFiles(
            invocation.arguments, adding: options.selection, across: options.across, jobs: invocation.number(.jobs),
            context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: options.isJSON, junit: options.results.junit, invocation, context)
        }
        try options.checkPicture(of: files)
        files.noteRenamed(invocation, context)
        files.noteUnfit(invocation, context)
        files.noteSettings(invocation, context)
        if let cells = options.cells { files = try cells.selected(of: files) }
        if let shard = options.shard {
            return try ShardCall(
                shard: shard, options: options, invocation: invocation, context: context
            ).run(files)
        }
        var call = try RunCall(options: options, invocation: invocation, context: context)
        return try call.run(files)
    }
}
