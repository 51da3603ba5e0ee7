/// A table with aligned columns, formatted as text for a terminal. The columns in `leftAligned` (by default the first)
/// are left-aligned, the others right-aligned. Marks are in a column of their own, so that numbers stay aligned. On a
/// narrow terminal the first column is wrapped between words, then the last one if it is left-aligned.
struct TextTable {
    struct TextCell {
        var text: String
        var attribute: Style.TextAttribute?

        init(_ text: String, _ attribute: Style.TextAttribute? = nil) {
            self.text = text
            self.attribute = attribute
        }
    }

    private enum TableLine {
        case row([TextCell])
        case heading(String)
        case blank
    }

    /// Smallest width of a wrapped column. A column also stays at least as wide as its longest word.
    private static let minWidth = 18

    private var lines: [TableLine] = []
    private let leftAligned: Set<Int>

    init(leftAligned: Set<Int> = [0]) { self.leftAligned = leftAligned }

    mutating func row(_ cells: [TextCell]) { lines.append(.row(cells)) }
    mutating func heading(_ text: String) { lines.append(.heading(text)) }
    mutating func blank() { lines.append(.blank) }

    func text(_ style: Style) -> String {
        var widths = widths
        if style.hasFixedWidth, let last = widths.indices.last {
            for column in last > 0 && leftAligned.contains(last) ? [0, last] : [0] {
                let total = widths.reduce(-2) { $0 + ($1 == 0 ? 0 : $1 + 2) }
                let least = max(Self.minWidth, longestWord(column))
                widths[column] = min(widths[column], max(least, widths[column] - max(0, total - style.width)))
            }
        }
        return lines.map { line in
            switch line {
            case .blank: "\n"
            case .heading(let text): style.paint(text, .bold) + "\n"
            case .row(let cells): text(cells, widths, style)
            }
        }.joined()
    }

    /// Width that the longest word needs on its own line, including the cell's indentation.
    private func longestWord(_ column: Int) -> Int {
        var longest = 0
        for case .row(let cells) in lines where column < cells.count {
            let blanks = cells[column].text.prefix { $0 == " " }.count
            for word in cells[column].text.split(separator: " ") {
                longest = max(longest, blanks + 2 + String(word).columns)
            }
        }
        return longest
    }

    private var widths: [Int] {
        var widths: [Int] = []
        for case .row(let cells) in lines {
            for (column, cell) in cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.columns)
            }
        }
        return widths
    }

    private func text(_ cells: [TextCell], _ widths: [Int], _ style: Style) -> String {
        let folded = cells.enumerated().map { Self.wrapped($1.text, to: widths[$0]) }
        let height = folded.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let parts = cells.indices.map {
                TextCell(line < folded[$0].count ? folded[$0][line] : "", cells[$0].attribute)
            }
            return self.line(parts, widths, style) + "\n"
        }.joined()
    }

    private func line(_ cells: [TextCell], _ widths: [Int], _ style: Style) -> String {
        // No trailing blanks after the last text of a row: they would be noise in a saved file.
        let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
        var out = ""
        for (column, cell) in cells.enumerated() where column <= last {
            let isLeft = leftAligned.contains(column)
            let blanks = String(repeating: " ", count: max(0, widths[column] - cell.text.columns))
            let painted = cell.attribute.map { style.paint(cell.text, $0) } ?? cell.text
            out += column == 0 ? "" : widths[column] == 0 ? "" : "  "
            out += isLeft ? painted + (column == last ? "" : blanks) : blanks + painted
        }
        return out
    }

    /// Wraps text between words. Indentation is kept; continuation lines are indented two columns more.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        guard text.columns > width else { return [text] }
        let blanks = String(text.prefix { $0 == " " })
        return Style(hasColour: false, width: max(1, width - blanks.count)).wrapped(text, indent: 2)
            .split(separator: "\n").map { blanks + $0 }
    }
}
