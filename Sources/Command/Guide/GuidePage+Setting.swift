import DeadzoneClient
import DeadzoneGuide
import DeadzoneScenarios
import DeadzoneSettings

extension GuidePage {
    /// Every part of a scenario, every setting of a part, every facet of `composed`: a page each. What stands deeper is a row.
    static func settings(_ shape: Shape, _ vocabulary: Vocabulary) -> [GuidePage] {
        let scenarios = ShippedScenario.all
        var composed = SettingsReader.describing("strategy composed")
        _ = vocabulary.strategies.first { $0.name == "composed" }?.make(&composed)
        return shape.fields.flatMap { part -> [GuidePage] in
            let inner = part.key == "strategies" ? composed.shape.fields : part.shape.fields
            let names = inner.map(\.key)
            let unique = inner.enumerated().filter { names.firstIndex(of: $0.element.key) == $0.offset }.map(\.element)
            return [page(part, inner: unique)]
                + unique.map { page($0, of: part, scenarios) }
        }
    }

    private static func page(_ part: Field, inner: [Field]) -> GuidePage {
        let rows = inner.map { field in
            Block.Row(
                [
                    [.link([.code(field.key)], to: "settings/\(part.key).\(field.key)")], Inline.of(field.takes),
                    Inline.of(field.help),
                ])
        }
        let more: [Block] =
            part.key == "strategies"
            ? [
                .paragraph(
                    "A map of names of your own to strategies: a preset, or `composed` with the facets below. `deadzone list strategies` names them."
                )
            ] : []
        return GuidePage(
            .settings, part.key, title: "\(part.key):", summary: part.help,
            takes(part) + more + Block.rows("What it holds", rows))
    }

    private static func page(_ field: Field, of part: Field, _ scenarios: [ShippedScenario]) -> GuidePage {
        let uses = scenarios.compactMap { scenario in
            scenario.line(of: field.key, within: part.key).map { (scenario, $0) }
        }
        let shown = uses.prefix(Self.mostExamples).flatMap { scenario, line -> [Block] in
            [
                .paragraph([.link([.text(scenario.title)], to: "scenarios/\(scenario.name)")]),
                .code(line, "yaml line"),
            ]
        }
        return GuidePage(
            .settings, "\(part.key).\(field.key)", title: field.key, summary: field.help,
            [
                .paragraph([
                    .text("Of "), .link([.code(part.key)], to: "settings/\(part.key)"),
                    .text(part.key == "strategies" ? ", where the strategy is `composed` or a preset of it." : "."),
                ])
            ] + takes(field)
                + Block.rows("What it holds", field.shape.rows.map(Block.Row.setting))
                + (shown.isEmpty ? [] : [.heading("In shipped scenarios")] + shown))
    }

    private static func takes(_ field: Field) -> [Block] {
        field.takes.isEmpty ? [] : [.paragraph("Takes \(field.takes).")]
    }

    private static let mostExamples = 3
}
