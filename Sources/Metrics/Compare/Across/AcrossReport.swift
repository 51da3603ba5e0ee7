import DeadzoneBase

/// The answer to "does the verdict depend on the network?" for one scenario: how the strategies rank on each network,
/// and where the expectations hold.
package struct AcrossReport: Sendable {
    /// One network with its results.
    package struct NetworkResult: Sendable {
        /// Profile and platform: `lte-verizon-2021`.
        package let name: String
        /// Position of its run among all runs of the command.
        package let run: Int
        /// Metrics with expectations that are not met there, without duplicates.
        package let failed: [String]
        /// `true` if the run proves nothing.
        package let isInvalid: Bool

        package var isKept: Bool { failed.isEmpty && !isInvalid }
    }

    /// The share of networks on which all expectations hold, against the share that the scenario demands.
    package struct ExpectationShare: Hashable, Sendable {
        package let kept: Int
        package let total: Int
        /// The demanded share.
        package let needed: Billionths

        package var verdict: Verdict {
            Int128(kept) * 1_000_000_000 >= needed.count * Int128(total) ? .pass : .fail
        }
    }

    /// Name of the scenario, with the axes of its matrix that are no networks.
    package let scenario: String
    /// Settings that differ between the networks: `phone.radios.cellular`.
    package let axes: [String]
    package let networks: [NetworkResult]
    package let strategies: [String]
    package let replicas: Int
    /// One ranking for each primary metric that is not zero everywhere. Empty with fewer than two strategies.
    package let rankings: [NetworkRanking]
    /// `nil` if the scenario has no expectations.
    package let expectations: ExpectationShare?
    /// Fewest replicas that can tell a difference in as many metrics as differ. `nil` with fewer than two strategies.
    package let neededReplicas: Int?

    /// `true` if expectations that fail on single networks are allowed, because they hold on enough of them.
    package var allowsFailures: Bool { expectations?.verdict == .pass }

    /// `true` if these replicas are too few for any decision.
    package var hasTooFewReplicas: Bool { neededReplicas.map { replicas < $0 } ?? false }

    package func rankings(_ stability: NetworkRanking.RankingStability) -> [NetworkRanking] {
        rankings.filter { $0.stability == stability }
    }
}

extension [AcrossReport] {
    /// `true` if the expectations of the run hold on enough other networks, so that its failures are allowed.
    package func allowFailure(ofRun run: Int) -> Bool {
        contains { report in report.allowsFailures && report.networks.contains { $0.run == run && !$0.isInvalid } }
    }
}

/// The results of one run as the comparison of networks needs them.
package struct NetworkRun: Sendable {
    let report: RunReport
    let run: Int
    /// The metrics of each replica. `nil` if there is only one strategy.
    let series: BaselineRun?

    /// - Parameter run: position among all runs of the command.
    package init(_ report: RunReport, run: Int, series: BaselineRun?) {
        (self.report, self.run, self.series) = (report, run, series)
    }
}

extension AcrossReport {
    /// - Parameters:
    ///   - runs: the same scenario on at least two networks.
    ///   - isNetwork: whether an axis of a cell is a setting of the network.
    ///   - share: the demanded share of networks; `nil` demands all.
    ///   - floor: relative differences below it are negligible.
    package init(
        _ runs: [NetworkRun], share: Billionths?, floor: Billionths, isNetwork: (String) -> Bool
    ) {
        let first = runs[0].report
        scenario = first.scenario.name(without: isNetwork)
        axes = first.scenario.cell.map(\.key).filter(isNetwork)
        networks = runs.map { run in
            let failed = run.report.strategies.flatMap(\.outcomes).filter { $0.verdict == .fail }
            return NetworkResult(
                name: run.report.scenario.network(isNetwork), run: run.run,
                failed: failed.reduce(into: []) { names, outcome in
                    if !names.contains(outcome.expectation.metric) { names.append(outcome.expectation.metric) }
                }, isInvalid: !run.report.troubles.isEmpty)
        }
        strategies = first.strategies.map(\.name)
        replicas = runs.map(\.report.replicas).min() ?? 0
        let hasExpectations = runs.contains { $0.report.strategies.contains { !$0.outcomes.isEmpty } }
        expectations =
            hasExpectations
            ? ExpectationShare(
                kept: networks.count(where: \.isKept), total: networks.count,
                needed: share ?? Billionths(count: 1_000_000_000)) : nil
        (rankings, neededReplicas) = Self.rankings(runs, first.strategies.map(\.name), floor)
    }

