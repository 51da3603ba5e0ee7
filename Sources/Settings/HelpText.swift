/// The settings of a map as a table for `explain` and `help`: key, what it takes, default, meaning.
public func helpText(of shape: Shape, indent: Int = 0) -> String {
    guard case .map(let map) = shape else { return "" }
    let margin = String(repeating: " ", count: indent)
    let rows = map.fields.map { ($0.key, takes($0), $0.help) }
    let keyWidth = rows.map { $0.0.unicodeScalars.count }.max() ?? 0
    let takesWidth = rows.map { $0.1.unicodeScalars.count }.filter { $0 <= 32 }.max() ?? 0
    var text = ""
    for (row, field) in zip(rows, map.fields) {
        let line = margin + pad(row.0, to: keyWidth) + "  " + pad(row.1, to: takesWidth) + "  " + row.2
        text += line.trimmingEnd() + "\n"
        if case .map = field.shape { text += helpText(of: field.shape, indent: indent + 2) }
        if case .list(.map(let inner), _) = field.shape { text += helpText(of: .map(inner), indent: indent + 2) }
        if case .either(let shapes) = field.shape {
            for shape in shapes { text += helpText(of: shape, indent: indent + 2) }
        }
    }
    if case .map(let inner)? = map.free { text += helpText(of: .map(inner), indent: indent) }
    for variant in map.variants?.cases ?? [] {
        text += margin + "with \(map.variants!.key): \(variant.name)\n"
        text += helpText(of: .map(MapShape(fields: variant.fields)), indent: indent + 2)
    }
    return text
}

private func takes(_ field: Field) -> String {
    let value = takes(field.shape)
    if let fallback = field.fallback { return "\(value), default \(fallback)" }
    guard field.isRequired else { return value }
    return value.isEmpty ? "required" : "\(value), required"
}

private func takes(_ shape: Shape) -> String {
    switch shape {
    case .quantity(_, let example, _): "like \(example)"
    case .integer: "a number"
    case .decimal: "like 0.5"
    case .fraction: "like 2%"
    case .boolean: "true or false"
    case .text: "text"
    case .word(let words): words.map(\.name).joined(separator: "|")
    case .list: "a list"
    case .map: ""
    case .varying(let plain, _): takes(plain) + " or a distribution"
    case .either(let shapes): shapes.map { takes($0).isEmpty ? "a map" : takes($0) }.joined(separator: " or ")
    case .anything: "anything"
    }
}

private func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
}

extension String {
    fileprivate func trimmingEnd() -> String {
        var result = self[...]
        while result.last == " " { result.removeLast() }
        return String(result)
    }
}
