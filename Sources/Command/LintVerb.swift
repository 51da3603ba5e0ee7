import DeadzonePrimitives
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

/// The output formats of the command `lint`, beside text and JSON.
private enum LintFormat: String, CaseIterable {
    case sarif, rdjsonl

    init?(_ invocation: Invocation) throws(ToolFault) {
        guard let word = invocation.text(.format) else { return nil }
        guard let format = LintFormat(rawValue: word) else {
            throw .badFlagValue("--format", word, oneOf: Self.allCases.map(\.rawValue))
        }
        guard !invocation.has(.json) else {
            throw ToolFault(.conflict, "one output cannot hold several formats", help: ["leave out --json"])
        }
        self = format
    }

    func text(_ files: ScenarioFiles) -> String {
        let comments = files.reviewComments
        switch self {
        case .sarif: return ReviewComment.sarif(comments, tool: toolVersion)
        case .rdjsonl: return ReviewComment.rdjsonl(comments) { files.line($1, of: $0) }
        }
    }
}

extension Verb {
    static let lint: Verb = Verb(
        "lint", "Check scenarios without running them",
        arguments: .some("SCENARIO", "scenario files, folders, file name patterns, or - for standard input"),
        flags: [.json, .format, .annotate, .printResolved], formats: LintFormat.allCases.map(\.rawValue),
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
        let format = try LintFormat(invocation)
        let files = try ScenarioFiles(invocation.arguments, context)
        if let format {
            context.output.write(format.text(files))
            return files.areValid ? .ok : .badInput
        }
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
