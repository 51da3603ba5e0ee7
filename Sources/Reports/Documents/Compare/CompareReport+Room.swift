import DeadzoneBase
import DeadzoneMetrics

/// Notes of the command `check`: bounds that could be tighter, and gains that the baseline does not hold yet.
extension CompareReport {
    /// Maximum number of printed notes.
    private static let maxNotes = 10

    /// One sentence each. Empty without a preset: other commands report nothing that needs no action.
    private var roomSentences: [String] {
        guard preset != nil else { return [] }
        let place: (String) -> String = { self.scenarios.count > 1 ? "\($0.escapedForTerminal): " : "" }
        let bounds = looseBounds.map { place($0.scenario) + $0.sentence }
        let kept = gains.map { gain in
            let change = gain.change
            return place(gain.scenario.name)
                + "\(change.metric.name) of \(gain.subject.name.escapedForTerminal) is better than in the baseline: "
                + "\(change.oldText) -> \(change.newText); `deadzone baseline save` keeps the gain"
        }
        let all = bounds + kept
        let more = all.count - Self.maxNotes
        return Array(all.prefix(Self.maxNotes)) + (more > 0 ? ["and \(more) more"] : [])
    }

    func roomText(_ style: Style) -> String {
        guard !roomSentences.isEmpty else { return "" }
        return style.paint("Could be tighter by more than 10%", .bold) + "\n"
            + roomSentences.map { "  \($0)\n" }.joined()
    }

    var roomMarkdown: [String] {
        guard !roomSentences.isEmpty else { return [] }
        return [
            "<details><summary>Could be tighter by more than 10 %</summary>\n\n"
                + roomSentences.map { "- \(Markdown.escaped($0))\n" }.joined() + "\n</details>\n\n"
        ]
    }

    /// Members of the JSON document that only `check` writes.
    var roomJSON: [String: JSON] {
        guard let preset else { return [:] }
        let bounds = looseBounds.map { outcome in
            outcome.subject.json.merging([
                "scenario": .string(outcome.scenario), "metric": .string(outcome.metric),
                "bound": .string(outcome.boundText),
            ]) { first, _ in first }
        }
        let kept = gains.map { gain in
            gain.subject.json.merging([
                "scenario": .string(gain.scenario.name), "metric": .string(gain.change.metric.name),
                "bound": .string("baseline"),
            ]) { first, _ in first }
        }
        return ["preset": .string(preset), "could_be_tighter": .array((bounds + kept).map { .object($0) })]
    }
}
