import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let initialize: Verb = Verb(
        "init", "writes a scenario to start from, and its schema beside it",
        arguments: .one("FILE", "the file to write; its folder must exist; - is standard output"),
        flags: [.force],
        examples: [Example("deadzone init mine.yaml", "writes mine.yaml and deadzone.schema.json")],
        next: [
            Example("deadzone lint mine.yaml", "check it while you change it"),
            Example("deadzone run mine.yaml", "see what comes of it"),
        ]
    ) { invocation, surroundings in
        let path = invocation.arguments[0]
        if path == Expansion.standardInput {
            surroundings.output.write(starterScenario)
            return .ok
        }
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let schema = path[..<slash] + schemaName
        if Files.kind(of: path) != .missing, !invocation.has(.force) {
            throw ToolFault(
                .fileExists, "\(path) is there already", help: ["--force replaces it", "or name another file"])
        }
        do {
            try Files.write(Array(starterScenario.utf8), to: path)
            // Made from the tool alone: one that is there already is at best the same.
            try Files.write(Array(scenarioSchema(surroundings.vocabulary).utf8), to: String(schema))
        } catch let fault as SystemFault {
            throw ToolFault.unwritable(fault)
        }
        if !invocation.has(.quiet) {
            surroundings.errors.write(
                "wrote \(path.visible) and \(String(schema).visible)\nnext: deadzone run \(ShellWord.text(path).visible)\n"
            )
        }
        return .ok
    }
}
