import Foundation
import Testing

@testable import DeadzoneBase

/// Schemas that occur several times stand once, under `definitions`.
@Suite struct SharedSchemaTests {
    private static func field(_ key: String, _ shape: Shape, _ help: String = "") -> Field {
        Field(key: key, help: help, shape: shape)
    }

    private static let span = Shape.quantity(noun: "a duration", example: "45s", pattern: "^[0-9]+s$")

    /// A map with a few settings, which occurs in several places.
    private static let backoff = Shape.map(
        MapShape(fields: [
            field("base", span, "wait after the first failure"), field("cap", span, "longest wait"),
            field("jitter", .word([.init(name: "none", about: ""), .init(name: "full", about: "")]), "random part"),
        ]))

    private static let shape = Shape.map(
        MapShape(fields: [
            field("first", backoff, "one"), field("second", backoff, "two"),
            field("list", .list(backoff, counts: 0...9)), field("either", .either([span, backoff])),
            field("named", .map(MapShape(userKeyShape: backoff))),
        ]))

    private func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The value with every shared definition in the place of its reference.
    private func inlined(_ value: Any, _ definitions: [String: Any]) -> Any {
        if let list = value as? [Any] { return list.map { inlined($0, definitions) } }
        guard let map = value as? [String: Any] else { return value }
        let prefix = "#/definitions/shared-"
        if let target = map["$ref"] as? String, target.hasPrefix(prefix), map.count == 1 {
            return inlined(definitions["shared-" + target.dropFirst(prefix.count)] ?? "missing", definitions)
        }
        return map.mapValues { inlined($0, definitions) }
    }

    @Test func aSharedSchemaMeansTheSame() throws {
        // Broken: a reference leads to another schema than the one that it replaces, or nothing is shared.
        var writer = SchemaWriter()
        guard case .map(let map) = Self.shape else { return }
        var plain = writer.map(map, isWhole: false)
        plain["definitions"] = .object(writer.definitions)
        let before = try document(JSONText.object(plain).text(indent: 0))
        let text = JSONText.object(SharedSchema.sharing(plain)).text(indent: 0)
        let after = try document(text)
        let definitions = try #require(after["definitions"] as? [String: Any])
        var whole = try #require(inlined(after, definitions) as? [String: Any])
        whole["definitions"] = (whole["definitions"] as? [String: Any])?.filter { !$0.key.hasPrefix("shared-") }
        #expect(NSDictionary(dictionary: whole) == NSDictionary(dictionary: before))
        #expect(definitions.keys.contains("shared-1"))
        // Each text of the repeated map stands once.
        for help in ["wait after the first failure", "longest wait", "random part"] {
            #expect(text.ranges(of: help).count == 1, "\(help)")
        }
    }
}
