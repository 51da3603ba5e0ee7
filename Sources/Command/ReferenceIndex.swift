import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneShipped

/// Collects all items that users refer to by name, such as strategies, metrics and errors, for `list` and `explain`.
/// They are from the modules that define them.
enum ReferenceIndex {
    /// Where `list scenarios` looks, below the working folder.
    private static let scenarioFolder = "Scenarios"

    static func entries(_ topic: Topic, _ context: CommandContext) throws(ToolFault) -> [ReferenceEntry] {
        switch topic {
        case .strategies: strategies(context.vocabulary)
        case .metrics: Catalogue.all.map { .metric($0) }
        case .errors: FaultCode.allCases.map { .fault($0) } + ToolFaultCode.allCases.map { .fault($0) }
        case .links: LinkPreset.all.map { .link($0) }
        case .middleboxes: MiddleboxDescription.all.map { .middlebox($0) }
        case .profiles: context.vocabulary.profiles.compactMap { .profile($0) }
        case .platforms: ShippedPlatform.all.map { .platform($0) }
        case .settings: ReferenceEntry.settings(context.vocabulary)
        case .guides: GuidePage.prose.map { .guide($0) }
        case .assumptions: ReferenceEntry.assumptions(context.vocabulary)
        case .scenarios: try scenarios(context).map { .scenario($0.name, $0.loaded) }
        }
    }

    /// The scenarios below the working folder, or the installed ones. If there is no such folder, the embedded ones.
    private static func scenarios(
        _ context: CommandContext
    ) throws(ToolFault) -> [(name: String, loaded: LoadedScenarios)] {
        if Files.kind(of: InstalledFiles.resolved(scenarioFolder)) != .missing {
            return try ScenarioFiles([scenarioFolder], context).files
        }
        let texts = shippedScenarios.map { ("\(scenarioFolder)/\($0.name).yaml", $0.text) }
        let loader = ScenarioLoader(context.vocabulary) { path in
            texts.first { $0.0 == path }.map { .success(Array($0.1.utf8)) } ?? .failure(FileError("not embedded"))
        }
        return texts.map { ($0.0, loader.load(Array($0.1.utf8), name: $0.0)) }
    }

    /// The built-in strategies, then the presets by family.
    private static func strategies(_ vocabulary: Vocabulary) -> [ReferenceEntry] {
        let presets = vocabulary.presets.map { ReferenceEntry.preset($0, vocabulary) }
        let families = presets.map { $0.facts[0].value }.reduce(into: [String]()) { known, family in
            if !known.contains(family) { known.append(family) }
        }
        return vocabulary.strategies.map { .strategy($0, isBuiltIn: StrategyCatalog.has($0.name)) }
            + families.sorted { $0.lowercased() < $1.lowercased() }.flatMap { family in
                presets.filter { $0.facts[0].value == family }
            }
    }
}
