/// The samples of all replicas, sorted once by how long they took, so that the quantiles of any weighting of the replicas are
/// found without walking through them: a table says how many of each replica lie before every so many.
///
/// Of many replicas a resample's quantile lies near that of all. Buckets far from every one of those, in which nothing waits,
/// are laid together: there only their sum counts. Where an answer falls among them after all there is none, and somebody asks
/// again with all buckets apart.
struct PooledSamples: Sendable {
    struct Entry {
        var replica: UInt32
        var count: UInt32
    }

    struct Cell {
        /// Nil: several, laid together.
        var bucket: Int?
        /// They wait; else they arrived.
        var isAged: Bool
        var end: Int
    }

    /// So few entries are never laid together.
    static let few = 100_000
    /// A resample is this many standard deviations away from the whole only once in a billion.
    private static let reach: Int64 = 6

    let book: SampleBook
    let questions: [Question]
    let extremes: Extremes
    private(set) var cells: [Cell] = []
    private(set) var entries: [Entry] = []
    /// The first cell of each block. A block has about as many entries as there are replicas.
    private(set) var blocks: [Int] = []
    /// For each block, of every replica how many come before it.
    private(set) var before: [Int64] = []
    /// Those that wait.
    private(set) var agedCells: [Int] = []

    init(_ book: SampleBook, _ questions: [Question], laysTogether: Bool) {
        self.book = book
        self.questions = questions
        extremes = Extremes(book)
        let tally = Tally(book)
        layOut(tally, laysTogether ? windows(tally) : nil)
        count()
    }

    /// How many of all replicas there are in each bucket.
    private struct Tally {
        private(set) var buckets: [(bucket: Int, arrived: Int64, aged: Int64)] = []

        init(_ book: SampleBook) {
            var (arrived, aged, all) = (BucketCounts(), BucketCounts(), BucketCounts())
            book.forEach { _, bucket, here, waiting in
                if here > 0 { arrived.add(here, to: bucket) }
                if waiting > 0 { aged.add(waiting, to: bucket) }
                all.add(here + waiting, to: bucket)
            }
            all.forEach { bucket, _ in buckets.append((bucket, arrived[bucket], aged[bucket])) }
        }
    }

    /// Buckets that a resample's quantile may fall into.
    private func windows(_ tally: Tally) -> [Bool] {
        // By how much a share's rank varies, at most: as if each replica's samples were all alike.
        var squares: UInt64 = 0
        for replica in 0..<book.count {
            let size = UInt64(clamping: book.arrived[replica] + book.waiting[replica] + book.lost[replica])
            squares =
                squares.addingReportingOverflow(size.multipliedReportingOverflow(by: size).partialValue).partialValue
        }
        var root = UInt64(Double(squares).squareRoot())
        while root * root > squares { root -= 1 }
        let pooled = book.pooled
        let total = pooled.count + pooled.waiting + pooled.lost
        var spans: [ClosedRange<Int64>] = []
        for question in questions where question.share != .all {
            var rank = question.share.rank(among: total)
            if pooled.waiting > 0, case .span(let span) = pooled.quantile(question.share) {
                let bucket = SpanHistogram.bucket(of: span)
                rank = tally.buckets.reduce(0) { $0 + ($1.bucket <= bucket ? $1.arrived + $1.aged : 0) }
            }
            let reach = Self.reach * Int64(root) / 2 + 1
            spans.append(rank - reach...rank + reach)
        }
        var seen: Int64 = 0
        return tally.buckets.map { _, arrived, aged in
            let from = seen
            seen += arrived + aged
            return aged > 0 || spans.contains { $0.overlaps(from...seen) }
        }
    }

