/// Generates the help texts of the command from its table of subcommands: examples first, the next step last.
enum HelpText {
    static func overview(_ table: CommandTable, _ color: ANSIColor) -> String {
        var text =
            "deadzone: simulate the energy, latency and lost messages that a client's network policy causes on a phone\n\n"
        text += section("Examples", color, overviewExamples.map { ($0.command, $0.meaning) })
        text += section("Verbs", color, table.verbs.map { ($0.name, $0.summary) })
        text += section("Flags of every verb", color, Flag.everywhere.map { ($0.synopsis, $0.meaning) })
        text += section("Exit codes", color, ExitCode.documented.map { ("\($0.code.number)", $0.meaning) })
        text += section("Next", color, [("deadzone help run", "show the help of one verb")])
        return String(text.dropLast())
    }

    static func verb(_ verb: Verb, _ color: ANSIColor) -> String {
        var text = "deadzone \(verb.name): \(verb.summary)\n\n"
        text += section("Examples", color, verb.examples.map { ($0.command, $0.meaning) })
        text += section("Usage", color, [(usage(verb), "")])
        if !verb.arguments.synopsis.isEmpty {
            text += section("Arguments", color, [(verb.arguments.synopsis, verb.arguments.meaning)])
        }
        text += section("Flags", color, verb.flags.map { (verb.synopsis(of: $0), verb.meaning(of: $0)) })
        if !verb.details.isEmpty { text += verb.details + "\n\n" }
        text += section("Next", color, verb.next.map { ($0.command, $0.meaning) })
        return String(text.dropLast())
    }

    static func usage(_ verb: Verb) -> String {
        ["deadzone", verb.name, "[FLAGS]", verb.arguments.synopsis].filter { !$0.isEmpty }.joined(separator: " ")
    }

    static let overviewExamples = [
        Example("deadzone run Scenarios/handoff/elevator.yaml", "compare two strategies during a commute"),
        Example("deadzone init mine.yaml", "write an example scenario to start from"),
        Example("deadzone explain zombie.max", "explain a metric"),
    ]

    private static func section(_ title: String, _ color: ANSIColor, _ rows: [(left: String, right: String)]) -> String
    {
        // If the left side of a row is wider than this, its right side goes on the next line. Otherwise one long row
        // would move the right sides of all rows.
        let widest = 46
        let width = rows.map(\.left.count).filter { $0 <= widest }.max() ?? 0
        let lines = rows.map { row in
            if row.right.isEmpty { return "  " + row.left }
            if row.left.count > widest {
                return "  \(row.left)\n  " + String(repeating: " ", count: width) + "  " + row.right
            }
            return "  " + row.left + String(repeating: " ", count: width - row.left.count) + "  " + row.right
        }
        return color.bold(title) + "\n" + lines.joined(separator: "\n") + "\n\n"
    }
}
