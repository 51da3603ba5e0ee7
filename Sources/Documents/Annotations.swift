public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// Workflow commands, which GitHub shows beside the lines of a pull request.
/// <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
public enum Annotation {
    public enum Level: String, Sendable { case error, warning, notice }

    /// GitHub shows ten of each kind for a step; so many, and how many there are more, say the same in order.
    public static let most = 10
    private static let longest = 2_000

    /// One line. Its own escapes: %, CR and LF; in properties also : and ,. Whatever would steer a terminal is written out:
    /// the same lines stand in the log.
    public static func text(
        _ level: Level, title: String, _ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil
    ) -> String {
        var properties: [String] = []
        if let file { properties.append("file=" + property(file)) }
        if let line { properties.append("line=\(line)") }
        if let column { properties.append("col=\(column)") }
        properties.append("title=" + property(title))
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
        return String(lines.joined(separator: "\n").prefix(longest)).replacing("%", with: "%25")
            .replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(String(text.prefix(200))).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

extension CompareReport {
    /// The worst ten of what fails or warns, and how many there are more.
    /// - Parameter file: the file of each scenario, by its name.
    public func annotations(file: (_ scenario: String) -> String?) -> String {
        var lines: [String] = []
        for scenario in scenarios {
            for trouble in scenario.troubles {
                lines.append(
                    Annotation.text(
                        .error, title: "\(scenario.name) proves nothing", trouble, file: file(scenario.name)))
            }
        }
        let told = outcomes.filter { $0.isFailure || $0.isWarning }.enumerated().sorted { a, b in
            let (first, second) = (a.element, b.element)
            if first.isFailure != second.isFailure { return first.isFailure }
            return first.excess != second.excess ? first.excess > second.excess : a.offset < b.offset
        }
        for (_, outcome) in told {
            let message = [outcome.sentence, outcome.worstText, outcome.worst?.command].compactMap(\.self)
            lines.append(
                Annotation.text(
                    outcome.isFailure ? .error : .warning, title: outcome.scenario,
                    message.joined(separator: "\n"), file: outcome.place?.file ?? file(outcome.scenario),
                    line: outcome.place?.line, column: outcome.place?.column))
        }
        for regression in regressions {
            let change = regression.change
            lines.append(
                Annotation.text(
                    .error, title: regression.scenario.name,
                    "\(change.metric.titled) of \(regression.subject.name) went from \(change.oldText) to \(change.newText)",
                    file: file(regression.scenario.name)))
        }
        for one in uncompared where one.reason != .gone || one.strategy != nil {
            lines.append(
                Annotation.text(.notice, title: "\(one.name) is not compared", one.sentence, file: file(one.scenario)))
        }
        let more = lines.count - Annotation.most
        return lines.prefix(Annotation.most).joined()
            + (more > 0 ? Annotation.text(.notice, title: "deadzone", "and \(more) more; the summary has them") : "")
    }
}
