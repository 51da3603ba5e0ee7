import DeadzoneBase

/// A bound on one metric, applied to every scenario and strategy that the gate's name patterns match. `GateJudge` below
/// gives the verdict.
package struct Gate: Hashable, Sendable {
    package enum GateSeverity: String, Hashable, CaseIterable, Sendable {
        /// Disables an earlier gate of the same metric.
        case off
        case warn, error
    }

    package var level: GateSeverity
    /// Name patterns: `*` matches any run of characters, `?` matches one.
    package var scenarios: String
    package var strategies: String
    /// Pattern of population groups, each judged separately. `nil` for all phones together.
    package var groups: String?
    package var metric: String
    package var threshold: Threshold
    package var place: BoundLocation
    /// `true` for a bound of a preset. It applies only where a scenario has no bound of its own, and a client that
    /// already breaks it in the baseline gets a warning.
    package var isPreset = false

    package init(
        _ level: GateSeverity, scenarios: String, strategies: String, groups: String? = nil, metric: String,
        threshold: Threshold, place: BoundLocation
    ) {
        self.level = level
        self.scenarios = scenarios
        self.strategies = strategies
        self.groups = groups
        self.metric = metric
        self.threshold = threshold
        self.place = place
    }
}

/// The metric that a bound judges, of one subject.
package struct GateTarget: Hashable, Sendable {
    package let subject: Subject
    package let metric: String

    package init(subject: Subject, metric: String) {
        self.subject = subject
        self.metric = metric
    }
}

/// The file, line and column in which a bound on a metric is written.
package struct BoundLocation: Hashable, Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    /// `true` for an expectation of the scenario, `false` for a gate.
    package var isExpectation: Bool

    package init(file: String, line: Int, column: Int, isExpectation: Bool = false) {
        self.file = file
        self.line = line
        self.column = column
        self.isExpectation = isExpectation
    }

    /// For example `gates.yaml:4:12`; `recommended@1` for a bound that no file of the user contains (line 0).
    package var text: String { line == 0 ? file : "\(file):\(line):\(column)" }
}

/// The result of checking a bound on a metric for one strategy, or for one group under it. The bound is a gate or a
/// scenario's expectation.
package struct GateOutcome: Sendable {
    package var level: Gate.GateSeverity
    package var scenario: String
    package var outcome: Outcome
    /// `nil` for an expectation of a scenario if its file does not matter.
    package var place: BoundLocation?
    /// The replica that violates the bound most. `nil` if the bound holds.
    package var worst: WorstReplica?
    /// `true` for a bound of a preset.
    package var isPreset = false

    package var subject: Subject { outcome.expectation.subject }
    package var metric: String { outcome.expectation.metric }
    package var isFailure: Bool { outcome.verdict == .fail && level == .error }
    package var isWarning: Bool { outcome.verdict == .fail && level == .warn }

    package var isExpectation: Bool { place?.isExpectation ?? true }

    package init(
        _ level: Gate.GateSeverity, scenario: String, outcome: Outcome, place: BoundLocation?, worst: WorstReplica?
    ) {
        self.level = level
        self.scenario = scenario
        self.outcome = outcome
        self.place = place
        self.worst = worst
    }
}

/// A gate or expectation that a comparison could not judge, although its strategy runs.
package struct UnjudgedBound: Hashable, Sendable {
    package let scenario: String
    package let bound: UnjudgedExpectation
    package let place: BoundLocation

    package init(scenario: String, bound: UnjudgedExpectation, place: BoundLocation) {
        self.scenario = scenario
        self.bound = bound
        self.place = place
    }
}

package struct WorstReplica: Hashable, Sendable {
    package var replica: Int
    package var seed: UInt64
    package var value: Figure
    /// Value of the bound's reference in this replica.
    package var reference: Figure?
    /// Command that runs this replica alone.
    package var command: String
    /// For a bound relative to the baseline: the command that judges it again. `command` alone has no baseline.
    package var judgingCommand: String?

    package var commands: [String] { [judgingCommand, command].compactMap(\.self) }
}

