import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Testing

/// Findings in the formats of review tools, against the structure that the public schemas demand. The schemas are written
/// down here in our own notation:
///
/// - Reviewdog Diagnostic Format: the message `Diagnostic` of
///   <https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto>, in the JSON mapping of proto3. A line
///   of rdjsonl is one such message. Reviewdog ignores unknown keys, which would hide a misspelt one; none is allowed here.
/// - SARIF 2.1.0: sections 3.13 to 3.58 of <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>, for the
///   objects that Deadzone writes. Its objects allow no other keys.
struct ReviewSchemaTests {
    /// The form of a value in a document.
    private indirect enum SchemaShape: Sendable {
        case text
        case word(Set<String>)
        case integer(atLeast: Int128)
        case list(SchemaShape, atLeast: Int)
        /// Values by free keys.
        case map(SchemaShape)
        case object(required: [String: SchemaShape], optional: [String: SchemaShape])

        /// The deviations of a value, each with its place.
        func faults(_ value: JSON, at place: String = "") -> [String] {
            switch self {
            case .text: return value.string == nil ? ["\(place) is no text"] : []
            case .word(let words):
                return value.string.map(words.contains) == true ? [] : ["\(place) is none of \(words.sorted())"]
            case .integer(let least): return value.integer.map { $0 >= least } == true ? [] : ["\(place) is no count"]
            case .list(let item, let least):
                guard let items = value.items, items.count >= least else { return ["\(place) is no list of \(least)"] }
                return items.enumerated().flatMap { item.faults($0.element, at: "\(place)[\($0.offset)]") }
            case .map(let item):
                guard case .object(let members) = value else { return ["\(place) is no object"] }
                return members.flatMap { item.faults($0.value, at: "\(place).\($0.key)") }
            case .object(let required, let optional):
                guard case .object(let members) = value else { return ["\(place) is no object"] }
                let missing = required.keys.filter { members[$0] == nil }.map { "\(place).\($0) is missing" }
                return missing
                    + members.flatMap { key, value in
                        (required[key] ?? optional[key])?.faults(value, at: "\(place).\(key)")
                            ?? ["\(place).\(key) is unknown"]
                    }
            }
        }
    }

