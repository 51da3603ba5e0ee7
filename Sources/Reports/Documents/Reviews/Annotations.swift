import DeadzoneBase
package import DeadzoneMetrics

/// Formats errors, warnings and notices as GitHub Actions workflow commands, so that GitHub shows them next to the
/// lines of a pull request. <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
package enum Annotation {
    package enum AnnotationLevel: String, Sendable { case error, warning, notice }

    /// Most annotations in one output. GitHub shows ten of each level per step. A final notice gives the number left
    /// out.
    package static let maxCount = 10
    private static let maxLength = 2_000

    /// Returns one workflow command as one line. `%` and LF are percent-encoded, in properties also `:` and `,`. Other
    /// control characters are made visible, because the same lines appear in the log.
    package static func text(
        _ level: AnnotationLevel, title: String, _ message: String, file: String? = nil, line: Int? = nil,
        column: Int? = nil
    ) -> String {
        var properties: [String] = []
        if let file { properties.append("file=" + property(file)) }
        if let line { properties.append("line=\(line)") }
        if let column { properties.append("col=\(column)") }
        properties.append("title=" + property(title))
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapedForTerminal }
        return String(lines.joined(separator: "\n").prefix(maxLength)).replacing("%", with: "%25")
            .replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(String(text.prefix(200))).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

extension CompareReport {
    /// The first comments as annotations, at most `Annotation.maxCount`, then a notice with the number left out.
    /// - Parameter place: Returns the place of a strategy, or of a scenario without a strategy.
    package func annotations(place: (_ scenario: String, _ strategy: String?) -> BoundLocation?) -> String {
        let comments = reviewComments(place: place)
        let more = comments.count - Annotation.maxCount
        return comments.prefix(Annotation.maxCount).map(\.annotation).joined()
            + (more > 0 ? Annotation.text(.notice, title: "deadzone", "and \(more) more; see the summary") : "")
    }
}
