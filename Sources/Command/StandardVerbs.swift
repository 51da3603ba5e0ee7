import DeadzoneHost
import DeadzoneRuns

extension CommandTable {
    /// What `deadzone` can do.
    static let standard: CommandTable = CommandTable(verbs: [
        .run, .sweep, .merge, .compare, .baseline, .reporting, .replay, .live, .fit, .schedule, .laws, .lint, .schema,
        .initialize,
        .list,
        .explain, .guide, .doctor, .help, .version,
    ])
}

extension Verb {
    static let help: Verb = Verb(
        "help", "explains a verb, or shows all of them",
        arguments: .optional("VERB", "the verb to explain"),
        examples: [Example("deadzone help run", "everything about run")],
        next: [Example("deadzone list", "what there is to run and to measure")]
    ) { invocation, surroundings in
        let paint = Paint(invocation, surroundings.outputTerminal)
        let table = CommandTable.standard
        guard let name = invocation.arguments.first else {
            surroundings.output.write(HelpText.overview(table, paint))
            return .ok
        }
        guard let verb = table.verb(name) else {
            throw ToolFault.unknownVerb(name, among: table.verbs.map(\.name))
        }
        surroundings.output.write(HelpText.verb(verb, paint))
        return .ok
    }

    static let version = Verb(
        "version", "prints the version",
        examples: [Example("deadzone version", "for a bug report, doctor says more")],
        next: [Example("deadzone doctor", "version, system and a self-check")]
    ) { _, surroundings in
        surroundings.output.write("deadzone \(toolVersion)\n")
        return .ok
    }
}
