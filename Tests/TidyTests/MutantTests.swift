import Foundation
import Testing

/// The planted faults of Tests/Mutants, as text. `.ci/mutants` plants and tries them.
@Suite struct MutantTests {
    /// One entry: the file, the description, and the original text.
    private struct PlantedFault {
        var list: String
        var file: String
        var about: String
        var original: String
    }

    /// Broken: a change of the sources leaves a fault without its original text, or with two places, so that the next run
    /// of the mutants stops at once.
    @Test func everyOriginalTextOccursOnce() {
        let entries = Self.entries
        for entry in entries {
            let places = Checkout.swift.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix("/" + entry.file) }
                .map { $0.text.components(separatedBy: entry.original).count - 1 }
            #expect(places.count { $0 == 1 } == 1, "\(entry.list), \(entry.file): \(entry.about): \(places)")
        }
        #expect(entries.count > 600)
    }

    /// Broken: two faults of a list cannot be told apart in its table.
    @Test func descriptionsDiffer() {
        let names = Self.entries.map { "\($0.list), \($0.file): \($0.about)" }
        let twice = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice == [])
    }

    private static var entries: [PlantedFault] {
        let lists = Checkout.files.filter { $0.path.hasPrefix("Tests/Mutants/") && $0.path.hasSuffix(".txt") }
            .filter { !$0.path.contains("/Drawn/") }
        return lists.flatMap { list in
            list.text.split(separator: /\n{2,}/).compactMap { block in
                let lines = block.split(separator: "\n", omittingEmptySubsequences: true)
                guard let head = lines.first, let colon = head.firstRange(of: ": "),
                    let first = lines.firstIndex(where: { $0.hasPrefix("- ") })
                else { return nil }
                // A line that begins with a blank continues the previous line.
                let end = lines[(first + 1)...].firstIndex { !$0.hasPrefix(" ") } ?? lines.endIndex
                let original = lines[first].dropFirst(2) + lines[(first + 1)..<end].map { "\n" + $0 }.joined()
                return PlantedFault(
                    list: list.path, file: String(head[..<colon.lowerBound]), about: String(head[colon.upperBound...]),
                    original: String(original))
            }
        }
    }
}
