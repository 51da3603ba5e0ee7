import DeadzoneJournal
import DeadzoneMetrics

/// A fold for each phone, or for a few that follow each other.
struct PhoneFolds: Recorder, Sendable {
    /// So many at once; of more phones some share one at first.
    static let most = 1_024

    /// In the order of phones; none overlap.
    let cells: [Range<UInt32>]
    private(set) var folds: [RunFold]

    init(of ranges: [Range<UInt32>]) {
        let share = max(1, Self.most / ranges.count)
        cells = ranges.flatMap { range in
            let size = UInt32((range.count + share - 1) / share)
            return stride(from: range.lowerBound, to: range.upperBound, by: Int(size)).map {
                $0..<min($0 + size, range.upperBound)
            }
        }
        folds = Array(repeating: RunFold(), count: cells.count)
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) { _ = sort(batch) }

    /// Whether somebody was stopped.
    mutating func sort(_ batch: UnsafeBufferPointer<Record>) -> Bool {
        var isAnyStopped = false
        for run in batch.runsOfOnePhone {
            guard let cell = cell(of: batch[run.lowerBound].lane) else { continue }
            let known = folds[cell].count(of: .stopped)
            folds[cell].record(UnsafeBufferPointer(rebasing: batch[run]))
            isAnyStopped = isAnyStopped || folds[cell].count(of: .stopped) != known
        }
        return isAnyStopped
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

    /// All of them together.
    var whole: RunFold { folds.reduce(into: RunFold()) { $0.merge($1) } }
}
