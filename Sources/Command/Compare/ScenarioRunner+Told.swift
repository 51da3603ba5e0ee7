import DeadzoneEngine
import DeadzoneCompare
import DeadzoneDocuments
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneTraces
import DeadzoneWorld

extension ScenarioRunner {
    /// The same with what happens there now.
    func told(_ divergence: Divergence, of strategy: String, _ part: ComparePlan.Part) -> Divergence {
        let happening = again(divergence, of: strategy, part) { span in
            Happening(
                in: span,
                line: EventLine(
                    strategy: strategy, groups: part.scenario.groupNames, replica: divergence.replica,
                    conditions: part.scenario.textsOfChanges),
                hasManyPhones: part.scenario.world.phones > 1)
        }
        guard let happening else { return divergence }
        var told = divergence
        told.events = happening.events
        told.unseen = happening.unseen
        return told
    }

    /// Repeats one replica of some strategies.
    static func command(_ file: String, _ strategies: [String], _ seed: UInt64) -> String {
        "deadzone run \(ShellWord.text(file)) --seed \(seed) --replicas 1"
            + strategies.map { " --strategy " + ShellWord.text($0) }.joined()
    }
}
