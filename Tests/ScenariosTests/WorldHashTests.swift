import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneScenarios

/// The world hash covers everything that no strategy decides.
@Suite struct WorldHashTests {
    /// Keys that do not change the hash or do not appear in a test text, with the reason.
    private static let excused: [(under: String, because: String)] =
        [
            ("version", "is of the language"), ("extends", "is replaced by what it names"), ("name", "is a name"),
            ("about", "is prose"), ("starts", "names the first moment"), ("columns", "is what a table shows"),
            ("expect", "is a judgement"),
            ("replicas", "is how often"), ("seed", "stands beside the hash"), ("matrix", "makes scenarios"),
            ("sample", "makes scenarios"),
            ("strategies", "have hashes of their own"), ("timeline.[].name", "is a name"),
            ("timeline.[].cell-handover", "says one thing"), ("timeline.[].nat", "says one thing"),
            ("timeline.[].push-token", "says one thing"), ("traffic.down.push", "is read as that of a list of streams"),
            ("timeline.[].dns", "ends only what it began"),
            ("timeline.[].signal", "SignalTests: only a radio that was measured has a weak one"),
            ("phone.platform", "everyNumberOfAPlatformCounts"),
            ("phone.radios", "any number of a profile is as `promotion`"),
            ("phone.apps.*.preset", "there is one"), ("links.others", "names links, each as any other"),
            ("links.*.preset", "whatever it stands for is as if written"),
            ("middleboxes.*.[].preset", "whatever it stands for is as if written"),
            ("population.*.share", "PopulationTests: two of them have to change at once"),
            ("population.*.strategy", "GroupStrategyTests: with settings of its own, as under `strategies`"),
        ]
        // These keys overlay the scenario's own, and are read in the same way.
        + ["phone", "links", "middleboxes", "resolver", "timeline", "traffic", "app"].map {
            ("population.*.\($0)", "is read as `\($0)` of a scenario")
        }

