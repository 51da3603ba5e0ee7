import DeadzoneSettings
public import DeadzoneClient
import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios

/// The whole command: reads the process's arguments, works, ends the process. It knows the strategies of its caller beside
/// those that come with Deadzone.
public func run(adding strategies: [StrategyKind] = []) -> Never {
    Interruption.watch()
    let code = run(Array(CommandLine.arguments.dropFirst()), in: .process(), adding: strategies)
    endProcess(code.number)
}

/// The whole command without a process: the words after its name in, an exit code out.
public func run(
    _ words: [String], in surroundings: Surroundings, adding strategies: [StrategyKind] = []
) -> ExitCode {
    var surroundings = surroundings
    if !strategies.isEmpty {
        surroundings.vocabulary.strategies += strategies
        if let name = surroundings.vocabulary.nameTwice {
            report(.strategyTwice(name), words, surroundings)
            surroundings.errors.flush()
            return .usage
        }
    }
    let code = perform(words, surroundings)
    // Output that could not be written is a failure whatever else went well; a reader who left is none.
    if let fault = surroundings.output.flush(), !fault.isReaderGone {
        report(.unwritable(fault), words, surroundings)
        surroundings.errors.flush()
        return .runtime
    }
    surroundings.errors.flush()
    return code
}

private func perform(_ words: [String], _ surroundings: Surroundings) -> ExitCode {
    let table = CommandTable.standard
    do {
        switch try CommandLineReader.read(words, table) {
        case .help(let verb):
            let paint = Paint(nil, surroundings.outputTerminal)
            surroundings.output.write(verb.map { HelpText.verb($0, paint) } ?? HelpText.overview(table, paint))
            return .ok
        case .version:
            surroundings.output.write(versionLine)
            return .ok
        case .perform(let invocation):
            return try invocation.verb.run(invocation, surroundings)
        }
    } catch let fault as ToolFault {
        report(fault, words, surroundings)
        return fault.code.exit
    } catch let several as ToolFaults {
        report(several, words, surroundings)
        return several.faults.first?.code.exit ?? .bug
    } catch {
        surroundings.errors.write("internal error: \(error)\nThis is a bug in deadzone \(toolVersion).\n")
        return .bug
    }
}

/// To standard error as text, and with `--json` to standard output as the one document that was promised there.
private func report(_ fault: ToolFault, _ words: [String], _ surroundings: Surroundings) {
    report(ToolFaults(faults: [fault]), words, surroundings)
}

private func report(_ several: ToolFaults, _ words: [String], _ surroundings: Surroundings) {
    let paint = Paint(nil, surroundings.errorTerminal)
    for fault in several.faults.prefix(ToolFaults.shown) {
        var text = paint.red("error[\(fault.code.rawValue)]") + ": " + fault.message.visible + "\n"
        for line in fault.help { text += "  = help: \(line.visible)\n" }
        surroundings.errors.write(text)
    }
    let more = several.faults.count - ToolFaults.shown
    if more > 0 { surroundings.errors.write("and \(more) more\n") }
    // The command line may be what is wrong, so the flag is looked for as a bare word.
    if words.prefix(while: { $0 != "--" }).contains("--json") {
        surroundings.output.write(several.json.text() + "\n")
    }
}

extension Vocabulary {
    /// A name that means two strategies.
    fileprivate var nameTwice: String? {
        var known: Set<String> = []
        return (strategies.map(\.name) + presets.map(\.name)).first { !known.insert($0).inserted }
    }
}
