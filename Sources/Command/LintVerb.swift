import DeadzonePrimitives
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let lint: Verb = Verb(
        "lint", "checks scenarios without running them",
        arguments: .some("SCENARIO", "files, folders, patterns, or - for standard input"),
        flags: [.json, .annotate, .printResolved],
        examples: [
            Example("deadzone lint mine.yaml", "all faults at once"),
            Example("deadzone lint Scenarios --annotate", "in a workflow on GitHub"),
            Example("deadzone lint mine.yaml --print-resolved", "with every default and every profile filled in"),
        ],
        next: [Example("deadzone run mine.yaml", "what comes of it")]
    ) { invocation, surroundings in
        let files = try ScenarioFiles(invocation.arguments, surroundings)
        guard files.areSound else {
            files.reportFaults(invocation, surroundings)
            if invocation.has(.json) { surroundings.output.write(files.json.text() + "\n") }
            return .badInput
        }
        let scenarios = files.files.flatMap(\.loaded.scenarios)
        if invocation.has(.json) {
            surroundings.output.write(files.json.text() + "\n")
        } else if invocation.has(.printResolved) {
            surroundings.output.write(scenarios.map(\.resolved).joined(separator: "---\n"))
        } else if !invocation.has(.quiet) {
            let count = plural(files.files.count, "file") + ", " + plural(scenarios.count, "scenario")
            surroundings.errors.write(count + ": no faults\n")
        }
        return .ok
    }
}
