import DeadzoneBase
import DeadzoneScenarios

extension ReferenceEntry {
    /// The top-level keys of a scenario, as their readers describe them.
    static func settings(_ vocabulary: Vocabulary) -> [ReferenceEntry] {
        guard case .map(let map) = scenarioShape(vocabulary) else { return [] }
        return map.fields.map { .setting($0) }
    }

    private static func setting(_ field: Field) -> ReferenceEntry {
        // The settings of strategies fill pages of their own.
        let isElsewhere = field.key == "strategies"
        let shape = Shape.map(MapShape(fields: [field]))
        return ReferenceEntry(
            topic: .settings, name: field.key, summary: field.help,
            page: isElsewhere
                ? [
                    .paragraph(
                        "A map from names to strategies. `deadzone list strategies` lists the strategies. `deadzone explain composed` shows all settings. `deadzone explain strategy` shows how to write your own."
                    )
                ] : PageBlock.rows("In a scenario", shape.rows.map(PageBlock.PageTableRow.setting)))
    }
}
