import DeadzoneGuide
import DeadzoneScenarios
import DeadzoneSettings

extension Entry {
    /// The parts of a scenario, as their readers describe them.
    static func settings(_ vocabulary: Vocabulary) -> [Entry] {
        guard case .map(let map) = scenarioShape(vocabulary) else { return [] }
        return map.fields.map { .setting($0) }
    }

    private static func setting(_ field: Field) -> Entry {
        // A strategy's own settings fill a page each.
        let isElsewhere = field.key == "strategies"
        let shape = Shape.map(MapShape(fields: [field]))
        return Entry(
            topic: .settings, name: field.key, summary: field.help,
            page: isElsewhere
                ? [
                    .paragraph(
                        "A map of names to strategies: `deadzone list strategies` has what can stand there, `deadzone explain composed` every setting, and `deadzone explain strategy` how to have one of your own."
                    )
                ] : Block.rows("In a scenario", shape.rows.map(Block.Row.setting)))
    }
}
