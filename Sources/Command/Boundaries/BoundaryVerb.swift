import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePages
import DeadzonePrimitives
import DeadzoneRuns

extension Flag {
    static let vary = Flag(
        "vary", takes: .text("SETTING"), "the setting, by its keys: server.database.queries-per-second")
    static let range = Flag("range", takes: .text("LOW,HIGH"), "its least and its greatest value: 30s,10m")
    static let demand = Flag(
        "expect", takes: .text("DEMAND"),
        "a bound as in `expect`: 'calls.failed: 0'; of a group: 'new: {calls.failed: 0}'")
    static let logarithmic = Flag("log", "values lie evenly on a log scale")
    static let steps = Flag("steps", takes: .number("N", 2...100), "so many values first, from end to end (default 5)")
}

/// A kind of file that a boundary becomes.
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
        "boundary", "finds the value of a setting at which a demand stops being met",
        arguments: .one("SCENARIO", "a file, without a matrix of its own"),
        flags: [
            .vary, .range, .logarithmic, .demand, .steps, .seed, .replicas, .strategy, .jobs, .out, .format,
            .json,
        ], formats: BoundaryFormat.names,
        examples: [
            Example(
                "deadzone boundary mine.yaml --vary server.capacity.requests-per-second --range 50,400 --expect 'calls.failed: 0'",
                "from how much capacity on each client has all its answers")
        ],
        next: [Example("deadzone run mine.yaml --format html --out report", "what happens on one side of it")],
        details: """
            The values from end to end are tried first; where two neighbours disagree, the gap between them is cut in
            halves six times. What changes twice within one gap is not seen: more --steps look closer. Every value is
            run under the same seeds. It ends with 0, wherever the boundary is.
            """
    ) { invocation, surroundings in
        let output = try TextOutput<BoundaryFormat>(invocation)
        func needed(_ flag: Flag) throws(ToolFault) -> String {
            guard let text = invocation.text(flag) else {
                throw ToolFault(.missingArgument, "`--\(flag.name)` is missing", help: ["deadzone help boundary"])
            }
            return text
        }
        let bounds = try needed(.range).split(separator: ",").map(String.init)
        guard bounds.count == 2 else {
            throw ToolFault(
                .badFlagValue, "`--range` cannot be `\(try needed(.range).visible)`",
                help: ["two values: --range 30s,10m"]
            )
        }
        var question = BoundaryMaker.Question(
            file: invocation.arguments[0], setting: try needed(.vary), from: bounds[0], to: bounds[1],
            demand: try needed(.demand))
        question.isLog = invocation.has(.logarithmic)
        question.steps = invocation.number(.steps) ?? question.steps
        question.seed = try invocation.text(.seed).map(RunOptions.checkedSeed)
        question.replicas = invocation.number(.replicas)
        question.strategies = invocation.texts(.strategy)
        let crew = Crew(jobs: invocation.number(.jobs) ?? surroundings.cores, invocation, surroundings)
        let report = try BoundaryMaker(question, surroundings.vocabulary, by: crew).report()
        guard let report else { return ExitCode(surroundings.interruptionCode()) }
        try output.write(report)
        let style = Style(invocation, surroundings.outputTerminal)
        surroundings.output.write(output.printed?.make(report) ?? report.text(style))
        return .ok
    }
}
