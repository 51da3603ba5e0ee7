import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios
import Testing

/// Settings that contradict each other, with the exact place that a fault marks.
struct FaultMarkTests {
    private static let head = [
        "version: 1", "name: Marks", "duration: 45m", "phone: {radios: {wifi: test-wifi, cellular: test-lte}}",
        "strategies: {a: {strategy: calm}}",
    ]

    /// The lines of the head that the text does not replace, and the text.
    private static func whole(_ text: String) -> String {
        func key(_ line: some StringProtocol) -> String {
            String(line.filter { !"«»".contains($0) }.prefix { $0 != ":" })
        }
        let own = text.split(separator: "\n").map { key($0) }
        return (head.filter { !own.contains(key($0)) } + [text]).joined(separator: "\n") + "\n"
    }

    /// The text with « and » around the place of each fault.
    private static func marked(_ text: String, _ faults: [Fault]) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
        for fault in faults.reversed() {
            let (line, start) = (fault.mark.line - 1, fault.mark.column - 1)
            guard lines.indices.contains(line), start >= 0, start + fault.width <= lines[line].count else {
                return "\(fault.mark) + \(fault.width) is outside of the text"
            }
            lines[line].insert("»", at: start + fault.width)
            lines[line].insert("«", at: start)
        }
        return lines.map { String($0) }.joined(separator: "\n")
    }

    private static func check(_ table: String, _ vocabulary: Vocabulary = testVocabulary) {
        let loader = ScenarioLoader(vocabulary) { path in
            path == "dir/t" ? .success(Array("1\n2\n".utf8)) : .failure(FileError("no such file"))
        }
        for row in table.split(separator: "\n\n") {
            let parts = row.split(separator: "\n=> ")
            let text = whole(String(parts[0]))
            let plain = text.filter { !"«»".contains($0) }
            let loaded = loader.load(Array(plain.utf8), name: "dir/test.yaml")
            let faults = loaded.faults.sorted
            #expect(marked(plain, faults) == text, "\(faultTexts(loaded))")
            #expect(loaded.scenarios.isEmpty == !faults.isEmpty && faults.isEmpty == (parts[1] == "none"), "\(row)")
            for fault in faults {
                let line = "\(fault.code.rawValue) \(fault.message)"
                let (code, message) = (parts[1].prefix(6), parts[1].dropFirst(6))
                #expect(line.hasPrefix(code) && line.dropFirst(6).contains(message), "\(line), not \(parts[1])")
            }
        }
    }

    /// Broken: a setting without effect is accepted, one with an effect is refused, or a fault marks more or less than
    /// the key or value that it is about.
    @Test(arguments: [
        FaultMarkTable.loading, FaultMarkTable.phones, FaultMarkTable.links, FaultMarkTable.server,
        FaultMarkTable.changes,
    ])
    func contradictionsAreMarked(_ table: String) { Self.check(table) }

    /// Broken: a setting that no strategy can use is accepted, or one that a group of phones can use is refused.
    @Test func unusableSettingsOfClientsAreMarked() {
        var vocabulary = testVocabulary
        vocabulary.strategies.append(.of(Composed.self))
        Self.check(FaultMarkTable.clients, vocabulary)
    }
}
