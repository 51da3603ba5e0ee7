public import DeadzoneCompare
import DeadzoneEngine
import DeadzoneHost
import DeadzoneJournal
import DeadzoneMetrics
import DeadzoneWorld

/// Finds the phones behind longest and quantiles. Their replicas are known; where a replica has many phones, what happened is sorted by
/// phone. That was done while it ran (`Assignment.sortsByPhone`), or it is run once more.
public struct WitnessFinder: Sendable {
    private let assignment: Assignment
    private let crops: [Crop]
    private let crew: Crew

    public init(_ assignment: Assignment, _ yield: Assignment.Yield, by crew: Crew) {
        self.assignment = assignment
        crops = yield.crops
        self.crew = crew
    }

    private struct Search: Sendable {
        let strategy: Int
        let replica: Int
        let names: [String]
        let measurement: Measurement
    }

    /// The report with the witnesses of every strategy, or with those of what failed. What has none (a sum, a mean) is left
    /// out.
    public func witnessed(_ report: RunReport, onlyFailed: Bool) -> RunReport {
        var report = report
        let searches = report.strategies.enumerated().flatMap { index, strategy -> [Search] in
            // Whose a longest is, is known of all phones together.
            let failed = strategy.outcomes.filter { $0.verdict == .fail && $0.expectation.subject.group == nil }
                .map(\.expectation.metric)
            let names = onlyFailed ? failed : Catalogue.all.map(\.name)
            let replicas = Dictionary(grouping: names) { strategy.measurement.witness($0) }
            return replicas.compactMap { replica, names in
                replica.map {
                    Search(strategy: index, replica: $0, names: names, measurement: strategy.measurement)
                }
            }
        }.sorted { ($0.strategy, $0.replica) < ($1.strategy, $1.replica) }
        let found = Workers.run(count: searches.count, jobs: crew.jobs, stop: crew.isStopped) {
            phones(searches[$0])
        }
        for (search, phones) in zip(searches, found) {
            for (name, phone) in phones ?? [:] {
                report.strategies[search.strategy].witnesses[name] = Witness(
                    replica: assignment.firstReplica + search.replica, phone: Int(phone))
            }
        }
        if crew.isStopped() { report.isComplete = false }
        return report
    }

    private func phones(_ search: Search) -> [String: UInt32] {
        let all = 0..<UInt32(assignment.world.phones)
        var places = search.names.map {
            (name: $0, phones: assignment.phone.map { $0..<($0 + 1) } ?? all)
        }
        var known = crops[search.strategy].sorted.isEmpty ? nil : crops[search.strategy].sorted[search.replica]
        while let longest = places.map(\.phones.count).max(), longest > 1, !crew.isStopped() {
            let ranges = Set(places.map(\.phones)).sorted { $0.lowerBound < $1.lowerBound }
            var folds = known ?? PhoneFolds(of: ranges)
            if known == nil {
                assignment.again(search.strategy, search.replica, of: ranges, into: &folds, crew.isStopped)
            }
            known = nil
            places = places.compactMap { name, phones in
                let cells = folds.cells.indices.filter { phones.overlaps(folds.cells[$0]) }
                return search.measurement.witness(name, among: cells.map { folds.folds[$0] }).map {
                    (name: name, phones: folds.cells[cells[$0]])
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.name, $0.phones.lowerBound) })
    }
}
