import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// An output format of the command `lint`, such as SARIF.
private struct LintFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable (ScenarioFiles) -> String

    static let json = LintFormat(name: "json", fileName: "lint.json") { $0.json.text() + "\n" }

    static let all = [
        json,
        LintFormat(name: "sarif", fileName: "lint.sarif") {
            ReviewComment.sarif($0.reviewComments, tool: toolVersion)
        },
        LintFormat(name: "rdjsonl", fileName: "lint.rdjsonl") { files in
            ReviewComment.rdjsonl(files.reviewComments) { files.line($1, of: $0) }
        },
    ]
}

extension Verb {
    static let lint: Verb = Verb(
        "lint", "Check scenarios without running them",
        arguments: .some("SCENARIO", "scenario files, folders, file name patterns, or - for standard input"),
        flags: [.json, .out, .format, .annotate, .printResolved], formats: LintFormat.names,
        examples: [
            Example("deadzone lint mine.yaml", "show all errors of a scenario at once"),
            Example("deadzone lint Scenarios --annotate", "print errors as annotations of a GitHub workflow"),
            Example(
                "deadzone lint Scenarios --format rdjsonl",
                "print errors for reviewdog, with suggestions that can be committed"),
            Example(
                "deadzone lint mine.yaml --print-resolved",
                "print the scenario with all defaults and profiles filled in"),
        ],
        next: [Example("deadzone run mine.yaml", "run the scenario")]
    ) { invocation, context in
        let output = try TextOutput<LintFormat>(invocation)
        let files = try ScenarioFiles(invocation.arguments, context)
        try output.write(files)
        guard files.areValid else {
            // A review tool shows the faults itself.
            if output.printed.map({ $0.name == LintFormat.json.name }) ?? true {
                files.reportFaults(invocation, context)
            }
            if let printed = output.printed { context.output.write(printed.make(files)) }
            return .badInput
        }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        if let printed = output.printed {
            context.output.write(printed.make(files))
        } else if invocation.has(.printResolved) {
            context.output.write(scenarios.map(\.resolved).joined(separator: "---\n"))
        } else if !invocation.has(.quiet) {
            let count = plural(files.files.count, "file") + ", " + plural(scenarios.count, "scenario")
            context.errors.write(count + ": no faults\n")
            files.noteSettings(invocation, context)
        }
        return .ok
    }
}
