/// A scenario, or a strategy of one, or a group under it, of which a baseline and a run do not both have the same: nothing is
/// compared, and that is said. It fails nothing, since it is as a rule what somebody wanted; what it leaves unjudged is counted.
public struct Uncompared: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// Not in the baseline yet.
        case new
        /// In the baseline, and not among what was named.
        case gone
        /// In both, under another phone, timeline, traffic or server.
        case otherWorld = "other-world"
    }

    public var scenario: String
    /// Nil: all of them.
    public var strategy: String?
    /// A group of the population; nil: all phones.
    public var group: String?
    public var reason: Reason
    /// How many gates are measured by a baseline that it does not have.
    public var undecidedGates: Int

    public init(
        scenario: String, strategy: String? = nil, group: String? = nil, reason: Reason, undecidedGates: Int = 0
    ) {
        self.scenario = scenario
        self.strategy = strategy
        self.group = group
        self.reason = reason
        self.undecidedGates = undecidedGates
    }
}
