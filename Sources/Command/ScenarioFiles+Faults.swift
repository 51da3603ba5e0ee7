import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension ScenarioFiles {
    init(
        _ arguments: [String], adding added: StrategySelection = StrategySelection(), across: AcrossSelection? = nil,
        jobs: Int? = nil, _ context: CommandContext
    ) throws(ToolFault) {
        try self.init(
            arguments, adding: added.added, across: across, context.vocabulary, jobs: jobs ?? context.cores,
            input: context.input)
    }

    /// Prints the networks of a group such as `profiles` on which a scenario cannot run.
    func noteUnfit(_ invocation: Invocation, _ context: CommandContext) {
        guard !invocation.has(.quiet) else { return }
        for (name, loaded) in files {
            for network in loaded.unfit {
                context.errors.write(
                    "note: \(visible(name, atMost: 200)) cannot run on \(quote(network.name)): \(network.reason)\n")
            }
        }
    }

    /// Prints the strategies of `--with` that run under another name than their own.
    func noteRenamed(_ invocation: Invocation, _ context: CommandContext) {
        Self.note(renamed: files.flatMap(\.loaded.scenarios).flatMap(\.renamedStrategies), invocation, context)
    }

    /// Prints settings that mean something else than a reader may expect, each once for all cells of a matrix.
    func noteSettings(_ invocation: Invocation, _ context: CommandContext) {
        guard !invocation.has(.quiet) else { return }
        var printed: Set<String> = []
        for note in files.flatMap(\.loaded.scenarios).flatMap(\.notes) where printed.insert(note).inserted {
            context.errors.write("note: \(note)\n")
        }
    }

    static func note(renamed: [RenamedStrategy], _ invocation: Invocation, _ context: CommandContext) {
        guard !invocation.has(.quiet) else { return }
        var printed: Set<RenamedStrategy> = []
        for strategy in renamed where printed.insert(strategy).inserted {
            context.errors.write("note: \(strategy.note)\n")
        }
    }

    /// Reports the faults in every output that the result was requested for, so that a CI job always has something to
    /// publish.
    /// - Parameter junit: Destination of the JUnit output: a file in a folder, or standard output if there is no
    ///   folder.
    func publishFaults(
        isJSON: Bool, junit: (folder: String?, file: String)?, _ invocation: Invocation, _ context: CommandContext
    ) throws(ToolFault) -> ExitCode {
        reportFaults(invocation, context)
        // A stop request may be the reason why a file could not be read.
        if context.isInterrupted() { return .init(context.interruptionCode()) }
        if isJSON { context.output.write(json.text() + "\n") }
        guard let junit else { return .badInput }
        guard let folder = junit.folder else {
            context.output.write(self.junit)
            return .badInput
        }
        do throws(SystemFault) {
            let folder = try OutputFolder(folder)
            try folder.stage(Array(self.junit.utf8), as: junit.file)
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
        return .badInput
    }

    /// JUnit text with a suite for each file with faults and a case for each fault.
    private var junit: String {
        JUnit.text(
            files.flatMap { file in
                file.loaded.faults.sorted.map { fault in
                    let place = [
                        Self.place(fault, file.loaded.files) ?? file.name, "\(fault.mark.line)", "\(fault.mark.column)",
                    ].prefix(fault.mark.line > 0 ? 3 : 1).joined(separator: ":")
                    return JUnit.TestCase(
                        suite: file.name, name: "\(fault.code.rawValue) at \(place)",
                        result: .invalid("\(place): \(fault.message)"))
                }
            })
    }

    /// Prints the faults of all files.
    func reportFaults(_ invocation: Invocation, _ context: CommandContext) {
        for (_, loaded) in files where !loaded.faults.isEmpty {
            for fault in loaded.faults.sorted {
                context.errors.write(
                    Self.colored(faultText(fault, files: loaded.files), invocation, context) + "\n")
                if invocation.has(.annotate) { context.errors.write(Self.comment(fault, loaded.files).annotation) }
            }
            if loaded.faults.hiddenCount > 0 { context.errors.write("and \(loaded.faults.hiddenCount) more\n") }
        }
    }

    /// All faults of all files, with `DocumentSchema.errors`.
    var json: JSON {
        let errors = files.flatMap { file in file.loaded.faults.sorted.map { Self.json($0, file.loaded.files) } }
        return .object(["schema": DocumentSchema.errors.json, "errors": .array(errors)])
    }

    /// Colours the error code at the beginning red.
    private static func colored(_ text: String, _ invocation: Invocation, _ context: CommandContext) -> String {
        let color = ANSIColor(invocation, context.errorTerminal)
        guard color.isOn, let colon = text.firstIndex(of: ":") else { return text }
        return color.red(String(text[..<colon])) + text[colon...]
    }

    private static func place(_ fault: Fault, _ files: [SourceText]) -> String? {
        files.indices.contains(fault.mark.file) ? files[fault.mark.file].name : nil
    }

    static func json(_ fault: Fault, _ files: [SourceText]) -> JSON {
        var members: [String: JSON] = [
            "code": .string(fault.code.rawValue), "message": .string(fault.message),
            "help": .array(fault.help.isEmpty ? [] : [.string(fault.help)]),
        ]
        if let file = place(fault, files) { members["file"] = .string(file) }
        if fault.mark.line > 0 {
            members["line"] = .integer(Int128(fault.mark.line))
            members["column"] = .integer(Int128(fault.mark.column))
        }
        if !fault.label.isEmpty { members["label"] = .string(fault.label) }
        return .object(members)
    }

    private static func comment(_ fault: Fault, _ files: [SourceText]) -> ReviewComment {
        let message = [fault.message, fault.label, fault.help].filter { !$0.isEmpty }.joined(separator: "\n")
        let file = place(fault, files)
        var comment = ReviewComment(
            .error, rule: fault.code.rawValue, about: fault.code.title, title: fault.code.rawValue, message,
            identity: [fault.code.rawValue, file ?? "", fault.message])
        comment.file = file
        guard fault.mark.line > 0 else { return comment }
        (comment.line, comment.column, comment.width) = (fault.mark.line, fault.mark.column, fault.width)
        comment.replacement = fault.replacement
        return comment
    }

    /// All faults of all files as comments for reviewers.
    var reviewComments: [ReviewComment] {
        files.flatMap { file in file.loaded.faults.sorted.map { Self.comment($0, file.loaded.files) } }
    }

    /// A line of a file that was read.
    func line(_ number: Int, of file: String) -> String? {
        files.lazy.flatMap(\.loaded.files).first { $0.name == file }?.line(number)
    }
}
