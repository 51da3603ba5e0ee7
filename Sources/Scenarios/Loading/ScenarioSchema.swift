package import DeadzoneBase

/// The shape of a scenario, described by the readers themselves.
package func scenarioShape(_ vocabulary: Vocabulary) -> Shape {
    var settings = SettingsReader.describing("a scenario")
    _ = ScenarioSketch(reading: &settings, vocabulary, OpenedFiles { _ in .failure(FileError("not read")) })
    return settings.shape
}

/// JSON Schema for scenario files, for editors.
package func scenarioSchema(_ vocabulary: Vocabulary) -> String {
    jsonSchema(
        of: scenarioShape(vocabulary), title: "Deadzone scenario, version 1", requiredOneOf: ["version", "extends"])
}