    private mutating func layOut(_ tally: Tally, _ apart: [Bool]?) {
        // From 1: 0 is nowhere.
        var (cellOfArrived, cellOfAged) = (BucketCounts(), BucketCounts())
        for (index, (bucket, arrived, aged)) in tally.buckets.enumerated() {
            let isApart = apart?[index] ?? true
            if arrived > 0 {
                let joins = !isApart && cells.last.map { $0.bucket == nil } ?? false
                if !joins { cells.append(Cell(bucket: isApart ? bucket : nil, isAged: false, end: 0)) }
                cellOfArrived.add(Int64(cells.count), to: bucket)
            }
            if aged > 0 {
                cells.append(Cell(bucket: bucket, isAged: true, end: 0))
                cellOfAged.add(Int64(cells.count), to: bucket)
            }
        }
        // Twice through the book: to count what each cell will hold, and to put it there.
        var places = [Int](repeating: 0, count: cells.count)
        forEachEntry(cellOfArrived, cellOfAged) { cell, _, _ in places[cell] += 1 }
        var end = 0
        for cell in cells.indices {
            (places[cell], end) = (end, end + places[cell])
            cells[cell].end = end
        }
        var sorted = Array(repeating: Entry(replica: 0, count: 0), count: end)
        sorted.withUnsafeMutableBufferPointer { sorted in
            forEachEntry(cellOfArrived, cellOfAged) { cell, replica, count in
                sorted[places[cell]] = Entry(replica: UInt32(replica), count: UInt32(clamping: count))
                places[cell] += 1
            }
        }
        entries = sorted
    }

    /// What neighbouring buckets of one replica lay together is one entry.
    private func forEachEntry(
        _ cellOfArrived: BucketCounts, _ cellOfAged: BucketCounts,
        _ body: (_ cell: Int, _ replica: Int, _ count: Int64) -> Void
    ) {
        var open = (cell: -1, replica: -1, count: Int64(0))
        book.forEach { replica, bucket, arrived, aged in
            if arrived > 0 {
                let cell = Int(cellOfArrived[bucket]) - 1
                if cell != open.cell || replica != open.replica {
                    if open.cell >= 0 { body(open.cell, open.replica, open.count) }
                    open = (cell, replica, 0)
                }
                open.count += arrived
            }
            if aged > 0 { body(Int(cellOfAged[bucket]) - 1, replica, aged) }
        }
        if open.cell >= 0 { body(open.cell, open.replica, open.count) }
    }

    private mutating func count() {
        var passed = [Int64](repeating: 0, count: book.count)
        var (from, first) = (0, 0)
        agedCells = cells.indices.filter { cells[$0].isAged }
        for cell in cells.indices {
            if blocks.isEmpty || from - first >= book.count {
                blocks.append(cell)
                before += passed
                first = from
            }
            for entry in entries[from..<cells[cell].end] { passed[Int(entry.replica)] += Int64(entry.count) }
            from = cells[cell].end
        }
    }
}

extension PooledSamples {
    /// The least and the largest of each replica, so sorted that the first replica that was drawn has those of a resample.
    struct Extremes: Sendable {
        private typealias One = (replica: Int, span: Int64)

        private let least: [One]
        private let largest: [One]
        private let oldest: [One]

        init(_ book: SampleBook) {
            func sorted(_ spans: Column, of counts: Column, _ isBefore: (Int64, Int64) -> Bool) -> [One] {
                (0..<book.count).filter { counts[$0] > 0 }.map { ($0, Int64(spans[$0])) }
                    .sorted { isBefore($0.span, $1.span) }
            }
            least = sorted(book.least, of: book.arrived, <)
            largest = sorted(book.largest, of: book.arrived, >)
            oldest = sorted(book.oldest, of: book.waiting, >)
        }

        func least(_ weights: Weights) -> Int64? { Self.first(least, weights) }
        func largest(_ weights: Weights) -> Int64? { Self.first(largest, weights) }
        func oldest(_ weights: Weights) -> Int64? { Self.first(oldest, weights) }

        private static func first(_ sorted: [One], _ weights: Weights) -> Int64? {
            for one in sorted where weights[one.replica] > 0 { return one.span }
            return nil
        }
    }
}
