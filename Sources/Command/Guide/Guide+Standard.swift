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
            GuidePage.prose.flatMap { page in
                switch page.name {
                case "symptoms": [page.adding(scenarios), .scenarioManual]
                case "modelled": [page, .assumed(vocabulary)]
                default: [page]
                }
            }
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

    /// What `list assumptions` says, by whose it is.
    fileprivate static func assumed(_ vocabulary: Vocabulary) -> GuidePage {
        GuidePage(
            .guides, "assumed", title: "What nobody has measured",
            summary: "Every number that no source gives and no run has shown, whose it is, and why it is what it is.",
            assumptions(Entry.assumptions(vocabulary)))
    }

    private static func assumptions(_ entries: [Entry]) -> [Block] {
        let introduction = Block.paragraph(
            "A result names the first of those that it stands on, below *Model*. Put another value in its place and run again: if your "
                + "answer stays, it does not hang on the guess. `deadzone list assumptions` prints the same.")
        var owners: [String] = []
        for entry in entries where !owners.contains(entry.name) { owners.append(entry.name) }
        return [introduction]
            + owners.flatMap { owner in
                let own = entries.filter { $0.name == owner }
                let rows = own.map { entry in
                    let (number, value) = (entry.shown("number"), entry.shown("value"))
                    return Block.Row([
                        [.code(number.isEmpty ? "all of it" : number)], [.text(value)], Inline.of(entry.summary),
                    ])
                }
                return [Block.heading(owner), .table(.init(head: ["number", "value", "why"], rows))]
            }
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

extension Entry {
    fileprivate func shown(_ fact: String) -> String { facts.first { $0.name == fact }?.shown ?? "" }
}
