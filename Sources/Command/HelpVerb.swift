import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let help: Verb = Verb(
        "help", "Explain a verb, or list all verbs",
        arguments: .optional("VERB", "the verb to explain"),
        flags: [.format, .out], formats: [manual],
        examples: [
            Example("deadzone help run", "show the help of the verb run"),
            Example("deadzone help --format man --out man1", "write one manual page for each verb"),
        ],
        next: [Example("deadzone list", "list scenarios, strategies and metrics")]
    ) { invocation, context in
        let table = CommandTable.standard
        if let format = invocation.text(.format), format != manual {
            throw ToolFault.badFlagValue("--format", format, oneOf: [manual])
        }
        let verb = try invocation.arguments.first.map { name in
            guard let verb = table.verb(name) else {
                throw ToolFault.unknownVerb(name, among: table.verbs.map(\.name))
            }
            return verb
        }
        if let folder = invocation.text(.out) {
            try write(verb.map { [ManualPage($0)] } ?? ManualPage.all(table), into: folder)
        } else if invocation.has(.format) {
            context.output.write((verb.map { ManualPage($0) } ?? ManualPage(table)).text)
        } else {
            let color = ANSIColor(invocation, context.outputTerminal)
            context.output.write(verb.map { HelpText.verb($0, color) } ?? HelpText.overview(table, color))
        }
        return .ok
    }

    private static let manual = "man"

    private static func write(_ pages: [ManualPage], into path: String) throws(ToolFault) {
        do throws(SystemFault) {
            let folder = try OutputFolder(path)
            for page in pages { try folder.stage(Array(page.text.utf8), as: page.name + ".1") }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
