extension GuidePage {
    /// The page of a verb, generated from the command table.
    init(_ verb: Verb) {
        self.init(
            .verbs, verb.name, title: "deadzone \(verb.name)",
            summary: verb.summary.prefix(1).uppercased() + verb.summary.dropFirst() + ".", Self.blocks(verb))
    }

    private static func blocks(_ verb: Verb) -> [PageBlock] {
        let arguments =
            verb.arguments.synopsis.isEmpty
            ? [] : [PageBlock.PageTableRow(verb.arguments.synopsis, verb.arguments.meaning)]
        let flags = verb.flags.map { flag in
            PageBlock.PageTableRow(
                String(verb.synopsis(of: flag).drop { $0 == " " }), verb.meaning(of: flag), anchor: flag.name)
        }
        let details: [PageBlock] =
            verb.details.isEmpty
            ? [] : [.heading("Details")] + MarkdownReader.blocks(verb.details)
        return [.code(HelpText.usage(verb))]
            + PageBlock.rows("Examples", verb.examples.map { PageBlock.PageTableRow($0.command, $0.meaning) })
            + PageBlock.rows("Arguments", arguments) + PageBlock.rows("Flags", flags) + details
            + PageBlock.rows(
                "Exit codes", ExitCode.documented.map { PageBlock.PageTableRow("\($0.code.number)", $0.meaning) })
            + PageBlock.rows("Next", verb.next.map { PageBlock.PageTableRow($0.command, $0.meaning) })
    }
}
