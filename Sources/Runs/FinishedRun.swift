public import DeadzoneCompare
public import DeadzoneJournal
public import DeadzoneMetrics
public import DeadzoneScenarios

/// One scenario, or one cell of a matrix, with all its strategies.
public struct FinishedRun: Sendable {
    public let report: RunReport
    public let scenario: Scenario
    public let contenders: [Contender]
    private let assignment: Assignment
    /// For charts, all replicas of each strategy together; empty where nobody draws any.
    public let totals: [RunFold]
    /// Somebody wants no more of it; what is being made then is thrown away.
    private let isStopped: @Sendable () -> Bool

    public init(
        report: RunReport, scenario: Scenario, contenders: [Contender], assignment: Assignment, totals: [RunFold] = [],
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.report = report
        self.scenario = scenario
        self.contenders = contenders
        self.assignment = assignment
        self.totals = totals
        self.isStopped = isStopped
    }

    /// The one phone that pictures and packets are of: the first that runs what is compared, where nobody asked for another.
    public var phone: UInt32 { assignment.phone ?? assignment.firstCompared }

    /// Everything that happened to one strategy in the first replica.
    public func journal(of strategy: Int, into recorder: inout some Recorder) {
        assignment.again(strategy, 0, into: &recorder, isStopped)
    }
}
