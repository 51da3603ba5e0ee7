import DeadzoneJournal
@testable import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

/// What is kept of each replica.
@Suite struct ReplicasTests {
    private static let questions = [50, 500, 900, 950, 990, 1_000].map { (thousandths: Int64) in
        Question(metric: 0, share: Share(thousandths: thousandths), perUnit: 1, isZeroIfEmpty: false)
    }

    /// - Parameter bits: By which the buckets of every other replica are coarser than they were.
    private func book(_ histograms: [SpanHistogram], coarseness bits: Int = 0) -> SampleBook {
        histograms.enumerated().reduce(into: SampleBook()) { book, one in
            let bits = one.offset % 2 == 0 ? bits : 0
            book.add(one.element, SampleBook.code(one.element, coarseness: bits), coarseness: bits)
        }
    }

    private func histograms(_ count: Int, samples: UInt64, waiting: UInt64, _ dice: inout Dice) -> [SpanHistogram] {
        (0..<count).map { _ in
            var histogram = SpanHistogram()
            for _ in 0..<dice.next() % samples { histogram.record(Int64(dice.next() >> (20 + dice.next() % 30))) }
            histogram.lose(Int64(dice.next() % 3))
            for _ in 0..<dice.next() % waiting { histogram.wait(Int64(dice.next() >> (20 + dice.next() % 30))) }
            return histogram
        }
    }

