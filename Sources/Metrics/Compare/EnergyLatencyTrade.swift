import DeadzoneBase

/// A choice that the data cannot make: among strategies that deliver about the same, some use less energy and others
/// have a lower latency in one direction. Only a bound on this latency decides between them.
package struct EnergyLatencyTrade {
    /// A latency within this share of the lowest counts as the lowest.
    private static let latencyTolerance = 1.1
    /// Smaller trades are not worth a sentence: a share of the energy, and milliseconds.
    private static let (minEnergyShare, minMilliseconds) = (0.01, 100.0)
    private static let directions = ["latency.down.p95", "latency.call.p95", "latency.up.p95"]
    /// Stands for the latency of a scenario without messages and calls.
    private static let freshness = "freshness.p95"

    /// The trades of all directions: to the app, of calls, and to the server. Empty if one strategy wins everywhere.
    /// - Parameter candidates: Indices of the strategies that may be shipped.
    package static func all(_ report: RunReport, among candidates: [Int]) -> [EnergyLatencyTrade] {
        let measured = directions.filter { name in
            report.strategies.contains { $0.measurement.figure(name)?.isNonzero ?? false }
        }
        return (measured.isEmpty ? [freshness] : measured).compactMap {
            EnergyLatencyTrade($0, report, among: candidates)
        }
    }

    package let latency: Metric
    /// Strategies of which none is worse than another in both, the least energy first.
    package let front: [Int]
    /// Energy that the first strategy of the front saves.
    package let joules: Billionths
    /// Milliseconds that it takes longer. `nil` if it has no number, because too many messages are lost or pending.
    package let milliseconds: Billionths?
    /// Suggested bound in milliseconds, above the lowest latency.
    package let bound: Int

    package var cheapest: Int { front[0] }
    package var fastest: Int { front[front.count - 1] }

    /// `nil` if one strategy wins, if the trade is small, or if an expectation bounds this latency already.
    private init?(_ name: String, _ report: RunReport, among candidates: [Int]) {
        let all = report.strategies.map(\.measurement)
        // A bound on one direction decides nothing about the other.
        let family = name.dropLast(3)
        guard let latency = Catalogue.metric(named: name),
            all.contains(where: { $0.figure(name)?.isNonzero ?? false }),
            !report.strategies.contains(where: { $0.outcomes.contains { $0.expectation.metric.hasPrefix(family) } })
        else { return nil }
        let points = candidates.compactMap { index -> (index: Int, joules: Double, wait: Double)? in
            guard case .value(let joules)? = all[index].figure("battery.joules"), joules > .zero,
                let wait = all[index].figure(name), wait != .nothing
            else { return nil }
            let number: Double = if case .value(let value) = wait { value.double } else { .infinity }
            return (index, joules.double, number)
        }
        let front = points.filter { one in
            !points.contains { other in
                other.joules <= one.joules && other.wait <= one.wait
                    && (other.joules < one.joules || other.wait < one.wait)
                    || other.joules < one.joules && other.wait <= one.wait * Self.latencyTolerance
            }
        }.sorted { ($0.joules, $0.index) < ($1.joules, $1.index) }
        guard front.count > 1, let cheap = front.first, let fast = front.last, fast.wait.isFinite else { return nil }
        guard fast.joules - cheap.joules >= Self.minEnergyShare * fast.joules,
            cheap.wait - fast.wait >= Self.minMilliseconds
        else { return nil }
        self.latency = latency
        self.front = front.map(\.index)
        func billionths(_ value: Double) -> Billionths { Billionths(count: Int128((value * 1e9).rounded())) }
        joules = billionths(fast.joules - cheap.joules)
        milliseconds = cheap.wait.isFinite ? billionths(cheap.wait - fast.wait) : nil
        bound = Self.roundNumber(atLeast: 2 * fast.wait)
    }

    /// The next of 1, 2, 5, 10, 20, …
    private static func roundNumber(atLeast value: Double) -> Int {
        var power = 1
        while true {
            for factor in [1, 2, 5] where Double(factor * power) >= value { return factor * power }
            power *= 10
        }
    }
}

extension RunReport {
    /// A strategy is ruled out if its share of undone messages exceeds the smallest share by more than this.
    private static let undoneTolerance = 0.01

    /// Indices of the strategies that may be shipped: they meet all expectations and leave at most 1 % more undone than
    /// the best.
    package var shippable: [Int] {
        let undone = strategies.map { Ranking.undoneShare($0.measurement) }
        let least = undone.min() ?? 0
        return strategies.indices.filter { index in
            strategies[index].outcomes.allSatisfy { $0.verdict == .pass } && strategies[index].stops.isEmpty
                && undone[index] <= least + Self.undoneTolerance
        }
    }
}
