public import DeadzoneMetrics
import DeadzonePrimitives

/// A bound that scenarios have to keep whichever they are: one metric of every strategy that its patterns match.
public struct Gate: Hashable, Sendable {
    public enum Level: String, Hashable, CaseIterable, Sendable {
        /// It switches off an earlier gate of the same metric.
        case off
        case warn, error
    }

    public var level: Level
    /// Patterns of names, with `*` for any run of characters and `?` for one.
    public var scenarios: String
    public var strategies: String
    /// A pattern of groups of the population, each of which is judged by itself; nil: all phones together.
    public var groups: String?
    public var metric: String
    public var threshold: Threshold
    public var place: WrittenPlace

    public init(
        _ level: Level, scenarios: String, strategies: String, groups: String? = nil, metric: String,
        threshold: Threshold, place: WrittenPlace
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

/// Where a bound is written.
public struct WrittenPlace: Hashable, Sendable {
    public var file: String
    public var line: Int
    public var column: Int
    /// An expectation of the scenario itself, or else a gate.
    public var isExpectation: Bool

    public init(file: String, line: Int, column: Int, isExpectation: Bool = false) {
        self.file = file
        self.line = line
        self.column = column
        self.isExpectation = isExpectation
    }

    /// `gates.yaml:4:12`.
    public var text: String { "\(file):\(line):\(column)" }
}

/// How a gate, or an expectation of a scenario, came out for one strategy or one group under it.
public struct GateOutcome: Sendable {
    public var level: Gate.Level
    public var scenario: String
    public var outcome: Outcome
    /// Nil: in a scenario, and its file does not matter.
    public var place: WrittenPlace?
    /// The replica that is furthest on the wrong side. Nil for what holds.
    public var worst: WorstReplica?

    public var subject: Subject { outcome.expectation.subject }
    public var metric: String { outcome.expectation.metric }
    public var isFailure: Bool { outcome.verdict == .fail && level == .error }
    public var isWarning: Bool { outcome.verdict == .fail && level == .warn }

    public var isExpectation: Bool { place?.isExpectation ?? true }

    public init(_ level: Gate.Level, scenario: String, outcome: Outcome, place: WrittenPlace?, worst: WorstReplica?) {
        self.level = level
        self.scenario = scenario
        self.outcome = outcome
        self.place = place
        self.worst = worst
    }
}

public struct WorstReplica: Hashable, Sendable {
    public var replica: Int
    public var seed: UInt64
    public var value: Figure
    /// What the bound was measured by in this replica.
    public var reference: Figure?
    /// Runs this replica alone.
    public var command: String
}

/// Judges bounds by what a run came to.
public struct GateJudge: Sendable {
    /// The word that means the same strategy in the baseline.
    public static let baseline = "baseline"

    private let run: BaselineRun
    private let old: BaselineRun?
    private let command: @Sendable (_ strategies: [String], _ seed: UInt64) -> String

    public init(
        _ run: BaselineRun, old: BaselineRun?,
        command: @escaping @Sendable (_ strategies: [String], _ seed: UInt64) -> String
    ) {
        self.run = run
        self.old = old
        self.command = command
    }

    /// Nil if the strategy, or what the bound is measured by, is not there.
    public func judge(
        _ threshold: Threshold, of metric: String, _ subject: Subject, level: Gate.Level, place: WrittenPlace?
    ) -> GateOutcome? {
        guard let own = run.series(of: metric, subject) else { return nil }
        var base: BaselineStrategy.Series?
        if let reference = threshold.reference {
            let other =
                reference == Self.baseline ? old?.series(of: metric, subject) : referred(reference, subject, metric)
            guard let other else { return nil }
            base = other
        }
        var outcome = Self.outcome(
            Expectation(strategy: subject.strategy, group: subject.group, metric: metric, threshold: threshold),
            own.whole, base?.whole)
        outcome.pending = Expectation.pending(beside: metric) { run.series(of: $0, subject)?.whole ?? .nothing }
        return GateOutcome(
            level, scenario: run.name, outcome: outcome, place: place,
            worst: outcome.verdict == .pass ? nil : worst(own, base, outcome))
    }

    private func referred(_ name: String, _ subject: Subject, _ metric: String) -> BaselineStrategy.Series? {
        subject.referred(to: name, run.has).flatMap { run.series(of: metric, $0) }
    }

    private static func outcome(_ expectation: Expectation, _ value: Figure, _ base: Figure?) -> Outcome {
        let threshold = expectation.threshold
        guard let bounds = threshold.resolved(reference: base) else {
            // As little to measure as before is no change.
            let isAsBefore = value == base && threshold.allowsNoChange
            return Outcome(
                expectation: expectation, value: value, bounds: nil, verdict: isAsBefore ? .pass : .fail,
                reason: isAsBefore ? nil : "\(threshold.reference ?? "") came to no number to compare with")
        }
        let verdict: Verdict = threshold.isKept(by: value, bounds) ? .pass : .fail
        return Outcome(
            expectation: expectation, value: value, bounds: bounds, verdict: verdict,
            reason: verdict == .pass ? nil : value.reason(of: Catalogue.metric(named: expectation.metric)))
    }

    /// Measured by the baseline, the replica that has moved furthest; else the one with the highest number, or the lowest
    /// where the bound is one from below.
    private func worst(
        _ own: BaselineStrategy.Series, _ base: BaselineStrategy.Series?, _ outcome: Outcome
    ) -> WorstReplica? {
        let threshold = outcome.expectation.threshold
        let isPaired = threshold.reference.map { $0 != Self.baseline || old?.seed == run.seed } ?? false
        let wantsLess = threshold.wantsLess(than: outcome)
        var worst: (index: Int, distance: Int128)?
        for (index, figure) in own.each.enumerated() {
            guard let sample = figure.sample else { continue }
            var distance = wantsLess ? sample : -sample
            if isPaired, let base, index < base.each.count, let other = base.each[index].sample {
                let way = ReplicaValue.difference(sample, other)
                distance = wantsLess ? way : -way
            }
            if worst.map({ distance > $0.distance }) ?? true { worst = (index, distance) }
        }
        guard let worst else { return nil }
        let seed = run.seed.seed(ofReplica: worst.index)
        let subject = outcome.expectation.subject
        let other = threshold.reference.flatMap { $0 == Self.baseline ? nil : subject.referred(to: $0, run.has) }
        let reference = isPaired ? base.flatMap { worst.index < $0.each.count ? $0.each[worst.index] : nil } : nil
        return WorstReplica(
            replica: worst.index, seed: seed, value: own.each[worst.index], reference: reference,
            command: command(
                [subject.strategy] + [other?.strategy].compactMap(\.self).filter { $0 != subject.strategy }, seed))
    }
}

extension Threshold {
    /// What is as it was keeps the bound, number or none.
    fileprivate var allowsNoChange: Bool {
        switch (bound, relation) {
        case (.around, _): true
        case (.share(let ratio, _), .atMost), (.share(let ratio, _), .atLeast):
            ratio == Billionths(count: 1_000_000_000)
        default: false
        }
    }

    fileprivate func wantsLess(than outcome: Outcome) -> Bool {
        switch relation {
        case .below, .atMost: return true
        case .above, .atLeast: return false
        case .equal, .between:
            guard case .value(let value) = outcome.value, let bounds = outcome.bounds else { return true }
            return value > bounds.upperBound
        }
    }
}

/// Whether the whole text fits a pattern in which `*` is any run of characters and `?` is one. Never more steps than the
/// product of the lengths.
public func fits(_ text: String, _ pattern: String) -> Bool {
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
