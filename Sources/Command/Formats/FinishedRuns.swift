import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneEngine
import DeadzonePages
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces

/// All finished simulation runs of one command, as the output formats need them.
struct FinishedRuns: Sendable {
    var runs: [FinishedRun] = []
    /// Number of requested scenarios, including every cell of a matrix. It decides the shape of the document, even if
    /// fewer were finished.
    var requestedCount = 0
    /// `false` if the command was stopped before all runs finished.
    var isComplete = true

    var reports: [RunReport] { runs.map(\.report) }

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
        (isSingle ? runs[0].report.json : RunReport.json(of: reports, isComplete: isComplete))
            .text() + "\n"
    }
}
