/// How a report may look. The caller has asked the terminal and the environment; nothing here does. Colour repeats what a
/// word or a sign says already, and never says anything alone.
public struct Style: Hashable, Sendable {
    public var hasColour: Bool
    /// Columns of the terminal; long lines of prose are broken there.
    public var width: Int
    /// A terminal ends there, so tables are broken as well; a file goes on.
    public var hasEdge: Bool

    public init(hasColour: Bool, width: Int = 100, hasEdge: Bool = false) {
        self.hasColour = hasColour
        self.width = width
        self.hasEdge = hasEdge
    }

    public static let plain = Style(hasColour: false)

    enum Ink: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
    }

    /// SGR sequences of ECMA-48.
    func paint(_ text: String, _ ink: Ink) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }

    public func heading(_ text: String) -> String { paint(text, .bold) + "\n" }
    public var passed: String { paint("pass", .green) }
    public var failed: String { paint("FAIL", .red) }

    /// Rows of texts in columns, the first in bold. The last one is broken where the terminal ends; where there is little room
    /// for it, all stand below the first.
    public func list(_ rows: [[String]]) -> String {
        let widths = (0..<(rows.first?.count ?? 1) - 1).map { column in
            rows.map { $0[column].columns }.max() ?? 0
        }
        let lead = widths.reduce(0) { $0 + $1 + 2 }
        return rows.map { row in
            guard let name = row.first, let last = row.last else { return "" }
            let facts = row.dropFirst().dropLast()
            if hasEdge && width - lead < 32 {
                let words = (facts.isEmpty ? "" : facts.joined(separator: ", ") + ": ") + last
                return paint(name, .bold) + "\n    " + wrapped(words, indent: 4, after: 4) + "\n"
            }
            let cells = zip(facts, widths.dropFirst()).map { $0.0.padded(to: $0.1) }
            let head = ([paint(name, .bold) + String(repeating: " ", count: widths[0] - name.columns)] + cells)
                .joined(separator: "  ")
            return head + "  " + (hasEdge ? wrapped(last, indent: lead, after: lead) : last) + "\n"
        }.joined()
    }

    /// No line of it is wider than the terminal.
    func fits(_ text: String) -> Bool {
        !hasEdge || text.split(separator: "\n").allSatisfy { $0.shown <= width }
    }

    /// As many columns of a table side by side as fit, the others below.
    func blocks(_ columns: Int, _ text: (Range<Int>) -> String) -> String {
        for size in stride(from: columns, to: 1, by: -1) {
            let blocks = stride(from: 0, to: columns, by: size).map { text($0..<min($0 + size, columns)) }
            if blocks.allSatisfy(fits) { return blocks.joined(separator: "\n") }
        }
        return (0..<columns).map { text($0..<($0 + 1)) }.joined(separator: "\n")
    }

    /// Breaks prose between words; the first line stands behind `lead` columns, every other begins with `indent` spaces.
    public func wrapped(_ text: String, indent: Int, after lead: Int = 0) -> String {
        var lines = [""]
        var room = width - lead
        for word in text.split(separator: " ").map(String.init) {
            let needed = word.columns + (lines[lines.count - 1].isEmpty ? 0 : 1)
            if needed > room && !lines[lines.count - 1].isEmpty {
                lines.append(word)
                room = width - indent - word.columns
            } else {
                lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
                room -= needed
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension Substring {
    /// Columns on a terminal, of text that may have colour.
    fileprivate var shown: Int { String(replacing(/\u{1B}\[[0-9]+m/, with: "")).columns }
}
