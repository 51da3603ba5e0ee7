/// A scenario, or a strategy of one, of which a baseline and a run do not both have the same: nothing is compared, and that is
/// said. It fails nothing, since it is as a rule what somebody wanted; what it leaves unjudged is counted.
public struct Uncompared: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// Not in the baseline yet.
        case new
        /// In the baseline, and not among what was named.
        case gone
        /// In both, under another phone, timeline, traffic or server.
        case otherWorld = "other-world"

        var words: String {
            switch self {
            case .new: "new: not in the baseline"
            case .gone: "gone: in the baseline, and not among what was named"
            case .otherWorld: "changed: another world than the baseline's"
            }
        }

        /// With a number before it.
        fileprivate var counted: String { self == .otherWorld ? "of another world" : rawValue }
    }

    public var scenario: String
    /// Nil: all of them.
    public var strategy: String?
    public var reason: Reason
    /// How many gates are measured by a baseline that it does not have.
    public var undecidedGates: Int

    public init(scenario: String, strategy: String? = nil, reason: Reason, undecidedGates: Int = 0) {
        self.scenario = scenario
        self.strategy = strategy
        self.reason = reason
        self.undecidedGates = undecidedGates
    }

    var name: String { ([scenario] + [strategy].compactMap(\.self)).joined(separator: ", ") }

    /// `new: not in the baseline; 2 gates of the baseline decide nothing`.
    var sentence: String {
        let gates = CompareReport.count(
            undecidedGates, "gate of the baseline decides nothing", "gates of the baseline decide nothing")
        return reason.words + (undecidedGates == 0 ? "" : "; " + gates)
    }

    /// For the one line that everybody reads: `2 new, 1 gone`.
    static func summary(_ all: [Uncompared]) -> String {
        Reason.allCases.compactMap { reason in
            let count = all.count { $0.reason == reason }
            return count == 0 ? nil : "\(count) \(reason.counted)"
        }.joined(separator: ", ")
    }

    static let advice =
        "deadzone baseline save FILE… --baseline FILE saves what is named anew and keeps the rest; --replace drops the rest"
}
