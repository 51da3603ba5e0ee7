import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// Writes the results of finished runs in the requested formats to standard output, into a folder, or both.
struct ResultWriter {
    private let folder: OutputFolder?
    private let options: FormatOptions
    /// `nil` if no archive is requested.
    private let archive: ArchiveWriter?

    /// Opens the folder before any run, so that a wrong name does not waste the run.
    init(_ options: FormatOptions) throws(ToolFault) {
        self.options = options
        let opened: OutputFolder?
        do throws(SystemFault) { opened = try options.folder.map(OutputFolder.init) } catch { throw .unwritable(error) }
        folder = opened
        if let opened, let format = options.written.first(where: \.isStreamed) {
            archive = try Self.archive(in: opened, as: format.fileName)
        } else {
            archive = nil
        }
    }

    private static func archive(in folder: OutputFolder, as name: String) throws(ToolFault) -> ArchiveWriter {
        let path: String
        do throws(SystemFault) { path = try folder.stageForExternalWriter(as: name) } catch { throw .unwritable(error) }
        do throws(ArchiveFault) { return try ArchiveWriter(path, tool: toolVersion) } catch {
            throw .unwritable(SystemFault("cannot write", name, because: error.message))
        }
    }

    /// Callback for each finished replica of the run that the next call of `end` reports. `nil` if no archive is
    /// written.
    var onReplica: (@Sendable (Int, ReplicaResult) -> Void)? {
        guard let archive else { return nil }
        return { replica, result in
            for (strategy, side) in result.strategies.enumerated() {
                archive.add(replica, strategy, digest: side.digest, side.figures, groups: side.groups)
            }
        }
    }

    func end(_ report: RunReport) { archive?.finishRun(report) }

    /// Writes the outputs. Returns the names of those left out because the command was stopped.
    func write(_ runs: FinishedRuns, _ context: CommandContext) throws(ToolFault) -> [String] {
        var leftOut: [String] = []
        if let format = options.printed {
            if let bytes = try bytes(format, runs, context) {
                context.output.write(String(decoding: bytes, as: UTF8.self))
            } else {
                leftOut.append(format.name)
            }
        }
        guard let folder else { return leftOut }
        for format in options.written {
            if format.isStreamed {
                try finishArchive(runs, as: format.fileName)
                continue
            }
            guard let bytes = try bytes(format, runs, context) else {
                leftOut.append(format.fileName)
                continue
            }
            do throws(SystemFault) {
                try folder.stage(bytes, as: format.fileName, isWatched: options.isWatched)
            } catch {
                throw .unwritable(error)
            }
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

    /// Says where the files are.
    func reportWritten(_ invocation: Invocation, _ context: CommandContext) {
        guard let path = options.folder, !invocation.has(.quiet) else { return }
        for format in options.written {
            context.errors.write("wrote \(visible(path + "/" + format.fileName, atMost: 400))\n")
        }
    }

    static func reportLeftOut(_ leftOut: [String], _ context: CommandContext) {
        guard !leftOut.isEmpty else { return }
        let names = leftOut.map { String($0.escapedForTerminal.prefix(200)) }.joined(separator: ", ")
        context.errors.write("stopped: left out \(names)\n")
    }

    /// `nil` if the command was stopped. In that case nothing is simulated again.
    private func bytes(
        _ format: ReportFormat, _ runs: FinishedRuns, _ context: CommandContext
    ) throws(ToolFault) -> [UInt8]? {
        func isStopped() -> Bool { format.need == .journal && (!runs.isComplete || context.isInterrupted()) }
        guard !isStopped(), let make = format.make else { return nil }
        let bytes = try make(runs)
        return isStopped() ? nil : bytes
    }
}

extension OutputFolder {
    /// Stages a file. A watched page comes with the picture that tells it to reload.
    func stage(_ bytes: [UInt8], as name: String, isWatched: Bool) throws(SystemFault) {
        guard isWatched, name.hasSuffix(".html") else { return try stage(bytes, as: name) }
        let page = WatchedPage(String(decoding: bytes, as: UTF8.self), fileName: name)
        try stage(Array(page.html.utf8), as: name)
        try stage(Array(page.picture.utf8), as: page.pictureName)
    }
}

/// The parsed output flags of `run` and `report`: `--out`, `--format` and `--json`, which depend on each other.
struct FormatOptions: Sendable {
    let folder: String?
    private let formats: [ReportFormat]
    let isJSON: Bool
    /// `true` if the command repeats itself, so that an open page must notice a new one.
    let isWatched: Bool

    init(_ invocation: Invocation) throws(ToolFault) {
        isWatched = invocation.has(.watch)
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

    /// `true` if the picture of many phones is requested.
    var wantsHerd: Bool { formats.contains { $0.name == ReportFormat.herdName } }

    /// The format printed to standard output instead of tables.
    var printed: ReportFormat? { isJSON ? .json : folder == nil ? formats.first : nil }

    /// The data for charts. Only pages with few runs draw charts, so it is not kept for many runs.
    func totals(of results: SimulationPlan.RunResults, requestedCount: Int) -> [RunFold] {
        let wantsCharts = (written + [printed].compactMap(\.self)).contains { $0.need == .journal }
        guard results.isComplete && wantsCharts && requestedCount <= ReportPage.maxDetailedRuns else { return [] }
        return results.byStrategy.map(\.replicas.merged)
    }

    /// Destination of the JUnit file. `nil` if none is written.
    var junit: (folder: String?, file: String)? {
        let format = (folder == nil ? [printed].compactMap(\.self) : written).first { $0.name == "junit" }
        return format.map { (folder, $0.fileName) }
    }

    /// `true` if a format shows witnesses: JSON or the page.
    var wantsWitnesses: Bool {
        (written + [printed].compactMap(\.self)).contains { ["json", "html"].contains($0.name) }
            && (folder != nil || printed != nil)
    }

    /// The formats written into the folder.
    var written: [ReportFormat] { formats.isEmpty ? [.json] : formats }
}
