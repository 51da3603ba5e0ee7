import DeadzoneMetrics

/// What has to be found for a claim to be true, in the words of `expect`, and what it is where that is not found. A pure function
/// from findings to a verdict.
public struct ClaimRule: Hashable, Sendable {
    /// A bound that one finding has to keep; what it is measured by is another finding of the same cell.
    public struct Bound: Hashable, Sendable {
        public let finding: String
        /// As `Threshold` reads them: "5s to 12s", "at most 60% of polling".
        public let words: String
    }

    /// What a claim is of which a bound is not kept.
    public enum Otherwise: Hashable, Sendable {
        case refuted
        /// The bounds are one statement of an article and the findings come of another one.
        case contradiction
        /// Inert where each finding is the same as what its bound is measured by; else refuted.
        case inert
    }

    public let bounds: [Bound]
    public let otherwise: Otherwise

    private init(_ bounds: KeyValuePairs<String, String>, otherwise: Otherwise) {
        precondition(!bounds.isEmpty, "a rule without a bound confirms anything")
        self.bounds = bounds.map { Bound(finding: $0, words: $1) }
        self.otherwise = otherwise
    }

    /// True if all of these are kept.
    public static func holds(_ bounds: KeyValuePairs<String, String>) -> Self { Self(bounds, otherwise: .refuted) }

    /// What the article says elsewhere, or its own code does, agrees with this.
    public static func agrees(_ bounds: KeyValuePairs<String, String>) -> Self {
        Self(bounds, otherwise: .contradiction)
    }

    /// A setting moves a finding from what it is without that setting.
    public static func moves(_ bounds: KeyValuePairs<String, String>) -> Self { Self(bounds, otherwise: .inert) }
}

extension ClaimRule {
    /// How little a finding may differ from another to be the same: what differs by more than one in a hundred was changed.
    static let sameness = Billionths(count: 10_000_000)

    /// Of one world.
    public func verdict(_ findings: [ClaimReport.Finding]) -> ClaimVerdict {
        let trials = bounds.map { Trial($0, findings) }
        if trials.contains(where: \.isOpen) { return .open }
        if trials.allSatisfy(\.isKept) { return .confirmed }
        return switch otherwise {
        case .refuted: .refuted
        case .contradiction: .contradiction
        case .inert: trials.allSatisfy(\.isSame) ? .inert : .refuted
        }
    }

    /// Of all worlds that were looked at: where the claim holds in some of them, it depends on which.
    public static func verdict(_ cells: [ClaimVerdict]) -> ClaimVerdict {
        guard let first = cells.first, !cells.contains(.open) else { return .open }
        if cells.allSatisfy({ $0 == first }) { return first }
        if cells.contains(.confirmed) { return .conditional }
        return cells.contains(.contradiction) ? .contradiction : .refuted
    }

    /// One bound, tried.
    struct Trial {
        let threshold: Threshold
        let figure: Figure
        let reference: Figure?

        /// A rule that speaks of what nobody measures, or cannot be read, is a mistake of ours.
        init(_ bound: Bound, _ findings: [ClaimReport.Finding]) {
            func find(_ name: String) -> ClaimReport.Finding {
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
            return (own.count - other.count).magnitude <= other.times(sameness).count.magnitude
        }
    }
}
