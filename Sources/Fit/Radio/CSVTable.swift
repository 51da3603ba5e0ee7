/// A table of comma-separated values with a header line. Lines before the header, and lines with fewer cells, are
/// ignored.
struct CSVTable {
    struct CSVColumn {
        var place: Int
        /// Lower case, letters only.
        var name: String

        /// Factor for the unit that the column name ends in; 1 for unknown units.
        func scale(_ units: [String: Double]) -> Double {
            let unit = units.keys.filter { name.hasSuffix($0) }.max { $0.count < $1.count }
            return unit.flatMap { units[$0] } ?? 1
        }
    }

    let columns: [CSVColumn]
    let rows: [[String]]
    /// The line of each row, from 1.
    let lineNumbers: [Int]
    /// Numeric cells; other cells are NaN.
    let numbers: [[Double]]

    init(_ text: String) {
        let numbered = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { !$0.element.isEmpty }
        let lines = numbered.map { line in
            line.element.split(separator: ",", omittingEmptySubsequences: false).map(Self.bare)
        }
        let head = lines.firstIndex { $0.count > 1 && $0.allSatisfy { Double($0) == nil && !$0.isEmpty } }
        let names = head.map { lines[$0] } ?? []
        columns = names.enumerated().map { place, name in
            CSVColumn(place: place, name: name.lowercased().filter(\.isLetter))
        }
        let places = head.map { lines.indices.suffix(from: $0 + 1).filter { lines[$0].count >= names.count } } ?? []
        rows = places.map { lines[$0] }
        lineNumbers = places.map { numbered[$0].offset + 1 }
        numbers = rows.map { $0.map { Double($0) ?? .nan } }
    }

    private static func bare(_ cell: Substring) -> String {
        func isAround(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
        let begun = cell.drop(while: isAround)
        guard let last = begun.lastIndex(where: { !isAround($0) }) else { return "" }
        return String(begun[...last])
    }

    /// The first column with a name that begins with one of these words, else the first that contains one.
    func column(_ words: [String]) -> CSVColumn? {
        columns.first { column in words.contains { column.name.hasPrefix($0) } }
            ?? columns.first { column in words.contains { column.name.contains($0) } }
    }
}
