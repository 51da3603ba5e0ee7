public import DeadzoneJournal
import DeadzonePrimitives

/// What is sampled of a run, one histogram to a row: the values of records of one kind, and which kinds tell of a sample that will
/// never come, or that somebody waits for. What a row asks for is kept, merged and found by its kind; nothing else names it.
struct SampleRow: Sendable {
    enum Part { case value, tag }

    let kind: Kind
    /// What of the record is the sample.
    var part = Part.value
    var lost: Kind?
    var waited: Kind?
    /// Records of this kind with the value 0 are no samples.
    var skipsZero = false
    /// So many histograms, one for each tag.
    var tags = 1

    static let all = [
        SampleRow(kind: .deliveredDown, lost: .lostDown, waited: .waitedDown),
        SampleRow(kind: .acknowledgedUp, lost: .lostUp, waited: .waitedUp),
        SampleRow(kind: .probeAnswered, lost: .probeLost, waited: .waitedProbe),
        // Whoever is told of a death at the moment it happens has believed nothing false.
        SampleRow(kind: .zombie, skipsZero: true),
        SampleRow(kind: .zombieFrozen, skipsZero: true),
        SampleRow(kind: .detected, lost: .undetected),
        SampleRow(kind: .recovered, lost: .unrecovered),
        SampleRow(kind: .answered, lost: .callFailed, waited: .waitedCall),
        SampleRow(kind: .callOutage),
        SampleRow(kind: .callOutage, part: .tag),
        SampleRow(kind: .timerLate),
        SampleRow(kind: .pushed),
        SampleRow(kind: .fresh, lost: .stale),
        SampleRow(kind: .drift),
        SampleRow(kind: .bufferPeak),
        SampleRow(kind: .memoryPeak),
        SampleRow(kind: .writesPending),
        SampleRow(kind: .serverQueuePeak),
        SampleRow(kind: .herdBack, lost: .herdMissing, tags: 2),
    ]
}

/// The histograms of all rows.
struct SampleBooks: Equatable, Sendable, Taped {
    private var histograms = Array(repeating: SpanHistogram(), count: Self.places)

    /// - Parameter part: the value or the tag.
    func histogram(of kind: Kind, _ part: SampleRow.Part, tag: Int = 0) -> SpanHistogram {
        guard let row = SampleRow.all.firstIndex(where: { $0.kind == kind && $0.part == part }) else {
            preconditionFailure("nothing is sampled of \(kind.fact.name)")
        }
        return histograms[Self.firsts[row] + tag]
    }

    /// What the record is a sample of. Its value is not negative.
    mutating func add(_ record: Record, by plan: SamplePlan) {
        for index in plan.steps(of: record.kind) {
            let step = plan[index]
            guard step.tags == 1 || record.tag < step.tags else { continue }
            let place = step.tags == 1 ? step.place : step.place + Int(record.tag)
            switch step.verb {
            case .record: histograms[place].record(record.value)
            case .recordAboveZero: if record.value > 0 { histograms[place].record(record.value) }
            case .recordTag: histograms[place].record(Int64(record.tag))
            case .wait: histograms[place].wait(record.value)
            case .lose, .loseOne: break
            }
        }
    }

    /// The samples that will never come. The tag can be understood.
    mutating func lose(_ sum: RecordSum, by plan: SamplePlan) {
        for index in plan.steps(of: sum.kind) {
            let step = plan[index]
            let place = step.tags == 1 ? step.place : step.place + Int(sum.tag)
            switch step.verb {
            case .lose: histograms[place].lose(sum.value)
            case .loseOne: histograms[place].lose(Int64(sum.count))
            case .record, .recordAboveZero, .recordTag, .wait: break
            }
        }
    }

    mutating func merge(_ other: Self) {
        for index in histograms.indices { histograms[index].merge(other.histograms[index]) }
    }

    mutating func pass(through tape: inout Tape) { tape.pass(&histograms) }

    /// Where the histograms of each row begin.
    fileprivate static let firsts = SampleRow.all.indices.map { SampleRow.all[..<$0].reduce(0) { $0 + $1.tags } }
    private static let places = SampleRow.all.reduce(0) { $0 + $1.tags }
}

/// What is done with the records of each kind, in a table without a list for each. Whoever reads many records holds it meanwhile.
struct SamplePlan: Sendable {
    static let all = SamplePlan(zip(SampleRow.all, SampleBooks.firsts), and: RunFold.looksAt)

    fileprivate struct Step: Sendable {
        enum Verb { case record, recordAboveZero, recordTag, wait, lose, loseOne }

        var verb: Verb
        var place: Int
        var tags: Int
    }

    private var steps: [Step] = []
    /// By the kind's raw value; one more, where the last ends.
    private var starts: [Int] = [0]
    /// By the kind's place: whether a record is to be looked at by itself.
    private var looks: [Bool]

    private init(_ rows: some Sequence<(SampleRow, Int)>, and others: [Kind]) {
        var all: [(kind: Kind, step: Step)] = []
        for (row, place) in rows {
            func add(_ kind: Kind?, _ verb: Step.Verb) {
                if let kind { all.append((kind, Step(verb: verb, place: place, tags: row.tags))) }
            }
            add(row.kind, row.part == .tag ? .recordTag : row.skipsZero ? .recordAboveZero : .record)
            // What is not counted is told of one by one.
            add(row.lost, row.lost?.fact.value == .count ? .lose : .loseOne)
            add(row.waited, .wait)
        }
        all.sort { $0.kind.rawValue < $1.kind.rawValue }
        for (kind, step) in all {
            while starts.count <= kind.rawValue { starts.append(steps.count) }
            steps.append(step)
        }
        while starts.count <= 256 { starts.append(steps.count) }
        looks = Kind.allCases.map { _ in false }
        for kind in all.map(\.kind) + others { looks[kind.place] = true }
    }

    func looks(at kind: Kind) -> Bool { looks[kind.place] }

    fileprivate func steps(of kind: Kind) -> Range<Int> { starts[Int(kind.rawValue)]..<starts[Int(kind.rawValue) + 1] }

    fileprivate subscript(_ index: Int) -> Step { steps[index] }
}

/// What a quantile is asked of. By name, so that quantiles of the same samples are known to be that.
enum Samples: Hashable {
    case values(Kind)
    /// Of what the tag counts.
    case tags(Kind)
    case acknowledgements
    case herdReturns
    case heldAtOnce
}

extension RunFold {
    /// The values of one kind of record.
    public subscript(of kind: Kind) -> SpanHistogram { self[.values(kind)] }

    subscript(_ name: Samples) -> SpanHistogram {
        switch name {
        case .values(let kind): samples.histogram(of: kind, .value)
        case .tags(let kind): samples.histogram(of: kind, .tag)
        case .acknowledgements: acknowledgements
        case .herdReturns: herdReturns
        case .heldAtOnce: heldAtOnce
        }
    }
}
