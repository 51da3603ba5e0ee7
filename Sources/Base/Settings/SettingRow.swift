/// One setting as documentation lists it: name, accepted values, default and meaning.
package struct SettingRow: Hashable, Sendable {
    /// Path from the listed map: `tcp-keepalive.idle`.
    package let path: String
    package let key: String
    /// Nesting depth below the listed map.
    package let depth: Int
    /// Accepted values and default: "like 45s, default 2h".
    package let takes: String
    package let help: String
}

extension Shape {
    /// Every setting of a map and of its nested maps, in reading order.
    package var rows: [SettingRow] { rows(within: "", depth: 0) }

    /// The settings directly in this shape, or in one item of it if it is a list.
    package var fields: [Field] {
        switch self {
        case .map(let map):
            map.fields + (map.userKeyShape?.fields ?? []) + (map.variants?.cases.flatMap(\.fields) ?? [])
        case .list(let item, _): item.fields
        case .either(let shapes): shapes.flatMap(\.fields)
        case .quantity, .integer, .decimal, .fraction, .boolean, .text, .word, .varying, .anything: []
        }
    }

    private func rows(within path: String, depth: Int) -> [SettingRow] {
        func rows(_ fields: [Field], _ path: String, _ depth: Int) -> [SettingRow] {
            fields.flatMap { field in
                let place = path + field.key
                return [
                    SettingRow(path: place, key: field.key, depth: depth, takes: field.takes, help: field.help)
                ] + field.shape.rows(within: place + ".", depth: depth + 1)
            }
        }
        switch self {
        case .map(let map):
            let variants = map.variants.map { variants in
                variants.cases.flatMap { variant in
                    let word = "\(variants.key): \(variant.name)"
                    return [
                        SettingRow(
                            path: path + variant.name, key: word, depth: depth, takes: "", help: variant.about)
                    ] + rows(variant.fields, path + variant.name + ".", depth + 1)
                }
            }
            return rows(map.fields, path, depth) + (map.userKeyShape?.rows(within: path, depth: depth) ?? [])
                + (variants ?? [])
        case .list(let item, _): return item.rows(within: path, depth: depth)
        case .either(let shapes): return shapes.flatMap { $0.rows(within: path, depth: depth) }
        case .quantity, .integer, .decimal, .fraction, .boolean, .text, .word, .varying, .anything: return []
        }
    }
}

extension Field {
    /// Accepted values, followed by the default or by "required".
    package var takes: String {
        if let fallback { return "\(shape.takes), default \(fallback)" }
        guard isRequired else { return shape.takes }
        return shape.takes.isEmpty ? "required" : "\(shape.takes), required"
    }
}

extension Shape {
    fileprivate var takes: String {
        switch self {
        case .quantity(_, let example, _): "like \(example)"
        case .integer: "a number"
        case .decimal: "like 0.5"
        case .fraction: "like 2%"
        case .boolean: "true or false"
        case .text: "text"
        case .word(let words): words.map(\.name).joined(separator: "|")
        case .list: "a list"
        case .map: ""
        case .varying(let plain, _): plain.takes + " or a distribution"
        case .either(let shapes): shapes.map { $0.takes.isEmpty ? "a map" : $0.takes }.joined(separator: " or ")
        case .anything: "anything"
        }
    }
}
