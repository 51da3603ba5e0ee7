import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let initialize: Verb = Verb(
        "init", "Write an example scenario to start from",
        arguments: .one(
            "FILE",
            "scenario file to write, with a JSON Schema beside it; a missing folder is created; - is standard output"),
        flags: [.force],
        examples: [Example("deadzone init mine.yaml", "write mine.yaml and deadzone.schema.json")],
        next: [
            Example("deadzone lint mine.yaml", "check the scenario while you edit it"),
            Example("deadzone run mine.yaml", "run the scenario"),
        ]
    ) { invocation, context in
        let path = invocation.arguments[0]
        if path == PathExpansion.standardInput {
            context.output.write(starterScenario)
            return .ok
        }
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let schema = path[..<slash] + schemaName
        _ = try NewFile(path, invocation)
        do {
            // Both files or none. The schema is generated from the tool alone. An existing one is at best identical and
            // can be overwritten.
            let folder = try OutputFolder.made(slash == path.startIndex ? "." : String(path[..<slash]))
            try folder.stage(Array(scenarioSchema(context.vocabulary).utf8), as: schemaName)
            try folder.stage(Array(starterScenario.utf8), as: String(path[slash...]))
            try folder.publish()
        } catch let fault as SystemFault {
            throw ToolFault.unwritable(fault)
        }
        if !invocation.has(.quiet) {
            context.errors.write(
                "wrote \(path.escapedForTerminal) and \(String(schema).escapedForTerminal)\nnext: deadzone run \(ShellWord.text(path).escapedForTerminal)\n"
            )
        }
        return .ok
    }
}
