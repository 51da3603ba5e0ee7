/// Moves schemas that occur several times in a JSON Schema into its `definitions`, and replaces them by references. The
/// schema of a scenario repeats the settings of links and strategies dozens of times.
struct SharedSchema {
    /// Minimum length in bytes of a schema that is shared. A reference takes about 35.
    private static let minimumSize = 100

    /// The role of a JSON value in a schema. Only schemas can be replaced by references.
    private enum SchemaPosition {
        case schema, schemaMap, schemaList, data

        /// Position of the value under a key.
        func inside(_ key: String) -> SchemaPosition {
            switch self {
            case .schemaMap: return .schema
            case .data, .schemaList: return .data
            case .schema: break
            }
            switch key {
            case "properties", "patternProperties", "definitions": return .schemaMap
            case "anyOf", "allOf": return .schemaList
            case "items", "additionalProperties", "if", "then": return .schema
            default: return .data
            }
        }
    }

    /// A distinct value of the schema. Equal values have the same number.
    private struct DistinctValue {
        let value: JSONText
        /// Numbers of the values inside, in order.
        let inside: [Int]
        let size: Int
        /// Number of places at which this value stands as a schema, outside of values that are shared themselves.
        var places = 0
        /// Name of its definition, once it is shared.
        var name: String?
    }

    private var values: [DistinctValue] = []
    private var numbers: [String: Int] = [:]
    private var definitions = JSONFields()
    private var sharedCount = 0

    /// The schema with shared definitions.
    static func sharing(_ schema: JSONFields) -> JSONFields {
        var sharing = Self()
        let root = sharing.number(of: .object(schema))
        sharing.countPlaces(of: root, .schema)
        guard case .object(var fields) = sharing.written(root, .schema, isRoot: true) else { return schema }
        guard case .object(var all)? = fields["definitions"] else { return schema }
        for entry in sharing.definitions.entries { all[entry.key] = entry.value }
        fields["definitions"] = .object(all)
        return fields
    }

    /// Numbers a value and the values inside it.
    private mutating func number(of value: JSONText) -> Int {
        var inside: [Int] = []
        var key: String
        switch value {
        case .text(let text): key = "t" + text
        case .plain(let text): key = "p" + text
        case .array(let items):
            inside = items.map { number(of: $0) }
            key = "a" + inside.map { "\($0)," }.joined()
        case .object(let fields):
            let entries = fields.entries.sorted { $0.key < $1.key }
            inside = entries.map { number(of: $0.value) }
            key = "o" + zip(entries, inside).map { "\($0.key)\u{0}\($1)," }.joined()
        }
        if let known = numbers[key] { return known }
        let size = key.utf8.count + inside.reduce(0) { $0 + values[$1].size }
        numbers[key] = values.count
        values.append(DistinctValue(value: value, inside: inside, size: size))
        return values.count - 1
    }

    /// Counts the places in the order in which the schema is written. A value that is shared is written once.
    private mutating func countPlaces(of number: Int, _ position: SchemaPosition) {
        let value = values[number]
        if case .schema = position, isShareable(value) {
            values[number].places += 1
            if value.places > 0 { return }
        }
        switch value.value {
        case .text, .plain: break
        case .array:
            if case .schemaList = position { for inside in value.inside { countPlaces(of: inside, .schema) } }
        case .object(let fields):
            for (entry, inside) in zip(fields.entries.sorted(by: { $0.key < $1.key }), value.inside) {
                countPlaces(of: inside, position.inside(entry.key))
            }
        }
    }

    private func isShareable(_ value: DistinctValue) -> Bool {
        guard case .object(let fields) = value.value else { return false }
        return value.size >= Self.minimumSize && fields["$ref"] == nil
    }

    private mutating func written(_ number: Int, _ position: SchemaPosition, isRoot: Bool = false) -> JSONText {
        let value = values[number]
        guard case .schema = position, !isRoot, value.places > 1, isShareable(value) else {
            return body(number, position)
        }
        let name: String
        if let known = value.name {
            name = known
        } else {
            sharedCount += 1
            name = "shared-\(sharedCount)"
            values[number].name = name
            definitions[name] = body(number, position)
        }
        return .object(["$ref": .text("#/definitions/\(name)")])
    }

    private mutating func body(_ number: Int, _ position: SchemaPosition) -> JSONText {
        let value = values[number]
        switch value.value {
        case .text, .plain: return value.value
        case .array:
            if case .schemaList = position { return .array(value.inside.map { written($0, .schema) }) }
            return value.value
        case .object(let fields):
            var result = JSONFields()
            for (entry, inside) in zip(fields.entries.sorted(by: { $0.key < $1.key }), value.inside) {
                let place = position.inside(entry.key)
                if case .data = place {
                    result[entry.key] = entry.value
                } else {
                    result[entry.key] = written(inside, place)
                }
            }
            return .object(result)
        }
    }
}
