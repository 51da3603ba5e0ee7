import Foundation
import Testing

@testable import DeadzoneReports

/// The parts of a review comment in the formats of review tools.
@Suite struct ReviewCommentTests {
    private static func comment(
        _ rule: String = "gate", _ level: Annotation.AnnotationLevel = .error, file: String? = "a.yaml",
        line: Int? = 2, column: Int? = 3, width: Int? = 4, replacement: String? = "eager"
    ) -> ReviewComment {
        var comment = ReviewComment(
            level, rule: rule, about: "about \(rule)", title: "title", "message", identity: [rule])
        (comment.file, comment.line, comment.column, comment.width) = (file, line, column, width)
        comment.replacement = replacement
        return comment
    }

    private typealias Object = [String: Any]

    private static func object(_ text: some StringProtocol) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object, "\(text)")
    }

    private static func results(_ comments: [ReviewComment]) throws -> [Object] {
        let document = try object(ReviewComment.sarif(comments, tool: "1.0"))
        return try #require((document["runs"] as? [Object])?.first?["results"] as? [Object])
    }

    private static func location(_ result: Object) throws -> Object {
        try #require((result["locations"] as? [Object])?.first?["physicalLocation"] as? Object, "\(result)")
    }

    private static func uri(_ artifact: Any?) throws -> String {
        try #require(((artifact as? Object)?["artifactLocation"] as? Object)?["uri"] as? String)
    }

    /// Broken: a path is no URI reference, or code scanning finds another file by it.
    @Test func pathsAreURIReferences() throws {
        var paths = [
            ("Scenarios/A-Z_a.z~09/b.yaml", "Scenarios/A-Z_a.z~09/b.yaml"), ("a b.yaml", "a%20b.yaml"),
            ("100%25.yaml", "100%2525.yaml"), ("ü🚇.yaml", "%C3%BC%F0%9F%9A%87.yaml"), ("a\t\u{1}b", "a%09%01b"),
            ("a:b?c#d[e]", "a%3Ab%3Fc%23d%5Be%5D"), ("../x", "../x"),
        ]
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".unicodeScalars)
        for scalar in (1..<128 as Range<UInt32>).compactMap(Unicode.Scalar.init) {
            paths.append(
                ("x\(scalar)", plain.contains(scalar) ? "x\(scalar)" : String(format: "x%%%02X", scalar.value)))
        }
        for (path, uri) in paths {
            #expect(uri.removingPercentEncoding == path)
            let result = try #require(try Self.results([Self.comment(file: path)]).first)
            #expect(try Self.uri(Self.location(result)) == uri, "\(path)")
            let fix = try #require((result["fixes"] as? [Object])?.first)
            #expect(try Self.uri((fix["artifactChanges"] as? [Object])?.first) == uri, "\(path)")
        }
    }

    /// Broken: a comment marks other columns than it should, or a suggestion replaces a place that is not known.
    @Test func regionsHaveTheKnownParts() throws {
        let rows: [(ReviewComment, region: [String: Int]?, hasFix: Bool)] = [
            (Self.comment(), ["startLine": 2, "startColumn": 3, "endColumn": 7], true),
            (Self.comment(replacement: nil), ["startLine": 2, "startColumn": 3, "endColumn": 7], false),
            (Self.comment(width: nil), ["startLine": 2, "startColumn": 3], true),
            (Self.comment(column: nil), ["startLine": 2], true), (Self.comment(line: nil), nil, false),
        ]
        for (comment, region, hasFix) in rows {
            let result = try #require(try Self.results([comment]).first)
            #expect(try Self.location(result)["region"] as? [String: Int] == region)
            #expect((result["fixes"] != nil) == hasFix)
        }
        let nowhere = try #require(try Self.results([Self.comment(file: nil)]).first)
        #expect(nowhere["locations"] == nil && nowhere["fixes"] == nil)
    }

    /// Broken: a result refers to another rule, a rule is listed twice, or a level has a name that code scanning or
    /// reviewdog does not know.
    @Test func rulesAndLevelsHaveTheirNames() throws {
        let comments = [
            Self.comment("gate"), Self.comment("regression", .warning), Self.comment("gate", .notice),
            Self.comment("undecided", .notice),
        ]
        let results = try Self.results(comments)
        #expect(results.map { $0["ruleIndex"] as? Int } == [0, 1, 0, 2])
        #expect(results.map { $0["ruleId"] as? String } == ["gate", "regression", "gate", "undecided"])
        #expect(results.map { $0["level"] as? String } == ["error", "warning", "note", "note"])
        let document = try Self.object(ReviewComment.sarif(comments, tool: "1.0"))
        let driver = ((document["runs"] as? [Object])?.first?["tool"] as? Object)?["driver"] as? Object
        let rules = try #require(driver?["rules"] as? [Object])
        #expect(rules.map { $0["id"] as? String } == ["gate", "regression", "undecided"])
        #expect(driver?["version"] as? String == "1.0")
        let lines = ReviewComment.rdjsonl(comments) { _, _ in nil }.split(separator: "\n")
        #expect(
            try lines.map { try Self.object($0)["severity"] as? String } == ["ERROR", "WARNING", "INFO", "INFO"])
    }
}
