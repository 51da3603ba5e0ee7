import DeadzoneBase
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios

/// The retry delays of a strategy if every connection attempt within an hour is refused. The strategy's own code
/// computes them.
struct RetrySchedule {
    private static let length = TimeSpan.seconds(3_600)
    private let report: ScheduleReport

    init(of name: String) throws(ToolFault) {
        let reading = ParsedStrategy(
            name, with: Node(.map([])), .standard, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else { throw ToolFault(.runFailed, "\(name) cannot be read") }
        report = ScheduleMaker(name: name, strategy: strategy, failing: .refused, length: Self.length).report()
    }

    private var waits: [TimeSpan] { report.attempts.dropFirst().compactMap(\.delay) }

    func first(_ count: Int, named name: String = "wait") -> [ClaimReport.ClaimFinding] {
        waits.prefix(count).enumerated().map { Self.finding("\(name) \($0 + 1)", $1) }
    }

    /// The shortest delay, beginning with the delay of this number.
    func shortest(_ name: String, from first: Int) -> ClaimReport.ClaimFinding {
        Self.finding(name, waits.dropFirst(first - 1).min())
    }

    /// The time of the last attempt if the strategy has given up, otherwise the whole hour.
    func end(_ name: String) -> ClaimReport.ClaimFinding {
        Self.finding(name, report.hasGivenUp ? report.attempts.last?.at : Self.length)
    }

    private static func finding(_ name: String, _ span: TimeSpan?) -> ClaimReport.ClaimFinding {
        let figure = span.map { Figure.value(Billionths(count: Int128($0.nanoseconds))) }
        return ClaimReport.ClaimFinding(name, .seconds, figure ?? .nothing)
    }
}
