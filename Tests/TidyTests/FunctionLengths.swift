/// A function and its length in lines, from the line of its name to its closing brace.
struct FunctionLength: Equatable {
    let name: String
    let lines: Int
    /// Counted from 1.
    let line: Int
}

/// The functions, initialisers and computed properties of a file, including nested ones. Works on `codeOnly` text, by
/// braces.
func functionLengths(_ code: String) -> [FunctionLength] {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.indices.compactMap { start in
        guard let name = declaredName(lines[start]), let end = lastLine(lines, from: start) else { return nil }
        return FunctionLength(name: name, lines: end - start + 1, line: start + 1)
    }
}

/// Searches for the bare keyword first: the regular expressions are slow, and most lines declare nothing.
private func declaredName(_ line: String) -> String? {
    if line.contains("func "), let match = line.firstMatch(of: /(?:^|\s)func\s+(\w+|[^\s\w(]+)/) {
        return String(match.1)
    }
    if line.contains("init") || line.contains("subscript") {
        if let match = line.firstMatch(of: /(?:^|\s)(init|subscript)\s*[?!]?\s*[<(]/) { return String(match.1) }
        if line.contains(/(?:^|\s)deinit\s*\{/) { return "deinit" }
    }
    if line.hasSuffix("{"), line.contains("var "), let match = line.firstMatch(of: /(?:^|\s)var\s+(\w+)\s*:[^={]*\{$/) {
        return String(match.1)
    }
    return nil
}

/// Last line of the declaration; `nil` for a protocol requirement, which has no body.
private func lastLine(_ lines: [String], from start: Int) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in start..<lines.count {
        for byte in lines[index].utf8 {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
            case UInt8(ascii: "{"): braces += 1
            case UInt8(ascii: "}"):
                // Closes the enclosing scope.
                if braces == 0 { return nil }
                braces -= 1
                if braces == 0, parentheses == 0 { return index }
            default: break
            }
        }
        guard braces == 0, parentheses == 0 else { continue }
        let next = index + 1 < lines.count ? lines[index + 1].drop { $0 == " " } : ""
        guard ["{", "where ", "->", "throws", "async"].contains(where: next.hasPrefix) else { return nil }
    }
    return nil
}
