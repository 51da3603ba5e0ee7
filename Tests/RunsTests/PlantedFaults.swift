import DeadzoneBase
import DeadzoneScenarios
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneRuns

/// The clients of Results/hunt/planted.yaml: a sound one, and others with one broken facet and a demand that the sound
/// one keeps.
enum PlantedFaults {
    static let file = Repository.root + "/Results/hunt/planted.yaml"

    static let loaded: LoadedScenarios = {
        let bytes = FileManager.default.contents(atPath: file).map { Array($0) } ?? []
        return ScenarioLoader(.standard, read: ScenarioFiles.read).load(bytes, name: file)
    }()

    /// The broken clients with their demands.
    static let all: [(name: String, demand: String)] = {
        let bytes = FileManager.default.contents(atPath: file).map { Array($0) } ?? []
        let demands = compose(bytes).node?["x-demands"]?.entries ?? []
        return demands.map { ($0.key, $0.value.scalar ?? "") }
    }()
}
