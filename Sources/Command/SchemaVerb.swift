import DeadzoneHost
import DeadzoneScenarios

extension Verb {
    static let schema: Verb = Verb(
        "schema", "prints the JSON Schema of scenario files, for editors",
        examples: [Example("deadzone schema > deadzone.schema.json", "draft-07, made from what reads scenarios")],
        next: [Example("deadzone init mine.yaml", "a scenario that names its schema")]
    ) { _, surroundings in
        surroundings.output.write(scenarioSchema(surroundings.vocabulary))
        return .ok
    }
}
