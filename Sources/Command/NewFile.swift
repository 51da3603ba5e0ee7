import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns

/// A file that the command line names as output, or `-` for standard output. An existing file is replaced only with
/// `--force`.
struct NewFile {
    let path: String

    /// `true` if the text goes to standard output.
    var isPrinted: Bool { path == PathExpansion.standardInput }

    /// Checks the file before any work, so that a refusal wastes none.
    init(_ path: String, _ invocation: Invocation) throws(ToolFault) {
        if path != PathExpansion.standardInput, Files.kind(of: path) != .missing, !invocation.has(.force) {
            throw ToolFault(
                .fileExists, "\(path) already exists", help: ["--force replaces it", "or name another file"])
        }
        self.path = path
    }

    /// The file that a flag names; `nil` without the flag.
    init?(_ flag: Flag, _ invocation: Invocation) throws(ToolFault) {
        guard let path = invocation.text(flag) else { return nil }
        try self.init(path, invocation)
    }

    /// The path as a word of a command line.
    var word: String { ShellWord.text(path) }

    /// Writes the text, and tells the user about it.
    /// - Parameter next: The command that uses the file.
    func write(
        _ text: String, about: String? = nil, next: String, _ invocation: Invocation, _ context: CommandContext
    ) throws(ToolFault) {
        if isPrinted { return context.output.write(text) }
        do throws(SystemFault) { try Files.write(Array(text.utf8), to: path) } catch { throw .unwritable(error) }
        guard !invocation.has(.quiet) else { return }
        context.errors.write(
            "wrote \(visible(path, atMost: 200))\(about.map { ": " + $0 } ?? "")\nnext: \(next.escapedForTerminal)\n")
    }
}
