import DeadzoneDocuments
import DeadzoneCompare
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePages
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

    /// What the page shows: everything of a few runs, of many their numbers.
    var exhibits: [Exhibit] {
        let isFull = runs.count <= Page.mostFull
        return runs.map {
            isFull
                ? Exhibit(report: $0.report, stories: $0.stories, tallies: $0.tallies) : Exhibit(report: $0.report)
        }
    }

    /// What a trace shows: every run.
    var withStories: [Exhibit] { runs.map { Exhibit(report: $0.report, stories: $0.stories) } }

    /// One document: of one run, or of several.
    var jsonText: String {
        (asked == 1 && runs.count == 1 ? runs[0].report.json : RunReport.json(of: reports, isComplete: isComplete))
            .text() + "\n"
    }
}

/// One scenario, or one cell of a matrix, with all its strategies.
struct FinishedRun: Sendable {
    let report: RunReport
    let scenario: Scenario
    let contenders: [Contender]
    let assignment: Assignment
    /// For charts, one for each strategy; empty where nobody draws any.
    let tallies: [Tally]
    /// Somebody wants no more of it; what is being made then is thrown away.
    let isStopped: @Sendable () -> Bool

    /// The one phone that pictures and packets are of.
    var phone: UInt32 { assignment.phone ?? 0 }

    /// Everything that happened to one strategy in the first replica.
    func journal(of strategy: Int, into recorder: inout some Recorder) {
        assignment.again(strategy, 0, into: &recorder, isStopped)
    }
}
