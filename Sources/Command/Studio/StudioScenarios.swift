import DeadzoneBase
import DeadzoneReports
import DeadzoneScenarios
import DeadzoneShipped
import DeadzoneSimulator

/// The list of shipped scenarios, with the facts that the page shows and searches.
struct StudioScenarios {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    var json: JSON {
        let texts = Dictionary(shippedScenarios.map { ("\($0.name).yaml", $0.text) }) { first, _ in first }
        let loader = ScenarioLoader(context.vocabulary) { path in
            texts[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("not embedded"))
        }
        return .object([
            "scenarios": .array(
                ShippedScenario.all.map { shipped in
                    let loaded = loader.load(Array(shipped.text.utf8), name: "\(shipped.name).yaml")
                    return item(shipped, loaded.scenarios.first)
                })
        ])
    }

    private func item(_ shipped: ShippedScenario, _ scenario: Scenario?) -> JSON {
        let clients = scenario?.strategies.map(\.name) ?? []
        var facts = [clients.count == 1 ? "1 client" : "\(clients.count) clients"]
        if let scenario {
            if scenario.world.phones > 1 { facts.append("\(scenario.world.phones) phones") }
            facts.append(DurationText.short(.nanoseconds(scenario.world.horizon.nanoseconds)))
        }
        let story = ([shipped.about] + shipped.story).joined(separator: " ")
        return .object([
            "name": .string(shipped.name), "title": .string(shipped.title),
            "about": .string(shipped.about.isEmpty ? shipped.title : shipped.about.firstSentence),
            "facts": .string(facts.joined(separator: " · ")),
            // Not shown, but searched.
            "words": .string(story + " " + clients.joined(separator: " ")),
        ])
    }
}
