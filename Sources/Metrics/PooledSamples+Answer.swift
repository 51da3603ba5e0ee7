extension PooledSamples {
    /// The number of arrived, waiting and lost samples in one bootstrap resample.
    struct Counts {
        let arrived: Int64
        let waiting: Int64
        let lost: Int64
    }

    /// Number of samples in each resample.
    func counts(_ draws: Bootstrap) -> [Counts] {
        let (arrived, waiting, lost) = (store.arrived.sums(draws), store.waiting.sums(draws), store.lost.sums(draws))
        return (0..<Bootstrap.resamples).map {
            Counts(arrived: Int64(arrived[$0]), waiting: Int64(waiting[$0]), lost: Int64(lost[$0]))
        }
    }

    /// Computes the result of `SpanHistogram.quantile` for each query, as if each replica were merged as often as its
    /// weight says. A quantile inside a skip range is replaced by another value inside it. Returns `false` if a
    /// quantile outside the skip ranges falls into merged buckets.
    func answer(
        _ weights: Weights, _ counts: Counts, _ skipRanges: [SkipRange?],
        _ answers: inout [SpanHistogram.QuantileResult]
    ) -> Bool {
        let sums = Sums(self, weights, counts)
        var open: Int?
        for index in queries.indices {
            let share = queries[index].share
            if let known = sums.known(share) {
                answers[index] = known
            } else if sums.waiting == 0 {
                guard let span = span(reaching: share.rank(among: sums.total), skipRanges[index], sums, weights) else {
                    return false
                }
                answers[index] = .span(span)
            } else if open == nil {
                open = index
            }
        }
        return open.map { answerCensored(from: $0, sums, weights, skipRanges, &answers) } ?? true
    }

    /// Computes the remaining quantiles if samples are censored. Queries are sorted by share, so their results are in
    /// order too.
    private func answerCensored(
        from open: Int, _ sums: Sums, _ weights: Weights, _ skipRanges: [SkipRange?],
        _ answers: inout [SpanHistogram.QuantileResult]
    ) -> Bool {
        var curve = ProductLimit(of: sums.total)
        var next = open
        var place = CellCursor()
        for (cell, block) in waitingCells {
            let aged = cell < cells.count ? sum(of: cell, weights) : 0
            guard aged > 0 || cell == cells.count else { continue }
            move(&place, to: cell, of: block, weights)
            // Samples that arrived between the last censored cell and this one.
            if place.passed > curve.removedCount {
                var ahead = curve
                ahead.arrive(place.passed - curve.removedCount)
                while next < answers.count {
                    let share = queries[next].share
                    if sums.known(share) == nil {
                        guard ahead.hasReached(share) else { break }
                        let count = max(curve.removedCountToReach(share), curve.removedCount + 1)
                        guard let span = span(reaching: count, skipRanges[next], sums, weights) else { return false }
                        answers[next] = .span(span)
                    }
                    next += 1
                }
                if next == answers.count { return true }
                curve = ahead
            }
            curve.censor(aged)
        }
        for index in next..<answers.count where sums.known(queries[index].share) == nil {
            let rank = queries[index].share.rank(among: sums.total)
            let cell = cell(reaching: rank, CellSearch(blocks: blocks.indices, ahead: sums.passing), weights)
            guard let bucket = cells[cell].bucket else { return false }
            answers[index] = .atLeast(min(SpanHistogram.lowest(of: bucket), max(sums.largest, sums.oldest)))
        }
        return true
    }

    /// The span at which this many samples have passed. If that lies in the skip range, another value inside it. `nil`
    /// if it falls into merged buckets outside the skip range.
    private func span(reaching count: Int64, _ skipRange: SkipRange?, _ sums: Sums, _ weights: Weights) -> Int64? {
        var search = CellSearch(blocks: blocks.indices, ahead: sums.passing)
        if let skipRange, narrow(&search, to: count, outside: skipRange, weights) { return skipRange.placeholder }
        return cells[cell(reaching: count, search, weights)].bucket.map(sums.clamped)
    }

    /// The state of a search for the sample with a given rank in the sorted samples. It contains the candidate blocks,
    /// and the start cell in the first of them, with the number of samples before it (`seen`).
    private struct CellSearch {
        var blocks: Range<Int>
        var cell = 0
        var seen: Int64 = 0
        /// Number of samples before the end of the last block. It may be lower, but it is at least the number searched
        /// for.
        var ahead: Int64
    }

    /// Narrows the search to one side of the skip range. Returns `true` if the target lies in the skip range.
    private func narrow(_ search: inout CellSearch, to count: Int64, outside skipRange: SkipRange, _ weights: Weights)
        -> Bool
    {
        let below = Self.sum(skipRange.countsBefore, from: 0, weights)
        if count <= below {
            search.blocks = 0..<skipRange.firstBlock + 1
            search.ahead = below
            return false
        }
        let notAbove = Self.sum(skipRange.countsBefore, from: weights.count, weights)
        if count <= notAbove { return true }
        search.blocks = skipRange.endBlock..<blocks.count
        (search.cell, search.seen) = (skipRange.endCell, notAbove)
        return false
    }

    /// Number of interpolation steps before the search falls back to bisection.
    private static let guesses = 6

    /// The first cell at which this many samples have passed. It always exists.
    private func cell(reaching count: Int64, _ search: CellSearch, _ weights: Weights) -> Int {
        // Interpolation search. Blocks hold about the same number of entries, so the cumulative count grows nearly
        // linearly.
        var (low, cell, seen) = (search.blocks.lowerBound, search.cell, search.seen)
        var (high, ahead) = (search.blocks.upperBound, search.ahead)
        var guesses = 0
        while high - low > 1 {
            var middle = (low + high) / 2
            if guesses < Self.guesses {
                // The quotient fits: the missing count is at most the count in between.
                let line = (ahead - seen).dividingFullWidth((count - seen).multipliedFullWidth(by: Int64(high - low)))
                middle = min(max(low + Int(line.quotient), low + 1), high - 1)
                guesses += 1
            }
            let sum = passed(before: middle, weights)
            if sum < count { (low, cell, seen) = (middle, blocks[middle], sum) } else { (high, ahead) = (middle, sum) }
        }
        let last = high < blocks.count ? blocks[high] - 1 : cells.count - 1
        while cell < last {
            seen += sum(of: cell, weights)
            if seen >= count { break }
            cell += 1
        }
        return cell
    }

    /// A position in the sorted samples, with the number of samples before it.
    private struct CellCursor {
        var cell = 0
        var block = 0
        var passed: Int64 = 0
    }

    /// Moves the cursor forwards to a cell.
    private func move(_ place: inout CellCursor, to cell: Int, of block: Int, _ weights: Weights) {
        if place.block != block {
            place.block = block
            place.cell = blocks[block]
            place.passed = passed(before: block, weights)
        }
        while place.cell < cell {
            place.passed += sum(of: place.cell, weights)
            place.cell += 1
        }
    }

    private func passed(before block: Int, _ weights: Weights) -> Int64 {
        Self.sum(countsBefore, from: block * weights.count, weights)
    }

    /// Weighted sum of a row of numbers, one per replica.
    @inline(__always)
    private static func sum(_ numbers: [Int64], from first: Int, _ weights: Weights) -> Int64 {
        numbers.withUnsafeBufferPointer { weights.sum($0.baseAddress.unsafelyUnwrapped + first) }
    }

    private func sum(of cell: Int, _ weights: Weights) -> Int64 {
        let from = cell > 0 ? cells[cell - 1].end : 0
        var sum: Int64 = 0
        for place in from..<cells[cell].end {
            sum &+= Int64(entries[place].count) &* Int64(weights[Int(entries[place].replica)])
        }
        return sum
    }
}

