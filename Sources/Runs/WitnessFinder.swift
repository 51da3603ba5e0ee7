public import DeadzoneCompare
import DeadzoneEngine
import DeadzoneHost
import DeadzoneJournal
import DeadzoneMetrics
import DeadzoneWorld

/// Finds the phones behind longest and quantiles. Their replicas are known; where a replica has many phones, it is run once
/// more with what happens sorted by phone.
public struct WitnessFinder: Sendable {
    private let assignment: Assignment
    private let crew: Crew

    public init(_ assignment: Assignment, by crew: Crew) {
        self.assignment = assignment
        self.crew = crew
    }

    /// So many folds at once; of more phones some share one at first.
    private static let mostFolds = 1_024

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
            let failed = strategy.outcomes.filter { $0.verdict == .fail }.map(\.expectation.metric)
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
        while let longest = places.map(\.phones.count).max(), longest > 1, !crew.isStopped() {
            let ranges = Set(places.map(\.phones)).sorted { $0.lowerBound < $1.lowerBound }
            var folds = Folds(of: ranges, atMost: Self.mostFolds)
            assignment.again(search.strategy, search.replica, of: ranges, into: &folds, crew.isStopped)
            places = places.compactMap { name, phones in
                let cells = folds.cells.indices.filter { phones.overlaps(folds.cells[$0]) }
                return search.measurement.witness(name, among: cells.map { folds.folds[$0] }).map {
                    (name: name, phones: folds.cells[cells[$0]])
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.name, $0.phones.lowerBound) })
    }

    /// A fold for each phone, or for a few that follow each other.
    private struct Folds: Recorder {
        /// In the order of phones; none overlap.
        let cells: [Range<UInt32>]
        var folds: [RunFold]

        init(of ranges: [Range<UInt32>], atMost most: Int) {
            let share = max(1, most / ranges.count)
            cells = ranges.flatMap { range in
                let size = UInt32((range.count + share - 1) / share)
                return stride(from: range.lowerBound, to: range.upperBound, by: Int(size)).map {
                    $0..<min($0 + size, range.upperBound)
                }
            }
            folds = Array(repeating: RunFold(), count: cells.count)
        }

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            for run in batch.runsOfOnePhone {
                guard let cell = cell(of: batch[run.lowerBound].lane) else { continue }
                folds[cell].record(UnsafeBufferPointer(rebasing: batch[run]))
            }
        }

        /// The last cell that begins no later has it, or none.
        private func cell(of lane: UInt32) -> Int? {
            var (low, high) = (0, cells.count)
            while low < high {
                let middle = (low + high) / 2
                if cells[middle].lowerBound <= lane { low = middle + 1 } else { high = middle }
            }
            return low > 0 && cells[low - 1].contains(lane) ? low - 1 : nil
        }

        mutating func merge(_ other: Self) {
            for index in folds.indices { folds[index].merge(other.folds[index]) }
        }
    }
}
