/// JSON Schema (draft-07) for a shape. At the top level only one of the keys in `requiredOneOf` is required, because
/// another file or a matrix can supply the rest. Every value may be a placeholder (`${axis}`) or null (`~`, which
/// removes a value of the extended file). The schema only helps while typing; `SettingsReader` decides what is valid.
package func jsonSchema(of shape: Shape, title: String, requiredOneOf required: [String]) -> String {
    var writer = SchemaWriter()
    var fields: JSONFields =
        if case .map(let map) = shape { writer.map(map, isWhole: false) } else { writer.object(shape) }
    fields["$schema"] = .text("http://json-schema.org/draft-07/schema#")
    fields["title"] = .text(title)
    fields["anyOf"] = .array(required.map { .object(["required": .array([.text($0)])]) })
    fields["definitions"] = .object(writer.definitions)
    return JSONText.object(SharedSchema.sharing(fields)).text(indent: 0) + "\n"
}

/// A minimal JSON value for writing a JSON Schema. Keys are sorted; indentation is two spaces.
indirect enum JSONText {
    case text(String)
    case plain(String)
    case array([JSONText])
    case object(JSONFields)

    /// Values that fit are written on one line, because indentation was three quarters of the schema of a scenario.
    private static let width = 100

    func text(indent: Int) -> String {
        if let line = line(atMost: Self.width - min(indent, 40)) { return line }
        let margin = String(repeating: " ", count: indent + 2)
        let end = "\n" + String(repeating: " ", count: indent)
        switch self {
        case .text(let text): return "\"" + escaped(text) + "\""
        case .plain(let text): return text
        case .array(let items):
            if items.isEmpty { return "[]" }
            return "[\n" + items.map { margin + $0.text(indent: indent + 2) }.joined(separator: ",\n") + end + "]"
        case .object(let fields):
            if fields.entries.isEmpty { return "{}" }
            let lines = fields.entries.sorted { $0.key < $1.key }.map { key, value in
                margin + "\"" + escaped(key) + "\": " + value.text(indent: indent + 2)
            }
            return "{\n" + lines.joined(separator: ",\n") + end + "}"
        }
    }

    /// The value on one line; `nil` if it is longer than the limit.
    private func line(atMost limit: Int) -> String? {
        var text = ""
        func append(_ opening: String, _ closing: String, _ parts: [(String, JSONText)]) -> String? {
            text = opening
            for (index, part) in parts.enumerated() {
                guard let value = part.1.line(atMost: limit - text.utf8.count - part.0.utf8.count) else { return nil }
                text += part.0 + value + (index + 1 < parts.count ? ", " : "")
                if text.utf8.count > limit { return nil }
            }
            return text.utf8.count < limit ? text + closing : nil
        }
        switch self {
        case .text(let own): text = "\"" + escaped(own) + "\""
        case .plain(let own): text = own
        case .array(let items): return append("[", "]", items.map { ("", $0) })
        case .object(let fields):
            let entries = fields.entries.sorted { $0.key < $1.key }
            return append("{", "}", entries.map { ("\"" + escaped($0.key) + "\": ", $0.value) })
        }
        return text.utf8.count <= limit ? text : nil
    }
}

/// The keys and values of a JSON object, without duplicate keys.
struct JSONFields: ExpressibleByDictionaryLiteral {
    private(set) var entries: [(key: String, value: JSONText)] = []

    init() {}

    init(dictionaryLiteral members: (String, JSONText)...) {
        for (key, value) in members { self[key] = value }
    }

    subscript(key: String) -> JSONText? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append((key, newValue)) }
        }
    }
}

struct SchemaWriter {
    var definitions: JSONFields = [
        "placeholder": .object([
            "anyOf": .array([
                .object(["type": .text("string"), "pattern": .text("\\$\\{[^}]+\\}")]),
                .object(["type": .text("null")]),
            ]), "description": .text("a value of a matrix axis, or ~ to remove the value"),
        ])
    ]

