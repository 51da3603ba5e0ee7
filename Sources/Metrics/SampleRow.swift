package import DeadzoneBase

/// Describes one set of samples, such as message latencies, by the kind of record that contains them. The samples are the
/// values of records of one kind. Other kinds report samples that will never arrive (`lost`) or that still wait
/// (`waiting`). Samples are collected, merged and found by these rows; no other code lists them.
struct SampleRow: Sendable {
    enum SampledField { case value, tag }

    let kind: RecordKind
    /// The field of the record that is the sample.
    var field = SampledField.value
    var lost: RecordKind?
    var waiting: RecordKind?
    /// `true` if records of this kind with the value 0 are not samples.
    var skipsZero = false
    /// Number of histograms: one for each tag.
    var tags = 1

    static let all = [
        SampleRow(kind: .deliveredDown, lost: .lostDown, waiting: .waitedDown),
        SampleRow(kind: .acknowledgedUp, lost: .lostUp, waiting: .waitedUp),
        SampleRow(kind: .probeAnswered, lost: .probeLost, waiting: .waitedProbe),
        // A client that learns of a connection's death at once never had a zombie, so zeros are skipped.
        SampleRow(kind: .zombie, skipsZero: true),
        SampleRow(kind: .zombieFrozen, skipsZero: true),
        SampleRow(kind: .detected, lost: .undetected),
        SampleRow(kind: .recovered, lost: .unrecovered),
        SampleRow(kind: .answered, lost: .callFailed, waiting: .waitedCall),
        SampleRow(kind: .callOutage),
        SampleRow(kind: .callOutage, field: .tag),
        SampleRow(kind: .timerLate),
        SampleRow(kind: .pushed, waiting: .waitedPush),
        SampleRow(kind: .fresh, lost: .stale),
        SampleRow(kind: .drift),
        SampleRow(kind: .bufferPeak),
        SampleRow(kind: .memoryPeak),
        SampleRow(kind: .writesPending),
        SampleRow(kind: .serverQueuePeak),
        SampleRow(kind: .serverHeld),
        SampleRow(kind: .herdBack, lost: .herdMissing, tags: 2),
        SampleRow(kind: .downlinkHeld),
    ]
}

/// The histograms of all sampled quantities of a run, such as message latencies: one or more per `SampleRow`.
struct SampleHistograms: Equatable, Sendable, BinaryCodable {
    private var histograms = Array(repeating: SpanHistogram(), count: Self.places)

    /// The histogram of a row. Traps if nothing is sampled from this kind and field.
    /// - Parameter field: The value or the tag.
    func histogram(of kind: RecordKind, _ field: SampleRow.SampledField, tag: Int = 0) -> SpanHistogram {
        guard let row = SampleRow.all.firstIndex(where: { $0.kind == kind && $0.field == field }) else {
            preconditionFailure("\(kind.definition.name) has no samples")
        }
        return histograms[Self.firsts[row] + tag]
    }

    /// Adds the samples that the record reports. The record's value is not negative.
    mutating func add(_ record: Record, by dispatch: SampleDispatch) {
        for index in dispatch.entries(of: record.kind) {
            let step = dispatch[index]
            guard step.tags == 1 || record.tag < step.tags else { continue }
            let place = step.tags == 1 ? step.place : step.place + Int(record.tag)
            switch step.action {
            case .record: histograms[place].record(record.value)
            case .recordAboveZero: if record.value > 0 { histograms[place].record(record.value) }
            case .recordTag: histograms[place].record(Int64(record.tag))
            case .wait: histograms[place].recordWaiting(record.value)
            case .lose, .loseOne: break
            }
        }
    }

    /// Adds the samples that will never arrive. The tag has been checked.
    mutating func lose(_ sum: RecordSum, by dispatch: SampleDispatch) {
        for index in dispatch.entries(of: sum.kind) {
            let step = dispatch[index]
            let place = step.tags == 1 ? step.place : step.place + Int(sum.tag)
            switch step.action {
            case .lose: histograms[place].recordLost(sum.value)
            case .loseOne: histograms[place].recordLost(Int64(sum.count))
            case .record, .recordAboveZero, .recordTag, .wait: break
            }
        }
    }

