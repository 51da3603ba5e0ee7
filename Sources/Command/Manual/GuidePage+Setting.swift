import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios

extension GuidePage {
    /// Pages for every top-level key of a scenario, every setting of a key, and every facet of `composed`. Deeper
    /// settings are rows of these pages.
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
            written(part) + note(part.key) + PageBlock.rows("Keys", rows(settings, of: part)))
    }

    private static func rows(_ settings: [Field], of part: Field) -> [PageBlock.PageTableRow] {
        settings.map { field in
            PageBlock.PageTableRow([
                [.link([.code(field.key)], to: "settings/\(part.key).\(field.key)")], Inline.of(field.takes),
                Inline.of(field.help),
            ])
        }
    }

    /// Text that the shape of the setting does not contain.
    private static func note(_ part: String) -> [PageBlock] {
        switch part {
        case "strategies":
            [
                .paragraph(
                    "A map from names that you choose to strategies: a preset, or `composed` with the facets below. `deadzone list strategies` lists them, `deadzone explain NAME` shows one."
                )
            ]
        case "expect":
            [
                .paragraph(
                    "A map from strategies to metrics and their bounds. `deadzone list metrics` lists the metrics."),
                .code("expect: {patient: {delivery.down.lost: 0, zombie.max: under 2m}}", "yaml"),
                .paragraph("Write the bounds of one group of a `population` under the name of the group."),
                .code("expect: {patient: {new: {recovery.p95: under 1m}}}", "yaml"),
            ]
        default: []
        }
    }

    private static func page(_ field: Field, of part: Field) -> GuidePage {
        GuidePage(
            .settings, "\(part.key).\(field.key)", title: field.key, summary: field.help,
            [place(part)] + written(field)
                + PageBlock.rows("Keys", field.shape.rows.map(PageBlock.PageTableRow.setting))
                + examples(of: field, within: part))
    }

    private static func place(_ part: Field) -> PageBlock {
        .paragraph(
            [.text("A setting of "), .link([.code(part.key)], to: "settings/\(part.key)")]
                + Inline.of(part.key == "strategies" ? ", where the strategy is `composed` or a preset of it." : "."))
    }

    private static func written(_ field: Field) -> [PageBlock] {
        let takes = field.takes
        return takes.isEmpty ? [] : [.paragraph("Value\(takes.hasPrefix("like ") ? "" : ":") \(takes).")]
    }

    /// Example lines from shipped scenarios, which are known to run.
    private static func examples(of field: Field, within part: Field) -> [PageBlock] {
        let uses = ShippedScenario.all.lazy.compactMap { scenario in
            scenario.line(of: field.key, within: part.key).map { (scenario, $0) }
        }.prefix(3)
        return uses.isEmpty
            ? []
            : [.heading("In shipped scenarios")]
                + uses.flatMap { scenario, line in
                    [
                        .paragraph([.link([.text(scenario.title)], to: "scenarios/\(scenario.name)")]),
                        PageBlock.code(line, "yaml line"),
                    ]
                }
    }
}
