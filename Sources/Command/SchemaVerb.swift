import DeadzoneSettings
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios

/// What `schema` describes: the first two are written by people, the others by the command.
enum SchemaTopic: String, CaseIterable, Sendable {
    case scenario, gates, baseline, compare

    func text(_ vocabulary: Vocabulary) -> String {
        switch self {
        case .scenario: scenarioSchema(vocabulary)
        case .gates: GateFile.schema
        case .baseline: Baseline.jsonSchema.text() + "\n"
        case .compare: CompareReport.jsonSchema.text() + "\n"
        }
    }
}

extension Verb {
    static let schema: Verb = Verb(
        "schema", "prints a JSON Schema, for editors and scripts",
        arguments: .optional(
            SchemaTopic.allCases.map(\.rawValue).joined(separator: "|"), "what it is of; by default scenario"),
        examples: [
            Example("deadzone schema > deadzone.schema.json", "draft-07, made from what reads scenarios"),
            Example("deadzone schema gates > gates.schema.json", "of files that --gates names"),
            Example("deadzone schema compare", "of what compare --json prints"),
        ],
        next: [Example("deadzone init mine.yaml", "a scenario that names its schema")]
    ) { invocation, surroundings in
        let word = invocation.arguments.first ?? SchemaTopic.scenario.rawValue
        guard let topic = SchemaTopic(rawValue: word) else {
            throw ToolFault.unknownName(
                word, "schema", among: SchemaTopic.allCases.map(\.rawValue), help: "deadzone help schema")
        }
        surroundings.output.write(topic.text(surroundings.vocabulary))
        return .ok
    }
}
