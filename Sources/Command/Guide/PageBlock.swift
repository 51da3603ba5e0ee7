/// A block of a guide page, such as a paragraph or a table, for display in a terminal or browser.
package enum PageBlock: Hashable, Sendable {
    /// Heading below the page's own title: level 2 or deeper.
    case heading(String, level: Int = 2)
    case paragraph([Inline])
    case list([[Inline]], isNumbered: Bool = false)
    case table(PageTable)
    /// Code as written. The second value is the text after the fence: the language, and what a test does with the code.
    case code(String, String = "")

    package static func paragraph(_ text: String) -> PageBlock { .paragraph(Inline.of(text)) }

    package struct PageTable: Hashable, Sendable {
        /// Names of the columns; empty for a list of names and meanings.
        package var head: [String]
        package var rows: [PageTableRow]

        package init(head: [String] = [], _ rows: [PageTableRow]) {
            self.head = head
            self.rows = rows
        }
    }

    package struct PageTableRow: Hashable, Sendable {
        /// Link target of the row; empty if it has none.
        package var anchor: String
        /// Nesting depth: a setting within a setting is indented.
        package var depth: Int
        package var cells: [[Inline]]

        package init(_ cells: [[Inline]], anchor: String = "", depth: Int = 0) {
            self.anchor = anchor
            self.depth = depth
            self.cells = cells
        }

        /// `true` if the first cell is this word, or a heading of a result table that begins with it:
        /// `lost by cause, server to app`.
        func names(_ word: String) -> Bool {
            let name = cells[0].plain.lowercased()
            return name == word || word.hasPrefix(name + ", server to app") || word.hasPrefix(name + ", app to server")
        }

        /// `true` if the setting of this row takes the word as a value: `none|alarm|while-idle, default none`.
        func takes(_ word: String) -> Bool {
            guard cells.count > 2 else { return false }
            let values = cells[1].plain.prefix { $0 != "," }.split(separator: "|")
            return values.count > 1 && values.contains { $0 == word }
        }

        /// The first cell is a name, shown as code. In the other cells, backticks mark code.
        package init(_ name: String, _ others: String..., anchor: String = "", depth: Int = 0) {
            self.init([[.code(name)]] + others.map(Inline.of), anchor: anchor, depth: depth)
        }
    }

    /// Heading and table of names with their meanings; no blocks if there are no rows.
    package static func rows(_ title: String? = nil, _ rows: [PageTableRow]) -> [PageBlock] {
        rows.isEmpty ? [] : (title.map { [.heading($0)] } ?? []) + [.table(PageTable(rows))]
    }

    package static func items(_ title: String, _ items: [String]) -> [PageBlock] {
        items.isEmpty ? [] : [.heading(title), .list(items.map(Inline.of))]
    }
}

/// A piece of text within a line of a guide page, such as plain text, code or a link.
package indirect enum Inline: Hashable, Sendable {
    case text(String)
    case code(String)
    case strong([Inline])
    case emphasis([Inline])
    /// Link to a page path, with or without `#anchor`, or to an external address.
    case link([Inline], to: String)

    /// Parses text in which only backticks have a meaning.
    package static func of(_ text: String) -> [Inline] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count % 2 == 1 else { return [.text(text)] }
        return parts.enumerated().filter { !$0.element.isEmpty }
            .map { $0.offset % 2 == 0 ? .text($0.element) : .code($0.element) }
    }
}

extension [Inline] {
    /// Text for a terminal. Code keeps its backticks. A link is followed by its target unless its text contains it.
    package var text: String {
        map { part in
            switch part {
            case .text(let text): text
            case .code(let text): "`\(text)`"
            case .strong(let parts), .emphasis(let parts): parts.text
            case .link(let parts, let target):
                if target.contains("://") {
                    parts.plain.contains(target) ? parts.text : "\(parts.text) <\(target)>"
                } else {
                    Self.name(target).hasSuffix(parts.plain) ? parts.text : "\(parts.text) (\(Self.name(target)))"
                }
            }
        }.joined()
    }

    /// Name of a page as `deadzone guide` takes it.
    private static func name(_ target: String) -> String {
        String(target.prefix { $0 != "#" }.drop { $0 != "/" }.dropFirst())
    }

    /// Text without markup.
    package var plain: String {
        map { part in
            switch part {
            case .text(let text), .code(let text): text
            case .strong(let parts), .emphasis(let parts), .link(let parts, _): parts.plain
            }
        }.joined()
    }

    /// Targets of all links.
    var targets: [String] {
        flatMap { part in
            switch part {
            case .text, .code: [String]()
            case .strong(let parts), .emphasis(let parts): parts.targets
            case .link(let parts, let target): [target] + parts.targets
            }
        }
    }
}

extension PageBlock {
    /// All inline texts of the block.
    var lines: [[Inline]] {
        switch self {
        case .heading(let title, _): [[.text(title)]]
        case .paragraph(let words): [words]
        case .list(let items, _): items
        case .table(let table): table.rows.flatMap(\.cells)
        case .code: []
        }
    }

    /// Anchors in the block that a link can target.
    var anchors: [String] {
        switch self {
        case .heading(let title, _): [Self.anchor(title)]
        case .table(let table): table.rows.map(\.anchor).filter { !$0.isEmpty }
        case .paragraph, .list, .code: []
        }
    }

    /// Anchor of a heading: its letters and digits in lower case, with hyphens in place of all other characters.
    static func anchor(_ title: String) -> String {
        title.lowercased().split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }
}

extension [PageBlock] {
    /// Removes duplicate anchors. If rows have the same anchor, such as two ways to write a setting, the first one
    /// keeps it.
    var anchoredOnce: [PageBlock] {
        var known: Set<String> = []
        return map { block in
            guard case .table(var table) = block else {
                known.formUnion(block.anchors)
                return block
            }
            for index in table.rows.indices where !known.insert(table.rows[index].anchor).inserted {
                table.rows[index].anchor = ""
            }
            return .table(table)
        }
    }
}
