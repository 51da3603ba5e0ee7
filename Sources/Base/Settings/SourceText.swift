/// A user's file, split into lines as YAML counts them, for error messages. LF, CR and CR LF end a line. Scanned as
/// bytes, because Swift treats CR LF as one character.
package struct SourceText: Sendable {
    /// Name of the file as the user wrote it.
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// A line, counted from 1, without line end and byte order mark; `nil` after the last line.
    package func line(_ number: Int) -> String? {
        var line = 1
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 10 || byte == 13 {
                if line == number { break }
                if byte == 13, index + 1 < bytes.count, bytes[index + 1] == 10 { index += 1 }
                line += 1
                start = index + 1
            }
            index += 1
        }
        return line == number ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }
}

/// A fault in the format of compiler errors: code, position, source line, caret, help. The caller adds colours.
package func faultText(_ fault: Fault, files: [SourceText]) -> String {
    var text = "error[\(fault.code.rawValue)]: \(visible(fault.message))\n"
    let file = files.indices.contains(fault.mark.file) ? files[fault.mark.file] : nil
    let number = fault.mark.line > 0 ? "\(fault.mark.line)" : ""
    let gutter = String(repeating: " ", count: max(2, number.utf8.count))
    if let file {
        let place = fault.mark.line > 0 ? ":\(fault.mark.line):\(fault.mark.column)" : ""
        text += "\(gutter)--> \(visible(file.name, atMost: 200))\(place)\n"
        if let line = file.line(fault.mark.line) {
            let (before, from) = window(Array(line.unicodeScalars), around: fault.mark.column)
            let excerpt = visible(before) + visible(from)
            // Measured on the escaped text, because escapes are longer than the characters that the mark counts.
            let caret = String(repeating: " ", count: visible(before).unicodeScalars.count)
            let marked = visible(String(String.UnicodeScalarView(from.unicodeScalars.prefix(fault.width))))
            let underline = String(repeating: "^", count: max(1, marked.unicodeScalars.count))
            let label = fault.label.isEmpty ? "" : " " + visible(fault.label)
            text += "\(gutter) |\n"
            text += String(repeating: " ", count: gutter.utf8.count - number.utf8.count) + "\(number) | \(excerpt)\n"
            text += "\(gutter) | \(caret)\(underline)\(label)\n"
        } else if !fault.label.isEmpty {
            text += "\(gutter) = \(visible(fault.label))\n"
        }
    }
    if !fault.help.isEmpty { text += "\(gutter) = help: \(visible(fault.help))\n" }
    return text
}

/// At most 160 scalars of a long line, split at the column of the fault.
private func window(_ line: [Unicode.Scalar], around column: Int) -> (before: String, from: String) {
    let limit = 160
    let column = min(max(1, column), line.count + 1)
    var shown = line[...]
    var before = 0
    if line.count > limit {
        before = max(0, min(column - limit / 2, line.count - limit))
        shown = line[before..<min(line.count, before + limit)]
    }
    // A mark counts a tab as one column, so it is printed as one space. A real tab would misplace the caret.
    func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(part.map { $0 == "\t" ? " " : $0 }))
    }
    return (text(shown.prefix(column - 1 - before)), text(shown.dropFirst(column - 1 - before)))
}
