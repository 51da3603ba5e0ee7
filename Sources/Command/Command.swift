import DeadzoneBase
public import DeadzoneClient
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// Runs the command `deadzone` with the process's arguments, then ends the process. The caller's strategies are
/// available beside the built-in ones.
public func run(adding strategies: [StrategyKind] = []) -> Never {
    Interruption.installHandlers()
    let code = run(Array(CommandLine.arguments.dropFirst()), in: .process(), adding: strategies)
    endProcess(code.number)
}

/// Runs the command without a process: takes the arguments after the command name and returns the exit code.
package func run(
    _ words: [String], in context: CommandContext, adding strategies: [StrategyKind] = []
) -> ExitCode {
    var context = context
    if !strategies.isEmpty {
        context.vocabulary.strategies += strategies
        if let name = context.vocabulary.duplicateName {
            report(.strategyTwice(name), words, context)
            context.errors.flush()
            return .usage
        }
    }
    let code = perform(words, context)
    // Output that could not be written is a failure even if the command succeeded. A closed pipe is not.
    if let fault = context.output.flush(), !fault.isReaderGone {
        report(.unwritable(fault), words, context)
        context.errors.flush()
        return .runtime
    }
    context.errors.flush()
    return code
}

private func perform(_ words: [String], _ context: CommandContext) -> ExitCode {
    let table = CommandTable.standard
    do {
        switch try CommandLineReader.read(words, table) {
        case .help(let verb):
            let color = ANSIColor(nil, context.outputTerminal)
            context.output.write(verb.map { HelpText.verb($0, color) } ?? HelpText.overview(table, color))
            return .ok
        case .version:
            context.output.write(versionLine)
            return .ok
        case .perform(let invocation) where invocation.has(.watch):
            return try watch(invocation, words, context)
        case .perform(let invocation):
            return try invocation.verb.run(invocation, context)
        }
    } catch {
        return exitCode(of: error, words, context)
    }
}

/// Runs a command again whenever a file changes that it has read, until the user stops it. Errors are shown, and end
/// nothing.
private func watch(_ invocation: Invocation, _ words: [String], _ context: CommandContext) throws(ToolFault) -> ExitCode
{
    guard !invocation.arguments.contains(PathExpansion.standardInput) else {
        throw ToolFault(.conflict, "standard input cannot be watched", help: ["name a file"])
    }
    while true {
        // One write clears the screen and shows the new text, so that nothing flickers.
        if context.outputTerminal.isInteractive { context.output.write("\u{1B}[H\u{1B}[2J\u{1B}[3J") }
        let log = ReadLog()
        Files.$log.withValue(log) {
            do { _ = try invocation.verb.run(invocation, context) } catch { _ = exitCode(of: error, words, context) }
        }
        guard context.output.flush() == nil, !context.isInterrupted() else { break }
        context.errors.write("watching \(plural(log.fileCount, "file")); Ctrl-C ends\n")
        guard log.waitForChange(isStopped: context.isInterrupted) else { break }
    }
    return .init(context.interruptionCode())
}

/// Reports an error and returns the exit code for it.
private func exitCode(of error: any Error, _ words: [String], _ context: CommandContext) -> ExitCode {
    do {
        throw error
    } catch let fault as ToolFault {
        report(fault, words, context)
        // Input that ends because of a stop request is not wrong.
        let isStopped = [.interrupted, .unreadable, .badCapture].contains(fault.code) && context.isInterrupted()
        return isStopped ? .init(context.interruptionCode()) : fault.code.exit
    } catch let several as ToolFaults {
        report(several, words, context)
        return several.faults.first?.code.exit ?? .bug
    } catch {
        context.errors.write("internal error: \(error)\nThis is a bug in deadzone \(toolVersion).\n")
        return .bug
    }
}

/// Writes the fault to standard error as text. With `--json` also writes it to standard output as JSON, so that
/// scripts still get one document.
private func report(_ fault: ToolFault, _ words: [String], _ context: CommandContext) {
    report(ToolFaults(faults: [fault]), words, context)
}

private func report(_ several: ToolFaults, _ words: [String], _ context: CommandContext) {
    let color = ANSIColor(nil, context.errorTerminal)
    for fault in several.faults.prefix(ToolFaults.shown) {
        var text = color.red("error[\(fault.code.rawValue)]") + ": " + fault.message.escapedForTerminal + "\n"
        for line in fault.help { text += "  = help: \(line.escapedForTerminal)\n" }
        context.errors.write(text)
    }
    let more = several.faults.count - ToolFaults.shown
    if more > 0 { context.errors.write("and \(more) more\n") }
    // The command line itself may be invalid, so this looks for the flag as a plain word.
    if words.prefix(while: { $0 != "--" }).contains("--json") {
        context.output.write(several.json.text() + "\n")
    }
}

extension Vocabulary {
    /// The first name that two strategies share. `nil` if all names are unique.
    fileprivate var duplicateName: String? {
        var known: Set<String> = []
        return (strategies.map(\.name) + presets.map(\.name)).first { !known.insert($0).inserted }
    }
}
