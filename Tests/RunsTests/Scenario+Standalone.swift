import DeadzoneBase
import DeadzoneRuns
import DeadzoneScenarios
import Testing

extension Scenario {
    /// Loads a scenario from a text that names no other file and has no faults.
    static func standalone(_ text: String) throws -> Scenario {
        let loader = ScenarioLoader(.standard) { _ in .failure(FileError("it stands alone")) }
        let loaded = loader.load(Array(text.utf8), name: "alone")
        #expect(loaded.faults.isEmpty)
        return try #require(loaded.scenarios.first)
    }
}
