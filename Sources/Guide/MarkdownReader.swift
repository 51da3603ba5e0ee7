/// Markdown as far as the pages use it: headings, paragraphs, lists, tables and fenced code; code, links, bold and italic
/// words within a line. Anything else stands as it was written.
public struct MarkdownReader {
    private var lines: ArraySlice<Substring>
    /// Where a link leads; nil leaves its words alone.
    private let link: (String) -> String?

    /// - Parameter link: what becomes of the target of a link.
    public static func blocks(_ text: String, link: @escaping (String) -> String? = { $0 }) -> [Block] {
        var reader = MarkdownReader(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false)[...], link: link)
        var blocks: [Block] = []
        while let block = reader.next() { blocks.append(block) }
        return blocks
    }

    private init(lines: ArraySlice<Substring>, link: @escaping (String) -> String?) {
        self.lines = lines
        self.link = link
    }

    private mutating func next() -> Block? {
        while lines.first?.allSatisfy({ $0 == " " }) == true { lines.removeFirst() }
        guard let line = lines.first else { return nil }
        if line.hasPrefix("```") { return code() }
        if let level = Self.level(line) {
            lines.removeFirst()
            return .heading(words(line.dropFirst(level + 1)).plain, level: level)
        }
        if line.hasPrefix("|") { return table() }
        if let mark = Self.item(line) { return list(isNumbered: mark.isNumbered) }
        return .paragraph(words(paragraph()))
    }

    private static func level(_ line: Substring) -> Int? {
        let level = line.prefix { $0 == "#" }.count
        return 1...4 ~= level && line.dropFirst(level).hasPrefix(" ") ? level : nil
    }

    private static func item(_ line: Substring) -> (isNumbered: Bool, length: Int)? {
        if line.hasPrefix("- ") || line.hasPrefix("* ") { return (false, 2) }
        let digits = line.prefix { $0.isNumber }.count
        return 1...2 ~= digits && line.dropFirst(digits).hasPrefix(". ") ? (true, digits + 2) : nil
    }

    private static func ends(_ line: Substring) -> Bool {
        line.allSatisfy { $0 == " " } || line.hasPrefix("```") || line.hasPrefix("|") || level(line) != nil
            || item(line) != nil
    }

    private mutating func paragraph() -> Substring {
        var parts = [String(lines.removeFirst())]
        while let line = lines.first, !Self.ends(line) {
            parts.append(String(line.drop { $0 == " " }))
            lines.removeFirst()
        }
        return parts.joined(separator: " ")[...]
    }

    private mutating func code() -> Block {
        let language = String(lines.removeFirst().dropFirst(3))
        var body: [Substring] = []
        while let line = lines.popFirst(), !line.hasPrefix("```") { body.append(line) }
        return .code(body.joined(separator: "\n"), language)
    }

    /// A blank line between two items does not end a list; what is no item does.
    private mutating func list(isNumbered: Bool) -> Block {
        var items: [[Inline]] = []
        while true {
            if let line = lines.first, let mark = Self.item(line), mark.isNumbered == isNumbered {
                items.append(words(paragraph().dropFirst(mark.length)))
            } else if lines.first?.isEmpty == true, let after = lines.dropFirst().first,
                Self.item(after)?.isNumbered == isNumbered
            {
                lines.removeFirst()
            } else {
                return .list(items, isNumbered: isNumbered)
            }
        }
    }

    private mutating func table() -> Block {
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
            Block.Table(
                head: head.allSatisfy(\.isEmpty) ? [] : head, rows.dropFirst().map { Block.Row($0) }))
    }

    /// A stroke between backticks divides nothing, nor does one behind a backslash.
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

    /// The words of a line.
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

    /// What begins here, if it also ends.
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