    @Test("Else the quantile of a resample would be another than that of the merged histograms")
    func pooledIsMerged() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let replicas = histograms(4, samples: 40, waiting: 1 + seed % 3 * 3, &dice)
            let pooled = PooledSamples(book(replicas), Self.questions, laysTogether: false)
            #expect(pooled.blocks.count > 1, "one block needs no search")
            var weights: [UInt8] = [0, 0, 0, 0]
            for _ in 0..<4 { weights[Int(dice.next() % 4)] += 1 }
            var merged = SpanHistogram()
            for (histogram, weight) in zip(replicas, weights) { for _ in 0..<weight { merged.merge(histogram) } }
            let answers = weights.withUnsafeBufferPointer { pooled.answers(Weights($0)) }
            #expect(answers == Self.questions.map { merged.quantile($0.share) }, "weights \(weights)")
        }
    }

    @Test("Else what is saved at many replicas would move the intervals")
    func layingTogetherChangesNoAnswer() {
        var (known, unknown) = (0, 0)
        seedSweep(6) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let book = book(histograms(200, samples: 60, waiting: 1 + seed % 2 * 2, &dice))
            let apart = PooledSamples(book, Self.questions, laysTogether: false)
            let together = PooledSamples(book, Self.questions, laysTogether: true)
            let bootstrap = try #require(Bootstrap(seed: seed, replicas: 200, OneHand()))
            bootstrap.forEach { _, weights in
                let answers = together.answers(weights)
                if answers == nil { unknown += 1 } else { known += 1 }
                guard answers != nil, known % 8 == 0 else { return }
                #expect(answers == apart.answers(weights))
            }
        }
        #expect(known > 5_900, "\(unknown) lie where buckets are laid together")
    }

    @Test("Else resamples that are not searched would move the ends of an interval")
    func whoIsWithinAFenceMovesNoEnd() throws {
        var (fenced, vain) = (0, 0)
        seedSweep(123) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            // The last are too many to be named by a byte, and too long to be laid out apart.
            let count = seed < 120 ? 10 : seed < 122 ? 257 : 1_500
            let replicas = histograms(count, samples: 60, waiting: 1 + seed % 3, &dice)
            let book = book(replicas, coarseness: seed % 4 == 0 ? SpanHistogram.mostCoarseness : 0)
            let pooled = PooledSamples(book, Self.questions, laysTogether: false)
            let bootstrap = try #require(Bootstrap(seed: seed, replicas: count, OneHand()))
            #expect((book.length > PooledSamples.few) == (count == 1_500), "\(book.length) B")
            var results = Self.questions.map { _ in [Int128?]() }
            bootstrap.forEach { _, weights in
                for (index, answer) in (pooled.answers(weights) ?? []).enumerated() {
                    results[index].append(Self.questions[index].result(answer))
                }
            }
            let intervals = Draw.samples(book, Self.questions).intervals(bootstrap)
            for ((question, results), interval) in zip(zip(Self.questions, results), intervals) {
                let sorted = results.compactMap(\.self).sorted()
                let places = [25, 975].map {
                    Int(Share(thousandths: $0).rank(among: Int64(sorted.count))) - 1
                }
                let ends = Ends(low: sorted[places[0]], high: sorted[places[1]])
                #expect(interval.interval == ends.interval(question.figure), "\(question.share)")
                guard let fence = Fence(around: results.prefix(Fence.scouts), pooled) else { continue }
                if fence.isBetween(ends) { fenced += 1 } else { vain += 1 }
            }
        }
        #expect(fenced > 100, "hardly anything is fenced")
        #expect(vain > 0, "no end lies within a fence")
    }

    @Test("Else a hundred thousand replicas would not fit into a gigabyte")
    func eachTakesAtMostFourKilobytes() {
        // Everything that a record can be, and more samples than fit.
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        func replica(_ seed: UInt64) -> RunFold {
            let records = (0..<3_000).map { _ in
                Record(at: .zero, lane: 0, kind: .deliveredDown, value: Int64(dice.next() >> (20 + dice.next() % 30)))
            }
            let end = [Record(at: .zero, lane: 0, kind: .finished, value: 1_000_000 + Int64(seed))]
            return fold(randomRecords(600, seed: seed) + records + end)
        }
        let folds = (0..<4).map { replica(UInt64($0)) }
        var replicas = Replicas(prices: .crooked, planned: 100_000)
        let empty = replicas.keptBytes
        for index in 0..<1_000 { replicas.add(folds[index % 4]) }
        #expect((replicas.keptBytes - empty) / 1_000 + Bootstrap.resamples <= 4_096)
        #expect(replicas.books.contains { $0.coarseness[0] > 0 }, "nothing had to be made coarser")
        // The figures are of all samples, as fine as ever.
        let run = Measurement(of: replicas.only(4, folds, planned: 100_000), seed: 1)
        let fine = Measurement(of: folds, prices: .crooked, seed: 1)
        for metric in Catalogue.all { #expect(run.figure(metric.name) == fine.figure(metric.name), "\(metric.name)") }
        #expect(run.interval("latency.down.p50") != fine.interval("latency.down.p50"))
    }

    @Test("Else replicas that end in another order would come to other numbers")
    func neighboursMayBeLaidTogether() {
        let folds = (0..<6).map { seed in
            fold(
                randomRecords(300, seed: UInt64(seed)) + [Record(at: .zero, lane: 0, kind: .finished, value: 1_000_000)]
            )
        }
        func laid(_ range: Range<Int>) -> Replicas {
            range.reduce(into: Replicas(prices: .crooked, planned: 6)) { $0.add(folds[$1]) }
        }
        var parts = laid(0..<1)
        var behind = laid(1..<4)
        behind.append(laid(4..<6))
        parts.append(behind)
        let (one, other) = (Measurement(of: parts, seed: 2), Measurement(of: laid(0..<6), seed: 2))
        #expect(parts.whole == merged(folds[0], folds[1], folds[2], folds[3], folds[4], folds[5]))
        for metric in Catalogue.all {
            #expect(one.figure(metric.name) == other.figure(metric.name), "\(metric.name)")
            #expect(one.interval(metric.name) == other.interval(metric.name), "\(metric.name)")
            #expect(one.witness(metric.name) == other.witness(metric.name), "\(metric.name)")
        }
    }
}

extension PooledSamples {
    fileprivate func answers(_ weights: Weights) -> [SpanHistogram.Quantile]? {
        var answers = questions.map { _ in SpanHistogram.Quantile.nothing }
        func sum(_ column: Column) -> Int64 {
            (0..<weights.count).reduce(0) { $0 + Int64(column[$1]) * Int64(weights[$1]) }
        }
        let counts = Counts(arrived: sum(book.arrived), waiting: sum(book.waiting), lost: sum(book.lost))
        return answer(weights, counts, questions.map { _ in nil }, &answers) ? answers : nil
    }
}

extension Replicas {
    fileprivate func only(_ count: Int, _ folds: [RunFold], planned: Int) -> Replicas {
        folds.prefix(count).reduce(into: Replicas(prices: prices, planned: planned)) { $0.add($1) }
    }
}
