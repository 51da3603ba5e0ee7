import DeadzoneBase
import DeadzoneMetrics

/// Aggregates simulation records into separate metrics for each phone, or for each small range of consecutive phones.
struct PhoneFolds: Recorder, Sendable {
    /// Maximum number of folds at once. With more phones, several phones share one fold.
    static let maximumFolds = 1_024

    /// Phone ranges of the folds, ascending and without overlap.
    let phoneRanges: [Range<UInt32>]
    private(set) var folds: [RunFold]

    init(of ranges: [Range<UInt32>]) {
        let share = max(1, Self.maximumFolds / ranges.count)
        phoneRanges = ranges.flatMap { range in
            let size = UInt32((range.count + share - 1) / share)
            return stride(from: range.lowerBound, to: range.upperBound, by: Int(size)).map {
                $0..<min($0 + size, range.upperBound)
            }
        }
        folds = Array(repeating: RunFold(), count: phoneRanges.count)
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) { _ = recordDetectingStops(batch) }

    /// Records a batch. Returns `true` if it contains a stopped phone.
    mutating func recordDetectingStops(_ batch: UnsafeBufferPointer<Record>) -> Bool {
        var isAnyStopped = false
        for run in batch.runsOfOnePhone {
            guard let cell = rangeIndex(of: batch[run.lowerBound].phone) else { continue }
            let known = folds[cell].count(of: .stopped)
            folds[cell].record(UnsafeBufferPointer(rebasing: batch[run]))
            isAnyStopped = isAnyStopped || folds[cell].count(of: .stopped) != known
        }
        return isAnyStopped
    }

    /// Index of the range that contains the phone, by binary search; `nil` if none does.
    private func rangeIndex(of lane: UInt32) -> Int? {
        var (low, high) = (0, phoneRanges.count)
        while low < high {
            let middle = (low + high) / 2
            if phoneRanges[middle].lowerBound <= lane { low = middle + 1 } else { high = middle }
        }
        return low > 0 && phoneRanges[low - 1].contains(lane) ? low - 1 : nil
    }

    mutating func merge(_ other: Self) {
        for index in folds.indices { folds[index].merge(other.folds[index]) }
    }

    /// The aggregated metrics of all phones together.
    var combined: RunFold { folds.reduce(into: RunFold()) { $0.merge($1) } }
}
