/// The samples of all replicas, sorted once, to find the quantiles of any bootstrap resample quickly. A table holds,
/// for every block of cells, the number of samples of each replica before it.
///
/// With many replicas, the quantile of a resample lies near the quantile of the whole. Buckets far from every queried
/// quantile, without waiting samples, are therefore merged: only their sum counts. If a quantile falls into merged
/// buckets, there is no result, and the caller repeats the query without merging.
struct PooledSamples: Sendable {
    struct ReplicaCount {
        let replica: UInt32
        private(set) var count: UInt32

        init(replica: UInt32, count: Int64) {
            self.replica = replica
            self.count = UInt32(count)
        }

        mutating func add(_ more: Int64) { count += UInt32(more) }
    }

    struct SampleCell {
        /// `nil` if several buckets were merged.
        var bucket: Int?
        /// `true` if the samples still wait, `false` if they arrived.
        var isWaiting: Bool
        var end: Int
    }

    /// Sample stores with at most this many coded bytes are never merged.
    static let minMergeBytes = 100_000
    /// Distance in standard deviations between a resample's rank and the rank of the whole. Only one in a billion
    /// exceeds it.
    private static let standardDeviations: Int64 = 6

    let store: SampleStore
    let queries: [QuantileQuery]
    let extremes: Extremes
    private(set) var cells: [SampleCell] = []
    private(set) var entries: [ReplicaCount] = []
    /// First cell of each block. A block has about as many entries as there are replicas.
    private(set) var blocks: [Int] = []
    /// For each block, the number of samples of every replica before it.
    private(set) var countsBefore: [Int64] = []
    /// Cells with waiting samples, each with its block. The last element marks the end of all cells.
    private(set) var waitingCells: [(cell: Int, block: Int)] = []

    init(_ store: SampleStore, _ queries: [QuantileQuery], mergesDistantBuckets: Bool) {
        self.store = store
        self.queries = queries
        extremes = Extremes(store)
        buildCells(mergesDistantBuckets ? mergedRuns(BucketTotals(store)) : BucketCounts())
        buildBlocks()
    }

    /// For each histogram bucket, the number of samples of all replicas together.
    private struct BucketTotals {
        private(set) var buckets: [(bucket: Int, arrived: Int64, aged: Int64)] = []

        init(_ store: SampleStore) {
            var (arrived, aged, all) = (BucketCounts(), BucketCounts(), BucketCounts())
            store.forEach { _, bucket, here, waiting in
                if here > 0 { arrived.add(here, to: bucket) }
                if waiting > 0 { aged.add(waiting, to: bucket) }
                all.add(here + waiting, to: bucket)
            }
            all.forEach { bucket, _ in buckets.append((bucket, arrived[bucket], aged[bucket])) }
        }
    }

