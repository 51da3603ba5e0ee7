import DeadzoneArchive
import DeadzoneCompare
import DeadzoneHost
import DeadzoneMetrics
import DeadzonePages
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces

/// Puts finished runs where they were asked for: on standard output, into a folder, or both.
struct ResultWriter {
    private let folder: OutputFolder?
    private let options: FormatOptions
    /// Nil where nobody wants one.
    private let archive: ArchiveWriter?

    /// Opens the folder before anything runs: a mistaken name should not cost the run.
    init(_ options: FormatOptions) throws(ToolFault) {
        self.options = options
        let opened: OutputFolder?
        do throws(SystemFault) { opened = try options.folder.map(OutputFolder.init) } catch { throw .unwritable(error) }
        folder = opened
        if let opened, let format = options.written.first(where: \.isWrittenMeanwhile) {
            archive = try Self.archive(in: opened, as: format.fileName)
        } else {
            archive = nil
        }
    }

    private static func archive(in folder: OutputFolder, as name: String) throws(ToolFault) -> ArchiveWriter {
        let path: String
        do throws(SystemFault) { path = try folder.stageEmpty(as: name) } catch { throw .unwritable(error) }
        do throws(ArchiveFault) { return try ArchiveWriter(path, tool: toolVersion) } catch {
            throw .unwritable(SystemFault("cannot write", name, because: error.message))
        }
    }

    /// Who wants to know of each replica, of the run that `end` is told of next; nil: nobody.
    var onReplica: (@Sendable (Int, ReplicaResult) -> Void)? {
        guard let archive else { return nil }
        return { replica, result in
            for (strategy, side) in result.sides.enumerated() {
                archive.add(replica, strategy, digest: side.digest, side.figures, groups: side.groups)
            }
        }
    }

    func end(_ report: RunReport) { archive?.end(report) }

    /// The names of what was left out because somebody stopped it; the rest is there.
    func write(_ runs: FinishedRuns, _ surroundings: Surroundings) throws(ToolFault) -> [String] {
        var leftOut: [String] = []
        if let format = options.printed {
            if let bytes = try bytes(format, runs, surroundings) {
                surroundings.output.write(String(decoding: bytes, as: UTF8.self))
            } else {
                leftOut.append(format.name)
            }
        }
        guard let folder else { return leftOut }
        for format in options.written {
            if format.isWrittenMeanwhile {
                try finishArchive(runs, as: format.fileName)
                continue
            }
            guard let bytes = try bytes(format, runs, surroundings) else {
                leftOut.append(format.fileName)
                continue
            }
            do throws(SystemFault) { try folder.stage(bytes, as: format.fileName) } catch { throw .unwritable(error) }
        }
        do throws(SystemFault) { try folder.publish() } catch { throw .unwritable(error) }
        return leftOut
    }

    private func finishArchive(_ runs: FinishedRuns, as name: String) throws(ToolFault) {
        do throws(ArchiveFault) {
            try archive?.finish(isComplete: runs.isComplete, isSingle: runs.isSingle)
        } catch {
            throw .unwritable(SystemFault("cannot write", name, because: error.message))
        }
    }

    static func tell(_ leftOut: [String], _ surroundings: Surroundings) {
        guard !leftOut.isEmpty else { return }
        let names = leftOut.map { String($0.visible.prefix(200)) }.joined(separator: ", ")
        surroundings.errors.write("stopped: left out \(names)\n")
    }

    /// Nil where somebody stopped it: who stops a run does not want it simulated again.
    private func bytes(
        _ format: ReportFormat, _ runs: FinishedRuns, _ surroundings: Surroundings
    ) throws(ToolFault) -> [UInt8]? {
        func isStopped() -> Bool { format.need == .journal && (!runs.isComplete || surroundings.isInterrupted()) }
        guard !isStopped(), let make = format.make else { return nil }
        let bytes = try make(runs)
        return isStopped() ? nil : bytes
    }
}

/// `--out`, `--format` and `--json`, read together: they say where results go.
struct FormatOptions: Sendable {
    let folder: String?
    private let formats: [ReportFormat]
    let isJSON: Bool

    init(_ invocation: Invocation) throws(ToolFault) {
        folder = invocation.text(.out)
        isJSON = invocation.has(.json)
        formats =
            try invocation.text(.format).map { list throws(ToolFault) in try ReportFormat.named(in: list) } ?? []
        guard folder == nil else { return }
        if let binary = formats.first(where: { !$0.isText }) {
            throw ToolFault(
                .conflict, "\(binary.name) is binary and is not printed", help: ["name a folder for it with --out DIR"])
        }
        if formats.count > 1 || (isJSON && formats.contains { $0.name != "json" }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
    }

    /// What goes to standard output instead of tables.
    var printed: ReportFormat? { isJSON ? .json : folder == nil ? formats.first : nil }

    /// Only a page draws charts, and only of a few runs: what many runs have done is not kept.
    func totals(of yield: Assignment.Yield, asked: Int) -> [RunFold] {
        let wantsCharts = (written + [printed].compactMap(\.self)).contains { $0.need == .journal }
        guard yield.isComplete && wantsCharts && asked <= Page.mostFull else { return [] }
        return yield.crops.map(\.replicas.whole)
    }

    /// Where JUnit goes, if anywhere.
    var junit: (folder: String?, file: String)? {
        let format = (folder == nil ? [printed].compactMap(\.self) : written).first { $0.name == "junit" }
        return format.map { (folder, $0.fileName) }
    }

    /// JSON has them, and the page shows them.
    var wantsWitnesses: Bool {
        (written + [printed].compactMap(\.self)).contains { ["json", "html"].contains($0.name) }
            && (folder != nil || printed != nil)
    }

    /// What goes into the folder.
    var written: [ReportFormat] { formats.isEmpty ? [.json] : formats }
}
