import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneEngine
import DeadzonePages
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces

/// What one call of the command has run, as every format reads it.
struct FinishedRuns: Sendable {
    var runs: [FinishedRun] = []
    /// Scenarios that were asked for, every cell of a matrix counted. It, and not what was finished, decides the shape.
    var asked = 0
    /// False if somebody stopped before all of them had run.
    var isComplete = true

    var reports: [RunReport] { runs.map(\.report) }

    var isSingle: Bool { asked == 1 && runs.count == 1 }

    /// What the page shows: everything of a few runs, of many their numbers.
    var exhibits: [Exhibit] {
        let isFull = runs.count <= Page.mostFull
        return runs.map {
            isFull
                ? Exhibit(report: $0.report, stories: $0.stories, chartFigures: $0.chartFigures)
                : Exhibit(report: $0.report)
        }
    }

    /// What a trace shows: every run.
    var withStories: [Exhibit] { runs.map { Exhibit(report: $0.report, stories: $0.stories) } }

    /// One document: of one run, or of several.
    var jsonText: String {
        (isSingle ? runs[0].report.json : RunReport.json(of: reports, isComplete: isComplete))
            .text() + "\n"
    }
}