/// Checks gates (bounds on metrics) and expectations against the results of a run.
package struct GateJudge: Sendable {
    /// Reference name that means the same strategy in the baseline.
    package static let baseline = "baseline"

    private let run: BaselineRun
    private let old: BaselineRun?
    private let command: @Sendable (_ strategies: [String], _ seed: UInt64) -> String
    /// Returns the command that judges a bound of a strategy relative to the baseline again.
    package var judgingCommand: @Sendable (_ strategy: String, BoundLocation?) -> String? = { _, _ in nil }

    /// - Parameter command: Returns the command that runs one replica alone.
    package init(
        _ run: BaselineRun, old: BaselineRun?,
        command: @escaping @Sendable (_ strategies: [String], _ seed: UInt64) -> String
    ) {
        self.run = run
        self.old = old
        self.command = command
    }

    /// Judges a bound of a preset. `nil` if the run measured nothing. If the baseline breaks the bound too, this is a
    /// warning: the change under test is not the reason.
    package func judgePreset(_ threshold: Threshold, of metric: String, _ subject: Subject, place: BoundLocation)
        -> GateOutcome?
    {
        guard var outcome = judge(threshold, of: metric, subject, level: .error, place: place),
            outcome.outcome.value != .nothing
        else { return nil }
        outcome.isPreset = true
        if outcome.isFailure, let before = old?.series(of: metric, subject)?.whole,
            Self.outcome(outcome.outcome.expectation, before, nil).verdict == .fail
        {
            outcome.level = .warn
        }
        return outcome
    }

    /// `nil` if the strategy or the bound's reference does not exist.
    package func judge(
        _ threshold: Threshold, of metric: String, _ subject: Subject, level: Gate.GateSeverity, place: BoundLocation?
    ) -> GateOutcome? {
        guard var own = run.series(of: metric, subject) else { return nil }
        var base: BaselineStrategy.MetricSeries?
        if let reference = threshold.reference {
            let other =
                reference == Self.baseline ? old?.series(of: metric, subject) : referred(reference, subject, metric)
            guard let other else { return nil }
            base = other
            // A run can have more or fewer replicas than its baseline. The others have no counterpart.
            if run.seed == old?.seed || reference != Self.baseline {
                let common = BaselineStrategy.MetricSeries.overCommonReplicas(own, other, metric)
                (own, base) = (common.new, common.old)
            }
        }
        var outcome = Self.outcome(
            Expectation(strategy: subject.strategy, group: subject.group, metric: metric, threshold: threshold),
            own.whole, base?.whole)
        outcome.pending = Expectation.pending(beside: metric) { run.series(of: $0, subject)?.whole ?? .nothing }
        return GateOutcome(
            level, scenario: run.name, outcome: outcome, place: place,
            worst: outcome.verdict == .pass ? nil : worst(own, base, outcome, place))
    }

    private func referred(_ name: String, _ subject: Subject, _ metric: String) -> BaselineStrategy.MetricSeries? {
        subject.resolve(to: name, run.has).flatMap { run.series(of: metric, $0) }
    }

    private static func outcome(_ expectation: Expectation, _ value: Figure, _ base: Figure?) -> Outcome {
        let threshold = expectation.threshold
        guard let bounds = threshold.resolved(reference: base) else {
            // If neither side has a number, nothing has changed.
            let isAsBefore = value == base && threshold.allowsNoChange
            return Outcome(
                expectation: expectation, value: value, bounds: nil, verdict: isAsBefore ? .pass : .fail,
                reason: isAsBefore ? nil : "\(threshold.reference ?? "") has no number to compare with")
        }
        let verdict: Verdict = threshold.isKept(by: value, bounds) ? .pass : .fail
        return Outcome(
            expectation: expectation, value: value, bounds: bounds, verdict: verdict,
            reason: verdict == .pass ? nil : value.reason(of: Catalogue.metric(named: expectation.metric)))
    }

    /// Finds the replica that violates the bound most. If the reference has paired replicas, the bound of a replica is
    /// that of the same replica of the reference. Otherwise this is the replica with the highest number, or the lowest
    /// for a lower bound.
    private func worst(
        _ own: BaselineStrategy.MetricSeries, _ base: BaselineStrategy.MetricSeries?, _ outcome: Outcome,
        _ place: BoundLocation?
    ) -> WorstReplica? {
        let threshold = outcome.expectation.threshold
        let isPaired = threshold.reference.map { $0 != Self.baseline || old?.seed == run.seed } ?? false
        let prefersLower = threshold.prefersLower(than: outcome)
        let samples = own.each.map(\.sample)
        let paired = samples.enumerated().map { index, sample -> Int128? in
            guard isPaired, let sample, let base, index < base.each.count else { return nil }
            return threshold.excess(of: sample, over: base.each[index], prefersLower: prefersLower)
        }
        // If the reference has no number in any replica, only the own numbers can be ordered.
        let ordered =
            paired.contains { $0 != nil } ? paired : samples.map { sample in sample.map { prefersLower ? $0 : -$0 } }
        var worst: (index: Int, excess: Int128)?
        for (index, excess) in ordered.enumerated() {
            guard let excess, worst.map({ excess > $0.excess }) ?? true else { continue }
            worst = (index, excess)
        }
        guard let worst else { return nil }
        let seed = run.seed.seed(ofReplica: worst.index)
        let subject = outcome.expectation.subject
        let other = threshold.reference.flatMap { $0 == Self.baseline ? nil : subject.resolve(to: $0, run.has) }
        let reference = isPaired ? base.flatMap { worst.index < $0.each.count ? $0.each[worst.index] : nil } : nil
        return WorstReplica(
            replica: worst.index, seed: seed, value: own.each[worst.index], reference: reference,
            command: command(
                [subject.strategy] + [other?.strategy].compactMap(\.self).filter { $0 != subject.strategy }, seed),
            judgingCommand: threshold.reference == Self.baseline ? judgingCommand(subject.strategy, place) : nil)
    }
}