    @Test(
        "Every setting changes the world hash",
        arguments: WorldTexts.all.indices)
    func everySettingChangesTheHash(_ index: Int) throws {
        let (plain, others) = Self.alternatives(WorldTexts.all[index])
        let hash = try Self.hash(plain)
        #expect(!others.isEmpty)
        for other in others { #expect(try Self.hash(other.text) != hash, "\(other.path)") }
    }

    @Test("World hashes are unchanged, so that saved baselines stay comparable")
    func hashesAreUnchanged() throws {
        let hashes = try WorldTexts.all.flatMap { text in
            let (plain, others) = Self.alternatives(text)
            return try ["\(Self.hash(plain))\n"] + others.map { "    \(try Self.hash($0.text)) \($0.path)\n" }
        }
        expectSnapshot(hashes.joined(), "world-hashes.txt")
    }

    @Test("Every key is covered by a test text or excused")
    func everyKeyIsCoveredOrExcused() {
        let said = WorldTexts.all.flatMap { Self.alternatives($0).others.map { Self.family($0.path) } }
        var missing: [String] = []
        Self.walk(scenarioShape(testVocabulary), []) { path in
            let family = Self.family(path)
            let isSaid = said.contains { $0 == family || $0.hasPrefix(family + ".") }
            let isExcused = Self.excused.contains { family == $0.under || family.hasPrefix($0.under + ".") }
            if !isSaid && !isExcused { missing.append(family) }
        }
        #expect(Set(missing).sorted() == [])
    }

    @Test("Every number of a platform changes the world hash", arguments: ShippedPlatform.all.map(\.name))
    func everyNumberOfAPlatformCounts(_ name: String) throws {
        func text(_ more: String) -> String {
            WorldTexts.head
                + "duration: 1h, phone: {platform: {profile: \(name)\(more)}, radios: {cellular: test-lte}}}"
        }
        let hash = try Self.hash(text(""))
        let shipped = try #require(ShippedPlatform.all.first { $0.name == name })
        for number in shipped.sheet.numbers {
            let other = Self.another(number.value)
            #expect(try Self.hash(text(", \(number.parameter): \(other)")) != hash, "\(number.parameter)")
        }
        #expect(try Self.hash(text(", standby: rare")) != hash)
    }

    private static func another(_ value: String) -> String {
        switch value {
        case "true": return "false"
        case "false": return "true"
        case "never": return "100h"
        case "unlimited": return "1000"
        case "active", "working", "frequent", "restricted": return "rare"
        case "rare": return "restricted"
        default:
            let digits = value.prefix(while: \.isNumber)
            return "\((Int(digits) ?? 0) + 1)\(value.dropFirst(digits.count))"
        }
    }

    /// The family of a path. Keys that the same reader reads form one family.
    private static func family(_ path: String) -> String {
        path.replacing(
            /^links\.(others\.[^.]+|wifi|cellular|bluetooth|sim2|ethernet)(\.(up|down)(?=\.|$))?/, with: "links.*"
        )
        .replacing(/^middleboxes\.(wifi|cellular|bluetooth|sim2|ethernet|server)/, with: "middleboxes.*")
        .replacing(/^phone\.apps\.[^.]+/, with: "phone.apps.*")
        .replacing(/^population\.[^.]+/, with: "population.*")
        .replacing(/^server\.versions\.[^.]+/, with: "server.versions.*")
    }

    @Test("Every cell of a matrix has the hash of its own world")
    func everyCellHasTheHashOfItsWorld() throws {
        func text(every: String, ping: String, _ matrix: String = "") -> String {
            """
            version: 1
            name: cells
            duration: 10m
            phone: {radios: {cellular: test-lte}}
            \(matrix)
            timeline: [{at: 0s, cellular: street, app: foreground}]
            traffic: {down: {every: \(every), size: 300B}}
            strategies: {a: {strategy: calm, ping: \(ping)}}
            """
        }
        let cells = load(
            text(every: "\"${every}\"", ping: "\"${ping}\"", "matrix: {ping: [10s, 20s], every: [2m, 3m]}"), files: [:])
        #expect(faultTexts(cells) == "")
        let hashes = try ["2m", "3m"].map { try Self.hash(text(every: $0, ping: "10s")) }
        #expect(hashes[0] != hashes[1])
        #expect(cells.scenarios.map(\.worldHash.hex) == hashes + hashes)
        // A cell takes over what the cell before read, and says the same of its world as a file of its own.
        func lines(_ scenario: Scenario) -> [Substring] {
            scenario.resolved.split(separator: "\n").filter { !$0.hasPrefix("name:") }
        }
        for (index, cell) in cells.scenarios.enumerated() {
            let own = text(every: ["2m", "3m"][index % 2], ping: ["10s", "20s"][index / 2])
            let alone = try #require(load(own, files: [:]).scenarios.first)
            #expect(lines(cell) == lines(alone) && cell.conditions.map(\.text) == alone.conditions.map(\.text))
        }
    }

    /// Calls `body` with the path of every key of a shape.
    private static func walk(_ shape: Shape, _ path: [String], _ body: (String) -> Void) {
        switch shape {
        case .map(let map):
            for field in map.fields + (map.variants?.cases.flatMap(\.fields) ?? []) {
                body((path + [field.key]).joined(separator: "."))
                walk(field.shape, path + [field.key], body)
            }
            if let free = map.userKeyShape { walk(free, path + ["*"], body) }
        case .either(let shapes): for shape in shapes { walk(shape, path, body) }
        case .list(let shape, _): walk(shape, path + ["[]"], body)
        default: break
        }
    }

    private static let files = ["dir/a.trace": "0\n1\n2\n", "dir/b.trace": "0\n1\n3\n"]

    private static func hash(_ text: String) throws -> String {
        let loaded = load(text, files: files)
        #expect(faultTexts(loaded) == "", "\(text)")
        return try #require(loaded.scenarios.first).worldHash.hex
    }

    /// Each `«this|that»` of a text: its path, and the text with `that` in place of `this`.
    static func alternatives(_ text: String) -> (plain: String, others: [(path: String, text: String)]) {
        let parts = text.split(separator: "«", omittingEmptySubsequences: false).map(String.init)
        let pairs = parts.dropFirst().map { part -> (this: String, that: String, rest: String) in
            let ends = part.split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
            let words = ends[0].split(separator: "|", maxSplits: 1).map(String.init)
            return (words[0], words[1], String(ends[1]))
        }
        func choosing(_ chosen: Int?) -> String {
            parts[0] + pairs.enumerated().map { ($0 == chosen ? $1.that : $1.this) + $1.rest }.joined()
        }
        let others = pairs.indices.map { index -> (path: String, text: String) in
            let before = parts[0] + pairs[..<index].map { $0.this + $0.rest }.joined()
            return (path(to: before), choosing(index))
        }
        return (choosing(nil), others)
    }

    /// The path of the keys that are open at the end of a text of braces and brackets.
    private static func path(to text: String) -> String {
        var open: [String] = []
        var word = ""
        for letter in text {
            switch letter {
            case "{": open.append("")
            case "[": open.append("[]")
            case "}", "]": open.removeLast()
            case ":":
                open[open.count - 1] = word.trimmingCharacters(in: .whitespaces)
            default: break
            }
            word = "{}[]:,".contains(letter) ? "" : word + String(letter)
        }
        return open.filter { !$0.isEmpty }.joined(separator: ".")
    }
}
