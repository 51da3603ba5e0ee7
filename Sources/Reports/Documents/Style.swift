/// The text style of reports: whether to use colour, and the width in columns. The caller reads both from the terminal
/// and the environment. Colour only repeats what a word or a sign already says.
package struct Style: Hashable, Sendable {
    package var hasColour: Bool
    /// Width in columns at which prose is wrapped.
    package var width: Int
    /// `true` if tables are wrapped at `width` too, as on a terminal; `false` for files.
    package var hasFixedWidth: Bool

    package init(hasColour: Bool, width: Int = 100, hasFixedWidth: Bool = false) {
        self.hasColour = hasColour
        self.width = width
        self.hasFixedWidth = hasFixedWidth
    }

    package static let plain = Style(hasColour: false)

    enum TextAttribute: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
    }

    /// Adds an SGR sequence (ECMA-48) if colour is on.
    func paint(_ text: String, _ attribute: TextAttribute) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(attribute.rawValue)m\(text)\u{1B}[0m" : text
    }

    package func heading(_ text: String) -> String { paint(text, .bold) + "\n" }
    package var passed: String { paint("pass", .green) }
    package var failed: String { paint("FAIL", .red) }

    /// Formats rows in columns, the first column in bold. The last column is wrapped at the terminal width. If fewer
    /// than 32 columns are left for it, all other columns go below the first.
    package func list(_ rows: [[String]]) -> String {
        let widths = (0..<(rows.first?.count ?? 1) - 1).map { column in
            rows.map { $0[column].columns }.max() ?? 0
        }
        let lead = widths.reduce(0) { $0 + $1 + 2 }
        return rows.map { row in
            guard let name = row.first, let last = row.last else { return "" }
            let facts = row.dropFirst().dropLast()
            if hasFixedWidth && width - lead < 32 {
                let words = (facts.isEmpty ? "" : facts.joined(separator: ", ") + ": ") + last
                return paint(name, .bold) + "\n    " + wrapped(words, indent: 4, after: 4) + "\n"
            }
            let cells = zip(facts, widths.dropFirst()).map { $0.0.padded(to: $0.1) }
            let head = ([paint(name, .bold) + String(repeating: " ", count: widths[0] - name.columns)] + cells)
                .joined(separator: "  ")
            return head + "  " + (hasFixedWidth ? wrapped(last, indent: lead, after: lead) : last) + "\n"
        }.joined()
    }

    /// `true` if no line is wider than the terminal.
    func fits(_ text: String) -> Bool {
        !hasFixedWidth || text.split(separator: "\n").allSatisfy { $0.visibleColumns <= width }
    }

    /// Splits a table into blocks of as many columns as fit, one block below the other.
    /// - Parameter limit: The width that a block may have. `nil` is the width of a terminal, and no limit in a file.
    func columnBlocks(_ columns: Int, width limit: Int? = nil, _ text: (Range<Int>) -> String) -> String {
        func fits(_ block: String) -> Bool {
            guard let limit else { return self.fits(block) }
            return block.split(separator: "\n").allSatisfy { $0.visibleColumns <= limit }
        }
        for size in stride(from: columns, to: 1, by: -1) {
            let blocks = stride(from: 0, to: columns, by: size).map { text($0..<min($0 + size, columns)) }
            if blocks.allSatisfy(fits) { return blocks.joined(separator: "\n") }
        }
        return (0..<columns).map { text($0..<($0 + 1)) }.joined(separator: "\n")
    }

    /// Wraps prose between words. The first line begins after `lead` columns, every other line with `indent` spaces.
    package func wrapped(_ text: String, indent: Int, after lead: Int = 0) -> String {
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
    /// Terminal columns of text that may contain colour sequences.
    fileprivate var visibleColumns: Int { String(replacing(/\u{1B}\[[0-9]+m/, with: "")).columns }
}
