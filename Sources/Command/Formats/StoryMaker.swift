import DeadzoneEngine
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces
import DeadzoneWorld

extension FinishedRun {
    /// What happened to one phone, if nobody asked for another the first in the first replica, under each strategy.
    var stories: [Story] {
        let scenes = scenario.world.timeline.map(\.change.row.scene)
        return contenders.indices.map { strategy in
            var story = Story(
                phone: phone, horizon: scenario.world.horizon - .zero, prices: scenario.prices, scenes: scenes)
            journal(of: strategy, into: &story)
            return story
        }
    }

    /// What charts need, one for each strategy.
    var chartFigures: [ChartFigures] { totals.map { ChartFigures(of: $0, prices: scenario.prices) } }
}
