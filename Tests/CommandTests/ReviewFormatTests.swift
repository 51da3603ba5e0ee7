import DeadzoneCommand
import Foundation
import Testing

/// Findings in the formats of review tools.
struct ReviewFormatTests {
    private let workspace: TestWorkspace

    init() throws { workspace = try TestWorkspace() }

    private func object(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    /// A scenario with a misspelt key, a misspelt name and a misspelt word, behind text of several bytes per character.
    private static let faulty = TestWorkspace.scenario.replacing("about: One handoff.", with: "about: \"Ünïcode 🚇\"")
        .replacing("down: {every: 10s, arrivals: poisson", with: "down: {\"x-🚇ü\": 1, evry: 10s, arrivals: posson")
        .replacing("eager: {strategy: eager}", with: "eager: {strategy: eagre}")

    /// Replaces columns of one line, counted from 1 in the given units.
    private func replaced<Unit>(_ units: [Unit], line: Int, from: Int, to: Int, by text: [Unit], at newline: Unit)
        -> [Unit]
    where Unit: Equatable & Sendable {
        var lines = units.split(separator: newline, omittingEmptySubsequences: false).map(Array.init)
        lines[line - 1].replaceSubrange((from - 1)..<(to - 1), with: text)
        return Array(lines.joined(separator: [newline]))
    }

    @Test func reviewdogSuggestionsMendTheFile() throws {
        // Broken: a suggestion of a review marks other bytes than the misspelt word. Columns count bytes.
        try workspace.write("a.yaml", Self.faulty)
        let outcome = workspace.run("lint @a.yaml --format rdjsonl")
        #expect(outcome.code == .badInput && outcome.errors.isEmpty, "\(outcome.errors)")
        let lines = try outcome.output.split(separator: "\n").map(object)
        #expect(lines.count >= 3)
        var bytes = Array(Self.faulty.utf8)
        var count = 0
        // From the last to the first, so that earlier columns stay right.
        for line in lines.reversed() {
            #expect(line["severity"] as? String == "ERROR")
            let place = try #require(line["location"] as? [String: Any])
            #expect(place["path"] as? String == workspace.file("a.yaml"))
            guard let suggestion = (line["suggestions"] as? [[String: Any]])?.first else { continue }
            let range = try #require(suggestion["range"] as? [String: [String: Int]])
            let (start, end) = (try #require(range["start"]), try #require(range["end"]))
            let text = try #require(suggestion["text"] as? String)
            bytes = replaced(
                bytes, line: try #require(start["line"]), from: try #require(start["column"]),
                to: try #require(end["column"]), by: Array(text.utf8), at: UInt8(ascii: "\n"))
            count += 1
        }
        #expect(count == 3, "\(outcome.output)")
        try workspace.write("b.yaml", bytes)
        #expect(workspace.run("lint @b.yaml").code == .ok, "\(workspace.run("lint @b.yaml").errors)")
        #expect(workspace.run("lint @b.yaml --format rdjsonl").output.isEmpty)
    }

    @Test func fixesOfCodeScanningMendTheFile() throws {
        // Broken: a fix marks other characters than the misspelt word. Columns count Unicode scalars.
        try workspace.write("a.yaml", Self.faulty)
        let outcome = workspace.run("lint @a.yaml --format sarif")
        #expect(outcome.code == .badInput)
        let document = try object(outcome.output)
        #expect(document["version"] as? String == "2.1.0")
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        let rules = try #require(
            ((run["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        var scalars = Array(Self.faulty.unicodeScalars)
        var count = 0
        for result in results.reversed() {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            guard let fix = (result["fixes"] as? [[String: Any]])?.first,
                let change = (fix["artifactChanges"] as? [[String: Any]])?.first,
                let edit = (change["replacements"] as? [[String: Any]])?.first
            else { continue }
            let region = try #require(edit["deletedRegion"] as? [String: Int])
            let text = try #require((edit["insertedContent"] as? [String: String])?["text"])
            scalars = replaced(
                scalars, line: try #require(region["startLine"]), from: try #require(region["startColumn"]),
                to: try #require(region["endColumn"]), by: Array(text.unicodeScalars), at: "\n")
            count += 1
        }
        #expect(count == 3)
        try workspace.write("b.yaml", String(String.UnicodeScalarView(scalars)))
        #expect(workspace.run("lint @b.yaml").code == .ok)
        let sound = try object(workspace.run("lint @b.yaml --format sarif").output)
        #expect(((sound["runs"] as? [[String: Any]])?.first?["results"] as? [Any])?.isEmpty == true)
    }

    private func fingerprints(_ line: String) throws -> [String] {
        let document = try object(workspace.run(line).output)
        let results = try #require((document["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        return results.compactMap { ($0["partialFingerprints"] as? [String: String])?["deadzone/1"] }
    }

    @Test func fingerprintsFollowTheFinding() throws {
        // Broken: a finding that moves to another line is reported as new, or two findings count as one.
        try workspace.write("a.yaml", Self.faulty)
        let before = try fingerprints("lint @a.yaml --format sarif")
        try workspace.write("a.yaml", "# One line more.\n\n" + Self.faulty)
        #expect(try fingerprints("lint @a.yaml --format sarif") == before)
        #expect(Set(before).count == before.count && before.count >= 3)
    }

    @Test func comparisonsAreFindingsAtTheStrategy() throws {
        // Broken: a failed comparison is no finding, or stands in another file than the strategy.
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("gates.yaml", "version: 1\ngates:\n  - {scenarios: \"*\", zombie.max: under 1ms}\n")
        let line = "compare @a.yaml --against patient --gates \(workspace.file("gates.yaml")) --format "
        let outcome = workspace.run(line + "sarif")
        #expect(outcome.code == .gateFailed, "\(outcome.errors)")
        let run = try #require((try object(outcome.output)["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        let gate = try #require(results.first { $0["ruleId"] as? String == "gate" }, "\(results)")
        #expect(gate["level"] as? String == "error")
        let place = try #require(
            ((gate["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]))
        let region = try #require(place["region"] as? [String: Int])
        let wanted = TestWorkspace.scenario.split(separator: "\n", omittingEmptySubsequences: false)
        let text = try #require((gate["message"] as? [String: String])?["text"])
        let name = text.contains("eager") ? "eager" : "patient"
        #expect(wanted[try #require(region["startLine"]) - 1].contains("\(name): {strategy"), "\(gate)")
        let lines = try workspace.run(line + "rdjsonl").output.split(separator: "\n").map(object)
        #expect(lines.count == results.count)
        #expect(try Set(fingerprints(line + "sarif")).count == results.count)
    }

    @Test func wrongFormatsAreRefused() throws {
        // Broken: an unknown format is ignored.
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("lint @a.yaml --format html").code == .usage)
        #expect(workspace.run("lint @a.yaml --format sarif --json").code == .usage)
    }
}
