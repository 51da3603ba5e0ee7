import DeadzoneBase
package import DeadzoneMetrics

/// A JSON value that is always written as the same bytes (canonical form). Keys are sorted by their bytes. A number has
/// the shortest digits that parse to the same double, independent of locale. Equal values give equal bytes.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    /// Written as null if it is not finite, because JSON has no such number.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
    /// Written with all digits: a timestamp in nanoseconds since 1970 has more digits than a double can hold.
    case decimal(Billionths)

    package enum Layout: Sendable {
        /// One line, for NDJSON.
        case line
        /// Two spaces per level, so that a diff shows single lines.
        case indented
        /// Like `indented`, but a list of scalar values is on one line. This keeps diffs of files with many numbers
        /// short.
        case rows
    }

    package func text(_ layout: Layout = .indented) -> String {
        var out = ""
        write(&out, layout, depth: 0)
        return out
    }

    private func write(_ out: inout String, _ layout: Layout, depth: Int) {
        switch self {
        case .null: out += "null"
        case .bool(let truth): out += truth ? "true" : "false"
        case .integer(let number): out += String(number)
        case .number(let number): out += Self.shortestText(number)
        case .decimal(let number): out += NumberText.decimal(number, places: 9)
        case .string(let text): Self.quote(text, &out)
        case .array(let items):
            let layout = layout == .rows && items.allSatisfy(\.isScalar) ? .line : layout
            Self.bracket("[", "]", items.count, &out, layout, depth) { index, out in
                items[index].write(&out, layout, depth: depth + 1)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.bracket("{", "}", sorted.count, &out, layout, depth) { index, out in
                Self.quote(sorted[index].key, &out)
                out += ": "
                sorted[index].value.write(&out, layout, depth: depth + 1)
            }
        }
    }

    private static func bracket(
        _ open: String, _ close: String, _ count: Int, _ out: inout String, _ layout: Layout, _ depth: Int,
        _ item: (Int, inout String) -> Void
    ) {
        func newline(_ depth: Int) {
            if layout != .line && count > 0 { out += "\n" + String(repeating: "  ", count: depth) }
        }
        out += open
        for index in 0..<count {
            newline(depth + 1)
            item(index, &out)
            if index + 1 < count { out += layout == .line ? ", " : "," }
        }
        newline(depth)
        out += close
    }

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    /// Shortest text that parses to the same double, in any locale (`description`, SwiftDtoa). Whole numbers lose ".0".
    static func shortestText(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if number == 0 { return "0" }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Writes a JSON string. Terminal control characters are escaped too, because results are read in terminals and
    /// logs.
    private static func quote(_ text: String, _ out: inout String) {
        out += "\""
        defer { out += "\"" }
        // Fast path for nearly all keys and names: plain ASCII.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x23 && $0 != 0x5C }) {
            out += text
            return
        }
        var brackets = TerminalEscaper.RunnerCommandScanner()
        for scalar in text.unicodeScalars {
            let isObeyed = brackets.completesCommand(scalar)
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case _ where scalar.isPlain && !isObeyed: out.unicodeScalars.append(scalar)
            default: for unit in String(scalar).utf16 { out += "\\u" + hexadecimal(unit) }
            }
        }
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
