import DeadzonePrimitives

/// Markdown as GitHub and GitLab render it. Names come from users' files: they are shown as they are and mean nothing.
enum Markdown {
    /// GitHub takes a step summary of at most 1 MiB and drops a larger one whole.
    static let limit = 1 << 20
    private static let longestName = 200

    /// A name in running text, in a cell of a table or in HTML. Punctuation becomes numeric references, which no reader takes
    /// for structure (CommonMark 0.31.2, 2.5): nothing is opened or closed, nobody is called, nothing is linked. A name is cut
    /// where it is longer than anyone reads.
    static func escaped(_ name: String) -> String {
        let scalars = name.unicodeScalars
        var out = ""
        for scalar in scalars.prefix(longestName) {
            for plain in (scalar.isPlain ? String(scalar) : String(scalar).visible).unicodeScalars {
                if "<>&@\\`*_{}[]#+!|~$:\"'".unicodeScalars.contains(plain) {
                    out += "&#\(plain.value);"
                } else {
                    out.unicodeScalars.append(plain)
                }
            }
        }
        // Without its point nothing links itself to a site.
        return out.replacing("www.", with: "www&#46;") + (scalars.count > longestName ? "…" : "")
    }

    /// Code that runs over one line: fenced by more backticks than stand in it.
    static func code(_ text: String) -> String {
        let visible = text.visible
        var longest = 0
        var run = 0
        for scalar in visible.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)\n\(visible)\n\(fence)\n"
    }

    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    static func table(_ header: [String], _ rows: [[String]]) -> String {
        row(header) + row(header.map { _ in "---" }) + rows.map(row).joined()
    }

    /// Pieces in order, as long as they fit; then how many were left out.
    static func fitted(_ pieces: [String], _ rest: (Int) -> String) -> String {
        var text = ""
        for (index, piece) in pieces.enumerated() {
            // Room for the last line.
            guard text.utf8.count + piece.utf8.count <= limit - 1_024 else {
                return text + rest(pieces.count - index)
            }
            text += piece
        }
        return text
    }
}