extension PooledSamples {
    /// The totals and extremes of the samples in one bootstrap resample, which need no search.
    private struct Sums {
        let arrived: Int64
        let waiting: Int64
        let passing: Int64
        let total: Int64
        let least: Int64
        let largest: Int64
        let oldest: Int64

        init(_ samples: PooledSamples, _ weights: Weights, _ counts: Counts) {
            arrived = counts.arrived
            waiting = counts.waiting
            passing = arrived + waiting
            total = passing + counts.lost
            least = samples.extremes.least(weights) ?? .max
            largest = samples.extremes.largest(weights) ?? -1
            oldest = samples.extremes.oldest(weights) ?? -1
        }

        /// The quantile if totals and extremes determine it. `nil` if it takes a search.
        func known(_ q: Share) -> SpanHistogram.QuantileResult? {
            let rank = q.rank(among: total)
            if rank == 0 { return .nothing }
            if rank > passing { return .never }
            if waiting > 0 { return q == .all ? (largest < oldest ? .atLeast(oldest) : .span(largest)) : nil }
            return rank == 1 ? .span(least) : rank == arrived ? .span(largest) : nil
        }

        func clamped(_ bucket: Int) -> Int64 { min(max(SpanHistogram.middle(of: bucket), least), largest) }
    }
}
