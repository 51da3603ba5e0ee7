import DeadzoneBase

/// Helpers that format text as Markdown for GitHub and GitLab. Names from users' files are escaped, so that they are
/// shown literally.
enum Markdown {
    /// Largest step summary that GitHub accepts: 1 MiB. GitHub drops a larger one completely.
    static let limit = 1 << 20
    private static let maxNameLength = 200

    /// Escapes a name for running text, a table cell or HTML. Punctuation becomes numeric character references, which
    /// no reader treats as structure (CommonMark 0.31.2, 2.5). So a name cannot open or close markup, mention a user or
    /// create a link. Texts of more than `most` characters are cut.
    static func escaped(_ name: String, atMost most: Int = maxNameLength) -> String {
        let scalars = name.unicodeScalars
        var out = ""
        for scalar in scalars.prefix(most) {
            for plain in (scalar.isPlain ? String(scalar) : String(scalar).escapedForTerminal).unicodeScalars {
                if "<>&@\\`*_{}[]#+!|~$:\"'".unicodeScalars.contains(plain) {
                    out += "&#\(plain.value);"
                } else {
                    out.unicodeScalars.append(plain)
                }
            }
        }
        // Escapes the dot, so that the text does not become a link.
        return out.replacing("www.", with: "www&#46;") + (scalars.count > most ? "…" : "")
    }

    /// Fenced code block, with more backticks than the text has in a row.
    static func fenced(_ text: String) -> String {
        let visible = text.escapedForTerminal
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

    /// Joins pieces while they fit into `limit`, then appends `rest` with the number of pieces left out.
    static func truncated(_ pieces: [String], _ rest: (Int) -> String) -> String {
        var text = ""
        for (index, piece) in pieces.enumerated() {
            // 1,024 bytes are reserved for the last line.
            guard text.utf8.count + piece.utf8.count <= limit - 1_024 else {
                return text + rest(pieces.count - index)
            }
            text += piece
        }
        return text
    }
}
