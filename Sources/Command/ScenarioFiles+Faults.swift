import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

extension ScenarioFiles {
    init(_ arguments: [String], _ surroundings: Surroundings) throws(ToolFault) {
        try self.init(arguments, surroundings.vocabulary, input: surroundings.input)
    }

    /// Says what is wrong wherever a result was wanted, so that who publishes one has something to publish.
    /// - Parameter junit: where JUnit was to go: the file, in a folder or else printed.
    func refuse(
        isJSON: Bool, junit: (folder: String?, file: String)?, _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(ToolFault) -> ExitCode {
        reportFaults(invocation, surroundings)
        if isJSON { surroundings.output.write(json.text() + "\n") }
        guard let junit else { return .badInput }
        guard let folder = junit.folder else {
            surroundings.output.write(self.junit)
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

    /// A suite for each file with faults, a case for each of them.
    private var junit: String {
        JUnit.text(
            files.flatMap { file in
                file.loaded.faults.sorted.map { fault in
                    let place = [
                        Self.place(fault, file.loaded.files) ?? file.name, "\(fault.mark.line)", "\(fault.mark.column)",
                    ].prefix(fault.mark.line > 0 ? 3 : 1).joined(separator: ":")
                    return JUnit.Case(
                        suite: file.name, name: "\(fault.code.rawValue) at \(place)",
                        result: .broken("\(place): \(fault.message)"))
                }
            })
    }

    /// Prints what is wrong with them, if anything is.
    func reportFaults(_ invocation: Invocation, _ surroundings: Surroundings) {
        for (_, loaded) in files where !loaded.faults.isEmpty {
            for fault in loaded.faults.sorted {
                surroundings.errors.write(
                    Self.painted(faultText(fault, files: loaded.files), invocation, surroundings) + "\n")
                if invocation.has(.annotate) { surroundings.errors.write(Self.annotation(fault, loaded.files)) }
            }
            if loaded.faults.unseen > 0 { surroundings.errors.write("and \(loaded.faults.unseen) more\n") }
        }
    }

    /// `deadzone/errors/1`, every fault of every file.
    var json: JSON {
        let errors = files.flatMap { file in file.loaded.faults.sorted.map { Self.json($0, file.loaded.files) } }
        return .object(["schema": .string("deadzone/errors/1"), "errors": .array(errors)])
    }

    /// The first line in red: code and message.
    private static func painted(_ text: String, _ invocation: Invocation, _ surroundings: Surroundings) -> String {
        let paint = Paint(invocation, surroundings.errorTerminal)
        guard paint.isOn, let colon = text.firstIndex(of: ":") else { return text }
        return paint.red(String(text[..<colon])) + text[colon...]
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

    private static func annotation(_ fault: Fault, _ files: [SourceText]) -> String {
        let message = [fault.message, fault.label, fault.help].filter { !$0.isEmpty }.joined(separator: "\n")
        let isPlaced = fault.mark.line > 0
        return Annotation.text(
            .error, title: fault.code.rawValue, message, file: place(fault, files),
            line: isPlaced ? fault.mark.line : nil, column: isPlaced ? fault.mark.column : nil)
    }
}
