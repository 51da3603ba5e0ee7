import DeadzoneBase

/// Bounds and baselines that results keep by more than a tenth. A change for the worse within this room goes unnoticed.
extension CompareReport {
    /// Absolute bounds of the user that could be tighter. Bounds of a preset cannot be edited.
    package var looseBounds: [GateOutcome] { outcomes.filter(\.isLoose) }

    /// Primary metrics that are significantly better than in the baseline. To save the baseline again keeps the gain.
    package var gains: [Regression] {
        guard reference == .baseline else { return [] }
        return scenarios.flatMap { scenario in
            scenario.allComparisons.flatMap { comparison in
                comparison.findings.filter { $0.family == .primary && $0.isGain }.map {
                    Regression(scenario: scenario, subject: comparison.subject, change: $0)
                }
            }
        }
    }
}

extension GateOutcome {
    /// `true` for an absolute bound in the direction in which a better metric moves, if it is kept with room.
    fileprivate var isLoose: Bool {
        guard outcome.verdict == .pass, !isPreset, outcome.expectation.threshold.reference == nil,
            case .value(let value) = outcome.value, let bounds = outcome.bounds
        else { return false }
        let better = Catalogue.metric(named: metric)?.better
        switch outcome.expectation.threshold.relation {
        case .below, .atMost:
            return better == .lower && value.count < bounds.lowerBound.times(Self.nine).count
        case .above, .atLeast:
            return better == .higher && value.times(Self.nine).count > bounds.lowerBound.count
        case .equal, .between: return false
        }
    }

    /// Nine tenths.
    private static let nine = Billionths(count: 900_000_000)
}

extension MetricChange {
    fileprivate var isGain: Bool {
        guard decision == .better, case .value(let new) = new, case .value(let old) = old else { return false }
        return (new.count - old.count).magnitude * 10 > old.count.magnitude
    }
}
