import DeadzoneHost
import DeadzoneLive
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

/// The result of live runs, as the output formats need it.
struct LiveResult {
    let report: LiveReport
    /// Histories of the first run and, if there is one, of its simulated twin.
    let histories: [PhoneHistory]
    let packets: PcapngFile
}

/// An output format of the command `live`, such as JSON or pcapng. To add a format, add an element to `all`.
struct LiveFormat: NamedFormat {
    let name: String
    let fileName: String
    /// Binary formats are for programs and are never printed.
    var isText = true
    let make: @Sendable (LiveResult) -> [UInt8]

    static let json = LiveFormat(name: "json", fileName: "live.json") { Array(($0.report.json.text() + "\n").utf8) }

    static let all = [
        json,
        LiveFormat(name: "html", fileName: "live.html") {
            Array(LivePage.html($0.report, histories: $0.histories).utf8)
        },
        LiveFormat(name: "pcapng", fileName: "packets.pcapng", isText: false, make: \.packets.bytes),
        LiveFormat(name: "perfetto", fileName: "trace.perfetto-trace", isText: false) {
            PerfettoTrace.bytes([RunWithTraces(report: $0.report.asRun, histories: $0.histories)])
        },
    ]
}

/// Writes the result of live runs in the formats that `--out`, `--format` and `--json` select. These flags depend on
/// each other.
struct LiveOutput {
    private let folder: OutputFolder?
    private let formats: [LiveFormat]
    /// The format printed to standard output instead of tables.
    private let printed: LiveFormat?
    /// Standard output holds only events.
    private let isSilent: Bool
    /// `true` if a document goes to standard output.
    var isPrinted: Bool { printed != nil }

    /// Opens the folder before any run, so that a wrong name does not waste the run.
    init(_ invocation: Invocation) throws(ToolFault) {
        let named =
            try invocation.text(.format).map { list throws(ToolFault) in try LiveFormat.named(in: list) } ?? []
        let path = invocation.text(.out)
        if path == nil, named.count > 1 || (invocation.has(.json) && named.contains { $0.name != "json" }) {
            throw ToolFault(
                .conflict, "one output cannot hold several formats", help: ["name a folder for them with --out DIR"])
        }
        if path == nil, let binary = named.first(where: { !$0.isText }) {
            throw ToolFault(
                .conflict, "\(binary.name) is binary and is not printed", help: ["name a folder for it with --out DIR"])
        }
        formats = named.isEmpty ? LiveFormat.all : named
        isSilent = invocation.text(.events) == PathExpansion.standardInput
        printed = invocation.has(.json) ? .json : path == nil ? named.first : nil
        do throws(SystemFault) { folder = try path.map(OutputFolder.init) } catch { throw .unwritable(error) }
    }

    func write(_ result: LiveResult, _ style: Style, to output: Console) throws(ToolFault) {
        if !isSilent {
            output.write(printed.map { String(decoding: $0.make(result), as: UTF8.self) } ?? result.report.text(style))
        }
        guard let folder else { return }
        do throws(SystemFault) {
            for format in formats { try folder.stage(format.make(result), as: format.fileName) }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }
}
