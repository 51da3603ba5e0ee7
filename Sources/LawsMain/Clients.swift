import DeadzoneClient
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneShelf
import DeadzoneStrategies

/// Every strategy and every preset that comes with Deadzone, each as a scenario gets it that names it and says no more.
enum Clients {
    static let profiles = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }

    static let all: [(name: String, strategy: AnyStrategy)] = {
        let presets = shippedPresets.map { PresetText(name: $0.name, text: $0.text) }
        let reader = ProfileReader(inheritingFrom: profiles)
        // Nothing is measured here, but a scenario is read with some metric in mind.
        let metric = MetricKind(name: "none") { _ in .success(BoundReading()) }
        let vocabulary = Vocabulary(
            strategies: Catalog.strategies, presets: presets, metrics: [metric], profiles: profiles,
            readProfile: { reader.read(&$0) })
        let names = Catalog.strategies.map(\.name) + presets.map(\.name)
        let text =
            """
            version: 1
            name: everyone
            duration: 1m
            phone: {radios: {wifi: wifi-galaxy-s2}}
            strategies:

            """ + names.map { "  \($0): {strategy: \($0)}\n" }.joined()
        let loader = ScenarioLoader(vocabulary) { .failure(FileTrouble("nothing is extended: \($0)")) }
        let loaded = loader.load(Array(text.utf8), name: "everyone")
        guard let scenario = loaded.scenarios.first else {
            preconditionFailure("\(loaded.faults.sorted.map { faultText($0, files: loaded.files) })")
        }
        return scenario.strategies.map { ($0.name, $0.strategy) }
    }()
}
