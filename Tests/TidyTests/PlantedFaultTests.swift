import Testing

/// The faults of Tests/Mutants name the code that they change, and the code moves on without them.
struct PlantedFaultTests {
    /// Marks that let other modules inline a function. The copy in which faults are planted has none.
    private static let inlining = /@(?:inlinable|usableFromInline) +|(?m:^ *@(?:inlinable|usableFromInline)\n)/

    @Test func everyFaultChangesCodeThatExists() {
        // Broken: code was changed without its fault, and `make mutants` stops before the first one.
        let code = Checkout.swift.filter { $0.path.hasPrefix("Sources/") }
            .map { (path: $0.path, text: $0.text.replacing(Self.inlining, with: "")) }
        var count = 0
        for page in Checkout.files where page.path.hasPrefix("Tests/Mutants/") && page.path.hasSuffix(".txt") {
            for (file, original) in Self.faults(page.text) {
                count += 1
                let homes = code.filter { $0.path.hasSuffix("/" + file) && $0.text.ranges(of: original).count == 1 }
                #expect(homes.count == 1, "\(page.path): \(file) has this text \(homes.count) times: \(original)")
            }
        }
        #expect(count > 800)
    }

    @Test func aFaultIsRead() {
        // Broken: a text of several lines is read as its first line, so any code will do.
        let page = "A.swift: x is y\n- let x\n      = 1\n+ let y\n= why\n\nB.swift: z\n- z\n+ w\n"
        #expect(Self.faults(page).map(\.file) == ["A.swift", "B.swift"])
        #expect(Self.faults(page).map(\.original) == ["let x\n      = 1", "z"])
    }

    /// Returns the file and the original text of each fault. A line that begins with a blank continues the previous one.
    private static func faults(_ page: String) -> [(file: String, original: String)] {
        page.split(separator: /\n{2,}/).compactMap { block in
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            guard let head = lines.first?.split(separator: ": ").first,
                let first = lines.firstIndex(where: { $0.hasPrefix("- ") })
            else { return nil }
            let rest = lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
            return (String(head), ([lines[first].dropFirst(2)] + rest).joined(separator: "\n"))
        }
    }
}
