import DeadzoneBase
import DeadzoneScenarios
import Testing

@testable import DeadzoneRuns

/// Sliders for the numbers of strategies in a text.
struct NumberSliderTests {
    private static func sliders(_ client: String) throws -> [NumberSlider] {
        let text = """
            version: 1
            name: One
            duration: 5m
            phone: {radios: {wifi: wifi-aro}}
            timeline: [{at: 0s, wifi: home}]
            traffic: {down: {every: 10s, size: 100B}}
            strategies:
              mine:

            """ + client
        let loaded = ScenarioLoader(.standard, read: ScenarioFiles.read).load(Array(text.utf8), name: "one.yaml")
        let scenario = try #require(loaded.scenarios.first, "\(loaded.faults.sorted)")
        return NumberSlider.all(of: Array(text.utf8), scenario, .standard)
    }

    @Test(arguments: [
        ("    strategy: composed\n    keepalive: {interval: 45s}\n", true),
        ("    strategy:\n      composed\n    keepalive: {interval: 45s}\n", false),
    ])
    func aSettingIsAddedBehindAValueOnTheLineOfItsKey(_ client: String, _ isAdded: Bool) throws {
        // Broken: a setting is added behind the key of a value that stands on the next line, so the text is damaged.
        let sliders = try Self.sliders(client)
        #expect(sliders.contains { $0.name == "keepalive.interval" && $0.insertion == nil })
        let added = sliders.filter { $0.insertion != nil && !$0.name.hasPrefix("keepalive.") }
        #expect(added.isEmpty == !isAdded, "\(added.map(\.name))")
    }
}
