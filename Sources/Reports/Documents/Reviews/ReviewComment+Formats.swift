import DeadzoneBase

/// Comments in the formats of review tools.
extension ReviewComment {
    /// Reviewdog Diagnostic Format, one JSON object per line. A suggestion can be committed with a click.
    /// <https://github.com/reviewdog/reviewdog/tree/master/proto/rdf>
    /// - Parameter line: Returns a line of a file, because columns count the bytes of its UTF-8 text.
    package static func rdjsonl(_ comments: [ReviewComment], line: (String, Int) -> String?) -> String {
        comments.map { comment in
            var fields: [String: JSON] = [
                "message": .string(comment.title + ": " + comment.message), "severity": .string(comment.level.severity),
                "source": .object(["name": .string("deadzone")]),
                "code": .object(["value": .string(comment.rule)]),
            ]
            var place: [String: JSON] = ["path": .string(comment.file ?? "")]
            if let number = comment.line {
                let range = comment.range(inBytesOf: comment.file.flatMap { line($0, number) })
                place["range"] = range
                if let text = comment.replacement {
                    fields["suggestions"] = .array([.object(["range": range, "text": .string(text)])])
                }
            }
            fields["location"] = .object(place)
            return JSON.object(fields).text(.line) + "\n"
        }.joined()
    }

    private func range(inBytesOf text: String?) -> JSON {
        func position(_ column: Int?) -> JSON {
            var fields: [String: JSON] = ["line": .integer(Int128(line ?? 1))]
            if let text, let column {
                let before = String.UnicodeScalarView(text.unicodeScalars.prefix(column - 1))
                fields["column"] = .integer(Int128(String(before).utf8.count + 1))
            }
            return .object(fields)
        }
        guard let text, let column, let width, column <= text.unicodeScalars.count + 1 else {
            return .object(["start": position(nil)])
        }
        return .object(["start": position(column), "end": position(column + width)])
    }

    /// SARIF 2.1.0, for code scanning. Fingerprints are stable: a finding that moves to another line stays the same.
    /// <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>
    package static func sarif(_ comments: [ReviewComment], tool version: String) -> String {
        var rules: [(id: String, about: String)] = []
        for comment in comments where !rules.contains(where: { $0.id == comment.rule }) {
            rules.append((comment.rule, comment.about))
        }
        let driver: [String: JSON] = [
            "name": .string("deadzone"), "version": .string(version),
            "rules": .array(
                rules.map { .object(["id": .string($0.id), "shortDescription": Self.message($0.about)]) }),
        ]
        let run: [String: JSON] = [
            "tool": .object(["driver": .object(driver)]), "columnKind": .string("unicodeCodePoints"),
            "results": .array(
                comments.map { comment in comment.result(rules.firstIndex { $0.id == comment.rule } ?? 0) }),
        ]
        let document: [String: JSON] = [
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"),
            "runs": .array([.object(run)]),
        ]
        return JSON.object(document).text() + "\n"
    }

    private static func message(_ text: String) -> JSON { .object(["text": .string(text)]) }

    private func result(_ ruleIndex: Int) -> JSON {
        let fingerprint = JSON.string(Fingerprint(of: identity.joined(separator: "\n")).hex)
        var fields: [String: JSON] = [
            "ruleId": .string(rule), "ruleIndex": .integer(Int128(ruleIndex)),
            "level": .string(level == .notice ? "note" : level.rawValue),
            "message": Self.message(title + ": " + message),
            // GitHub tracks a finding by this name alone.
            "partialFingerprints": .object(["deadzone/1": fingerprint, "primaryLocationLineHash": fingerprint]),
        ]
        guard let file else { return .object(fields) }
        let artifact: JSON = .object(["uri": .string(Self.relativeURI(file))])
        var place: [String: JSON] = ["artifactLocation": artifact]
        if let region { place["region"] = region }
        fields["locations"] = .array([.object(["physicalLocation": .object(place)])])
        if let region, let replacement {
            let edit: JSON = .object(["deletedRegion": region, "insertedContent": Self.message(replacement)])
            let change: JSON = .object(["artifactLocation": artifact, "replacements": .array([edit])])
            fields["fixes"] = .array([
                .object(["description": Self.message("write \(replacement)"), "artifactChanges": .array([change])])
            ])
        }
        return .object(fields)
    }

    private var region: JSON? {
        guard let line else { return nil }
        var fields: [String: JSON] = ["startLine": .integer(Int128(line))]
        if let column {
            fields["startColumn"] = .integer(Int128(column))
            if let width { fields["endColumn"] = .integer(Int128(column + width)) }
        }
        return .object(fields)
    }

    /// The path as a URI reference: characters that are not allowed there are percent-encoded.
    private static func relativeURI(_ path: String) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        return path.utf8.map { byte in
            if allowed.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.utf8.count < 2 ? "0" : "") + hex
        }.joined()
    }
}

extension Annotation.AnnotationLevel {
    /// Name in the Reviewdog Diagnostic Format.
    fileprivate var severity: String {
        switch self {
        case .error: "ERROR"
        case .warning: "WARNING"
        case .notice: "INFO"
        }
    }
}
