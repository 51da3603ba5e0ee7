import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

/// An output format of the commands `run` and `report`, such as JSON or HTML. To add a format, add an element to `all`:
/// flags, help and errors are generated from it.
struct ReportFormat: NamedFormat {
    enum Need: Sendable {
        /// The figures of the report.
        case report
        /// All events. Some replica is simulated again to get them.
        case journal
    }

    /// The name for `--format`.
    let name: String
    let fileName: String
    let need: Need
    /// Binary formats are for programs and are never printed.
    let isText: Bool
    /// `nil` if the file is written while replicas finish, so that no run has to fit into memory.
    let make: (@Sendable (FinishedRuns) throws(ToolFault) -> [UInt8])?

    static func text(
        _ name: String, _ fileName: String, needs need: Need, _ make: @escaping @Sendable (FinishedRuns) -> String
    ) -> Self {
        Self(name: name, fileName: fileName, need: need, isText: true) { Array(make($0).utf8) }
    }

    static func binary(
        _ name: String, _ fileName: String, needs need: Need, _ make: @escaping @Sendable (FinishedRuns) -> [UInt8]
    ) -> Self {
        Self(name: name, fileName: fileName, need: need, isText: false, make: make)
    }

    static let all: [ReportFormat] = [
        .text("json", "results.json", needs: .report, \.jsonText),
        .text("csv", "results.csv", needs: .report) { CSV.text($0.reports) },
        .text("html", "report.html", needs: .journal) { ReportPage.html($0.tracedRuns, across: $0.across) },
        .binary("perfetto", "trace.perfetto-trace", needs: .journal) { PerfettoTrace.bytes($0.runsWithStories) },
        .binary("pcapng", "packets.pcapng", needs: .journal, PcapngFile.bytes),
        .text("md", "results.md", needs: .report) { RunReport.markdown(of: $0.reports, across: $0.across) },
        Self(name: herdName, fileName: "herd.svg", need: .journal, isText: true) { finished throws(ToolFault) in
            guard finished.tracedRuns.count == 1, let picture = ReportPage.herdSVG(finished.tracedRuns[0]) else {
                throw noHerd
            }
            return Array(picture.utf8)
        },
        .text("junit", "results.xml", needs: .report) { RunReport.junit(of: $0.reports, across: $0.across) },
        Self(name: "sqlite", fileName: "results.sqlite", need: .report, isText: false, make: nil),
    ]

    static let json = all[0]
    /// Format of the picture with the connection attempts of many phones.
    static let herdName = "svg"
    static let noHerd = ToolFault(
        .conflict, "`--format svg` draws the connection attempts of many phones",
        help: ["run one scenario with several phones, and all of them"])

    var isStreamed: Bool { make == nil }
}
