import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios

/// Aggregates simulation records into separate metrics for each population group (one `RunFold` per group).
struct GroupFolds: Recorder, BinaryCodable {
    private let groups: [Range<UInt32>]
    private(set) var folds: [RunFold]

    /// - Parameter groups: phone ranges in ascending order. Together they cover all phones.
    init(of groups: [Range<UInt32>] = []) {
        self.groups = groups
        // Most populations have no groups, and creating even an empty fold is slow.
        folds = groups.map { _ in RunFold() }
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) { _ = recordDetectingStops(batch) }

    /// Records a batch. Returns `true` if it contains a stopped phone.
    mutating func recordDetectingStops(_ batch: UnsafeBufferPointer<Record>) -> Bool {
        var isAnyStopped = false
        var next = 0
        // Records of one group usually arrive together, because a worker context flushes one group at a time.
        while next < batch.count, let group = groups.firstIndex(where: { $0.contains(batch[next].phone) }) {
            let range = groups[group]
            let end = batch[next...].firstIndex { !range.contains($0.phone) } ?? batch.endIndex
            let known = folds[group].count(of: .stopped)
            folds[group].record(UnsafeBufferPointer(rebasing: batch[next..<end]))
            isAnyStopped = isAnyStopped || folds[group].count(of: .stopped) != known
            next = end
        }
        return isAnyStopped
    }

    mutating func merge(_ other: Self) {
        for index in folds.indices { folds[index].merge(other.folds[index]) }
    }

    /// Adds the metrics of single phones or phone ranges to their groups. No range may span two groups.
    mutating func merge(_ sorted: PhoneFolds) {
        for (cell, fold) in zip(sorted.phoneRanges, sorted.folds) {
            guard let group = groups.firstIndex(where: { $0.contains(cell.lowerBound) }) else { continue }
            folds[group].merge(fold)
        }
    }

    /// The aggregated metrics of all groups together.
    var combined: RunFold { folds.reduce(into: RunFold()) { $0.merge($1) } }

    mutating func code(through coder: inout BinaryCoder) {
        var count = folds.count
        coder.code(&count)
        guard (0...Scenario.reportedGroupCounts.upperBound).contains(count) else { return coder.markCorrupt() }
        if folds.count != count { folds = Array(repeating: RunFold(), count: count) }
        coder.code(&folds)
    }
}
