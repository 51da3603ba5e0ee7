public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

// How findings are said, in whatever kind of report.

extension MetricChange {
    /// The sign of a row. Never colour alone.
    var mark: String {
        switch decision {
        case .same: "="
        case .better: "+"
        case .worse: "!"
        case .changed: "*"
        case .small: "."
        case .undecided: "~"
        }
    }

    /// `38.2 J`.
    var newText: String { new.text(metric.unit) }
    var oldText: String { old.text(metric.unit) }

    /// What has become of the figure: `+12%`, or that it has only now become one.
    public var changeText: String { Self.changeText(old, new) }

    static func changeText(_ old: Figure, _ new: Figure) -> String {
        switch (old, new) {
        case (.value(let old), .value(let new)):
            return old == new ? "" : NumberText.change(from: old, to: new) ?? (new > old ? "from 0" : "")
        case (.never, .value): return "arrives now"
        case (.value, .never): return "never arrives now"
        default: return ""
        }
    }

    /// The difference of the means and where it lies, in the unit of the figures: `-0.41 J [-0.52, -0.30]`.
    public var differenceText: String {
        // Of one pair the figures themselves say it.
        guard contrast.count > 1 else { return "" }
        guard let difference = contrast.difference else { return old == new ? "" : "not a number in every replica" }
        let largest = [old, new].compactMap(\.billionths).max() ?? .zero
        let unit = PrintedUnit(metric.unit, for: largest)
        let interval =
            contrast.interval.map { " [\(Self.signed($0.lowerBound, unit)), \(Self.signed($0.upperBound, unit))]" }
            ?? ""
        return Self.signed(difference, unit) + (unit.name.isEmpty ? "" : " " + unit.name) + interval
    }

    private static func signed(_ number: Int128, _ unit: PrintedUnit) -> String {
        let text = unit.text(Billionths(count: Int128(number.magnitude)))
        return number == 0 ? text : (number < 0 ? "-" : "+") + text
    }

    /// `lower in 18 of 20`.
    var pairsText: String {
        guard contrast.isPaired else { return "unpaired" }
        if contrast.lower == 0 && contrast.higher == 0 { return "" }
        let (word, count) =
            contrast.lower >= contrast.higher ? ("lower", contrast.lower) : ("higher", contrast.higher)
        return "\(word) in \(count) of \(contrast.count)"
    }

    /// `p < 0.001`, three places otherwise.
    public var pText: String {
        if contrast.count <= 1 { return "" }
        if adjusted >= 1 { return "p = 1" }
        let thousandths = Int((adjusted * 1_000).rounded())
        if thousandths == 0 { return "p < 0.001" }
        return "p = " + NumberText.decimal(Billionths(count: Int128(thousandths) * 1_000_000), places: 3)
    }
}

extension Metric {
    /// As tables call it, and as files do: `Energy (battery.joules)`.
    var titled: String { "\(label) (\(name))" }
}

extension GateOutcome {
    /// The bound as a person would say it.
    public var boundText: String { outcome.expectation.threshold.words(unitOfMetric, outcome.bounds) }

    public var valueText: String { outcome.valueText }

    var unitOfMetric: Metric.Unit { Catalogue.metric(named: metric)?.unit ?? .count }

    /// `keepalive.pings of tuned is 12; at most 3 was asked for`.
    var sentence: String {
        "\(metric) of \(subject.name.visible) is \(valueText); the bound is \(boundText)"
    }

    public var worstText: String? {
        worst.map { worst in
            let was = worst.reference.map { " against \($0.text(unitOfMetric))" } ?? ""
            return "worst in replica \(worst.replica), seed \(worst.seed): \(worst.value.text(unitOfMetric))\(was)"
        }
    }

    /// How far beyond its bound, as a share of the bound: what to show first.
    var excess: Double {
        guard let bounds = outcome.bounds, case .value(let value) = outcome.value else { return .infinity }
        let distance =
            value < bounds.lowerBound
            ? bounds.lowerBound.double - value.double : max(0, value.double - bounds.upperBound.double)
        return distance / max(abs(bounds.lowerBound.double), 1e-9)
    }
}

extension Divergence {
    public var placeText: String {
        guard let from else { return "replica \(replica), seed \(seed)" }
        let end = from + length
        return "replica \(replica), seed \(seed), between \(DurationText.short(from)) and \(DurationText.short(end))"
    }
}

