import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// All finished simulation runs of one command, as the output formats need them.
struct FinishedRuns: Sendable {
    var runs: [FinishedRun] = []
    /// Number of requested scenarios, including every cell of a matrix. It decides the shape of the document, even if
    /// fewer were finished.
    var requestedCount = 0
    /// `false` if the command was stopped before all runs finished.
    var isComplete = true

    var reports: [RunReport] { runs.map(\.report) }

    /// The comparisons across networks. A scenario that was stopped is missing.
    private(set) var across: [AcrossReport] = []

    /// Compares the runs from this position across networks.
    mutating func compareNetworks(from first: Int = 0) { across += AcrossMaker.reports(of: runs[first...]) }

    /// `true` if the run passes, or if its scenario allows its failure because enough other networks pass.
    func isKept(_ run: Int) -> Bool { runs[run].report.verdict == .pass || across.allowFailure(ofRun: run) }

    var isSingle: Bool { requestedCount == 1 && runs.count == 1 }

    /// Content of the page: complete data for a few runs, only the figures for many.
    var tracedRuns: [RunWithTraces] {
        let isFull = runs.count <= ReportPage.maxDetailedRuns
        return runs.map {
            isFull
                ? RunWithTraces(report: $0.report, histories: $0.histories, chartData: $0.chartData)
                : RunWithTraces(report: $0.report)
        }
    }

    /// Content of a trace: every run with its history.
    var runsWithStories: [RunWithTraces] { runs.map { RunWithTraces(report: $0.report, histories: $0.histories) } }

    /// One document, for a single run or for several.
    var jsonText: String {
        (isSingle ? runs[0].report.json : RunReport.json(of: reports, across: across, isComplete: isComplete))
            .text() + "\n"
    }
}
