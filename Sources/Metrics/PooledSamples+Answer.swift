extension PooledSamples {
    /// How many samples a draw has.
    struct Counts {
        let arrived: Int64
        let waiting: Int64
        let lost: Int64
    }

    /// Of each draw.
    func counts(_ draws: Bootstrap) -> [Counts] {
        let (arrived, waiting, lost) = (book.arrived.sums(draws), book.waiting.sums(draws), book.lost.sums(draws))
        return (0..<Bootstrap.resamples).map {
            Counts(arrived: Int64(arrived[$0]), waiting: Int64(waiting[$0]), lost: Int64(lost[$0]))
        }
    }

    /// What `SpanHistogram.quantile` would answer to each question if each replica were merged as often as its weight says; or, where
    /// that lies within a fence, something else that does. False if one without lies among what is laid together.
    func answer(
        _ weights: Weights, _ counts: Counts, _ fences: [Fence?], _ answers: inout [SpanHistogram.Quantile]
    ) -> Bool {
        let sums = Sums(self, weights, counts)
        var open: Int?
        for index in questions.indices {
            let share = questions[index].share
            if let known = sums.known(share) {
                answers[index] = known
            } else if sums.waiting == 0 {
                guard let span = span(reaching: share.rank(among: sums.total), fences[index], sums, weights) else {
                    return false
                }
                answers[index] = .span(span)
            } else if open == nil {
                open = index
            }
        }
        return open.map { answerWaiting(from: $0, sums, weights, fences, &answers) } ?? true
    }

    /// The questions are in the order of their shares, so their answers are, too.
    private func answerWaiting(
        from open: Int, _ sums: Sums, _ weights: Weights, _ fences: [Fence?],
        _ answers: inout [SpanHistogram.Quantile]
    ) -> Bool {
        var curve = ProductLimit(of: sums.total)
        var next = open
        var place = Place()
        for (cell, block) in agedCells {
            let aged = cell < cells.count ? sum(of: cell, weights) : 0
            guard aged > 0 || cell == cells.count else { continue }
            move(&place, to: cell, of: block, weights)
            // What arrives from one that is taken out to the next.
            if place.passed > curve.passed {
                var ahead = curve
                ahead.arrive(place.passed - curve.passed)
                while next < answers.count {
                    let share = questions[next].share
                    if sums.known(share) == nil {
                        guard ahead.hasReached(share) else { break }
                        let count = max(curve.passing(share), curve.passed + 1)
                        guard let span = span(reaching: count, fences[next], sums, weights) else { return false }
                        answers[next] = .span(span)
                    }
                    next += 1
                }
                if next == answers.count { return true }
                curve = ahead
            }
            curve.takeOut(aged)
        }
        for index in next..<answers.count where sums.known(questions[index].share) == nil {
            let rank = questions[index].share.rank(among: sums.total)
            let cell = cell(reaching: rank, Search(blocks: blocks.indices, ahead: sums.passing), weights)
            guard let bucket = cells[cell].bucket else { return false }
            answers[index] = .atLeast(min(SpanHistogram.lowest(of: bucket), max(sums.largest, sums.oldest)))
        }
        return true
    }

    /// By which so many have passed, or some span within the fence if that is; nil among what is laid together without one.
    private func span(reaching count: Int64, _ fence: Fence?, _ sums: Sums, _ weights: Weights) -> Int64? {
        var search = Search(blocks: blocks.indices, ahead: sums.passing)
        if let fence, narrow(&search, to: count, outside: fence, weights) { return fence.inside }
        return cells[cell(reaching: count, search, weights)].bucket.map(sums.clamped)
    }

    /// Where something is looked for: in which blocks, and from which cell of the first of them, before which too few have passed.
    private struct Search {
        var blocks: Range<Int>
        var cell = 0
        var seen: Int64 = 0
        /// How many have passed with the last of them, or fewer but enough.
        var ahead: Int64
    }

    /// True: it is within the fence.
    private func narrow(_ search: inout Search, to count: Int64, outside fence: Fence, _ weights: Weights) -> Bool {
        let below = Self.sum(fence.before, from: 0, weights)
        if count <= below {
            search.blocks = 0..<fence.firstBlock + 1
            search.ahead = below
            return false
        }
        let notAbove = Self.sum(fence.before, from: weights.count, weights)
        if count <= notAbove { return true }
        search.blocks = fence.endBlock..<blocks.count
        (search.cell, search.seen) = (fence.end, notAbove)
        return false
    }

    /// So often a block is guessed before what is left is halved.
    private static let guesses = 6

    /// The first cell with which so many of those that pass have passed. There is one.
    private func cell(reaching count: Int64, _ search: Search, _ weights: Weights) -> Int {
        // Blocks have about as many entries each, so what has passed grows nearly evenly: a block is guessed where a straight line
        // between those that are known would have it.
        var (low, cell, seen) = (search.blocks.lowerBound, search.cell, search.seen)
        var (high, ahead) = (search.blocks.upperBound, search.ahead)
        var guesses = 0
        while high - low > 1 {
            var middle = (low + high) / 2
            if guesses < Self.guesses {
                // Not more than all of them: what is missing is no more than what lies between.
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

    /// A cell, and how many have passed before it.
    private struct Place {
        var cell = 0
        var block = 0
        var passed: Int64 = 0
    }

    /// Forwards.
    private func move(_ place: inout Place, to cell: Int, of block: Int, _ weights: Weights) {
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
        Self.sum(before, from: block * weights.count, weights)
    }

    /// Of a row of numbers.
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
    /// What is known of a weighting without a search.
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

        /// Nil: it takes a search.
        func known(_ q: Share) -> SpanHistogram.Quantile? {
            let rank = q.rank(among: total)
            if rank == 0 { return .nothing }
            if rank > passing { return .never }
            if waiting > 0 { return q == .all ? (largest < oldest ? .atLeast(oldest) : .span(largest)) : nil }
            return rank == 1 ? .span(least) : rank == arrived ? .span(largest) : nil
        }

        func clamped(_ bucket: Int) -> Int64 { min(max(SpanHistogram.middle(of: bucket), least), largest) }
    }
}
