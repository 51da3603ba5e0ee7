/// The drawing and the table of `Sources/README.md`.
struct Map {
    /// From the highest to the lowest, the rooms of each.
    let floors: [[String]]
    /// What the table says that each room stands on.
    let rows: [(room: String, uses: [String])]

    init(_ text: String) {
        let drawing = text.split(separator: "```", omittingEmptySubsequences: false).dropFirst().first ?? ""
        floors = drawing.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "│", omittingEmptySubsequences: false)
            return parts.count > 2 ? parts[1].split(separator: " ").map(String.init) : nil
        }
        let table = text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !($0.hasPrefix("| room |") && $0.hasSuffix("stands on |")) }.dropFirst(2).prefix {
                $0.hasPrefix("|")
            }
        rows = table.flatMap { line -> [(room: String, uses: [String])] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            let uses = Self.words(cells.last ?? "")
            return Self.words(cells.first ?? "").map { ($0, uses) }
        }
    }

    /// Names with commas between them; of a link its text.
    private static func words(_ cell: Substring) -> [String] {
        cell.replacing(/\]\([^)]*\)/, with: "").matches(of: /\w+/).map { String($0.output) }
    }

    /// What the drawing or the table says otherwise than Package.swift, and every arrow that does not run down.
    func faults(against rooms: [Manifest.Entry]) -> [String] {
        let names = rooms.map(\.name).sorted()
        var faults: [String] = []
        if floors.flatMap(\.self).sorted() != names { faults.append("drawn are \(floors), and there are \(names)") }
        if rows.map(\.room).sorted() != names { faults.append("rows are \(rows.map(\.room)), and there are \(names)") }
        for room in rooms {
            let own = floors.firstIndex { $0.contains(room.name) }
            for used in room.uses {
                let other = floors.firstIndex { $0.contains(used) }
                if let own, let other, other <= own {
                    faults.append("\(room.name) uses \(used), which is not below it")
                }
            }
            guard let row = rows.first(where: { $0.room == room.name }) else { continue }
            // On the ground nearly all stand.
            let uses = room.uses.filter { $0 != "Primitives" }
            if row.uses != uses { faults.append("\(room.name) stands on \(uses), and its row says \(row.uses)") }
        }
        return faults
    }
}
