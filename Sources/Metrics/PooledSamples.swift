/// The samples of all replicas, sorted once by how long they took, so that the quantiles of any weighting of the replicas are
/// found without walking through them: a table says how many of each replica lie before every so many.
///
/// Of many replicas a resample's quantile lies near that of all. Buckets far from every one of those, in which nothing waits,
/// are laid together: there only their sum counts. Where an answer falls among them after all there is none, and somebody asks
/// again with all buckets apart.
struct PooledSamples: Sendable {
    struct Entry {
        let replica: UInt32
        private(set) var count: UInt32

        init(replica: UInt32, count: Int64) {
            self.replica = replica
            self.count = UInt32(count)
        }

        mutating func add(_ more: Int64) { count += UInt32(more) }
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
    /// Those that wait, with the block of each; at last, the end of all.
    private(set) var agedCells: [(cell: Int, block: Int)] = []

    init(_ book: SampleBook, _ questions: [Question], laysTogether: Bool) {
        self.book = book
        self.questions = questions
        extremes = Extremes(book)
        layOut(laysTogether ? runs(Tally(book)) : BucketCounts())
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

    /// For each bucket that hardly any resample's quantile falls into, 1 more than the first of its neighbours of which that holds, too.
    private func runs(_ tally: Tally) -> BucketCounts {
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
        var runs = BucketCounts()
        var (seen, first) = (Int64(0), Int?.none)
        for (bucket, arrived, aged) in tally.buckets {
            let from = seen
            seen += arrived + aged
            if aged > 0 || spans.contains(where: { $0.overlaps(from...seen) }) {
                first = nil
            } else {
                first = first ?? bucket
                runs.add(Int64(first ?? bucket) + 1, to: bucket)
            }
        }
        return runs
    }

    /// An entry and where it belongs: twice the bucket, or the first of its run; and one more of those that wait.
    private struct Placed {
        let place: Int
        var entry: Entry
    }

    private mutating func layOut(_ runs: BucketCounts) {
        var placed: [Placed] = []
        book.forEach { replica, bucket, arrived, aged in
            if arrived > 0 {
                let run = Int(runs[bucket])
                let place = 2 * (run > 0 ? run - 1 : bucket)
                // What lies together of one replica is one entry.
                if run > 0, let last = placed.last, last.place == place, last.entry.replica == UInt32(replica) {
                    placed[placed.count - 1].entry.add(arrived)
                } else {
                    placed.append(Placed(place: place, entry: Entry(replica: UInt32(replica), count: arrived)))
                }
            }
            if aged > 0 {
                placed.append(Placed(place: 2 * bucket + 1, entry: Entry(replica: UInt32(replica), count: aged)))
            }
        }
        // Of every replica they are in order already, which the sort makes use of.
        placed.sort { $0.place < $1.place }
        var last = -1
        for (index, one) in placed.enumerated() {
            if one.place != last {
                let isApart = runs[one.place / 2] == 0
                cells.append(Cell(bucket: isApart ? one.place / 2 : nil, isAged: one.place % 2 == 1, end: index))
                last = one.place
            }
            cells[cells.count - 1].end = index + 1
        }
        entries = placed.map(\.entry)
    }

    /// Of every replica, how many come before a cell.
    func passed(beforeCell cell: Int) -> [Int64] {
        let block = block(of: cell)
        var passed = Array(before[block * book.count..<(block + 1) * book.count])
        let from = blocks[block] > 0 ? cells[blocks[block] - 1].end : 0
        let end = cell > 0 ? cells[cell - 1].end : 0
        for entry in entries[from..<end] { passed[Int(entry.replica)] += Int64(entry.count) }
        return passed
    }

    /// The last that does not begin behind it.
    func block(of cell: Int) -> Int { (blocks.firstIndex { $0 > cell } ?? blocks.count) - 1 }

    private mutating func count() {
        var passed = [Int64](repeating: 0, count: book.count)
        var (from, first) = (0, 0)
        for cell in cells.indices {
            if blocks.isEmpty || from - first >= book.count {
                blocks.append(cell)
                before += passed
                first = from
            }
            if cells[cell].isAged { agedCells.append((cell, blocks.count - 1)) }
            for entry in entries[from..<cells[cell].end] { passed[Int(entry.replica)] += Int64(entry.count) }
            from = cells[cell].end
        }
        agedCells.append((cells.count, max(blocks.count - 1, 0)))
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
