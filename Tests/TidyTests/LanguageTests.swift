import Testing

/// Prose is read once, in a hurry, often by readers with another first language. It has no mark of `LanguageMark.all`.
struct LanguageTests {
    /// Where prose stands.
    private static let areas: [(name: String, holds: @Sendable (SourceFile) -> Bool)] = [
        ("Sources", { $0.path.hasPrefix("Sources/") && $0.isSwift }),
        ("Tests", { $0.path.hasPrefix("Tests/") && $0.isSwift }),
        ("pages", { $0.path.hasSuffix(".md") }),
    ]

    @Test(arguments: areas.indices)
    func proseHasNoMark(_ area: Int) {
        // Broken: new prose is written in words that must be decoded.
        let (name, holds) = Self.areas[area]
        let prose = Checkout.files.filter(holds).flatMap(\.prose)
        #expect(prose.count > 1_000, "the prose of \(name) was not found")
        for mark in LanguageMark.all where mark.count(prose) > 0 {
            Issue.record("\(name): \(mark.name): \(mark.count(prose)): \(Self.examples(of: mark, holds))")
        }
    }

    @Test(arguments: LanguageMark.all.indices)
    func aMarkIsFound(_ index: Int) {
        // Broken: a pattern that finds nothing, or that finds plain sentences.
        let mark = LanguageMark.all[index]
        #expect(mark.count([mark.broken]) == 1, "\(mark.name)")
        #expect(mark.count([mark.innocent]) == 0, "\(mark.name)")
    }

    @Test func onlyProseCounts() {
        // Broken: code, strings or examples count as prose, or comments do not.
        let swift = SourceFile("Sources/A/a.swift", "/// Nobody.\nlet x = \"nobody\" // nobody\n    // somebody\n")
        #expect(swift.prose == ["Nobody.", "somebody"])
        let page = SourceFile("a.md", "# Who\n```\nnobody\n```\n- whose\n")
        #expect(page.prose == ["Who", "whose", ""])
    }

    private static func examples(of mark: LanguageMark, _ holds: (SourceFile) -> Bool) -> String {
        var found: [String] = []
        for file in Checkout.files where holds(file) && found.count < 10 {
            for line in file.prose where mark.count([line]) > 0 { found.append("\(file.path): \(line)") }
        }
        return found.prefix(10).joined(separator: "\n")
    }
}
