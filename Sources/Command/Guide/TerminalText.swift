package import DeadzoneReports

/// Renders guide pages as text for a terminal.
package enum TerminalText {
    /// Widest cell that counts for the width of a column, so that one long name does not move all others.
    private static let maxNameWidth = 32
    /// Smallest width of the last column. With less room, it goes below the others.
    private static let minLastColumnWidth = 30

    package static func page(_ page: GuidePage, _ style: Style) -> String {
        style.heading(style.wrapped(page.title, indent: 0))
            + (page.summary.isEmpty ? "" : style.wrapped(page.lede, indent: 0) + "\n\n")
            + text(page.blocks, style)
    }

    /// All blocks in order. A blank line precedes each block, except after a heading.
    package static func text(_ blocks: [PageBlock], _ style: Style) -> String {
        var text = ""
        var isBelowHeading = true
        for block in blocks {
            text += isBelowHeading ? "" : "\n"
            text += lines(block, style)
            if case .heading = block { isBelowHeading = true } else { isBelowHeading = false }
        }
        return text
    }

    private static func lines(_ block: PageBlock, _ style: Style) -> String {
        switch block {
        case .heading(let title, _): style.heading(style.wrapped(title, indent: 0))
        case .paragraph(let words): style.wrapped(words.text, indent: 0) + "\n"
        case .list(let items, let isNumbered):
            items.enumerated().map { index, words in
                let mark = isNumbered ? "\(index + 1). " : "- "
                let indent = 2 + mark.count
                return "  " + mark + style.wrapped(words.text, indent: indent, after: indent) + "\n"
            }.joined()
        case .table(let table): rows(table, style)
        case .code(let code, _):
            code.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
        }
    }

    private static func rows(_ table: PageBlock.PageTable, _ style: Style) -> String {
        let rows = table.rows.map { row in
            // The first cell is a name and needs no backticks at the start of a line.
            row.cells.enumerated().map { index, words in
                index == 0 ? String(repeating: "  ", count: row.depth) + words.plain : words.text
            }
        }
        let all = (table.head.isEmpty ? [] : [table.head]) + rows
        let columns = all.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            all.compactMap { $0.count > column ? $0[column].columns : nil }.filter { $0 <= maxNameWidth }.max() ?? 0
        }
        return all.enumerated().map { index, cells in
            let line = line(cells, widths, style)
            return index == 0 && !table.head.isEmpty ? style.heading(String(line.dropLast())) : line
        }.joined()
    }

    private static func line(_ cells: [String], _ widths: [Int], _ style: Style) -> String {
        let used = cells.prefix { _ in true }.lastIndex { !$0.isEmpty } ?? 0
        let head = cells.prefix(used).enumerated().map { column, text in
            text + String(repeating: " ", count: max(0, widths[column] - text.columns))
        }
        let lead = head.map { $0 + "  " }.joined()
        let last = cells.indices.contains(used) ? cells[used] : ""
        let room = 2 + lead.columns
        if !style.hasFixedWidth || room + last.columns <= style.width { return "  " + lead + last + "\n" }
        if used > 0, style.width - room >= minLastColumnWidth {
            return "  " + lead + style.wrapped(last, indent: room, after: room) + "\n"
        }
        // All other cells go below the name.
        let rest = cells.dropFirst().filter { !$0.isEmpty }.map {
            "      " + style.wrapped($0, indent: 6, after: 6) + "\n"
        }
        return "  " + style.wrapped(cells.first ?? "", indent: 6, after: 2) + "\n" + rest.joined()
    }
}
