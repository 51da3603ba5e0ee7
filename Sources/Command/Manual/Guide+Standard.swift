import DeadzoneScenarios
import DeadzoneShipped

extension Guide {
    /// The complete guide of the running program. It includes pages for the user's own strategies.
    static func standard(_ context: CommandContext) -> Guide {
        let vocabulary = context.vocabulary
        let tables = [Topic.metrics, .errors, .strategies, .profiles, .platforms, .links, .middleboxes]
            .flatMap { (try? ReferenceIndex.entries($0, context)) ?? [] }
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
    /// The manual of the scenario format, from the folder of the scenarios. Links to files of the repository are
    /// removed, because the guide has no pages for them.
    fileprivate static var scenarioManual: GuidePage {
        GuidePage("scenario", markdown: DeadzoneShipped.scenarioManual) { $0.contains("://") ? $0 : nil }
    }

    /// The content of `list assumptions`, grouped by owner.
    fileprivate static func assumed(_ vocabulary: Vocabulary) -> GuidePage {
        GuidePage(
            .guides, "assumed", title: "Values without a source",
            summary: "All assumed values: where each one is used, and why it was chosen.",
            assumptions(ReferenceEntry.assumptions(vocabulary)))
    }

    private static func assumptions(_ entries: [ReferenceEntry]) -> [PageBlock] {
        let introduction = PageBlock.paragraph(
            "A result lists the first assumptions that it depends on, below *Model*. Change the value and run again: if your "
                + "answer stays the same, it does not depend on the assumption. `deadzone list assumptions` prints the same list."
        )
        var owners: [String] = []
        for entry in entries where !owners.contains(entry.name) { owners.append(entry.name) }
        return [introduction]
            + owners.flatMap { owner in
                let own = entries.filter { $0.name == owner }
                let rows = own.map { entry in
                    let (number, value) = (entry.displayText("number"), entry.displayText("value"))
                    return PageBlock.PageTableRow([
                        [.code(number.isEmpty ? "all settings" : number)], [.text(value)], Inline.of(entry.summary),
                    ])
                }
                return [PageBlock.heading(owner), .table(.init(head: ["number", "value", "why"], rows))]
            }
    }

    /// The page of symptoms, extended by the scenarios that it does not mention.
    fileprivate func adding(_ scenarios: [ShippedScenario]) -> GuidePage {
        let known = Set(targets)
        let rows = scenarios.filter { !known.contains("scenarios/\($0.name)") }.map { scenario in
            PageBlock.PageTableRow([
                Inline.of(scenario.about), [.link([.text(scenario.title)], to: "scenarios/\(scenario.name)")],
            ])
        }
        return GuidePage(
            section, name, title: title, summary: summary, blocks + PageBlock.rows("Other assumptions", rows))
    }

    /// The content of `explain` as a page.
    init?(_ entry: ReferenceEntry) {
        guard let shelf = GuideSection(rawValue: entry.topic.rawValue) else { return nil }
        let facts = entry.facts.filter { ["family", "technology", "title"].contains($0.name) }
            .map { PageBlock.paragraph("\($0.name.prefix(1).uppercased() + $0.name.dropFirst()): \($0.value).") }
        self.init(shelf, entry.name, summary: entry.summary, facts + entry.blocks)
    }
}

extension ReferenceEntry {
    fileprivate func displayText(_ fact: String) -> String { facts.first { $0.name == fact }?.displayText ?? "" }
}
