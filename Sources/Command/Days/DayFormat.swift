import DeadzoneCaptures
import DeadzoneReports

/// A recorded day with its simulation.
struct DayResult {
    let report: DayReport
    let simulation: DaySimulation

    init(_ report: DayReport, _ simulation: DaySimulation) {
        var report = report
        report.radio = simulation.agreement
        self.report = report
        self.simulation = simulation
    }
}

/// An output format of the command `day`. To add a format, add an element to `all`.
struct DayFormat: TextFormat {
    let name: String
    let fileName: String
    /// `true` if the format has room for one report only.
    var isOnePage = false
    let make: @Sendable ([DayResult]) -> String

    static let json = DayFormat(name: "json", fileName: "day.json") { results in
        DayReport.json(results.map(\.report)).text() + "\n"
    }

    static let all = [
        json,
        DayFormat(name: "html", fileName: "day.html", isOnePage: true) { results in
            results.map { DayPage.html($0.report, simulated: $0.simulation.histories) }.joined(separator: "\n")
        },
    ]
}
