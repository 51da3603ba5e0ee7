import DeadzoneHost
import DeadzoneRuns

extension Verb {
    static let completions: Verb = Verb(
        "completions", "prints what makes a shell complete deadzone's words",
        arguments: .some(
            "SHELL WORD", "bash, zsh or fish; and, after --, the words of a line, to see what may stand for the last"),
        examples: [
            Example("deadzone completions bash", "print the script; make install puts it where bash looks"),
            Example("deadzone completions fish -- run --rep", "what may come next, as the script asks it"),
        ],
        next: [Example("deadzone help", "every verb")]
    ) { invocation, surroundings in
        let name = invocation.arguments[0]
        guard let shell = Shell(rawValue: name) else {
            throw ToolFault.unknownName(
                name, "shell", among: Shell.allCases.map(\.rawValue), help: "deadzone help completions names them")
        }
        let words = Array(invocation.arguments.dropFirst())
        surroundings.output.write(
            words.isEmpty ? shell.script : shell.answer(Completion(words, .standard, surroundings)))
        return .ok
    }
}
