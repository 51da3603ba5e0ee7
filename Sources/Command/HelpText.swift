/// Help as text, made from the table: examples first, the next step last.
enum HelpText {
    static func overview(_ table: CommandTable, _ paint: Paint) -> String {
        var text = "deadzone: what a client's network policy costs a phone, and what it loses\n\n"
        text += section("Examples", paint, overviewExamples.map { ($0.command, $0.meaning) })
        text += section("Verbs", paint, table.verbs.map { ($0.name, $0.summary) })
        text += section("Flags of every verb", paint, Flag.everywhere.map { ($0.form, $0.meaning) })
        text += section("Exit codes", paint, ExitCode.documented.map { ("\($0.code.number)", $0.meaning) })
        text += section("Next", paint, [("deadzone help run", "everything about a verb")])
        return String(text.dropLast())
    }

    static func verb(_ verb: Verb, _ paint: Paint) -> String {
        var text = "deadzone \(verb.name): \(verb.summary)\n\n"
        text += section("Examples", paint, verb.examples.map { ($0.command, $0.meaning) })
        text += section("Usage", paint, [(usage(verb), "")])
        if !verb.arguments.form.isEmpty {
            text += section("Arguments", paint, [(verb.arguments.form, verb.arguments.meaning)])
        }
        text += section("Flags", paint, verb.flags.map { ($0.form, verb.meaning(of: $0)) })
        if !verb.details.isEmpty { text += verb.details + "\n\n" }
        text += section("Next", paint, verb.next.map { ($0.command, $0.meaning) })
        return String(text.dropLast())
    }

    static func usage(_ verb: Verb) -> String {
        ["deadzone", verb.name, "[FLAGS]", verb.arguments.form].filter { !$0.isEmpty }.joined(separator: " ")
    }

    static let overviewExamples = [
        Example("deadzone run Scenarios/handoff/elevator.yaml", "compare strategies on the way to work"),
        Example("deadzone init mine.yaml", "write a scenario to start from"),
        Example("deadzone explain zombie.max", "what a number means"),
    ]

    private static func section(_ title: String, _ paint: Paint, _ rows: [(left: String, right: String)]) -> String {
        // Beyond this a row's right side goes below its left side, so that one long row does not push all others away.
        let widest = 46
        let width = rows.map(\.left.count).filter { $0 <= widest }.max() ?? 0
        let lines = rows.map { row in
            if row.right.isEmpty { return "  " + row.left }
            if row.left.count > widest {
                return "  \(row.left)\n  " + String(repeating: " ", count: width) + "  " + row.right
            }
            return "  " + row.left + String(repeating: " ", count: width - row.left.count) + "  " + row.right
        }
        return paint.bold(title) + "\n" + lines.joined(separator: "\n") + "\n\n"
    }
}
