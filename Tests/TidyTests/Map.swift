/// The diagram and the table of `Sources/README.md`.
struct Map {
    /// The modules of each layer, from the highest to the lowest.
    let floors: [[String]]
    /// The dependencies of each module according to the table.
    let rows: [(module: String, uses: [String])]
    /// The parts of modules, in the order of the table.
    let parts: [String]

    init(_ text: String) {
        let drawing = text.split(separator: "```", omittingEmptySubsequences: false).dropFirst().first ?? ""
        floors = drawing.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "│", omittingEmptySubsequences: false)
            return parts.count > 2 ? parts[1].split(separator: " ").map(String.init) : nil
        }
        let table = text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !($0.hasPrefix("| module |") && $0.hasSuffix("uses |")) }.dropFirst(2).prefix {
                $0.hasPrefix("|")
            }
        let isPart = { (line: Substring) in line.hasPrefix("| · ") }
        parts = table.filter(isPart).flatMap { line in
            Self.words(line.split(separator: "|").first ?? "")
        }
        rows = table.filter { !isPart($0) }.flatMap { line -> [(module: String, uses: [String])] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            let uses = Self.words(cells.last ?? "")
            return Self.words(cells.first ?? "").map { ($0, uses) }
        }
    }

    /// Names separated by commas; of a link, only its text.
    private static func words(_ cell: Substring) -> [String] {
        cell.replacing(/\]\([^)]*\)/, with: "").matches(of: /\w+/).map { String($0.output) }
    }

    /// Differences between Package.swift and the diagram or the table, and every dependency that does not point
    /// downwards.
    func faults(against modules: [Manifest.Entry]) -> [String] {
        let names = modules.map(\.name).sorted()
        var faults: [String] = []
        if floors.flatMap(\.self).sorted() != names { faults.append("diagram: \(floors), Package.swift: \(names)") }
        if rows.map(\.module).sorted() != names {
            faults.append("rows: \(rows.map(\.module)), Package.swift: \(names)")
        }
        if parts.sorted() != modules.flatMap(\.parts).sorted() {
            faults.append("parts: \(parts), Package.swift: \(modules.flatMap(\.parts))")
        }
        for module in modules {
            let own = floors.firstIndex { $0.contains(module.name) }
            for used in module.uses {
                let other = floors.firstIndex { $0.contains(used) }
                if let own, let other, other <= own {
                    faults.append("\(module.name) uses \(used), which is not below it")
                }
            }
            guard let row = rows.first(where: { $0.module == module.name }) else { continue }
            // Nearly all modules use Base, so the table leaves it out.
            let uses = module.uses.filter { $0 != "Base" }
            if row.uses != uses { faults.append("\(module.name) uses \(uses), its row lists \(row.uses)") }
        }
        return faults
    }
}