    /// For each bucket that hardly any resample's quantile falls into, 1 plus the first bucket of the run of such
    /// neighbours.
    private func mergedRuns(_ tally: BucketTotals) -> BucketCounts {
        // Upper bound for the standard deviation of a quantile's rank: as if all samples of a replica were equal. It is
        // half the root of the sum of squared replica sizes.
        var squares: UInt64 = 0
        for replica in 0..<store.count {
            let size = UInt64(clamping: store.arrived[replica] + store.waiting[replica] + store.lost[replica])
            squares =
                squares.addingReportingOverflow(size.multipliedReportingOverflow(by: size).partialValue).partialValue
        }
        var root = UInt64(Double(squares).squareRoot())
        while root * root > squares { root -= 1 }
        let pooled = store.pooled
        let total = pooled.count + pooled.waiting + pooled.lost
        var spans: [ClosedRange<Int64>] = []
        for query in queries where query.share != .all {
            var rank = query.share.rank(among: total)
            if pooled.waiting > 0, case .span(let span) = pooled.quantile(query.share) {
                let bucket = SpanHistogram.bucket(of: span)
                rank = tally.buckets.reduce(0) { $0 + ($1.bucket <= bucket ? $1.arrived + $1.aged : 0) }
            }
            let reach = Self.standardDeviations * Int64(root) / 2 + 1
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

    /// The number of one replica's samples in one histogram bucket, with a key to sort it by. The key is twice the
    /// bucket (or the first bucket of its merged run), plus one for waiting samples.
    private struct KeyedEntry {
        let place: Int
        var entry: ReplicaCount
    }

    private mutating func buildCells(_ runs: BucketCounts) {
        var placed: [KeyedEntry] = []
        store.forEach { replica, bucket, arrived, aged in
            if arrived > 0 {
                let run = Int(runs[bucket])
                let place = 2 * (run > 0 ? run - 1 : bucket)
                // Merged buckets of one replica make one entry.
                if run > 0, let last = placed.last, last.place == place, last.entry.replica == UInt32(replica) {
                    placed[placed.count - 1].entry.add(arrived)
                } else {
                    placed.append(
                        KeyedEntry(place: place, entry: ReplicaCount(replica: UInt32(replica), count: arrived)))
                }
            }
            if aged > 0 {
                placed.append(
                    KeyedEntry(place: 2 * bucket + 1, entry: ReplicaCount(replica: UInt32(replica), count: aged)))
            }
        }
        // Each replica's entries are already in order, which makes the sort fast.
        placed.sort { $0.place < $1.place }
        var last = -1
        for (index, one) in placed.enumerated() {
            if one.place != last {
                let isApart = runs[one.place / 2] == 0
                cells.append(
                    SampleCell(bucket: isApart ? one.place / 2 : nil, isWaiting: one.place % 2 == 1, end: index))
                last = one.place
            }
            cells[cells.count - 1].end = index + 1
        }
        entries = placed.map(\.entry)
    }

    /// For every replica, the number of samples before a cell.
    func passed(beforeCell cell: Int) -> [Int64] {
        let block = block(of: cell)
        var passed = Array(countsBefore[block * store.count..<(block + 1) * store.count])
        let from = blocks[block] > 0 ? cells[blocks[block] - 1].end : 0
        let end = cell > 0 ? cells[cell - 1].end : 0
        for entry in entries[from..<end] { passed[Int(entry.replica)] += Int64(entry.count) }
        return passed
    }

    /// The block that contains the cell: the last one that does not begin after it.
    func block(of cell: Int) -> Int { (blocks.firstIndex { $0 > cell } ?? blocks.count) - 1 }

    private mutating func buildBlocks() {
        var passed = [Int64](repeating: 0, count: store.count)
        var (from, first) = (0, 0)
        for cell in cells.indices {
            if blocks.isEmpty || from - first >= store.count {
                blocks.append(cell)
                countsBefore += passed
                first = from
            }
            if cells[cell].isWaiting { waitingCells.append((cell, blocks.count - 1)) }
            for entry in entries[from..<cells[cell].end] { passed[Int(entry.replica)] += Int64(entry.count) }
            from = cells[cell].end
        }
        waitingCells.append((cells.count, max(blocks.count - 1, 0)))
    }
}

extension PooledSamples {
    /// The smallest and largest samples of each replica, sorted to find the extremes of a bootstrap resample. The first
    /// drawn replica in a list has the extreme of the resample.
    struct Extremes: Sendable {
        private typealias ReplicaSpan = (replica: Int, span: Int64)

        private let least: [ReplicaSpan]
        private let largest: [ReplicaSpan]
        private let oldest: [ReplicaSpan]

        init(_ store: SampleStore) {
            func sorted(_ spans: ReplicaColumn, of counts: ReplicaColumn, _ isBefore: (Int64, Int64) -> Bool)
                -> [ReplicaSpan]
            {
                (0..<store.count).filter { counts[$0] > 0 }.map { ($0, Int64(spans[$0])) }
                    .sorted { isBefore($0.span, $1.span) }
            }
            least = sorted(store.least, of: store.arrived, <)
            largest = sorted(store.largest, of: store.arrived, >)
            oldest = sorted(store.oldest, of: store.waiting, >)
        }

        func least(_ weights: Weights) -> Int64? { Self.first(least, weights) }
        func largest(_ weights: Weights) -> Int64? { Self.first(largest, weights) }
        func oldest(_ weights: Weights) -> Int64? { Self.first(oldest, weights) }

        private static func first(_ sorted: [ReplicaSpan], _ weights: Weights) -> Int64? {
            for one in sorted where weights[one.replica] > 0 { return one.span }
            return nil
        }
    }
}
