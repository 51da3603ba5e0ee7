import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let completions: Verb = Verb(
        "completions", "Print a completion script for a shell",
        arguments: .some(
            "SHELL WORD",
            "bash, zsh or fish; after --, a command line, to list completions of its last word"),
        examples: [
            Example("deadzone completions bash", "print the script for bash; `make install` installs it"),
            Example("deadzone completions fish -- run --rep", "list completions of the last word, as the script does"),
        ],
        next: [Example("deadzone help", "list all verbs")]
    ) { invocation, context in
        let name = invocation.arguments[0]
        guard let shell = Shell(rawValue: name) else {
            throw ToolFault.unknownName(
                name, "shell", among: Shell.allCases.map(\.rawValue), help: "deadzone help completions lists the shells"
            )
        }
        let words = Array(invocation.arguments.dropFirst())
        context.output.write(
            words.isEmpty ? shell.script : shell.answer(Completion(words, .standard, context)))
        return .ok
    }
}
