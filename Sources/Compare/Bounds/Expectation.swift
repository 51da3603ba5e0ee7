public import DeadzoneMetrics
import DeadzonePrimitives

/// What a scenario demands of one strategy, or of one group under it.
public struct Expectation: Hashable, Sendable {
    public let subject: Subject
    public let metric: String
    public let threshold: Threshold

    public init(strategy: String, group: String? = nil, metric: String, threshold: Threshold) {
        subject = Subject(strategy, group: group)
        self.metric = metric
        self.threshold = threshold
    }

    public var strategy: String { subject.strategy }
}

public enum Verdict: String, Hashable, Sendable {
    case pass, fail
}

/// How an expectation came out.
public struct Outcome: Hashable, Sendable {
    public let expectation: Expectation
    public let value: Figure
    /// The bound in numbers; nil if what it is measured by came to none.
    public let bounds: ClosedRange<Billionths>?
    public let verdict: Verdict
    /// Why it failed, where the numbers do not say it.
    public let reason: String?
    /// What a bound on the lost leaves out, whether it is kept or not: the messages that are still pending. Nil where there are none.
    public var pending: Figure?
}

/// An expectation that cannot be judged at all. It is an error of the input and never a pass.
public enum ExpectationFault: Error, Hashable, Sendable {
    case unknownMetric(String)
    case unknownStrategy(String)
    case unknownGroup(String)

    public var message: String {
        switch self {
        case .unknownMetric(let name): "there is no metric `\(name.visible)`"
        case .unknownStrategy(let name): "there is no strategy `\(name.visible)` in this run"
        case .unknownGroup(let name): "there is no group `\(name.visible)` in this run"
        }
    }
}

extension Expectation {
    /// Judges by what the strategies of a run came to, and their groups.
    public func judged(by measurements: [Subject: Measurement]) throws(ExpectationFault) -> Outcome {
        guard let row = Catalogue.metric(named: metric) else { throw .unknownMetric(metric) }
        guard let own = measurements[subject], let value = own.figure(metric) else {
            guard let group = subject.group, measurements[Subject(strategy)] != nil else {
                throw .unknownStrategy(strategy)
            }
            throw .unknownGroup(group)
        }
        var base: Figure?
        if let name = threshold.reference {
            let other = subject.referred(to: name) { measurements[$0] != nil }
            guard let other, let figure = measurements[other]?.figure(metric) else { throw .unknownStrategy(name) }
            base = figure
        }
        guard let bounds = threshold.resolved(reference: base) else {
            return Outcome(
                expectation: self, value: value, bounds: nil, verdict: .fail,
                reason: "\(threshold.reference ?? "") came to no number to compare with",
                pending: Self.pending(beside: metric, own.figure))
        }
        let verdict: Verdict = threshold.isKept(by: value, bounds) ? .pass : .fail
        return Outcome(
            expectation: self, value: value, bounds: bounds, verdict: verdict,
            reason: verdict == .pass ? nil : value.reason(of: row), pending: Self.pending(beside: metric, own.figure))
    }

    /// Whoever asks for the lost alone is told what is pending: a client that is dead for good loses nothing.
    static func pending(beside metric: String, _ figure: (String) -> Figure?) -> Figure? {
        guard metric.hasPrefix("delivery."), metric.hasSuffix(".lost"),
            let pending = figure(metric.replacing(".lost", with: ".pending")), pending.isSomething
        else { return nil }
        return pending
    }
}

extension Figure {
    /// Why it is no number.
    func reason(of metric: Metric?) -> String? {
        switch self {
        case .value: nil
        case .atLeast: "so many are pending that no more can be said"
        case .never: "\(metric?.neverWords ?? "so many never came") that there is no number"
        case .nothing: "there was nothing to measure"
        }
    }
}
