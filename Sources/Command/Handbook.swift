import DeadzoneCatalog
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSettings

/// Everything that has a name, gathered from the targets that own it.
enum Handbook {
    /// Where `list scenarios` looks, below the working folder.
    private static let scenarioFolder = "Scenarios"

    static func entries(_ topic: Topic, _ surroundings: Surroundings) throws(CommandFault) -> [Entry] {
        switch topic {
        case .strategies: Catalog.strategies.map { .strategy($0) }
        case .metrics: Catalogue.all.map { .metric($0) }
        case .errors: FaultCode.allCases.map { .fault($0) } + CommandFaultCode.allCases.map { .fault($0) }
        case .links: LinkPreset.all.map { .link($0) }
        case .middleboxes: MiddleboxPage.all.map { .middlebox($0) }
        case .profiles: Vocabulary.standard.profiles.compactMap { .profile($0) }
        case .platforms: ShippedPlatform.all.map { .platform($0) }
        case .scenarios: try ScenarioFiles([scenarioFolder], surroundings).files.map { .scenario($0.name, $0.loaded) }
        }
    }
}
