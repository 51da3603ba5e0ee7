import DeadzoneHost
import DeadzoneReporting
import DeadzoneScenarios

/// Puts finished runs where they were asked for: on standard output, into a folder, or both.
struct ResultWriter {
    private let folder: OutputFolder?
    private let options: FormatOptions

    /// Opens the folder before anything runs: a mistaken name should not cost the run.
    init(_ options: FormatOptions) throws(CommandFault) {
        self.options = options
        do throws(SystemFault) { folder = try options.folder.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ runs: FinishedRuns, _ surroundings: Surroundings) throws(CommandFault) {
        if let format = options.printed, isPossible(format, runs) {
            surroundings.output.write(String(decoding: try format.make(runs), as: UTF8.self))
        }
        guard let folder else { return }
        for format in options.written where isPossible(format, runs) {
            let bytes = try format.make(runs)
            do throws(SystemFault) {
                try folder.write(bytes, to: format.fileName)
            } catch {
                throw .unwritable(error)
            }
        }
    }

    /// Who stops a run does not want it simulated again.
    private func isPossible(_ format: ReportFormat, _ runs: FinishedRuns) -> Bool {
        runs.isComplete || format.need == .report
    }
}

/// `--out`, `--format` and `--json`, read together: they say where results go.
struct FormatOptions: Sendable {
    let folder: String?
    private let formats: [ReportFormat]
    let isJSON: Bool

    init(_ invocation: Invocation) throws(CommandFault) {
        folder = invocation.text(.out)
        isJSON = invocation.has(.json)
        formats =
            try invocation.text(.format).map { list throws(CommandFault) in try ReportFormat.named(in: list) } ?? []
        guard folder == nil else { return }
        if let binary = formats.first(where: { !$0.isText }) {
            throw CommandFault(
                .conflict, "\(binary.name) is binary and is not printed", help: ["name a folder for it with --out DIR"])
        }
        if formats.count > 1 || (isJSON && formats.contains { $0.name != "json" }) {
            throw CommandFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
    }

    /// What goes to standard output instead of tables.
    var printed: ReportFormat? { isJSON ? .json : folder == nil ? formats.first : nil }

    /// Only a page draws charts, and only of a few runs: what many runs have done is not kept.
    func tallies(of yield: Assignment.Yield, _ scenario: Scenario, asked: Int) -> [Tally] {
        let wantsCharts = (written + [printed].compactMap(\.self)).contains { $0.need == .journal }
        guard wantsCharts && asked <= Page.mostFull else { return [] }
        return yield.replicas.map { Tally(of: $0.map(\.fold), prices: scenario.prices) }
    }

    /// What goes into the folder.
    var written: [ReportFormat] { formats.isEmpty ? [.json] : formats }
}
