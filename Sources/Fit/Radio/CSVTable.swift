/// A table of comma-separated values under a line of names. Lines before the names, and lines with fewer cells, are left out.
struct CSVTable {
    struct Column {
        var place: Int
        /// In small letters, what stands between letters left out.
        var name: String

        /// What a number of this column is worth; of a unit that the name does not end in, 1.
        func scale(_ units: [String: Double]) -> Double {
            let unit = units.keys.filter { name.hasSuffix($0) }.max { $0.count < $1.count }
            return unit.flatMap { units[$0] } ?? 1
        }
    }

    let columns: [Column]
    let rows: [[String]]
    /// Cells that are no numbers are not-a-number.
    let numbers: [[Double]]

    init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(Self.bare)
        }
        let head = lines.firstIndex { $0.count > 1 && $0.allSatisfy { Double($0) == nil && !$0.isEmpty } }
        let names = head.map { lines[$0] } ?? []
        columns = names.enumerated().map { place, name in
            Column(place: place, name: name.lowercased().filter(\.isLetter))
        }
        rows = head.map { lines[($0 + 1)...].filter { $0.count >= names.count } } ?? []
        numbers = rows.map { $0.map { Double($0) ?? .nan } }
    }

    private static func bare(_ cell: Substring) -> String {
        func isAround(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
        let begun = cell.drop(while: isAround)
        guard let last = begun.lastIndex(where: { !isAround($0) }) else { return "" }
        return String(begun[...last])
    }

    /// The first whose name begins with one of these words, else the first that holds one.
    func column(_ words: [String]) -> Column? {
        columns.first { column in words.contains { column.name.hasPrefix($0) } }
            ?? columns.first { column in words.contains { column.name.contains($0) } }
    }
}
