/// Parses the subset of Markdown that the guide's pages use. It is: headings, paragraphs, lists, tables and fenced
/// code; within a line code, links, bold and italic. Any other text is kept as written.
package struct MarkdownReader {
    private var lines: ArraySlice<Substring>
    /// Resolves the target of a link. If the result is `nil`, the link becomes emphasised text.
    private let link: (String) -> String?

    /// - Parameter link: Resolves the target of a link; `nil` removes the link.
    package static func blocks(_ text: String, link: @escaping (String) -> String? = { $0 }) -> [PageBlock] {
        var reader = MarkdownReader(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false)[...], link: link)
        var blocks: [PageBlock] = []
        while let block = reader.next() { blocks.append(block) }
        return blocks
    }

    private init(lines: ArraySlice<Substring>, link: @escaping (String) -> String?) {
        self.lines = lines
        self.link = link
    }

    private mutating func next() -> PageBlock? {
        while lines.first?.allSatisfy({ $0 == " " }) == true { lines.removeFirst() }
        guard let line = lines.first else { return nil }
        if line.hasPrefix("```") { return code() }
        if let level = Self.headingLevel(line) {
            lines.removeFirst()
            return .heading(words(line.dropFirst(level + 1)).plain, level: level)
        }
        if line.hasPrefix("|") { return table() }
        if let mark = Self.listMarker(line) { return list(isNumbered: mark.isNumbered) }
        return .paragraph(words(paragraph()))
    }

    private static func headingLevel(_ line: Substring) -> Int? {
        let level = line.prefix { $0 == "#" }.count
        return 1...4 ~= level && line.dropFirst(level).hasPrefix(" ") ? level : nil
    }

    private static func listMarker(_ line: Substring) -> (isNumbered: Bool, length: Int)? {
        if line.hasPrefix("- ") || line.hasPrefix("* ") { return (false, 2) }
        let digits = line.prefix { $0.isNumber }.count
        return 1...2 ~= digits && line.dropFirst(digits).hasPrefix(". ") ? (true, digits + 2) : nil
    }

    private static func endsParagraph(_ line: Substring) -> Bool {
        line.allSatisfy { $0 == " " } || line.hasPrefix("```") || line.hasPrefix("|") || headingLevel(line) != nil
            || listMarker(line) != nil
    }

    private mutating func paragraph() -> Substring {
        var parts = [String(lines.removeFirst())]
        while let line = lines.first, !Self.endsParagraph(line) {
            parts.append(String(line.drop { $0 == " " }))
            lines.removeFirst()
        }
        return parts.joined(separator: " ")[...]
    }

    private mutating func code() -> PageBlock {
        let language = String(lines.removeFirst().dropFirst(3))
        var body: [Substring] = []
        while let line = lines.popFirst(), !line.hasPrefix("```") { body.append(line) }
        return .code(body.joined(separator: "\n"), language)
    }

    /// Reads a list. A blank line between two items does not end it; a line that is not an item does.
    private mutating func list(isNumbered: Bool) -> PageBlock {
        var items: [[Inline]] = []
        while true {
            if let line = lines.first, let mark = Self.listMarker(line), mark.isNumbered == isNumbered {
                items.append(words(paragraph().dropFirst(mark.length)))
            } else if lines.first?.isEmpty == true, let after = lines.dropFirst().first,
                Self.listMarker(after)?.isNumbered == isNumbered
            {
                lines.removeFirst()
            } else {
                return .list(items, isNumbered: isNumbered)
            }
        }
    }

    private mutating func table() -> PageBlock {
        var rows: [[[Inline]]] = []
        while let line = lines.first, line.hasPrefix("|") {
            lines.removeFirst()
            let cells = Self.cells(line)
            if !cells.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "-: ".contains($0) } }) {
                rows.append(cells.map { words($0[...]) })
            }
        }
        let head = rows.first?.map(\.plain) ?? []
        return .table(
            PageBlock.PageTable(
                head: head.allSatisfy(\.isEmpty) ? [] : head, rows.dropFirst().map { PageBlock.PageTableRow($0) }))
    }

    /// Splits a table row into cells. A `|` between backticks or after a backslash does not separate cells.
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isCode = false
        var last: Character = " "
        for character in line.dropFirst() {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode || last == "\\" {
                if last == "\\" { cells[cells.count - 1].removeLast() }
                if last == "\\" { cells[cells.count - 1].append("|") } else { cells.append("") }
            } else {
                cells[cells.count - 1].append(character)
            }
            last = character
        }
        return cells.dropLast().map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// Parses the inline elements of a line.
    private func words(_ line: Substring) -> [Inline] {
        var rest = line
        var parts: [Inline] = []
        var plain = ""
        func flush() {
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
        }
        while let character = rest.first {
            if let (part, after) = span(rest) {
                flush()
                parts.append(part)
                rest = after
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        flush()
        return parts
    }

    /// The inline element that begins here, if it also ends.
    private func span(_ rest: Substring) -> (Inline, after: Substring)? {
        if rest.hasPrefix("`") {
            return Self.until("`", rest.dropFirst()).map { (.code(String($0)), $1) }
        }
        if rest.hasPrefix("**") {
            return Self.until("**", rest.dropFirst(2)).map { (.strong(words($0)), $1) }
        }
        if rest.hasPrefix("*"), rest.dropFirst().first?.isLetter == true {
            return Self.until("*", rest.dropFirst()).map { (.emphasis(words($0)), $1) }
        }
        guard rest.hasPrefix("["), let (label, after) = Self.until("](", rest.dropFirst()),
            let (target, end) = Self.until(")", after)
        else { return nil }
        guard let place = link(String(target)) else { return (.emphasis(words(label)), end) }
        return (.link(words(label), to: place), end)
    }

    private static func until(_ mark: String, _ text: Substring) -> (Substring, Substring)? {
        guard let range = text.firstRange(of: mark), range.lowerBound > text.startIndex else { return nil }
        return (text[..<range.lowerBound], text[range.upperBound...])
    }
}