extension Threshold {
    /// `true` if an unchanged value keeps the bound, even if it is not a number.
    fileprivate var allowsNoChange: Bool {
        switch (bound, relation) {
        case (.around, _): true
        case (.share(let ratio, _), .atMost), (.share(let ratio, _), .atLeast):
            ratio == Billionths(count: 1_000_000_000)
        default: false
        }
    }

    /// The distance of a replica's value beyond the bound that the reference's value in the same replica gives.
    /// Negative if the value keeps the bound, `nil` if the reference has nothing to compare with.
    fileprivate func excess(of sample: Int128, over reference: Figure, prefersLower: Bool) -> Int128? {
        guard let other = reference.sample else { return nil }
        var limit = other
        if other != ReplicaValue.never, let bounds = resolved(reference: .value(Billionths(count: other))) {
            limit = (prefersLower ? bounds.upperBound : bounds.lowerBound).count
        }
        return prefersLower ? ReplicaValue.difference(sample, limit) : ReplicaValue.difference(limit, sample)
    }

    fileprivate func prefersLower(than outcome: Outcome) -> Bool {
        switch relation {
        case .below, .atMost: return true
        case .above, .atLeast: return false
        case .equal, .between:
            guard case .value(let value) = outcome.value, let bounds = outcome.bounds else { return true }
            return value > bounds.upperBound
        }
    }
}

/// Matches the whole text against a pattern in which `*` is any run of characters and `?` is one. The number of steps
/// never exceeds the product of the lengths.
package func matchesPattern(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text.unicodeScalars), Array(pattern.unicodeScalars))
    var (t, p) = (0, 0)
    var lastStar: (pattern: Int, text: Int)?
    while t < text.count {
        if p < pattern.count, pattern[p] == "*" {
            lastStar = (p, t)
            p += 1
        } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
            (t, p) = (t + 1, p + 1)
        } else if let star = lastStar {
            lastStar = (star.pattern, star.text + 1)
            (p, t) = (star.pattern + 1, star.text + 1)
        } else {
            return false
        }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
}
