import DeadzoneGuide

extension GuidePage {
    /// A verb, as the table has it.
    init(_ verb: Verb) {
        var blocks: [Block] = [.code(HelpText.usage(verb))]
        blocks += Block.rows("Examples", verb.examples.map { Block.Row($0.command, $0.meaning) })
        if !verb.arguments.form.isEmpty {
            blocks += Block.rows("Arguments", [Block.Row(verb.arguments.form, verb.arguments.meaning)])
        }
        blocks += Block.rows(
            "Flags",
            verb.flags.map { flag in
                Block.Row(String(flag.form.drop { $0 == " " }), verb.meaning(of: flag), anchor: flag.name)
            })
        if !verb.details.isEmpty {
            blocks += [.heading("Details"), .paragraph(verb.details.replacing("\n", with: " "))]
        }
        blocks += Block.rows(
            "Exit codes", ExitCode.documented.map { Block.Row("\($0.code.number)", $0.meaning) })
        blocks += Block.rows("Next", verb.next.map { Block.Row($0.command, $0.meaning) })
        self.init(
            .verbs, verb.name, title: "deadzone \(verb.name)",
            summary: verb.summary.prefix(1).uppercased() + verb.summary.dropFirst() + ".", blocks)
    }
}