    private static func rankings(
        _ runs: [NetworkRun], _ strategies: [String], _ floor: Billionths
    ) -> (rankings: [NetworkRanking], neededReplicas: Int?) {
        var pairs: [(first: Int, second: Int, networks: [[MetricChange]])] = []
        var tests = 0
        var comparers = runs.map { Comparer(floor: floor, seed: $0.report.seed) }
        for second in strategies.indices {
            for first in 0..<second {
                let networks = runs.indices.map { index -> [MetricChange] in
                    guard let series = runs[index].series,
                        let compared = comparers[index].primaryChanges(
                            of: strategies[first], against: strategies[second], in: series)
                    else { return [] }
                    tests = max(tests, compared.tests)
                    return compared.changes
                }
                pairs.append((first, second, networks))
            }
        }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.networks.allSatisfy { !$0.isEmpty } }) else { return ([], nil) }
        let rankings = PrimaryMetric.all.indices.compactMap { index -> NetworkRanking? in
            let changes = pairs.flatMap { $0.networks.map { $0[index] } }
            // A metric that is zero everywhere ranks nothing, and is often one of traffic that the scenario lacks.
            guard changes.contains(where: { $0.whole.new.isNonzero || $0.whole.old.isNonzero }) else { return nil }
            let ranked = pairs.map { pair in
                NetworkRanking.RankedPair(
                    first: pair.first, second: pair.second,
                    orders: pair.networks.map { NetworkRanking.PairOrder($0[index]) })
            }
            return NetworkRanking(
                changes[0].metric, strategies: strategies.count, ranked,
                flattered: flattered(changes[0].metric, ranked, runs, strategies))
        }
        return (rankings, fewestPairs(forTests: tests))
    }

    /// The strategies that lead another one on some network only because they did less, as in the table of a run.
    private static func flattered(
        _ metric: Metric, _ pairs: [NetworkRanking.RankedPair], _ runs: [NetworkRun], _ strategies: [String]
    ) -> Set<Int> {
        var flattered: Set<Int> = []
        for (network, run) in runs.enumerated() {
            let measurements = strategies.map { name in run.report.strategies.first { $0.name == name }?.measurement }
            for pair in pairs where pair.orders[network] != .tie {
                let isFirst = pair.orders[network] == .before
                let (leader, other) = isFirst ? (pair.first, pair.second) : (pair.second, pair.first)
                guard let own = measurements[leader], let rival = measurements[other] else { continue }
                if Ranking.flatters(metric, own, beside: rival) { flattered.insert(leader) }
            }
        }
        return flattered
    }
}

extension NetworkRanking.PairOrder {
    /// The order of a strategy relative to the one that it was compared with. A first loss that no test can tell from
    /// chance is a fact for a gate, but not for a ranking: it has no counterpart in the other direction.
    init(_ change: MetricChange) {
        let isChance = change.isFact && change.adjusted >= MetricChange.level
        switch change.decision {
        case .better: self = .before
        case .worse: self = isChance ? .tie : .after
        case .same, .small, .undecided, .changed: self = .tie
        }
    }
}

extension ScenarioFacts {
    /// The values of the axes that are settings of the network.
    fileprivate func network(_ isNetwork: (String) -> Bool) -> String {
        cell.filter { isNetwork($0.key) }.map(\.value).joined(separator: " + ")
    }

    /// The name of the scenario without some axes of its matrix.
    package func name(without isLeftOut: (String) -> Bool) -> String {
        func text(_ axes: [CellAxis]) -> String {
            axes.isEmpty ? "" : " [" + axes.map { "\($0.key)=\($0.value)" }.joined(separator: ", ") + "]"
        }
        let suffix = text(cell)
        let base = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
        return base + text(cell.filter { !isLeftOut($0.key) })
    }
}
