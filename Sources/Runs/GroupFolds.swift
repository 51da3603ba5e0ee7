import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneScenarios

/// A fold for each group of a population.
struct GroupFolds: Recorder, Taped {
    private let groups: [Range<UInt32>]
    private(set) var folds: [RunFold]

    /// - Parameter groups: in the order of their phones; together they are all.
    init(of groups: [Range<UInt32>] = []) {
        self.groups = groups
        // Mostly there are none, and even an empty fold takes long to make.
        folds = groups.map { _ in RunFold() }
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) { _ = sort(batch) }

    /// Whether somebody was stopped.
    mutating func sort(_ batch: UnsafeBufferPointer<Record>) -> Bool {
        var isAnyStopped = false
        var next = 0
        // What a stage hands over is of one group.
        while next < batch.count, let group = groups.firstIndex(where: { $0.contains(batch[next].lane) }) {
            let range = groups[group]
            let end = batch[next...].firstIndex { !range.contains($0.lane) } ?? batch.endIndex
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

    /// What was sorted by phone, none of whose cells is of two groups.
    mutating func merge(_ sorted: PhoneFolds) {
        for (cell, fold) in zip(sorted.cells, sorted.folds) {
            guard let group = groups.firstIndex(where: { $0.contains(cell.lowerBound) }) else { continue }
            folds[group].merge(fold)
        }
    }

    /// All of them together.
    var whole: RunFold { folds.reduce(into: RunFold()) { $0.merge($1) } }

    mutating func pass(through tape: inout Tape) {
        var count = folds.count
        tape.pass(&count)
        guard (0...Scenario.toldApart.upperBound).contains(count) else { return tape.spoil() }
        if folds.count != count { folds = Array(repeating: RunFold(), count: count) }
        tape.pass(&folds)
    }
}
