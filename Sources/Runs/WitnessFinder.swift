import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
import DeadzoneSimulator

/// Finds the phones that maxima and percentiles of a run came from (witnesses). The replica is already known. In a
/// replica with many phones, the search uses phone folds from the run (`SimulationPlan.foldsByPhone`), or runs the
/// replica again.
package struct WitnessFinder: Sendable {
    private let simulationPlan: SimulationPlan
    private let byStrategy: [StrategyResults]
    private let executor: ParallelExecutor

    package init(_ simulationPlan: SimulationPlan, _ results: SimulationPlan.RunResults, by executor: ParallelExecutor)
    {
        self.simulationPlan = simulationPlan
        byStrategy = results.byStrategy
        self.executor = executor
    }

    private struct WitnessSearch: Sendable {
        let strategy: Int
        let replica: Int
        let names: [String]
        let measurement: Measurement
    }

    /// Returns the report with the witnesses of every metric, or only of failed expectations. Metrics without a
    /// witness (sums, means) are omitted.
    package func addingWitnesses(_ report: RunReport, onlyFailed: Bool) -> RunReport {
        var report = report
        let searches = report.strategies.enumerated().flatMap { index, strategy -> [WitnessSearch] in
            // Expectations of a group are excluded, because witnesses are found among all phones together.
            let failed = strategy.outcomes.filter { $0.verdict == .fail && $0.expectation.subject.group == nil }
                .map(\.expectation.metric)
            let names = onlyFailed ? failed : Catalogue.all.map(\.name)
            let replicas = Dictionary(grouping: names) { strategy.measurement.witness($0) }
            return replicas.compactMap { replica, names in
                replica.map {
                    WitnessSearch(strategy: index, replica: $0, names: names, measurement: strategy.measurement)
                }
            }
        }.sorted { ($0.strategy, $0.replica) < ($1.strategy, $1.replica) }
        let found = executor.map(searches.count) { phones(searches[$0]) }
        for (search, phones) in zip(searches, found) {
            for (name, phone) in phones ?? [:] {
                report.strategies[search.strategy].witnesses[name] = Witness(
                    replica: simulationPlan.firstReplica + search.replica, phone: Int(phone))
            }
        }
        if executor.isStopped() { report.isComplete = false }
        return report
    }

    private func phones(_ search: WitnessSearch) -> [String: UInt32] {
        let all = 0..<UInt32(simulationPlan.world.phones)
        var places = search.names.map {
            (name: $0, phones: simulationPlan.phone.map { $0..<($0 + 1) } ?? all)
        }
        var known =
            byStrategy[search.strategy].phoneFolds.isEmpty
            ? nil : byStrategy[search.strategy].phoneFolds[search.replica]
        while let longest = places.map(\.phones.count).max(), longest > 1, !executor.isStopped() {
            let ranges = Set(places.map(\.phones)).sorted { $0.lowerBound < $1.lowerBound }
            var folds = known ?? PhoneFolds(of: ranges)
            if known == nil {
                simulationPlan.rerun(search.strategy, search.replica, of: ranges, into: &folds, executor.isStopped)
            }
            known = nil
            places = places.compactMap { name, phones in
                let cells = folds.phoneRanges.indices.filter { phones.overlaps(folds.phoneRanges[$0]) }
                return search.measurement.witness(name, among: cells.map { folds.folds[$0] }).map {
                    (name: name, phones: folds.phoneRanges[cells[$0]])
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.name, $0.phones.lowerBound) })
    }
}
