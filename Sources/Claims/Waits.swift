import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

/// When a strategy would try again, were every attempt of an hour refused: its own code says so.
struct Waits {
    private static let length = TimeSpan.seconds(3_600)
    private let report: ScheduleReport

    init(of name: String) throws(ToolFault) {
        let reading = StrategyReading(
            name, with: Node(.map([])), .standard, read: ScenarioFiles.read)
        guard let strategy = reading.strategy else { throw ToolFault(.runFailed, "\(name) cannot be read") }
        report = ScheduleMaker(name: name, strategy: strategy, failing: .refused, length: Self.length).report()
    }

    private var waits: [TimeSpan] { report.attempts.dropFirst().compactMap(\.delay) }

    func first(_ count: Int, named name: String = "wait") -> [ClaimReport.Finding] {
        waits.prefix(count).enumerated().map { Self.finding("\(name) \($0 + 1)", $1) }
    }

    /// From the wait of this number on.
    func shortest(_ name: String, from first: Int) -> ClaimReport.Finding {
        Self.finding(name, waits.dropFirst(first - 1).min())
    }

    /// Until its last attempt, if it makes no more; else the whole hour.
    func end(_ name: String) -> ClaimReport.Finding {
        Self.finding(name, report.hasGivenUp ? report.attempts.last?.at : Self.length)
    }

    private static func finding(_ name: String, _ span: TimeSpan?) -> ClaimReport.Finding {
        let figure = span.map { Figure.value(Billionths(count: Int128($0.nanoseconds))) }
        return ClaimReport.Finding(name, .seconds, figure ?? .nothing)
    }
}
