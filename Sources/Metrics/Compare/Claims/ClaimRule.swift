/// Decides whether an article's claim is true, by bounds on measured numbers. The bounds are written in the syntax of
/// `expect`. The rule also has the verdict if they do not hold. It is a pure function from findings to a verdict.
package struct ClaimRule: Hashable, Sendable {
    /// A bound on one measured number of an article's claim. Its reference, if any, is another finding of the same
    /// cell.
    package struct ClaimBound: Hashable, Sendable {
        package let finding: String
        /// Text in the syntax of `Threshold`: "5s to 12s", "at most 60% of polling".
        package let words: String
    }

    /// The verdict on a published article's claim if one of its bounds does not hold in the simulation.
    package enum FailureVerdict: Hashable, Sendable {
        case refuted
        /// The bounds are one statement of an article, and the findings come from another statement of it.
        case contradiction
        /// Inert if each finding equals the reference of its bound, otherwise refuted.
        case inert
    }

    package let bounds: [ClaimBound]
    package let otherwise: FailureVerdict

    private init(_ bounds: KeyValuePairs<String, String>, otherwise: FailureVerdict) {
        precondition(!bounds.isEmpty, "a rule without a bound confirms anything")
        self.bounds = bounds.map { ClaimBound(finding: $0, words: $1) }
        self.otherwise = otherwise
    }

    /// A claim that is true if all bounds hold.
    package static func holds(_ bounds: KeyValuePairs<String, String>) -> Self { Self(bounds, otherwise: .refuted) }

    /// A claim that is true if other parts of the article, or its own code, agree with these bounds.
    package static func agrees(_ bounds: KeyValuePairs<String, String>) -> Self {
        Self(bounds, otherwise: .contradiction)
    }

    /// A claim that a setting changes a finding, compared with the finding without that setting.
    package static func moves(_ bounds: KeyValuePairs<String, String>) -> Self { Self(bounds, otherwise: .inert) }
}

extension ClaimRule {
    /// The findings that the bounds name, and their references.
    package var findings: [String] {
        bounds.flatMap { bound in
            [bound.finding] + (bound.words.split(separator: " of ", maxSplits: 1).dropFirst().map(String.init))
        }
    }

    /// Largest relative difference of two equal findings: one in a hundred.
    static let sameTolerance = Billionths(count: 10_000_000)

    /// The verdict on the claim in one simulated environment (cell).
    package func verdict(_ findings: [ClaimReport.ClaimFinding]) -> ClaimVerdict {
        let trials = bounds.map { BoundTest($0, findings) }
        if trials.contains(where: \.isOpen) { return .open }
        if trials.allSatisfy(\.isKept) { return .confirmed }
        return switch otherwise {
        case .refuted: .refuted
        case .contradiction: .contradiction
        case .inert: trials.allSatisfy(\.isSame) ? .inert : .refuted
        }
    }

    /// The combined verdict over all tried worlds. A claim that holds in only some of them is conditional.
    package static func verdict(_ cells: [ClaimVerdict]) -> ClaimVerdict {
        guard let first = cells.first, !cells.contains(.open) else { return .open }
        if cells.allSatisfy({ $0 == first }) { return first }
        if cells.contains(.confirmed) { return .conditional }
        return cells.contains(.contradiction) ? .contradiction : .refuted
    }

    /// Checks one bound of an article's claim against the measured number.
    struct BoundTest {
        let threshold: Threshold
        let figure: Figure
        let reference: Figure?

        /// Traps if the bound names a finding that does not exist, or cannot be parsed. Rules are part of the program,
        /// so that is a programming error.
        init(_ bound: ClaimBound, _ findings: [ClaimReport.ClaimFinding]) {
            func find(_ name: String) -> ClaimReport.ClaimFinding {
                guard let found = findings.first(where: { $0.name == name }) else {
                    preconditionFailure("no finding “\(name)” among \(findings.map(\.name))")
                }
                return found
            }
            let finding = find(bound.finding)
            do throws(ThresholdFault) {
                threshold = try Threshold(bound.words, in: finding.unit)
            } catch {
                preconditionFailure("“\(bound.finding): \(bound.words)”: \(error.message)")
            }
            figure = finding.figure
            reference = threshold.reference.map { find($0).figure }
        }

        private var bounds: ClosedRange<Billionths>? { threshold.resolved(reference: reference) }

        var isOpen: Bool { figure == .nothing || bounds == nil }
        var isKept: Bool { bounds.map { threshold.isKept(by: figure, $0) } ?? false }

        var isSame: Bool {
            guard case .value(let own) = figure, case .value(let other)? = reference else { return figure == reference }
            return (own.count - other.count).magnitude <= other.times(sameTolerance).count.magnitude
        }
    }
}