    private static let diagnostic: SchemaShape = {
        let position = SchemaShape.object(
            required: ["line": .integer(atLeast: 1)], optional: ["column": .integer(atLeast: 1)])
        let range = SchemaShape.object(required: ["start": position], optional: ["end": position])
        return .object(
            required: [
                "message": .text, "location": .object(required: ["path": .text], optional: ["range": range]),
            ],
            optional: [
                "severity": .word(["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]),
                "source": .object(required: ["name": .text], optional: ["url": .text]),
                "code": .object(required: ["value": .text], optional: ["url": .text]),
                "suggestions": .list(.object(required: ["range": range, "text": .text], optional: [:]), atLeast: 0),
                "original_output": .text,
            ])
    }()

    private static let sarif: SchemaShape = {
        let message = SchemaShape.object(required: ["text": .text], optional: ["markdown": .text])
        let artifact = SchemaShape.object(required: ["uri": .text], optional: [:])
        let region = SchemaShape.object(
            required: ["startLine": .integer(atLeast: 1)],
            optional: [
                "startColumn": .integer(atLeast: 1), "endLine": .integer(atLeast: 1),
                "endColumn": .integer(atLeast: 1),
            ])
        let edit = SchemaShape.object(required: ["deletedRegion": region], optional: ["insertedContent": message])
        let change = SchemaShape.object(
            required: ["artifactLocation": artifact, "replacements": .list(edit, atLeast: 1)], optional: [:])
        let fix = SchemaShape.object(
            required: ["artifactChanges": .list(change, atLeast: 1)], optional: ["description": message])
        let place = SchemaShape.object(required: ["artifactLocation": artifact], optional: ["region": region])
        let result = SchemaShape.object(
            required: ["message": message],
            optional: [
                "ruleId": .text, "ruleIndex": .integer(atLeast: -1),
                "level": .word(["none", "note", "warning", "error"]),
                "locations": .list(.object(required: [:], optional: ["physicalLocation": place]), atLeast: 0),
                "partialFingerprints": .map(.text), "fixes": .list(fix, atLeast: 0),
            ])
        let rule = SchemaShape.object(required: ["id": .text], optional: ["shortDescription": message])
        let driver = SchemaShape.object(
            required: ["name": .text], optional: ["version": .text, "rules": .list(rule, atLeast: 0)])
        let run = SchemaShape.object(
            required: ["tool": .object(required: ["driver": driver], optional: [:])],
            optional: [
                "columnKind": .word(["utf16CodeUnits", "unicodeCodePoints"]), "results": .list(result, atLeast: 0),
            ])
        return .object(
            required: ["version": .word(["2.1.0"]), "runs": .list(run, atLeast: 0)], optional: ["$schema": .text])
    }()

    private let workspace: TestWorkspace

    init() throws { workspace = try TestWorkspace() }

    /// Lines of commands with findings: of a scenario with a misspelt key and word, and of a failed comparison.
    private func outputs(_ format: String) throws -> [String] {
        let faulty = TestWorkspace.scenario.replacing(
            "every: 10s, arrivals: poisson", with: "evry: 10s, arrivals: posson")
        try workspace.write("a.yaml", faulty)
        try workspace.write("b.yaml", TestWorkspace.scenario)
        try workspace.write("gates.yaml", "version: 1\ngates:\n  - {scenarios: \"*\", zombie.max: under 1ms}\n")
        let gates = "--against patient --gates \(workspace.file("gates.yaml"))"
        return ["lint @a.yaml", "lint @b.yaml", "compare @b.yaml \(gates)"].map {
            workspace.run("\($0) --format \(format)").output
        }
    }

    @Test func linesForReviewdogAreDiagnostics() throws {
        // Broken: reviewdog refuses a line, or ignores a key of it without a word.
        let lines = try outputs("rdjsonl").flatMap { $0.split(separator: "\n") }
        #expect(lines.count >= 3)
        var keys: Set<String> = []
        for line in lines {
            let diagnostic = try JSON(text: Array(line.utf8))
            #expect(Self.diagnostic.faults(diagnostic) == [], "\(line)")
            if case .object(let members) = diagnostic { keys.formUnion(members.keys) }
        }
        #expect(keys.isSuperset(of: ["severity", "source", "code", "suggestions"]), "\(keys)")
    }

    @Test func documentsForCodeScanningAreSARIF() throws {
        // Broken: code scanning refuses the document.
        let documents = try outputs("sarif").map { try JSON(text: Array($0.utf8)) }
        for document in documents { #expect(Self.sarif.faults(document) == [], "\(document)") }
        let results = documents.compactMap { $0["runs"]?.items?.first?["results"]?.items }
        #expect(results.count == 3 && results[0].contains { $0["fixes"] != nil } && results[1].isEmpty)
        #expect(results[2].contains { $0["locations"]?.items?.isEmpty == false })
    }

    @Test func deviationsAreFound() throws {
        // Broken: a misspelt key, a word of another format or a missing part passes.
        func faults(_ shape: SchemaShape, _ text: String) throws -> [String] {
            shape.faults(try JSON(text: Array(text.utf8)))
        }
        let place = #""location": {"path": "a"}"#
        #expect(try faults(Self.diagnostic, "{\"message\": \"m\", \(place)}") == [])
        for wrong in [
            #"{"message": "m"}"#, "{\"message\": 1, \(place)}",
            "{\"message\": \"m\", \(place), \"severity\": \"error\"}",
            #"{"message": "m", "location": {"path": "a", "range": {"end": {"line": 1}}}}"#,
            #"{"message": "m", "location": {"path": "a", "range": {"start": {"line": 0}}}}"#,
            "{\"message\": \"m\", \(place), \"suggestion\": []}",
        ] {
            #expect(try faults(Self.diagnostic, wrong).count == 1, "\(wrong)")
        }
        let tool = #""tool": {"driver": {"name": "d"}}"#
        #expect(try faults(Self.sarif, "{\"version\": \"2.1.0\", \"runs\": [{\(tool)}]}") == [])
        for wrong in [
            #"{"version": "2.1.0"}"#, "{\"version\": \"2.1\", \"runs\": [{\(tool)}]}",
            #"{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}"#,
            "{\"version\": \"2.1.0\", \"runs\": [{\(tool), \"results\": [{\"level\": \"note\"}]}]}",
            "{\"version\": \"2.1.0\", \"runs\": [{\(tool), \"columnKind\": \"bytes\"}]}",
        ] {
            #expect(try faults(Self.sarif, wrong).count == 1, "\(wrong)")
        }
    }
}
