/// A place in a user's file, counted from 1; columns count Unicode scalars.
public struct Mark: Hashable, Comparable, Sendable {
    /// Which of the files that were read together: 0 is the one that was asked for, others came by `extends:` or by name.
    public var file: Int
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int, file: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static let none = Mark(line: 0, column: 0)

    public static func < (a: Self, b: Self) -> Bool { (a.file, a.line, a.column) < (b.file, b.line, b.column) }
}

/// A user's document as a tree that remembers where everything stood. Made by a composer, read by `SettingsReader`.
public struct Node: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
        /// `quoted` keeps "yes" and 'yes' apart from yes.
        case scalar(String, quoted: Bool)
        case list([Node])
        case map([Entry])
    }

    public struct Entry: Hashable, Sendable {
        public var key: String
        public var keyMark: Mark
        public var value: Node

        public init(key: String, keyMark: Mark = .none, value: Node) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    public var content: Content
    public var mark: Mark
    /// How many columns a caret should underline; lists and maps point at their beginning.
    public var width: Int

    public init(_ content: Content, at mark: Mark = .none, width: Int = 1) {
        self.content = content
        self.mark = mark
        self.width = width
    }
}

extension Node {
    public static func text(_ text: String) -> Node { Node(.scalar(text, quoted: false)) }
    public static func list(_ items: [Node]) -> Node { Node(.list(items)) }
    public static func map(_ entries: [Entry]) -> Node { Node(.map(entries)) }

    public var entries: [Entry]? {
        if case .map(let entries) = content { entries } else { nil }
    }

    public var items: [Node]? {
        if case .list(let items) = content { items } else { nil }
    }

    public var scalar: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Nothing stands there: `key:`, `key: ~` or `key: null`.
    public var isEmpty: Bool {
        if case .scalar(let text, false) = content { ["", "~", "null", "Null", "NULL"].contains(text) } else { false }
    }

    public subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }
}
