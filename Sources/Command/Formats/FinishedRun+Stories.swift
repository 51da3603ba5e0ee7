import DeadzoneBase
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

extension FinishedRun {
    /// History of one phone under each strategy: the requested phone and replica, by default the first of each.
    var histories: [PhoneHistory] { histories(by: ParallelExecutor(jobs: 1)) }

    /// The same histories, simulated on several threads; fewer if the executor was stopped.
    func histories(by executor: ParallelExecutor) -> [PhoneHistory] {
        let markers = scenario.world.timeline.map(\.change.labels.scene)
        let history = PhoneHistory(
            phone: phone, horizon: scenario.world.horizon - .zero, prices: scenario.prices, markers: markers)
        return journals(by: executor, into: history)
    }

    /// Chart data, one element per strategy.
    var chartData: [ChartData] { totals.map { ChartData(of: $0, prices: scenario.prices) } }
}
