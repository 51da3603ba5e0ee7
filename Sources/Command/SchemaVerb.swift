import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// The kinds of documents for which `schema` prints a JSON Schema. Users write the first two; the command writes the
/// others.
enum SchemaTopic: String, CaseIterable, Sendable {
    case scenario, gates, baseline, compare, hunt

    func text(_ vocabulary: Vocabulary) -> String {
        switch self {
        case .scenario: scenarioSchema(vocabulary)
        case .gates: GateFile.schema
        case .baseline: Baseline.jsonSchema.text() + "\n"
        case .compare: CompareReport.jsonSchema.text() + "\n"
        case .hunt: HuntReport.jsonSchema.text() + "\n"
        }
    }
}

extension Verb {
    static let schema: Verb = Verb(
        "schema", "Print the JSON Schema of scenarios, gates, baselines, comparisons or hunts",
        arguments: .optional(
            SchemaTopic.allCases.map(\.rawValue).joined(separator: "|"), "kind of file (default scenario)"),
        examples: [
            Example("deadzone schema > deadzone.schema.json", "write the schema of scenarios (JSON Schema draft-07)"),
            Example("deadzone schema gates > gates.schema.json", "write the schema of gate files"),
            Example("deadzone schema compare", "print the schema of the output of `compare --json`"),
        ],
        next: [Example("deadzone init mine.yaml", "write a scenario that names its schema")]
    ) { invocation, context in
        let word = invocation.arguments.first ?? SchemaTopic.scenario.rawValue
        guard let topic = SchemaTopic(rawValue: word) else {
            throw ToolFault.unknownName(
                word, "schema", among: SchemaTopic.allCases.map(\.rawValue), help: "deadzone help schema")
        }
        context.output.write(topic.text(context.vocabulary))
        return .ok
    }
}
