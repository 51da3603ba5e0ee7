import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@testable import DeadzoneScenarios

/// The effect of every key of the language on the world, and its default and bounds.
struct WorldEffectTests {
    private static let files = ["dir/a.trace": "0\n1\n2\n", "dir/b.trace": "0\n1\n3\n"]

    private static func scenario(_ text: String) throws -> Scenario {
        let loaded = load(text, files: files)
        #expect(faultTexts(loaded) == "", "\(text)")
        return try #require(loaded.scenarios.first)
    }

    @Test(arguments: WorldTexts.all.indices)
    func everyKeyHasItsEffect(_ index: Int) throws {
        // Broken: a key sets another value, in another unit, or of another part of the world.
        let (plain, others) = WorldHashTests.alternatives(WorldTexts.all[index])
        let world = try Self.scenario(plain).world
        let lines = try others.map { "\($0.path): \(differences(world, try Self.scenario($0.text).world))" }
        expectText(lines.joined(separator: "\n"), index < WorldEffects.all.count ? WorldEffects.all[index] : "")
    }

    @Test(arguments: WorldTexts.all.indices)
    func everyWorldIsReadBack(_ index: Int) throws {
        // Broken: the resolved text of a scenario describes another world, so a run cannot be repeated from it.
        let (plain, others) = WorldHashTests.alternatives(WorldTexts.all[index])
        for text in [plain] + others.map(\.text) {
            let first = try Self.scenario(text)
            let again = try Self.scenario(first.resolved)
            #expect(again.resolved == first.resolved && again.worldHash == first.worldHash, "\(text)")
            #expect(differences(first.world, again.world).isEmpty, "\(text)")
        }
    }

    @Test(arguments: WorldTexts.all.indices)
    func everyNumberHasItsBounds(_ index: Int) {
        // Broken: a number out of its range is read, or one in its range is refused.
        var seen: [String] = []
        for (path, text) in Self.damaged(WorldTexts.all[index]) {
            let faults = load(text, files: Self.files).faults.sorted
            let found = faults.first { $0.code == .outOfRange } ?? faults.first
            seen.append("\(path): \(found.map { "\($0.code.rawValue) \($0.label)" } ?? "read")")
        }
        expectText(seen.joined(separator: "\n"), index < WorldBounds.all.count ? WorldBounds.all[index] : "")
    }

    /// Each number of a text in turn replaced by one far below and far above its range.
    private static func damaged(_ text: String) -> [(path: String, text: String)] {
        let (plain, others) = WorldHashTests.alternatives(text)
        let parts = text.split(separator: "«", omittingEmptySubsequences: false).dropFirst()
        return zip(parts, others).flatMap { part, other -> [(path: String, text: String)] in
            let words = part.split(separator: "»", maxSplits: 1)[0].split(separator: "|").map(String.init)
            let digits = words[0].prefix { $0.isNumber || $0 == "." }
            guard !digits.isEmpty, let place = firstDifference(plain, other.text, words) else { return [] }
            let unit = words[0].dropFirst(digits.count)
            return [("-", "-1"), ("+", "9999999999")].map { sign, number in
                let value = number + (unit.isEmpty && sign == "+" ? "" : unit)
                return (
                    other.path + " " + sign, String(plain[..<place]) + value + plain[place...].dropFirst(words[0].count)
                )
            }
        }
    }

    /// The place at which `that` stands instead of `this`.
    private static func firstDifference(_ plain: String, _ other: String, _ words: [String]) -> String.Index? {
        let shared = zip(plain, other).prefix { $0 == $1 }.count
        let common = zip(words[0], words[1]).prefix { $0 == $1 }.count
        return plain.index(plain.startIndex, offsetBy: shared - common)
    }

    @Test func everyKeyHasItsHelpAndDefault() {
        // Broken: a default, a word or a help text is that of another key.
        let rows = scenarioShape(testVocabulary).rows.filter { row in
            !row.path.hasPrefix("population.") || row.path.split(separator: ".").count < 3
        }
        let networks = ["cellular", "bluetooth", "sim2", "ethernet"]
        let twins =
            networks.flatMap { ["links.\($0).", "middleboxes.\($0)."] } + ["links.others.", "middleboxes.server."]
        let families = rows.filter { row in
            !twins.contains { row.path.hasPrefix($0) } && !row.path.contains(".up.")
                && !row.path.contains(".down.trace")
        }
        var seen: Set<String> = []
        let lines = families.map { "\($0.path): \($0.takes)\($0.help.isEmpty ? "" : "; " + $0.help)" }.filter {
            seen.insert($0).inserted
        }
        let parts = ["", "links", "server", "timeline"].map { part in
            lines.filter { line in
                let root = line.prefix { $0 != "." && $0 != ":" }
                return part.isEmpty ? !["links", "server", "timeline"].contains(root) : root == part
            }.joined(separator: "\n")
        }
        for (index, part) in parts.enumerated() {
            expectText(part, index < LanguageTable.all.count ? LanguageTable.all[index] : "")
        }
    }
}
