/// Columns of text, aligned by what a terminal shows. The first column is left-aligned, the others right-aligned unless told;
/// a cell's mark stands behind it in a column of its own, so that numbers stay in line. Where the terminal is narrower, the
/// first column is broken between words, and then the last one if it is left-aligned.
struct TextTable {
    struct Cell {
        var text: String
        var ink: Style.Ink?

        init(_ text: String, _ ink: Style.Ink? = nil) {
            self.text = text
            self.ink = ink
        }
    }

    private enum Line {
        case row([Cell])
        case heading(String)
        case blank
    }

    /// A column is made no narrower than this, and no narrower than a word.
    private static let narrowest = 18

    private var lines: [Line] = []
    private let leftAligned: Set<Int>

    init(leftAligned: Set<Int> = [0]) { self.leftAligned = leftAligned }

    mutating func row(_ cells: [Cell]) { lines.append(.row(cells)) }
    mutating func heading(_ text: String) { lines.append(.heading(text)) }
    mutating func blank() { lines.append(.blank) }

    func text(_ style: Style) -> String {
        var widths = widths
        if style.hasEdge, let last = widths.indices.last {
            for column in last > 0 && leftAligned.contains(last) ? [0, last] : [0] {
                let total = widths.reduce(-2) { $0 + ($1 == 0 ? 0 : $1 + 2) }
                let least = max(Self.narrowest, longestWord(column))
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

    /// Of what may stand in a line of its own, with the blanks before it.
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

    private func text(_ cells: [Cell], _ widths: [Int], _ style: Style) -> String {
        let folded = cells.enumerated().map { Self.folded($1.text, to: widths[$0]) }
        let height = folded.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let parts = cells.indices.map {
                Cell(line < folded[$0].count ? folded[$0][line] : "", cells[$0].ink)
            }
            return self.line(parts, widths, style) + "\n"
        }.joined()
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ style: Style) -> String {
        // Nothing follows the last text of a row: trailing blanks would only be noise in a saved file.
        let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
        var out = ""
        for (column, cell) in cells.enumerated() where column <= last {
            let isLeft = leftAligned.contains(column)
            let blanks = String(repeating: " ", count: max(0, widths[column] - cell.text.columns))
            let painted = cell.ink.map { style.paint(cell.text, $0) } ?? cell.text
            out += column == 0 ? "" : widths[column] == 0 ? "" : "  "
            out += isLeft ? painted + (column == last ? "" : blanks) : blanks + painted
        }
        return out
    }

    /// Between words; what is indented stays so, and goes on a little further in.
    private static func folded(_ text: String, to width: Int) -> [String] {
        guard text.columns > width else { return [text] }
        let blanks = String(text.prefix { $0 == " " })
        return Style(hasColour: false, width: max(1, width - blanks.count)).wrapped(text, indent: 2)
            .split(separator: "\n").map { blanks + $0 }
    }
}
