import DeadzoneBase

/// Collects the times and the longest duration of all records of one kind under one strategy. Records at time zero are
/// left out. Metrics do not contain these times.
struct EventTimes: Recorder {
    let kind: RecordKind
    private var instants: [Instant] = []
    private(set) var longest: Int64 = 0

    init(of kind: RecordKind) { self.kind = kind }

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

    /// The highest number of events in one interval of this length, counting only events from `start`. The intervals
    /// are aligned to the start of the run.
    func peak(within span: TimeSpan, from start: Instant) -> Int {
        var counts: [Int64: Int] = [:]
        for instant in instants where instant >= start {
            counts[instant.nanoseconds / span.nanoseconds, default: 0] += 1
        }
        return counts.values.max() ?? 0
    }
}

/// Collects event times separately for each of several record kinds.
struct EventTimesByKind: Recorder {
    private var all: [EventTimes]

    init(of kinds: Set<RecordKind>) { all = kinds.sorted { $0.rawValue < $1.rawValue }.map(EventTimes.init) }

    subscript(kind: RecordKind) -> EventTimes {
        guard let found = all.first(where: { $0.kind == kind }) else {
            preconditionFailure("\(kind) was not requested")
        }
        return found
    }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for index in all.indices { all[index].record(batch) }
    }

    mutating func merge(_ other: Self) {
        for index in all.indices { all[index].merge(other.all[index]) }
    }
}
