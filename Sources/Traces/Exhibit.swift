public import DeadzoneCompare

/// One run as a page shows it: its numbers, and where they were asked for what happened to one phone and what charts need.
public struct Exhibit: Sendable {
    public let report: RunReport
    /// Of the first phone in the first replica, one for each strategy; empty: the page has no room for it.
    public let stories: [Story]
    /// One for each strategy, or empty.
    public let chartFigures: [ChartFigures]

    public init(report: RunReport, stories: [Story] = [], chartFigures: [ChartFigures] = []) {
        self.report = report
        self.stories = stories
        self.chartFigures = chartFigures
    }
}
