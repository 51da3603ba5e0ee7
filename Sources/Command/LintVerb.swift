import DeadzonePrimitives
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let lint: Verb = Verb(
        "lint", "Check scenarios without running them",
        arguments: .some("SCENARIO", "scenario files, folders, file name patterns, or - for standard input"),
        flags: [.json, .annotate, .printResolved],
        examples: [
            Example("deadzone lint mine.yaml", "show all errors of a scenario at once"),
            Example("deadzone lint Scenarios --annotate", "print errors as annotations of a GitHub workflow"),
            Example(
                "deadzone lint mine.yaml --print-resolved",
                "print the scenario with all defaults and profiles filled in"),
        ],
        next: [Example("deadzone run mine.yaml", "run the scenario")]
    ) { invocation, context in
        let files = try ScenarioFiles(invocation.arguments, context)
        guard files.areValid else {
            files.reportFaults(invocation, context)
            if invocation.has(.json) { context.output.write(files.json.text() + "\n") }
            return .badInput
        }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        if invocation.has(.json) {
            context.output.write(files.json.text() + "\n")
        } else if invocation.has(.printResolved) {
            context.output.write(scenarios.map(\.resolved).joined(separator: "---\n"))
        } else if !invocation.has(.quiet) {
            let count = plural(files.files.count, "file") + ", " + plural(scenarios.count, "scenario")
            context.errors.write(count + ": no faults\n")
        }
        return .ok
    }
}
