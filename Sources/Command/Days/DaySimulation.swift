import DeadzoneBase
import DeadzoneCaptures
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator

/// One replica of the strategies of a recorded day, and how well its radio activity agrees with the recording.
struct DaySimulation {
    /// Name and history of each strategy, in the order of the scenario.
    let histories: [(name: String, history: PhoneHistory)]
    /// The agreement of the last strategy, which is the recommended one. `nil` without a radio that was ever busy.
    let agreement: RadioAgreement?
    /// Why the day cannot be simulated; `nil` if it can.
    let refusal: String?

    init(_ day: PhoneDay, _ scenario: DayScenario, _ vocabulary: Vocabulary, _ isStopped: () -> Bool) {
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(
            Array(scenario.text.utf8), name: "day.yaml")
        guard loaded.faults.isEmpty, let scenario = loaded.scenarios.first else {
            histories = []
            agreement = nil
            refusal = loaded.faults.sorted.first?.message ?? "no scenario"
            return
        }
        refusal = nil
        let plan = SimulationPlan(
            scenario, scenario.strategies.map(\.strategy), seed: scenario.seed ?? 1, replicas: 1)
        let markers = scenario.world.timeline.map(\.change.labels.scene)
        var found: [(name: String, history: PhoneHistory)] = []
        for (index, strategy) in scenario.strategies.enumerated() {
            var history = PhoneHistory(
                horizon: scenario.world.horizon - .zero, prices: scenario.prices, markers: markers)
            plan.rerun(index, 0, into: &history, isStopped)
            found.append((strategy.name, history))
        }
        histories = found
        agreement = found.last.flatMap { Self.agreement(day, $0.name, $0.history) }
    }

    /// Treats the simulated packets as the phone treats real ones: a radio is busy until its timeout after the last
    /// packet. The radio's own tails do not matter here.
    private static func agreement(_ day: PhoneDay, _ name: String, _ history: PhoneHistory) -> RadioAgreement? {
        func busy(_ interface: Interface, _ timeout: RadioTimeout) -> Lane<Bool> {
            var changes: [(at: Int64, value: Bool)] = []
            var end = Int64.min
            for packet in history.packets where packet.interface == interface {
                let at = packet.at / 1_000_000
                if end < at {
                    if end > .min { changes.append((end, false)) }
                    changes.append((at, true))
                }
                end = max(end, at + timeout.milliseconds)
            }
            if end > .min { changes.append((min(end, day.length), false)) }
            return Lane(changes.filter { $0.at < day.length }, from: false, until: day.length)
        }
        return RadioAgreement(
            strategy: name, day, mobile: busy(.cellular, day.mobileTimeout), wifi: busy(.wifi, day.wifiTimeout))
    }
}
