import DeadzoneClient
import DeadzoneGuide
import DeadzoneScenarios
import DeadzoneSettings

extension GuidePage {
    /// Every part of a scenario, every setting of a part, every facet of `composed`: a page each. What stands deeper is a row.
    static func settings(_ shape: Shape, _ vocabulary: Vocabulary) -> [GuidePage] {
        var composed = SettingsReader.describing("strategy composed")
        _ = vocabulary.strategies.first { $0.name == "composed" }?.make(&composed)
        let facets = composed.shape.fields
        return shape.fields.flatMap { part -> [GuidePage] in
            let inner = part.key == "strategies" ? facets : part.key == "expect" ? [] : part.shape.fields
            let names = inner.map(\.key)
            let settings = inner.enumerated().filter { names.firstIndex(of: $0.element.key) == $0.offset }.map(
                \.element)
            return [page(part, holding: settings)] + settings.map { page($0, of: part) }
        }
    }

    private static func page(_ part: Field, holding settings: [Field]) -> GuidePage {
        GuidePage(
            .settings, part.key, title: "\(part.key):", summary: part.help,
            written(part) + note(part.key) + Block.rows("What it holds", rows(settings, of: part)))
    }

    private static func rows(_ settings: [Field], of part: Field) -> [Block.Row] {
        settings.map { field in
            Block.Row([
                [.link([.code(field.key)], to: "settings/\(part.key).\(field.key)")], Inline.of(field.takes),
                Inline.of(field.help),
            ])
        }
    }

    /// What a part's own shape does not say.
    private static func note(_ part: String) -> [Block] {
        switch part {
        case "strategies":
            [
                .paragraph(
                    "A map of names of your own to strategies: a preset, or `composed` with the facets below. `deadzone list strategies` names them, `deadzone explain NAME` shows one."
                )
            ]
        case "expect":
            [
                .paragraph("A map of strategies to metrics with their bounds: `deadzone list metrics` names them."),
                .code("expect: {patient: {delivery.down.lost: 0, zombie.max: under 2m}}", "yaml"),
                .paragraph("What one group of a `population` has to keep stands under its name."),
                .code("expect: {patient: {new: {recovery.p95: under 1m}}}", "yaml"),
            ]
        default: []
        }
    }

    private static func page(_ field: Field, of part: Field) -> GuidePage {
        GuidePage(
            .settings, "\(part.key).\(field.key)", title: field.key, summary: field.help,
            [place(part)] + written(field) + Block.rows("What it holds", field.shape.rows.map(Block.Row.setting))
                + examples(of: field, within: part))
    }

    private static func place(_ part: Field) -> Block {
        .paragraph(
            [.text("Of "), .link([.code(part.key)], to: "settings/\(part.key)")]
                + Inline.of(part.key == "strategies" ? ", where the strategy is `composed` or a preset of it." : "."))
    }

    private static func written(_ field: Field) -> [Block] {
        let takes = field.takes
        return takes.isEmpty ? [] : [.paragraph("Written\(takes.hasPrefix("like ") ? "" : ":") \(takes).")]
    }

    /// Lines of scenarios that ship, and so run.
    private static func examples(of field: Field, within part: Field) -> [Block] {
        let uses = ShippedScenario.all.lazy.compactMap { scenario in
            scenario.line(of: field.key, within: part.key).map { (scenario, $0) }
        }.prefix(3)
        return uses.isEmpty
            ? []
            : [.heading("In shipped scenarios")]
                + uses.flatMap { scenario, line in
                    [
                        .paragraph([.link([.text(scenario.title)], to: "scenarios/\(scenario.name)")]),
                        Block.code(line, "yaml line"),
                    ]
                }
    }
}
