package import DeadzoneScenarios

/// The question that `tune` answers: which scenarios, which settings, which goals and demands, and at which cost.
package struct TuneRequest: Sendable {
    /// Goals if none are named: energy, and the first of these latencies that is measured.
    static let energy = "battery.above_idle_joules"
    static let latencies = ["latency.down.p95", "latency.call.p95", "latency.up.p95"]
    /// Without demands, no goal may be worse than this many percent of the present value: settings with a tenth of the
    /// energy and a thousand times the latency are of no use.
    static let worstPercent = 200
    /// Losses that must not grow, unless a demand names them.
    static let losses = ["delivery.down.lost", "delivery.up.lost", "calls.failed"]
    /// Name of the present settings in a demand such as `at most 100% of present`.
    static let present = "present"
    /// Simulations of the search, unless the user chooses another number.
    package static let usualBudget = 2_000

    package var scenarios: [Scenario]
    /// Scenarios that the search never sees.
    package var heldOut: [Scenario] = []
    /// The strategy to tune; `nil` if the scenarios have only one.
    package var strategy: String?
    /// Settings with their values, such as `keepalive.interval=20s..30m`. Empty varies every number.
    package var varied: [String] = []
    /// Names of metrics to improve. Empty chooses energy and a latency.
    package var goals: [String] = []
    /// Bounds such as `latency.down.p95: under 5s`. In addition, no more may be lost than now.
    package var demands: [String] = []
    package var budget = usualBudget
    package var seed: UInt64?
    /// Replicas of the printed numbers; `nil` takes the largest number of the scenarios, or the number that can decide.
    package var replicas: Int?

    package init(scenarios: [Scenario]) { self.scenarios = scenarios }
}
