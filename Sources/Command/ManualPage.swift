import DeadzoneRuns

/// A Unix manual page (section 1) with the help of the command or of one subcommand, in man(7) macros. It is generated
/// from the same table as the help.
struct ManualPage {
    /// The page name without `.1`, as passed to `man`.
    let name: String
    let text: String

    init(_ table: CommandTable) {
        name = "deadzone"
        var roff = Roff(
            name, "simulate the energy, latency and lost messages that a client's network policy causes on a phone")
        roff.section("SYNOPSIS")
        roff.bold("deadzone", then: "VERB [FLAGS] [ARGUMENTS]")
        roff.section("VERBS")
        for verb in table.verbs { roff.term("deadzone-\(verb.name)(1)", verb.summary) }
        roff.section("FLAGS OF EVERY VERB")
        for flag in Flag.everywhere { roff.term(flag.synopsis, flag.meaning) }
        roff.exitCodes()
        roff.section("EXAMPLES")
        for example in HelpText.overviewExamples { roff.example(example) }
        text = roff.text
    }

    init(_ verb: Verb) {
        name = "deadzone-" + verb.name
        var roff = Roff(name, verb.summary)
        roff.section("SYNOPSIS")
        roff.bold("deadzone \(verb.name)", then: "[FLAGS] " + verb.arguments.synopsis)
        if !verb.details.isEmpty {
            roff.section("DESCRIPTION")
            roff.prose(verb.details)
        }
        if !verb.arguments.synopsis.isEmpty {
            roff.section("ARGUMENTS")
            roff.term(verb.arguments.synopsis, verb.arguments.meaning)
        }
        roff.section("FLAGS")
        for flag in verb.flags { roff.term(verb.synopsis(of: flag), verb.meaning(of: flag)) }
        roff.exitCodes()
        roff.section("EXAMPLES")
        for example in verb.examples { roff.example(example) }
        roff.section("SEE ALSO")
        roff.prose("deadzone(1)")
        roff.section("NEXT")
        for example in verb.next { roff.example(example) }
        text = roff.text
    }

    /// The page of the command, then one page for each verb.
    static func all(_ table: CommandTable) -> [Self] { [Self(table)] + table.verbs.map { Self($0) } }
}

/// Builds text in man(7) macros, the source format of manual pages.
private struct Roff {
    private(set) var text: String

    init(_ name: String, _ summary: String) {
        text = ".TH \(Self.escaped(name.uppercased())) 1 \(toolDate) \"deadzone \(toolVersion)\"\n"
        section("NAME")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    mutating func bold(_ word: String, then rest: String) {
        text += ".B \(Self.escaped(word))\n"
        text += Self.line(rest)
    }

    mutating func term(_ term: String, _ meaning: String) {
        text += ".TP\n.B \(Self.escaped(term.drop { $0 == " " }))\n" + Self.line(meaning)
    }

    mutating func prose(_ prose: String) {
        for (index, paragraph) in prose.split(separator: "\n\n").enumerated() {
            if index > 0 { text += ".PP\n" }
            text += paragraph.split(separator: "\n").map { Self.line(String($0)) }.joined()
        }
    }

    mutating func example(_ example: Example) {
        text += ".TP\n.B \(Self.escaped(example.command))\n" + Self.line(example.meaning)
    }

    mutating func exitCodes() {
        section("EXIT STATUS")
        for (code, meaning) in ExitCode.documented { term("\(code.number)", meaning) }
    }

    private static func line(_ line: String) -> String {
        let line = escaped(line.drop { $0 == " " })
        // A full stop or an apostrophe at the start of a line would begin a macro.
        return (line.first.map { ".'".contains($0) } == true ? "\\&" : "") + line + "\n"
    }

    /// Formats at least four hexadecimal digits, the minimum for a roff character name.
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(hexadecimal(scalar.value))]"
            }
        }.joined()
    }
}
