/// The samples of all replicas, sorted once, so that the quantiles of any weighting of the replicas are one walk.
///
/// Of many replicas a resample's quantile lies near that of all. Buckets far from every one of those, in which nothing waits,
/// are laid together: there only their sum counts. Where an answer falls among them after all, `quantiles` has none, and
/// somebody asks again with all buckets apart.
struct PooledSamples: Sendable {
    private struct Entry {
        var replica: UInt32
        var count: UInt32
    }

    private struct Cell {
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

    private let book: SampleBook
    private let questions: [Question]
    private var cells: [Cell] = []
    private var entries: [Entry] = []

    init(_ book: SampleBook, _ questions: [Question], laysTogether: Bool) {
        self.book = book
        self.questions = questions
        var arrived = [Int64](repeating: 0, count: SpanHistogram.bucketCount)
        var aged = arrived
        book.forEach { _, bucket, here, waiting in
            arrived[bucket] += here
            aged[bucket] += waiting
        }
        let apart = laysTogether ? windows(arrived, aged) : Array(repeating: true, count: SpanHistogram.bucketCount)
        layOut(arrived, aged, apart)
    }

    /// Buckets that a resample's quantile may fall into.
    private func windows(_ arrived: [Int64], _ aged: [Int64]) -> [Bool] {
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
                rank = (0...bucket).reduce(0) { $0 + arrived[$1] + aged[$1] }
            }
            let reach = Self.reach * Int64(root) / 2 + 1
            spans.append(rank - reach...rank + reach)
        }
        var seen: Int64 = 0
        return arrived.indices.map { bucket in
            let from = seen
            seen += arrived[bucket] + aged[bucket]
            return aged[bucket] > 0 || spans.contains { $0.overlaps(from...seen) }
        }
    }

    private mutating func layOut(_ arrived: [Int64], _ aged: [Int64], _ apart: [Bool]) {
        var cellOfArrived = [Int32](repeating: -1, count: arrived.count)
        var cellOfAged = cellOfArrived
        for bucket in arrived.indices where arrived[bucket] + aged[bucket] > 0 {
            if arrived[bucket] > 0 {
                let joins = !apart[bucket] && cells.last.map { $0.bucket == nil } ?? false
                if !joins { cells.append(Cell(bucket: apart[bucket] ? bucket : nil, isAged: false, end: 0)) }
                cellOfArrived[bucket] = Int32(cells.count - 1)
            }
            if aged[bucket] > 0 {
                cells.append(Cell(bucket: bucket, isAged: true, end: 0))
                cellOfAged[bucket] = Int32(cells.count - 1)
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
        _ cellOfArrived: [Int32], _ cellOfAged: [Int32], _ body: (_ cell: Int, _ replica: Int, _ count: Int64) -> Void
    ) {
        var open = (cell: -1, replica: -1, count: Int64(0))
        book.forEach { replica, bucket, arrived, aged in
            if arrived > 0 {
                let cell = Int(cellOfArrived[bucket])
                if cell != open.cell || replica != open.replica {
                    if open.cell >= 0 { body(open.cell, open.replica, open.count) }
                    open = (cell, replica, 0)
                }
                open.count += arrived
            }
            if aged > 0 { body(Int(cellOfAged[bucket]), replica, aged) }
        }
        if open.cell >= 0 { body(open.cell, open.replica, open.count) }
    }

    /// What `SpanHistogram.quantile` would answer to each question if each replica were merged as often as its weight says. Nil
    /// if an answer lies among what is laid together.
    func quantiles(_ weights: [UInt8]) -> [SpanHistogram.Quantile]? {
        let sums = Sums(book, weights)
        var answers = questions.map { sums.known($0.share) }
        var next = answers.firstIndex { $0 == nil } ?? answers.count
        guard next < answers.count else { return answers.map { $0! } }
        var curve = ProductLimit(of: sums.total)
        var bounds = [Int?](repeating: nil, count: answers.count)
        var bounded = next
        var from = 0
        for cell in cells {
            var sum: Int64 = 0
            for place in from..<cell.end {
                sum += Int64(entries[place].count) * Int64(weights[Int(entries[place].replica)])
            }
            from = cell.end
            guard sum > 0 else { continue }
            if cell.isAged { curve.takeOut(sum) } else { curve.arrive(sum) }
            while !cell.isAged, next < answers.count, answers[next] != nil || curve.hasReached(questions[next].share) {
                if answers[next] == nil {
                    guard let bucket = cell.bucket else { return nil }
                    answers[next] = .span(sums.clamped(bucket))
                }
                next += 1
            }
            guard next < answers.count else { break }
            while bounded < answers.count, curve.passed >= questions[bounded].share.rank(among: sums.total) {
                bounds[bounded] = cell.bucket ?? -1
                bounded += 1
            }
        }
        for index in answers.indices where answers[index] == nil {
            guard let bucket = bounds[index], bucket >= 0 else { return nil }
            answers[index] = .atLeast(min(SpanHistogram.lowest(of: bucket), max(sums.largest, sums.oldest)))
        }
        return answers.map { $0! }
    }
}

extension PooledSamples {
    /// What is known of a weighting without a walk.
    private struct Sums {
        let arrived: Int64
        let waiting: Int64
        let total: Int64
        var least = Int64.max
        var largest: Int64 = -1
        var oldest: Int64 = -1

        init(_ book: SampleBook, _ weights: [UInt8]) {
            arrived = Int64(book.arrived.sum(weights))
            waiting = Int64(book.waiting.sum(weights))
            total = arrived + waiting + Int64(book.lost.sum(weights))
            for replica in 0..<book.count where weights[replica] > 0 {
                if book.arrived[replica] > 0 {
                    least = min(least, Int64(book.least[replica]))
                    largest = max(largest, Int64(book.largest[replica]))
                }
                if waiting > 0, book.waiting[replica] > 0 { oldest = max(oldest, Int64(book.oldest[replica])) }
            }
        }

        /// Nil: it takes a walk.
        func known(_ q: Share) -> SpanHistogram.Quantile? {
            let rank = q.rank(among: total)
            if rank == 0 { return .nothing }
            if rank > arrived + waiting { return .never }
            if waiting > 0 { return q == .all ? (largest < oldest ? .atLeast(oldest) : .span(largest)) : nil }
            return rank == 1 ? .span(least) : rank == arrived ? .span(largest) : nil
        }

        func clamped(_ bucket: Int) -> Int64 { min(max(SpanHistogram.middle(of: bucket), least), largest) }
    }
}
