import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let vary = Flag(
        "vary", takes: .text("SETTING"), repeatable: true,
        "Setting to vary, as a dotted path: server.database.queries-per-second")
    static let range = Flag(
        "range", takes: .text("LOW,HIGH"), "Lowest and highest value of the setting, such as 30s,10m")
    static let expectation = Flag(
        "expect", takes: .text("DEMAND"),
        "Demand, such as 'calls.failed: 0' (default: the only one of the scenario's `expect:`)")
    static let logarithmic = Flag("log", "Space the values evenly on a logarithmic scale")
    static let steps = Flag(
        "steps", takes: .number("N", 2...100), "Number of values between LOW and HIGH to try first (default 5)")
}

/// An output format of the command `boundary`, such as JSON or SVG.
struct BoundaryFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable (BoundaryReport) -> String

    static let json = BoundaryFormat(name: "json", fileName: "boundary.json") { $0.json.text() + "\n" }

    static let all = [
        json, BoundaryFormat(name: "md", fileName: "boundary.md", make: \.markdown),
        BoundaryFormat(name: "svg", fileName: "boundary.svg") { BoundaryFigure($0).svg },
    ]
}

extension Verb {
    static let boundary: Verb = Verb(
        "boundary", "Find the value of a setting at which a requirement stops holding",
        arguments: .one("SCENARIO", "scenario file without a `matrix`"),
        flags: [
            .vary, .range, .logarithmic, .expectation, .steps, .seed, .replicas, .strategy, .with, .only, .jobs,
            .noCache, .out,
            .format, .json,
        ], formats: BoundaryFormat.names,
        examples: [
            Example(
                "deadzone boundary mine.yaml --vary server.capacity.requests-per-second --range 50,400 --expect 'calls.failed: 0'",
                "find the server capacity above which no call fails"),
            Example(
                "deadzone boundary mine.yaml --vary strategies.patient.ping --range 30s,30m --log --expect 'latency.down.p95: under 5s'",
                "find the longest ping interval with a low latency"),
        ],
        next: [
            Example(
                "deadzone run mine.yaml --format html --out report", "show the results for one value of the setting")
        ],
        details: """
            --vary and --range are required. --expect is required if the scenario has not exactly one expectation for the
            strategies that run.

            `boundary` first tries values over the whole range. If the requirement holds at only one of two adjacent
            values, the gap between these values is halved six times. Two changes within one gap are not detected: use
            more --steps for a finer search. All values use the same random seeds. The exit code is 0, wherever the
            boundary is. Printed values are the values that were run.

            If the setting belongs to one strategy, only this strategy is run. --strategy selects others. A setting that
            is a map, such as a whole `keepalive`, is refused: vary one of its settings. After an interruption, the values
            that were tried are printed.

            `Why` names the cause that changes most between the last value that holds and the first that does not: a
            cause of lost messages or of silence (`explain why-lost`), of energy, or a count of events.
            """
    ) { invocation, context in
        let output = try TextOutput<BoundaryFormat>(invocation)
        func needed(_ flag: Flag) throws(ToolFault) -> String {
            guard let text = invocation.text(flag) else {
                throw ToolFault(
                    .missingArgument, "`--\(flag.name)` is missing",
                    help: ["--vary and --range are required: deadzone help boundary"])
            }
            return text
        }
        let bounds = try needed(.range).split(separator: ",").map(String.init)
        guard bounds.count == 2 else {
            throw ToolFault(
                .badFlagValue, "`--range` cannot be `\(try needed(.range).escapedForTerminal)`",
                help: ["two values: --range 30s,10m"]
            )
        }
        if invocation.texts(.vary).count > 1 { throw ToolFault.flagTwice("--vary") }
        let demand = invocation.text(.expectation)
        if let demand, !demand.contains(":") {
            throw ToolFault(
                .badFlagValue,
                "`--expect` cannot be `\(demand.escapedForTerminal)`: there is no colon after the metric",
                help: ["a metric and its bound: --expect 'latency.down.p95: under 5s'"])
        }
        var question = BoundaryMaker.BoundaryRequest(
            file: invocation.arguments[0], setting: try needed(.vary), from: bounds[0], to: bounds[1],
            demand: demand)
        question.isLog = invocation.has(.logarithmic)
        question.steps = invocation.number(.steps) ?? question.steps
        question.seed = try invocation.text(.seed).map(RunOptions.checkedSeed)
        question.replicas = invocation.number(.replicas)
        question.strategies = try StrategySelection(invocation, context)
        let executor = ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context)
        let isWatched = context.errorTerminal.isInteractive && !invocation.has(.quiet)
        var maker = BoundaryMaker(question, context.vocabulary, by: executor)
        let report = try maker.report(
            renamed: { ScenarioFiles.note(renamed: $0, invocation, context) },
            tried: { if isWatched { context.errors.write("\r\u{1B}[K\($0)\n") } })
        guard let report else { return ExitCode(context.interruptionCode()) }
        try output.write(report)
        let style = Style(invocation, context.outputTerminal)
        context.output.write(output.printed?.make(report) ?? report.text(style))
        return report.isComplete ? .ok : ExitCode(context.interruptionCode())
    }
}
