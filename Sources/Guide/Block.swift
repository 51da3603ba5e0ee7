/// A piece of a page, whether it is to be read in a terminal or in a browser.
public enum Block: Hashable, Sendable {
    /// Below the page's own title, from 2 on.
    case heading(String, level: Int = 2)
    case paragraph([Inline])
    case list([[Inline]], isNumbered: Bool = false)
    case table(Table)
    /// As it was written; the word is the language, with what a test is to make of it.
    case code(String, String = "")

    public static func paragraph(_ text: String) -> Block { .paragraph(Inline.of(text)) }

    public struct Table: Hashable, Sendable {
        /// Names of columns; a list of names and meanings needs none.
        public var head: [String]
        public var rows: [Row]

        public init(head: [String] = [], _ rows: [Row]) {
            self.head = head
            self.rows = rows
        }
    }

    public struct Row: Hashable, Sendable {
        /// By which a link leads to it.
        public var anchor: String
        /// How far it stands in: a setting of a setting.
        public var depth: Int
        public var cells: [[Inline]]

        public init(_ cells: [[Inline]], anchor: String = "", depth: Int = 0) {
            self.anchor = anchor
            self.depth = depth
            self.cells = cells
        }

        /// The first one is a name; in the others code stands between backticks.
        public init(_ name: String, _ others: String..., anchor: String = "", depth: Int = 0) {
            self.init([[.code(name)]] + others.map(Inline.of), anchor: anchor, depth: depth)
        }
    }

    /// A list of names and what is to be said of them, or nothing where there are none.
    public static func rows(_ title: String? = nil, _ rows: [Row]) -> [Block] {
        rows.isEmpty ? [] : (title.map { [.heading($0)] } ?? []) + [.table(Table(rows))]
    }

    public static func items(_ title: String, _ items: [String]) -> [Block] {
        items.isEmpty ? [] : [.heading(title), .list(items.map(Inline.of))]
    }
}

/// Words within a line.
public indirect enum Inline: Hashable, Sendable {
    case text(String)
    case code(String)
    case strong([Inline])
    case emphasis([Inline])
    /// To a page by its path, with or without `#anchor`, or to an address elsewhere.
    case link([Inline], to: String)

    /// Text of which only the backticks mean something.
    public static func of(_ text: String) -> [Inline] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count % 2 == 1 else { return [.text(text)] }
        return parts.enumerated().filter { !$0.element.isEmpty }
            .map { $0.offset % 2 == 0 ? .text($0.element) : .code($0.element) }
    }
}

extension [Inline] {
    /// What a terminal shows: code keeps its backticks, and behind what leads somewhere stands where, unless it says so itself.
    public var text: String {
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

    /// What `deadzone guide` takes for a page.
    private static func name(_ target: String) -> String {
        String(target.prefix { $0 != "#" }.drop { $0 != "/" }.dropFirst())
    }

    /// The words alone.
    public var plain: String {
        map { part in
            switch part {
            case .text(let text), .code(let text): text
            case .strong(let parts), .emphasis(let parts), .link(let parts, _): parts.plain
            }
        }.joined()
    }

    /// Where its links lead.
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

extension Block {
    /// Every line of words in it.
    var lines: [[Inline]] {
        switch self {
        case .heading(let title, _): [[.text(title)]]
        case .paragraph(let words): [words]
        case .list(let items, _): items
        case .table(let table): table.rows.flatMap(\.cells)
        case .code: []
        }
    }

    /// What a link may lead to.
    var anchors: [String] {
        switch self {
        case .heading(let title, _): [Self.anchor(title)]
        case .table(let table): table.rows.map(\.anchor).filter { !$0.isEmpty }
        case .paragraph, .list, .code: []
        }
    }

    /// Of a heading: its letters and digits, small, with a hyphen for whatever stands between.
    static func anchor(_ title: String) -> String {
        title.lowercased().split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }
}

extension [Block] {
    /// Of rows with the same anchor, such as two ways to write a setting, a link leads to the first.
    var anchoredOnce: [Block] {
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
