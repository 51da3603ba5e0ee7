package import DeadzoneMetrics

/// The report of a run, with optional phone histories and chart data, as pages and traces need them.
package struct RunWithTraces: Sendable {
    package let report: RunReport
    /// History of the shown phone, one for each strategy. Empty if the page has no room for it.
    package let histories: [PhoneHistory]
    /// One for each strategy, or empty.
    package let chartData: [ChartData]
    /// The headline metrics of each replica, for differences by pairs of replicas. `nil` if they were not kept.
    package let series: BaselineRun?

    package init(
        report: RunReport, histories: [PhoneHistory] = [], chartData: [ChartData] = [], series: BaselineRun? = nil
    ) {
        self.series = series
        self.report = report
        self.histories = histories
        self.chartData = chartData
    }
}
