public import DeadzoneCompare

/// The report of a run, with optional phone histories and chart data, as pages and traces need them.
public struct RunWithTraces: Sendable {
    public let report: RunReport
    /// History of the shown phone, one for each strategy. Empty if the page has no room for it.
    public let histories: [PhoneHistory]
    /// One for each strategy, or empty.
    public let chartData: [ChartData]

    public init(report: RunReport, histories: [PhoneHistory] = [], chartData: [ChartData] = []) {
        self.report = report
        self.histories = histories
        self.chartData = chartData
    }
}
