/// Columns of text, aligned by what a terminal shows. The first column is left-aligned, the others right-aligned unless told;
/// a cell's mark stands behind it in a column of its own, so that numbers stay in line.
struct TextTable {
    struct Cell {
        var text: String
        var ink: Style.Ink?

        init(_ text: String, _ ink: Style.Ink? = nil) {
            self.text = text
            self.ink = ink
        }
    }

    fileprivate enum Line {
        case row([Cell])
        case heading(String)
        case blank
    }

    private var lines: [Line] = []
    private let leftAligned: Set<Int>

    init(leftAligned: Set<Int> = [0]) { self.leftAligned = leftAligned }

    mutating func row(_ cells: [Cell]) { lines.append(.row(cells)) }
    mutating func heading(_ text: String) { lines.append(.heading(text)) }
    mutating func blank() { lines.append(.blank) }

    func text(_ style: Style) -> String {
        var widths: [Int] = []
        for case .row(let cells) in lines {
            for (column, cell) in cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.columns)
            }
        }
        return lines.map { $0.text(widths, leftAligned, style) + "\n" }.joined()
    }
}

extension TextTable.Line {
    fileprivate func text(_ widths: [Int], _ leftAligned: Set<Int>, _ style: Style) -> String {
        switch self {
        case .blank: return ""
        case .heading(let text): return style.paint(text, .bold)
        case .row(let cells):
            // Nothing follows the last text of a row: trailing blanks would only be noise in a saved file.
            let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
            var out = ""
            for (column, cell) in cells.enumerated() where column <= last {
                let isLeft = leftAligned.contains(column)
                let blanks = String(repeating: " ", count: widths[column] - cell.text.columns)
                let painted = cell.ink.map { style.paint(cell.text, $0) } ?? cell.text
                out += column == 0 ? "" : widths[column] == 0 ? "" : "  "
                out += isLeft ? painted + (column == last ? "" : blanks) : blanks + painted
            }
            return out
        }
    }
}
