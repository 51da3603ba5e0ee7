/// Swift source with every comment and every string blanked: same length, same lines, only code left. Interpolations
/// are blanked with their strings; a rule that must inspect them uses the raw text.
func codeOnly(_ text: String) -> String {
    var scanner = Blanker(Array(text.utf8))
    return scanner.blanked()
}

private struct Blanker {
    private var bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func blanked() -> String {
        while at < bytes.count {
            if sees("//") {
                blank { $0.sees("\n") }
            } else if sees("/*") {
                blankBlockComment()
            } else if let hashes = stringStart() {
                blankString(hashes)
            } else {
                at += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func sees(_ word: StaticString, at offset: Int? = nil) -> Bool {
        let start = offset ?? at
        guard start + word.utf8CodeUnitCount <= bytes.count else { return false }
        return word.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
    }

    /// Block comments nest.
    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                step(2)
            } else if sees("*/") {
                depth -= 1
                step(2)
            } else {
                step(1)
            }
        } while depth > 0 && at < bytes.count
    }

    /// The number of `#` before an opening quote here; `nil` if no string begins.
    private func stringStart() -> Int? {
        var hashes = 0
        while at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "#") { hashes += 1 }
        return at + hashes < bytes.count && bytes[at + hashes] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func blankString(_ hashes: Int) {
        step(hashes)
        let isMultiline = sees("\"\"\"")
        let quotes = isMultiline ? 3 : 1
        step(quotes)
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\\"), follow(at + 1, UInt8(ascii: "#"), hashes) {
                step(1 + hashes)
                if at < bytes.count, bytes[at] == UInt8(ascii: "(") { blankInterpolation() } else { step(1) }
            } else if follow(at, UInt8(ascii: "\""), quotes), follow(at + quotes, UInt8(ascii: "#"), hashes) {
                step(quotes + hashes)
                return
            } else if !isMultiline && sees("\n") {
                return
            } else {
                step(1)
            }
        }
    }

    /// From the opening parenthesis to its partner; nested strings are handled separately.
    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if let hashes = stringStart() {
                blankString(hashes)
                continue
            }
            if bytes[at] == UInt8(ascii: "(") { depth += 1 }
            if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
            step(1)
        } while depth > 0 && at < bytes.count
    }

    private func follow(_ start: Int, _ byte: UInt8, _ count: Int) -> Bool {
        start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == byte }
    }

    private mutating func blank(until end: (Self) -> Bool) {
        while at < bytes.count, !end(self) { step(1) }
    }

    private mutating func step(_ count: Int) {
        for _ in 0..<count where at < bytes.count {
            if bytes[at] != UInt8(ascii: "\n") { bytes[at] = UInt8(ascii: " ") }
            at += 1
        }
    }
}
