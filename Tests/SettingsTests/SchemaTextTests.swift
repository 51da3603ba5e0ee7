import DeadzoneTestKit
import Testing

@testable import DeadzoneBase

/// The JSON Schema of every kind of shape, character by character.
struct SchemaTextTests {
    private func field(
        _ key: String, _ shape: Shape, _ help: String = "", isRequired: Bool = false, fallback: String? = nil
    ) -> Field {
        Field(key: key, help: help, shape: shape, isRequired: isRequired, fallback: fallback)
    }

    @Test func everyShapeHasItsSchema() {
        // Broken: an editor refuses a valid scenario, or accepts an invalid one.
        let span = Shape.quantity(noun: "a data rate", example: "45s", pattern: "^[0-9]+s$")
        let words = Shape.word([.init(name: "1.3", about: ""), .init(name: "on", about: "")])
        let inner = Shape.map(
            MapShape(fields: [field("must", .integer(0...(.max)), isRequired: true), field("may", .decimal)]))
        let variants = MapShape.Variants(
            key: "kind", synonyms: ["preset"],
            cases: [
                .init(
                    name: "calm", about: "waits", presets: ["asleep"],
                    fields: [field("tries", .integer(1...9), "attempts", fallback: "3")]),
                .init(name: "wild", about: "", fields: []),
            ])
        let laws = DistributionLaw.allCases.map { $0.shape(.quantity(.span)) }
        let shape = Shape.map(
            MapShape(fields: [
                field("span", span, "a span", fallback: "1s"), field("span2", span),
                field("integer", .integer(-1...5), isRequired: true), field("decimal", .decimal),
                field("share", .fraction, "a share"),
                field("flag", .boolean, fallback: "true"), field("text", .text), field("word", words),
                field("list", .list(span, counts: 0...(.max))), field("two", .list(.text, counts: 2...3)),
                field("inner", inner), field("either", .either([span, inner])),
                field("named", .map(MapShape(userKeyShape: .boolean))), field("any", .anything),
                field(
                    "variant",
                    .map(MapShape(fields: [field("kind", words), field("preset", words)], variants: variants))),
                field("law", .varying(span, laws: laws)), field("bounded", .varying(span, laws: Array(laws.prefix(2)))),
            ]))
        expectText(
            jsonSchema(of: shape, title: "Title \"x\"", requiredOneOf: ["a", "b"]),
            SchemaTextExpected.everyShapeHasItsSchemaText)
    }

    @Test func valuesBreakAtTheirWidth() {
        // Broken: a value that fits is broken, or a longer one is not.
        func text(_ length: Int, indent: Int = 0) -> String {
            JSONText.array([.text(String(repeating: "x", count: length)), .plain("1")]).text(indent: indent)
        }
        for indent in [0, 10, 40, 60] {
            let fitting = (50...100).filter { !text($0, indent: indent).contains("\n") }.max() ?? 0
            #expect(fitting == 93 - min(indent, 40), "\(indent) \(fitting)")
            let broken = text(fitting + 1, indent: indent)
            let margin = String(repeating: " ", count: indent)
            #expect(
                broken == "[\n\(margin)  \"\(String(repeating: "x", count: fitting + 1))\",\n\(margin)  1\n\(margin)]")
        }
        let long = String(repeating: "y", count: 200)
        #expect(JSONText.text(long).text(indent: 0) == "\"\(long)\"" && JSONText.plain(long).text(indent: 0) == long)
        #expect(
            JSONText.array([]).text(indent: 0) == "[]" && JSONText.object([:]).text(indent: 0) == "{}"
                && JSONText.object(["b": .plain("1"), "a": .text("\"")]).text(indent: 0)
                    == "{\"a\": \"\\\"\", \"b\": 1}"
        )
        #expect(
            JSONText.object([long: .plain("1"), "a": .array([])]).text(indent: 2)
                == "{\n    \"a\": [],\n    \"\(long)\": 1\n  }")
        var fields: JSONFields = ["a": .plain("1"), "a": .plain("2")]
        #expect(fields.entries.count == 1)
        fields["a"] = nil
        #expect(fields.entries.isEmpty && fields["a"] == nil)
    }
}
