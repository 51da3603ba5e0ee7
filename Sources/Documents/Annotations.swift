public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// Formats errors, warnings and notices as GitHub Actions workflow commands, so that GitHub shows them next to the
/// lines of a pull request. <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
public enum Annotation {
    public enum AnnotationLevel: String, Sendable { case error, warning, notice }

    /// Most annotations in one output. GitHub shows ten of each level per step. A final notice gives the number left
    /// out.
    public static let maxCount = 10
    private static let maxLength = 2_000

    /// Returns one workflow command as one line. `%` and LF are percent-encoded, in properties also `:` and `,`. Other
    /// control characters are made visible, because the same lines appear in the log.
    public static func text(
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
    /// Annotations of the comparison, at most `Annotation.maxCount`, then a notice with the number left out. The order
    /// is: scenarios that prove nothing, gates that fail or warn (furthest from their bounds first), regressions, open
    /// questions, uncompared items. They stand at the strategy in its scenario, because that is what a pull request
    /// changes, or at the expectation that fails.
    /// - Parameter place: Returns the place of a strategy, or of a scenario without a strategy.
    public func annotations(place: (_ scenario: String, _ strategy: String?) -> BoundLocation?) -> String {
        func text(
            _ level: Annotation.AnnotationLevel, _ title: String, _ message: String, at place: BoundLocation?
        ) -> String {
            Annotation.text(
                level, title: title, message, file: place?.file, line: place?.line, column: place?.column)
        }
        var lines: [String] = []
        for scenario in scenarios {
            for trouble in scenario.troubles {
                lines.append(
                    text(.error, "\(scenario.name): invalid run", trouble, at: place(scenario.name, nil)))
            }
        }
        let listed = outcomes.filter { $0.isFailure || $0.isWarning }.enumerated().sorted { a, b in
            let (first, second) = (a.element, b.element)
            if first.isFailure != second.isFailure { return first.isFailure }
            return first.excess != second.excess ? first.excess > second.excess : a.offset < b.offset
        }
        for (_, outcome) in listed {
            let gate = outcome.isExpectation ? nil : outcome.place.map { "gate: \($0.text)" }
            let message = [outcome.sentence, gate, outcome.worstText, outcome.worst?.command].compactMap(\.self)
            let own = outcome.isExpectation ? outcome.place : nil
            lines.append(
                text(
                    outcome.isFailure ? .error : .warning, outcome.scenario, message.joined(separator: "\n"),
                    at: own ?? place(outcome.scenario, outcome.subject.strategy)))
        }
        for (level, list) in [(Annotation.AnnotationLevel.error, regressions), (.warning, openQuestions)] {
            for one in list {
                lines.append(
                    text(level, one.scenario.name, one.sentence, at: place(one.scenario.name, one.subject.strategy)))
            }
        }
        for one in uncompared where one.reason != .gone || one.strategy != nil {
            lines.append(
                text(
                    .notice, "\(one.name) was not compared", one.sentence, at: place(one.scenario, one.strategy)))
        }
        let more = lines.count - Annotation.maxCount
        return lines.prefix(Annotation.maxCount).joined()
            + (more > 0 ? Annotation.text(.notice, title: "deadzone", "and \(more) more; see the summary") : "")
    }
}
