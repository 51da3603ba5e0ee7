import DeadzoneBase

/// A bound that a scenario sets on one metric of a strategy, or of one group of phones under it.
package struct Expectation: Hashable, Sendable {
    package let subject: Subject
    package let metric: String
    package let threshold: Threshold

    package init(strategy: String, group: String? = nil, metric: String, threshold: Threshold) {
        subject = Subject(strategy, group: group)
        self.metric = metric
        self.threshold = threshold
    }

    package var strategy: String { subject.strategy }
}

/// An expectation that a run could not judge, for example because only one replica ran.
package struct UnjudgedExpectation: Hashable, Sendable {
    package let expectation: Expectation
    /// For example `only replica 0 ran`.
    package let reason: String

    package init(_ expectation: Expectation, reason: String) {
        self.expectation = expectation
        self.reason = reason
    }
}

package enum Verdict: String, Hashable, Sendable {
    case pass, fail
}

/// The result of checking an expectation (a scenario's bound on a metric): the value and the verdict.
package struct Outcome: Hashable, Sendable {
    package let expectation: Expectation
    package let value: Figure
    /// The bound in numbers. `nil` if its reference has no number.
    package let bounds: ClosedRange<Billionths>?
    package let verdict: Verdict
    /// Reason of the failure, if the numbers do not show it.
    package let reason: String?
    /// For a bound on lost messages, or on failed or successful calls: the messages or calls that are still pending,
    /// whether the bound holds or not. `nil` if there are none.
    package var pending: Figure?
}

/// An input error in an expectation (a scenario's bound on a metric), such as an unknown metric. The expectation cannot
/// be judged and never passes.
package enum ExpectationFault: Error, Hashable, Sendable {
    case unknownMetric(String)
    case unknownStrategy(String)
    case unknownGroup(String)
}

extension Expectation {
    /// Judges the expectation by the measurements of the run's strategies and groups.
    package func judged(by measurements: [Subject: Measurement]) throws(ExpectationFault) -> Outcome {
        guard let row = Catalogue.metric(named: metric) else { throw .unknownMetric(metric) }
        guard let own = measurements[subject], let value = own.figure(metric) else {
            guard let group = subject.group, measurements[Subject(strategy)] != nil else {
                throw .unknownStrategy(strategy)
            }
            throw .unknownGroup(group)
        }
        var base: Figure?
        if let name = threshold.reference {
            let other = subject.resolve(to: name) { measurements[$0] != nil }
            guard let other, let figure = measurements[other]?.figure(metric) else { throw .unknownStrategy(name) }
            base = figure
        }
        guard let bounds = threshold.resolved(reference: base) else {
            return Outcome(
                expectation: self, value: value, bounds: nil, verdict: .fail,
                reason: "\(threshold.reference ?? "") has no number to compare with",
                pending: Self.pending(beside: metric, own.figure))
        }
        let verdict: Verdict = threshold.isKept(by: value, bounds) ? .pass : .fail
        return Outcome(
            expectation: self, value: value, bounds: bounds, verdict: verdict,
            reason: verdict == .pass ? nil : value.reason(of: row), pending: Self.pending(beside: metric, own.figure))
    }

    /// Returns the pending messages or calls to show beside a bound on those that ended. A permanently dead client
    /// loses no message and fails no call, so these numbers alone mislead.
    static func pending(beside metric: String, _ figure: (String) -> Figure?) -> Figure? {
        guard let name = pendingMetric(beside: metric), let pending = figure(name), pending.isNonzero else {
            return nil
        }
        return pending
    }

    private static func pendingMetric(beside metric: String) -> String? {
        switch metric {
        case "delivery.down.lost", "delivery.up.lost": metric.replacing(".lost", with: ".pending")
        case "calls.failed", "calls.success_ratio": "calls.pending"
        default: nil
        }
    }
}

extension Figure {
    /// Reason why the value is not a number. `nil` if it is one.
    func reason(of metric: Metric?) -> String? {
        switch self {
        case .value: nil
        case .atLeast: "too many are pending: only a lower bound is known"
        case .never: "\(metric?.neverReason ?? "too many never arrived"), so there is no number"
        case .nothing: "there was nothing to measure"
        }
    }
}
