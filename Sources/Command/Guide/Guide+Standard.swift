import DeadzoneGuide
import DeadzoneScenarios
import DeadzoneShipped

extension Guide {
    /// All that the program knows of itself, for whoever runs it: strategies of one's own have their pages, too.
    static func standard(_ surroundings: Surroundings) -> Guide {
        let vocabulary = surroundings.vocabulary
        let tables = [Topic.metrics, .errors, .strategies, .profiles, .platforms, .links, .middleboxes]
            .flatMap { (try? Handbook.entries($0, surroundings)) ?? [] }
        let scenarios = ShippedScenario.all
        return Guide(
            GuidePage.prose.flatMap { $0.name == "symptoms" ? [$0.adding(scenarios), .scenarioManual] : [$0] }
                + scenarios.map { GuidePage($0) }
                + CommandTable.standard.verbs.map { GuidePage($0) }
                + GuidePage.settings(scenarioShape(vocabulary), vocabulary)
                + tables.compactMap { GuidePage($0) })
    }
}

extension GuidePage {
    /// How a scenario is written, as it stands beside the scenarios. What it names of the repository is no page.
    fileprivate static var scenarioManual: GuidePage {
        GuidePage("scenario", markdown: DeadzoneShipped.scenarioManual) { $0.contains("://") ? $0 : nil }
    }

    /// The index of symptoms, with the scenarios of which it says nothing at its end.
    fileprivate func adding(_ scenarios: [ShippedScenario]) -> GuidePage {
        let known = Set(targets)
        let rows = scenarios.filter { !known.contains("scenarios/\($0.name)") }.map { scenario in
            Block.Row([Inline.of(scenario.about), [.link([.text(scenario.title)], to: "scenarios/\(scenario.name)")]])
        }
        return GuidePage(shelf, name, title: title, summary: summary, blocks + Block.rows("Others", rows))
    }

    /// What `explain` says, as a page.
    init?(_ entry: Entry) {
        guard let shelf = Shelf(rawValue: entry.topic.rawValue) else { return nil }
        let facts = entry.facts.filter { ["family", "technology", "title"].contains($0.name) }
            .map { Block.paragraph("\($0.name.prefix(1).uppercased() + $0.name.dropFirst()): \($0.value).") }
        self.init(shelf, entry.name, summary: entry.summary, facts + entry.blocks)
    }
}
