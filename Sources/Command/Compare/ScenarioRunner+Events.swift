import DeadzoneBase
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// Runs a replica again, to list the events of the first minute in which it differs from the baseline (the divergence).
extension ScenarioRunner {
    /// Adds to the divergence the events that happen there now.
    func withEvents(_ divergence: Divergence, of strategy: String, _ part: ComparePlan.ScenarioComparison) -> Divergence
    {
        let happening = rerunDivergence(divergence, of: strategy, part) { span in
            MinuteSummary(
                in: span,
                line: EventLineFormatter(
                    strategy: strategy, groups: part.scenario.groupNames, replica: divergence.replica,
                    conditions: part.scenario.changeTexts),
                hasManyPhones: part.scenario.world.phones > 1)
        }
        guard let happening else { return divergence }
        var described = divergence
        described.events = happening.events
        described.unseen = happening.omittedCount
        return described
    }

    /// The command that repeats one replica of the given strategies in one scenario, or in one cell of its matrix.
    static func command(
        _ file: String, _ scenario: Scenario, _ selection: StrategySelection, _ strategies: [String], _ seed: UInt64
    ) -> String {
        "deadzone run \(ShellWord.text(file))\(selection.onlyAdditions.shellText)"
            + "\(CellSelection.flags(of: scenario)) --seed \(seed) --replicas 1"
            + strategies.map { " --strategy " + ShellWord.text($0) }.joined()
    }
}
