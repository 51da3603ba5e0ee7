/// A scenario, strategy or group that was not compared, because only the baseline or only the run has it. It is
/// reported but is not a failure, unless the comparison is strict, since such changes are usually intended. The gates
/// that remain undecided are counted.
package struct Uncompared: Hashable, Sendable {
    package enum UncomparedReason: String, CaseIterable, Sendable {
        /// Not in the baseline yet.
        case new
        /// In the baseline, but not among the requested scenarios.
        case gone
        /// In both, but with another phone, timeline, traffic or server.
        case otherWorld = "other-world"
    }

    package var scenario: String
    /// `nil` for all strategies.
    package var strategy: String?
    /// Group of the population. `nil` for all phones.
    package var group: String?
    package var reason: UncomparedReason
    /// Number of gates that refer to a baseline value which does not exist.
    package var undecidedGates: Int

    package init(
        scenario: String, strategy: String? = nil, group: String? = nil, reason: UncomparedReason,
        undecidedGates: Int = 0
    ) {
        self.scenario = scenario
        self.strategy = strategy
        self.group = group
        self.reason = reason
        self.undecidedGates = undecidedGates
    }
}
