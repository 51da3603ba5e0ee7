/// A node as YAML on one line: `{every: 20s, size: [1KiB, 2KiB]}`.
package func flowText(_ node: Node) -> String {
    var text = NodeText()
    text.appendFlow(node)
    return text.string
}

/// A node as an indented YAML block, one key per line. `--print-resolved` prints this text, and hashes are computed
/// from it.
package func blockText(_ node: Node) -> String {
    var text = NodeText()
    text.appendBlock(node, indent: 0)
    return text.string
}

private struct NodeText {
    private var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func appendFlow(_ node: Node) {
        switch node.content {
        case .scalar(let text, let quoted): append(scalar: text, quoted: quoted)
        case .list(let items):
            append("[")
            for (index, item) in items.enumerated() {
                if index > 0 { append(", ") }
                appendFlow(item)
            }
            append("]")
        case .map(let entries):
            append("{")
            for (index, entry) in entries.enumerated() {
                if index > 0 { append(", ") }
                append(scalar: entry.key, quoted: false)
                append(": ")
                appendFlow(entry.value)
            }
            append("}")
        }
    }

    mutating func appendBlock(_ node: Node, indent: Int) {
        guard case .map(let entries) = node.content, !entries.isEmpty else {
            appendFlow(node)
            return append("\n")
        }
        for entry in entries {
            appendMargin(indent)
            append(scalar: entry.key, quoted: false)
            append(":")
            switch entry.value.content {
            case .map(let inner) where !inner.isEmpty:
                append("\n")
                appendBlock(entry.value, indent: indent + 2)
            case .list(let items) where items.contains(where: { $0.scalar == nil }):
                append("\n")
                for item in items {
                    appendMargin(indent)
                    append("  - ")
                    appendFlow(item)
                    append("\n")
                }
            default:
                append(" ")
                appendFlow(entry.value)
                append("\n")
            }
        }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendMargin(_ indent: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    }

    /// Appends a scalar: without quotes if every YAML reader reads it as the same text, otherwise in double quotes.
    private mutating func append(scalar text: String, quoted: Bool) {
        var text = text
        let isPlain = !quoted && text.withUTF8(Self.isPlain)
        if !isPlain {
            append("\"")
            text = escaped(text)
        }
        text.withUTF8 { bytes.append(contentsOf: $0) }
        if !isPlain { append("\"") }
    }

    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, first != 37 && first != 45 && first != 46 else { return false }
        for byte in text where !isPlain(byte) { return false }
        return true
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 37, 45, 46, 47, 95: true
        default: false
        }
    }
}

/// Escapes a text for YAML double quotes. Up to U+FFFF the escapes are also valid JSON.
func escaped(_ text: String) -> String {
    // Fast path: most text needs no escape. `#` may begin a command that a CI log executes: see
    // `RunnerCommandScanner`.
    var plain = text
    let isPlain = plain.withUTF8 { bytes in
        bytes.allSatisfy {
            0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#")
        }
    }
    if isPlain { return plain }
    var result = ""
    var brackets = TerminalEscaper.RunnerCommandScanner()
    for scalar in text.unicodeScalars {
        let isObeyed = brackets.completesCommand(scalar) || !TerminalEscaper.isPlain(scalar)
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
