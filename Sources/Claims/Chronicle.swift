import DeadzoneJournal
import DeadzonePrimitives

/// What metrics do not say of one kind of thing that happened to one strategy after the beginning: when, and the longest of it.
struct Chronicle: Recorder {
    let kind: Kind
    private var instants: [Instant] = []
    private(set) var longest: Int64 = 0

    init(of kind: Kind) { self.kind = kind }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.kind == kind && record.at > .zero {
            instants.append(record.at)
            longest = max(longest, record.value)
        }
    }

    mutating func merge(_ other: Self) {
        instants += other.instants
        longest = max(longest, other.longest)
    }

    var first: Instant? { instants.min() }
    var count: Int { instants.count }

    /// The most within so long, from then on; the first such stretch begins with the run.
    func peak(within span: TimeSpan, from start: Instant) -> Int {
        var counts: [Int64: Int] = [:]
        for instant in instants where instant >= start {
            counts[instant.nanoseconds / span.nanoseconds, default: 0] += 1
        }
        return counts.values.max() ?? 0
    }
}

/// Several kinds at once.
struct Chronicles: Recorder {
    private var all: [Chronicle]

    init(of kinds: Set<Kind>) { all = kinds.sorted { $0.rawValue < $1.rawValue }.map(Chronicle.init) }

    subscript(kind: Kind) -> Chronicle {
        guard let found = all.first(where: { $0.kind == kind }) else { preconditionFailure("nobody asked for \(kind)") }
        return found
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for index in all.indices { all[index].record(batch) }
    }

    mutating func merge(_ other: Self) {
        for index in all.indices { all[index].merge(other.all[index]) }
    }
}
