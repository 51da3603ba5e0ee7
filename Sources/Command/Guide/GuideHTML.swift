import DeadzoneReports

/// Renders the content blocks of a guide page as HTML. All text goes through `Markup.escaped`.
struct GuideHTML {
    let guide: Guide
    /// Relative path from the page's folder to the root of the site: "../", or empty.
    let root: String

    func html(_ blocks: [PageBlock]) -> String { blocks.map(html).joined() }

    private func html(_ block: PageBlock) -> String {
        switch block {
        case .heading(let title, let level):
            "<h\(level) id=\"\(Self.escaped(PageBlock.anchor(title)))\">\(Self.escaped(title))</h\(level)>\n"
        case .paragraph(let words): "<p>\(html(words))</p>\n"
        case .list(let items, let isNumbered):
            (isNumbered ? "<ol>\n" : "<ul>\n") + items.map { "<li>\(html($0))</li>\n" }.joined()
                + (isNumbered ? "</ol>\n" : "</ul>\n")
        case .table(let table): html(table)
        case .code(let code, _): html(code: code)
        }
    }

    /// - Parameter isLink: `true` inside a link, where code does not become another link.
    func html(_ words: [Inline], isLink: Bool = false) -> String {
        words.map { part in
            switch part {
            case .text(let text): Self.escaped(text)
            case .code(let text):
                (isLink ? nil : guide.page(named: text)).map {
                    "<a href=\"\(href($0.path))\"><code>\(Self.escaped(text))</code></a>"
                }
                    ?? "<code>\(Self.escaped(text))</code>"
            case .strong(let parts): "<strong>\(html(parts, isLink: isLink))</strong>"
            case .emphasis(let parts): "<em>\(html(parts, isLink: isLink))</em>"
            case .link(let parts, let target): "<a href=\"\(href(target))\">\(html(parts, isLink: true))</a>"
            }
        }.joined()
    }

    /// URL from this page to a page of the guide, or to an external address.
    func href(_ target: String) -> String {
        if target.contains("://") { return Self.escaped(target) }
        let parts = target.split(separator: "#", maxSplits: 1).map(String.init)
        return Self.escaped(root + (parts.first ?? "") + ".html" + (parts.count > 1 ? "#" + parts[1] : ""))
    }

    private func html(_ table: PageBlock.PageTable) -> String {
        let head =
            table.head.isEmpty
            ? ""
            : "<thead><tr>" + table.head.map { Markup.head(Self.escaped($0)) }.joined()
                + "</tr></thead>"
        let rows = table.rows.map { row in
            let anchor = row.anchor.isEmpty ? "" : " id=\"\(Self.escaped(row.anchor))\""
            let cells = row.cells.enumerated().map { index, words in
                index == 0 ? "<th scope=\"row\">\(html(words))</th>" : "<td>\(html(words))</td>"
            }
            return "<tr\(anchor)\(row.depth == 0 ? "" : " class=\"d\(min(row.depth, 4))\"")>\(cells.joined())</tr>\n"
        }
        // A list of names wraps on a narrow screen. A table with a head is compared column by column, so it scrolls.
        return
            "<div class=\"wide\" tabindex=\"0\"><table class=\"\(table.head.isEmpty ? "names" : "grid")\">\(head)<tbody>\n"
            + rows.joined() + "</tbody></table></div>\n"
    }

    private func html(code: String) -> String {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("$ ") ? "<b>\(Self.escaped(String(line)))</b>" : Self.escaped(String(line))
        }
        return "<pre tabindex=\"0\"><code>\(lines.joined(separator: "\n"))</code></pre>\n"
    }

    static func escaped(_ text: String) -> String { Markup.escaped(text, atMost: .max) }
}
