import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import Testing

extension Scenario {
    /// Of a text that names no other file, and has no faults.
    static func alone(_ text: String) throws -> Scenario {
        let loader = ScenarioLoader(.standard) { _ in .failure(FileTrouble("it stands alone")) }
        let loaded = loader.load(Array(text.utf8), name: "alone")
        #expect(loaded.faults.isEmpty)
        return try #require(loaded.scenarios.first)
    }
}
