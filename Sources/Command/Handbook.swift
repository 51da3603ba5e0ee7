import DeadzoneClient
import DeadzoneDevice
import DeadzoneGuide
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneStrategies

/// Everything that has a name, gathered from the targets that own it.
enum Handbook {
    /// Where `list scenarios` looks, below the working folder.
    private static let scenarioFolder = "Scenarios"

    static func entries(_ topic: Topic, _ surroundings: Surroundings) throws(ToolFault) -> [Entry] {
        switch topic {
        case .strategies: strategies(surroundings.vocabulary)
        case .metrics: Catalogue.all.map { .metric($0) }
        case .errors: FaultCode.allCases.map { .fault($0) } + ToolFaultCode.allCases.map { .fault($0) }
        case .links: LinkPreset.all.map { .link($0) }
        case .middleboxes: MiddleboxPage.all.map { .middlebox($0) }
        case .profiles: surroundings.vocabulary.profiles.compactMap { .profile($0) }
        case .platforms: ShippedPlatform.all.map { .platform($0) }
        case .settings: Entry.settings(surroundings.vocabulary)
        case .guides: GuidePage.prose.map { .guide($0) }
        case .assumptions: Entry.assumptions(surroundings.vocabulary)
        case .scenarios: try ScenarioFiles([scenarioFolder], surroundings).files.map { .scenario($0.name, $0.loaded) }
        }
    }

    /// Those built in, then the presets by family.
    private static func strategies(_ vocabulary: Vocabulary) -> [Entry] {
        let presets = vocabulary.presets.map { Entry.preset($0, vocabulary) }
        let families = presets.map { $0.facts[0].value }.reduce(into: [String]()) { known, family in
            if !known.contains(family) { known.append(family) }
        }
        return vocabulary.strategies.map { .strategy($0, isBuiltIn: Catalog.has($0.name)) }
            + families.sorted { $0.lowercased() < $1.lowercased() }.flatMap { family in
                presets.filter { $0.facts[0].value == family }
            }
    }
}