    mutating func object(_ shape: Shape, isWhole: Bool = false) -> JSONFields {
        switch shape {
        case .quantity(let noun, let example, let pattern):
            let name = String(noun.split(separator: " ", maxSplits: 1).last ?? "").replacing(" ", with: "-")
            definitions[name] = orPlaceholder([
                "type": .text("string"), "pattern": .text(pattern), "examples": .array([.text(example)]),
            ])
            return ["$ref": .text("#/definitions/\(name)")]
        case .integer(let range):
            var fields: JSONFields = ["type": .text("integer"), "minimum": .plain("\(range.lowerBound)")]
            if range.upperBound < .max { fields["maximum"] = .plain("\(range.upperBound)") }
            return placeholder(or: fields)
        case .decimal: return placeholder(or: ["type": .text("number")])
        case .fraction:
            definitions["share"] = .object([
                "anyOf": .array([
                    .object(["type": .text("number"), "minimum": .plain("0")]),
                    .object([
                        "type": .text("string"), "pattern": .text("^\\+?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?%?$"),
                        "examples": .array([.text("2%")]),
                    ]), reference("placeholder"),
                ])
            ])
            return ["$ref": .text("#/definitions/share")]
        case .boolean: return placeholder(or: ["type": .text("boolean")])
        case .text: return ["type": .array(["string", "number", "boolean", "null"].map { .text($0) })]
        case .word(let words):
            let names = words.map(\.name)
            // YAML reads a word such as 1.3 as a number, so such names are allowed as numbers too.
            let numbers = names.filter { name in name.utf8.allSatisfy { 48...57 ~= $0 || $0 == 46 } }
            return placeholder(or: ["enum": .array(names.map { .text($0) } + numbers.map { .plain($0) })])
        case .list(let item, let counts):
            var fields: JSONFields = ["type": .text("array"), "items": .object(object(item, isWhole: true))]
            if counts.lowerBound > 0 { fields["minItems"] = .plain("\(counts.lowerBound)") }
            if counts.upperBound < .max { fields["maxItems"] = .plain("\(counts.upperBound)") }
            return placeholder(or: fields)
        case .map(let map): return placeholder(or: self.map(map, isWhole: isWhole))
        case .varying(let plain, let laws):
            let quantity = object(plain)
            guard case .text(let target)? = quantity["$ref"] else { return quantity }
            let kind = laws.count == DistributionLaw.allCases.count ? "varying-" : "bounded-"
            let name = kind + (target.split(separator: "/").last ?? "")
            if definitions[name] == nil {
                definitions[name] = .object([
                    "anyOf": .array(([quantity] + laws.map { object($0, isWhole: true) }).map { .object($0) })
                ])
            }
            return ["$ref": .text("#/definitions/\(name)")]
        case .either(let shapes): return ["anyOf": .array(shapes.map { .object(object($0, isWhole: true)) })]
        case .anything: return JSONFields()
        }
    }

    mutating func map(_ map: MapShape, isWhole: Bool) -> JSONFields {
        var fields: JSONFields = ["type": .text("object")]
        let required = map.fields.filter(\.isRequired).map { JSONText.text($0.key) }
        if isWhole, !required.isEmpty { fields["required"] = .array(required) }
        if let variants = map.variants {
            let tags = map.fields
            fields["properties"] = .object(properties(tags))
            fields["allOf"] = .array(
                ([variants.key] + variants.synonyms).flatMap { key in
                    variants.cases.map { condition(key, $0, tags: tags) }
                })
            return fields
        }
        fields["properties"] = .object(properties(map.fields))
        fields["additionalProperties"] = map.userKeyShape.map { .object(object($0)) } ?? .plain("false")
        fields["patternProperties"] = anyOwnKey
        return fields
    }

    private var anyOwnKey: JSONText { .object(["^x-": .object(JSONFields())]) }

    private mutating func condition(
        _ key: String, _ variant: MapShape.Variants.VariantShape, tags: [Field]
    ) -> JSONText {
        let names = ([variant.name] + variant.presets).map { JSONText.text($0) }
        let isThisOne = JSONText.object([
            key: .object(names.count == 1 ? ["const": names[0]] : ["enum": .array(names)])
        ])
        return .object([
            "if": .object(["properties": isThisOne, "required": .array([.text(key)])]),
            "then": .object([
                "properties": .object(properties(tags + variant.fields)), "additionalProperties": .plain("false"),
                "patternProperties": anyOwnKey,
            ]),
        ])
    }

    private mutating func properties(_ fields: [Field]) -> JSONFields {
        var result = JSONFields()
        for field in fields {
            var schema = object(field.shape)
            let help = [field.help, field.fallback.map { "(default \($0))" } ?? ""].filter { !$0.isEmpty }
            if !help.isEmpty {
                // Draft-07 ignores the siblings of a $ref, so the reference moves into `allOf`.
                if let target = schema["$ref"] { schema = ["allOf": .array([.object(["$ref": target])])] }
                schema["description"] = .text(help.joined(separator: " "))
            }
            result[field.key] = .object(schema)
        }
        return result
    }

    private func reference(_ name: String) -> JSONText { .object(["$ref": .text("#/definitions/\(name)")]) }

    private func placeholder(or fields: JSONFields) -> JSONFields {
        ["anyOf": .array([.object(fields), reference("placeholder")])]
    }

    private func orPlaceholder(_ fields: JSONFields) -> JSONText { .object(placeholder(or: fields)) }
}
