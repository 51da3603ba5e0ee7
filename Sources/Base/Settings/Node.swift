/// A position (file, line, column) in a user's file. Lines and columns count from 1; columns count Unicode scalars.
public struct SourceMark: Hashable, Comparable, Sendable {
    /// Index of the file among those that were read together. 0 is the requested file; others were read through
    /// `extends:` or by name.
    package var file: Int
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int, file: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static let none = SourceMark(line: 0, column: 0)

    public static func < (a: Self, b: Self) -> Bool { (a.file, a.line, a.column) < (b.file, b.line, b.column) }
}

/// A node of a parsed YAML document: a value, a list or a map, with its position in the file. Made by `Composer`, read
/// by `SettingsReader`.
public struct Node: Hashable, Sendable {
    public indirect enum NodeContent: Hashable, Sendable {
        /// `quoted` distinguishes "yes" and 'yes' from yes.
        case scalar(String, quoted: Bool)
        case list([Node])
        case map([MapEntry])
    }

    public struct MapEntry: Hashable, Sendable {
        public var key: String
        public var keyMark: SourceMark
        public var value: Node

        public init(key: String, keyMark: SourceMark = .none, value: Node) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    public var content: NodeContent
    public var mark: SourceMark
    /// Number of columns that a caret underlines. Lists and maps are marked at their beginning only.
    package var width: Int

    public init(_ content: NodeContent, at mark: SourceMark = .none, width: Int = 1) {
        self.content = content
        self.mark = mark
        self.width = width
    }
}

extension Node {
    public static func text(_ text: String) -> Node { Node(.scalar(text, quoted: false)) }
    public static func list(_ items: [Node]) -> Node { Node(.list(items)) }
    public static func map(_ entries: [MapEntry]) -> Node { Node(.map(entries)) }

    public var entries: [MapEntry]? {
        if case .map(let entries) = content { entries } else { nil }
    }

    public var items: [Node]? {
        if case .list(let items) = content { items } else { nil }
    }

    public var scalar: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// `true` for an empty value: `key:`, `key: ~` or `key: null`.
    public var isEmpty: Bool {
        if case .scalar(let text, false) = content { ["", "~", "null", "Null", "NULL"].contains(text) } else { false }
    }

    /// `true` if both have the same bytes at the same place of a file. `==` also holds for different bytes of one letter.
    package func isWritten(as other: Node) -> Bool {
        guard mark == other.mark, width == other.width else { return false }
        switch (content, other.content) {
        case (.scalar(let text, let isQuoted), .scalar(let otherText, let otherIsQuoted)):
            return isQuoted == otherIsQuoted && text.hasBytes(of: otherText)
        case (.list(let items), .list(let others)):
            return items.count == others.count && zip(items, others).allSatisfy { $0.isWritten(as: $1) }
        case (.map(let entries), .map(let others)):
            return entries.count == others.count
                && zip(entries, others).allSatisfy {
                    $0.keyMark == $1.keyMark && $0.key.hasBytes(of: $1.key)
                        && $0.value.isWritten(as: $1.value)
                }
        default: return false
        }
    }

    public subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }
}

extension String {
    /// `true` if both have the same bytes.
    fileprivate func hasBytes(of other: String) -> Bool {
        var (own, other) = (self, other)
        return own.withUTF8 { own in other.withUTF8 { own.elementsEqual($0) } }
    }
}
