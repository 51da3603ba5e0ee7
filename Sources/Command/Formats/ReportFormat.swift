import DeadzoneCompare
import DeadzoneDocuments
import DeadzonePages
import DeadzoneRuns
import DeadzoneTraces

/// A kind of file that a finished run becomes. One more line in `all` is one more format of `run` and `report`: flags, help
/// and errors follow from the table.
struct ReportFormat: NamedFormat {
    enum Need: Sendable {
        /// The numbers of the report.
        case report
        /// Everything that happened: some replica is simulated again.
        case journal
    }

    /// As `--format` takes it.
    let name: String
    let fileName: String
    let need: Need
    /// Binary files are for programs and are never printed.
    let isText: Bool
    /// Nil: it is written while replicas end, and no run has to fit into memory.
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
        .text("html", "report.html", needs: .journal) { Page.html($0.exhibits) },
        .binary("perfetto", "trace.perfetto-trace", needs: .journal) { PerfettoTrace.bytes($0.withStories) },
        .binary("pcapng", "packets.pcapng", needs: .journal, PacketFile.bytes),
        .text("md", "results.md", needs: .report) { RunReport.markdown(of: $0.reports) },
        Self(name: "svg", fileName: "herd.svg", need: .journal, isText: true) { finished throws(ToolFault) in
            guard finished.exhibits.count == 1, let picture = Page.herd(finished.exhibits[0]) else {
                throw ToolFault(
                    .conflict, "`--format svg` is a picture of a herd", help: ["one scenario, with several phones"])
            }
            return Array(picture.utf8)
        },
        .text("junit", "results.xml", needs: .report) { RunReport.junit(of: $0.reports) },
        Self(name: "sqlite", fileName: "results.sqlite", need: .report, isText: false, make: nil),
    ]

    static let json = all[0]

    var isWrittenMeanwhile: Bool { make == nil }
}