    mutating func merge(_ other: Self) {
        for index in histograms.indices { histograms[index].merge(other.histograms[index]) }
    }

    mutating func code(through coder: inout BinaryCoder) { coder.code(&histograms) }

    /// Index of the first histogram of each row.
    fileprivate static let firsts = SampleRow.all.indices.map { SampleRow.all[..<$0].reduce(0) { $0 + $1.tags } }
    private static let places = SampleRow.all.reduce(0) { $0 + $1.tags }
}

/// A table that says, for each kind of journal record, which sample histograms it changes. It is one flat table,
/// without an array per kind. Code that reads many records keeps a local copy.
struct SampleDispatch: Sendable {
    static let all = SampleDispatch(zip(SampleRow.all, SampleHistograms.firsts), and: RunFold.individualKinds)

    fileprivate struct DispatchEntry: Sendable {
        enum SampleAction { case record, recordAboveZero, recordTag, wait, lose, loseOne }

        var action: SampleAction
        var place: Int
        var tags: Int
    }

    private var entries: [DispatchEntry] = []
    /// For each raw value of a kind, the index of its first entry. One more element marks the end.
    private var starts: [Int] = [0]
    /// For each record kind: `true` if its records must be read individually. Indexed by the ordinal of the kind.
    private var needsRecord: [Bool]

    private init(_ rows: some Sequence<(SampleRow, Int)>, and others: [RecordKind]) {
        var all: [(kind: RecordKind, step: DispatchEntry)] = []
        for (row, place) in rows {
            func add(_ kind: RecordKind?, _ action: DispatchEntry.SampleAction) {
                if let kind { all.append((kind, DispatchEntry(action: action, place: place, tags: row.tags))) }
            }
            add(row.kind, row.field == .tag ? .recordTag : row.skipsZero ? .recordAboveZero : .record)
            // If the value of a loss record is a count, it is added. Otherwise each record is one lost sample.
            let isCounted = row.lost.map { $0.isLoss || $0.definition.value == .count } ?? false
            add(row.lost, isCounted ? .lose : .loseOne)
            add(row.waiting, .wait)
        }
        all.sort { $0.kind.rawValue < $1.kind.rawValue }
        for (kind, step) in all {
            while starts.count <= kind.rawValue { starts.append(entries.count) }
            entries.append(step)
        }
        while starts.count <= 256 { starts.append(entries.count) }
        needsRecord = RecordKind.allCases.map { _ in false }
        for kind in all.map(\.kind) + others { needsRecord[kind.ordinal] = true }
    }

    func needsRecord(at kind: RecordKind) -> Bool { needsRecord[kind.ordinal] }

    fileprivate func entries(of kind: RecordKind) -> Range<Int> {
        starts[Int(kind.rawValue)]..<starts[Int(kind.rawValue) + 1]
    }

    fileprivate subscript(_ index: Int) -> DispatchEntry { entries[index] }
}

/// Names the set of samples that a quantile metric is computed from, such as message latencies. Quantiles of the same
/// samples are recognised by an equal case.
enum SampleFamily: Hashable {
    case values(RecordKind)
    /// The tag is a count and is itself the sample.
    case tags(RecordKind)
    case acknowledgements
    case herdReturns
    case peakServerConnections
}

extension RunFold {
    /// Histogram of the values of one kind of record.
    package subscript(of kind: RecordKind) -> SpanHistogram { self[.values(kind)] }

    subscript(_ name: SampleFamily) -> SpanHistogram {
        switch name {
        case .values(let kind): samples.histogram(of: kind, .value)
        case .tags(let kind): samples.histogram(of: kind, .tag)
        case .acknowledgements: acknowledgements
        case .herdReturns: herdReturns
        case .peakServerConnections: peakServerConnections
        }
    }
}
