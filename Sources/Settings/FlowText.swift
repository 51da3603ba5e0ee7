import DeadzonePrimitives

/// A node on one line, as YAML: `{every: 20s, size: [1KiB, 2KiB]}`.
public func flowText(_ node: Node) -> String {
    switch node.content {
    case .scalar(let text, let quoted): scalarText(text, quoted: quoted)
    case .list(let items): "[" + items.map(flowText).joined(separator: ", ") + "]"
    case .map(let entries):
        "{" + entries.map { scalarText($0.key, quoted: false) + ": " + flowText($0.value) }.joined(separator: ", ")
            + "}"
    }
}

/// A node as an indented block with one key to a line, as `--print-resolved` shows it and as it is hashed.
public func blockText(_ node: Node, indent: Int = 0) -> String {
    guard case .map(let entries) = node.content, !entries.isEmpty else { return flowText(node) + "\n" }
    let margin = String(repeating: " ", count: indent)
    var text = ""
    for entry in entries {
        text += margin + scalarText(entry.key, quoted: false) + ":"
        switch entry.value.content {
        case .map(let inner) where !inner.isEmpty: text += "\n" + blockText(entry.value, indent: indent + 2)
        case .list(let items) where items.contains(where: { $0.scalar == nil }):
            text += "\n" + items.map { margin + "  - " + flowText($0) + "\n" }.joined()
        default: text += " " + flowText(entry.value) + "\n"
        }
    }
    return text
}

/// Plain where any YAML reader takes it for the same text, in double quotes elsewhere.
func scalarText(_ text: String, quoted: Bool) -> String {
    let isPlain =
        !text.isEmpty
        && text.utf8.allSatisfy {
            switch $0 {
            case 48...57, 65...90, 97...122, 37, 45, 46, 47, 95: true
            default: false
            }
        } && text.utf8.first != 37 && text.utf8.first != 45 && text.utf8.first != 46
    return !quoted && isPlain ? text : "\"" + escaped(text) + "\""
}

/// Escapes of YAML in double quotes; up to U+FFFF they are JSON's as well.
func escaped(_ text: String) -> String {
    var result = ""
    var brackets = Visible.Brackets()
    for scalar in text.unicodeScalars {
        let isObeyed = brackets.isObeyed(scalar) || !Visible.isPlain(scalar)
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where isObeyed:
            let digits = String(scalar.value, radix: 16)
            let isShort = digits.utf8.count <= 4
            result += (isShort ? "\\u" : "\\U") + String(repeating: "0", count: (isShort ? 4 : 8) - digits.utf8.count)
            result += digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
