import DeadzoneBase
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

extension FinishedRun {
    /// History of one phone under each strategy: the requested phone and replica, by default the first of each.
    var histories: [PhoneHistory] {
        let markers = scenario.world.timeline.map(\.change.labels.scene)
        return namedStrategies.indices.map { strategy in
            var history = PhoneHistory(
                phone: phone, horizon: scenario.world.horizon - .zero, prices: scenario.prices, markers: markers)
            journal(of: strategy, into: &history)
            return history
        }
    }

    /// Chart data, one element per strategy.
    var chartData: [ChartData] { totals.map { ChartData(of: $0, prices: scenario.prices) } }
}
