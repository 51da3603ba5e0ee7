import DeadzoneGuide

extension GuidePage {
    /// A verb, as the table has it.
    init(_ verb: Verb) {
        self.init(
            .verbs, verb.name, title: "deadzone \(verb.name)",
            summary: verb.summary.prefix(1).uppercased() + verb.summary.dropFirst() + ".", Self.blocks(verb))
    }

    private static func blocks(_ verb: Verb) -> [Block] {
        let arguments = verb.arguments.form.isEmpty ? [] : [Block.Row(verb.arguments.form, verb.arguments.meaning)]
        let flags = verb.flags.map { flag in
            Block.Row(String(flag.form.drop { $0 == " " }), verb.meaning(of: flag), anchor: flag.name)
        }
        let details: [Block] =
            verb.details.isEmpty
            ? [] : [.heading("Details")] + MarkdownReader.blocks(verb.details)
        return [.code(HelpText.usage(verb))]
            + Block.rows("Examples", verb.examples.map { Block.Row($0.command, $0.meaning) })
            + Block.rows("Arguments", arguments) + Block.rows("Flags", flags) + details
            + Block.rows("Exit codes", ExitCode.documented.map { Block.Row("\($0.code.number)", $0.meaning) })
            + Block.rows("Next", verb.next.map { Block.Row($0.command, $0.meaning) })
    }
}
