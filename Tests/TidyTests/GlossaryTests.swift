import Foundation
import Testing

/// One word has one meaning, and the glossary says which.
struct GlossaryTests {
    /// Names that the language or one pattern of the house gives to many types: the mutable part of a facet or of a machine.
    private static let shared: Set = ["State"]

    @Test func noTwoTypesShareAName() {
        // Broken: a reader searches for a name and finds another type.
        let twice = TypeNames.declared.filter { $0.value.count > 1 && !Self.shared.contains($0.key) }
        let lines = twice.keys.sorted().map { name in "\(name): \((twice[name] ?? []).joined(separator: ", "))" }
        #expect(lines == [])
        #expect(TypeNames.declared.count > 1_000)
    }

    @Test func everyTermOfCodeIsAType() {
        // Broken: the glossary explains a type that was renamed or removed.
        let terms = Glossary.rows.map(\.term).filter { $0.hasPrefix("`") }.map { String($0.dropFirst().dropLast()) }
        #expect(terms.filter { TypeNames.declared[$0] == nil } == [])
        #expect(terms.count > 40 && Set(terms).count == terms.count)
    }

    @Test func typesThatCrossTheHouseAreExplained() {
        // Broken: a type that many modules use, and that a newcomer meets on the first day, has no sentence of its own.
        let terms = Set(Glossary.rows.map(\.term))
        let wide = TypeNames.modulesUsing.filter { $0.value >= 9 && !Glossary.plain.contains($0.key) }.keys.sorted()
        #expect(wide.filter { !terms.contains("`\($0)`") } == [])
    }

    @Test func aTermTakesOneSentence() {
        // Broken: an entry that is as long as the page it should replace.
        for (term, meaning) in Glossary.rows {
            let words = meaning.split(separator: " ").count
            #expect((3...30).contains(words) && meaning.hasSuffix("."), "\(term): \(words) words")
        }
        #expect(Set(Glossary.rows.map { $0.term.lowercased() }).count == Glossary.rows.count)
    }

    @Test func canFail() {
        // Broken: declarations are not found, or words of a comment or an import are taken for types.
        let found = TypeNames.names(
            "import struct A.B\nfinal class C {\n class func d() {}\n enum E: Int { case f }\n}\nprotocol G {}\n")
        #expect(found == ["C", "E", "G"])
    }
}

enum Glossary {
    /// Types with names that need no explanation.
    static let plain: Set = [
        "Instant", "TimeSpan", "Direction", "Interface", "Probability", "Energy", "Power", "State",
        // Swift's own type, and the outcome of a request for a token.
        "Result",
    ]

    static let rows: [(term: String, meaning: String)] = Page.text("Sources/GLOSSARY.md").split(separator: "\n")
        .compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: true).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard line.hasPrefix("|"), cells.count == 2, cells[0] != "term", !cells[0].hasPrefix("--") else {
                return nil
            }
            return (cells[0], cells[1])
        }
}

enum TypeNames {
    /// The files of Sources that declare a type of this name.
    static let declared: [String: [String]] = {
        var files: [String: [String]] = [:]
        for file in Checkout.swift where file.path.hasPrefix("Sources/") {
            for name in names(file.code) { files[name, default: []].append(file.path) }
        }
        return files
    }()

    /// The parts that declare a type of this name.
    static let parts: [String: [String]] = declared.mapValues { paths in
        Checkout.swift.filter { paths.contains($0.path) }.map(\.part)
    }

    /// In how many parts a type is named.
    static let modulesUsing: [String: Int] = {
        var modules: [String: Set<String>] = [:]
        for file in Checkout.swift where file.path.hasPrefix("Sources/") {
            for match in file.code.matches(of: /\b[A-Z]\w+/) where declared[String(match.0)] != nil {
                modules[String(match.0), default: []].insert(file.part)
            }
        }
        return modules.mapValues(\.count)
    }()

    private static let kinds = ["struct ", "class ", "enum ", "protocol ", "actor ", "typealias "]

    static func names(_ code: String) -> [String] {
        let declarations =
            /(?m)^(?!\s*(?:\w+ )*import )[^\n]*?\b(?:struct|class|enum|protocol|actor|typealias) (?!func\b|var\b|let\b)([A-Z]\w*)/
        // The expression is slow, and most lines declare no type.
        return code.split(separator: "\n").filter { line in kinds.contains { line.contains($0) } }
            .flatMap { $0.matches(of: declarations).map { String($0.1) } }
    }
}