extension StrategyComparison {
    /// What the numbers below are about, in one line.
    public var storyText: String {
        if let against { return "against \(against.visible)" }
        let replicas = replicas == 1 ? "1 replica" : "\(replicas) replicas"
        let settings = hash == oldHash ? "same settings" : "other settings"
        guard let unchangedReplicas else { return "\(settings), other seeds: not paired" }
        if unchangedReplicas == self.replicas { return "\(settings), same behaviour in \(replicas)" }
        return "\(settings), other behaviour in \(self.replicas - unchangedReplicas) of \(replicas)"
    }
}

extension ComparedScenario {
    /// What to do where there are too few replicas for any of so many metrics to be decided.
    public func advice(for comparison: StrategyComparison) -> String? {
        let needed = comparison.neededReplicas
        guard replicas < needed, comparison.findings.contains(where: { $0.decision == .undecided }) else { return nil }
        let few = CompareReport.count(replicas, "replica", "replicas")
        return "\(few) cannot decide so many metrics, run at least \(needed) with --replicas"
    }
}

extension CompareReport {
    /// One sentence for a heading.
    public var summary: String {
        let failures = outcomes.count(where: \.isFailure)
        let warnings = outcomes.count(where: \.isWarning)
        var parts: [String] = []
        if !isComplete { parts.append("stopped before its end") }
        let unsound = scenarios.count { !$0.troubles.isEmpty }
        if unsound > 0 { parts.append(Self.count(unsound, "scenario proves nothing", "scenarios prove nothing")) }
        if !regressions.isEmpty { parts.append(Self.count(regressions.count, "regression", "regressions")) }
        if !outcomes.isEmpty {
            let bound = hasGates ? "gate" : "expectation"
            parts.append(
                failures == 0
                    ? "all \(outcomes.count - warnings) \(bound)s hold"
                    : "\(failures) of \(Self.count(outcomes.count, "\(bound) does", "\(bound)s do")) not hold")
        }
        if warnings > 0 { parts.append(Self.count(warnings, "warning", "warnings")) }
        if reference == .baseline {
            let changed = scenarios.count { $0.comparisons.contains { $0.unchangedReplicas != nil && !$0.isUnchanged } }
            parts.append(
                changed == 0
                    ? "nothing behaves otherwise than before"
                    : "\(changed) of \(Self.count(scenarios.count, "scenario behaves", "scenarios behave")) otherwise")
        }
        if case .strategy(let name) = reference {
            let all = scenarios.flatMap { $0.allComparisons.flatMap(\.findings) }
            let counts = [(MetricChange.Decision.better, "better"), (.worse, "worse"), (.undecided, "undecided")]
                .compactMap {
                    decision, word in
                    let count = all.count { $0.decision == decision }
                    return count == 0 ? nil : "\(count) \(word)"
                }
            parts.append("against \(name.visible): " + (counts.isEmpty ? "the same" : counts.joined(separator: ", ")))
        }
        if !uncompared.isEmpty { parts.append("not compared: " + Uncompared.summary(uncompared)) }
        return parts.isEmpty ? "compared" : parts.joined(separator: "; ")
    }

    public static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

extension CompareReport {
    /// Of the bounds on what is lost that are kept while something is pending.
    var pendingText: String? {
        let count = outcomes.count { $0.outcome.verdict == .pass && $0.outcome.pending != nil }
        guard count > 0 else { return nil }
        return
            "\(Self.count(count, "bound", "bounds")) on what is lost held while messages were pending: -v and --json say how many"
    }
}

extension Uncompared.Reason {
    fileprivate var words: String {
        switch self {
        case .new: "new: not in the baseline"
        case .gone: "gone: in the baseline, and not among what was named"
        case .otherWorld: "changed: another world than the baseline's"
        }
    }

    /// With a number before it.
    fileprivate var counted: String { self == .otherWorld ? "of another world" : rawValue }
}

extension Uncompared {
    public var name: String { ([scenario] + [strategy, group].compactMap(\.self)).joined(separator: ", ") }

    /// `new: not in the baseline; 2 gates of the baseline decide nothing`.
    public var sentence: String {
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
