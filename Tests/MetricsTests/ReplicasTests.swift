import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

/// Data that is kept of each replica.
@Suite struct ReplicasTests {
    private static let queries = queries([50, 500, 900, 950, 990, 1_000])

    private static func queries(_ shares: [Int64]) -> [QuantileQuery] {
        shares.map {
            QuantileQuery(metric: 0, share: Share(thousandths: $0), perUnit: 1, isZeroIfEmpty: false)
        }
    }

    /// - Parameter bits: Number of bits by which the buckets of every other replica are coarser.
    private func store(_ histograms: [SpanHistogram], coarseness bits: Int = 0) -> SampleStore {
        histograms.enumerated().reduce(into: SampleStore()) { store, one in
            let bits = one.offset % 2 == 0 ? bits : 0
            store.add(one.element, SampleStore.code(one.element, coarseness: bits), coarseness: bits)
        }
    }

    private func histograms(_ count: Int, samples: UInt64, waiting: UInt64, _ dice: inout Dice) -> [SpanHistogram] {
        (0..<count).map { _ in
            var histogram = SpanHistogram()
            for _ in 0..<dice.next() % samples { histogram.record(Int64(dice.next() >> (20 + dice.next() % 30))) }
            histogram.recordLost(Int64(dice.next() % 3))
            for _ in 0..<dice.next() % waiting {
                histogram.recordWaiting(Int64(dice.next() >> (20 + dice.next() % 30)))
            }
            return histogram
        }
    }

    @Test("Stores that are joined equal one store of all replicas")
    func joinedStoresEqualOne() {
        // Broken: the replicas of a shard lose a column, so a percentile names a wrong replica or the program stops.
        let columns: [KeyPath<SampleStore, ReplicaColumn>] = [
            \.arrived, \.waiting, \.lost, \.least, \.largest, \.oldest, \.coarseness,
        ]
        seedSweep(5) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let all = histograms(6, samples: 40, waiting: 4, &dice)
            func part(_ range: Range<Int>) -> SampleStore {
                range.reduce(into: SampleStore()) { store, index in
                    let bits = index % 3
                    store.add(all[index], SampleStore.code(all[index], coarseness: bits), coarseness: bits)
                }
            }
            func buckets(_ store: SampleStore) -> [[Int64]] {
                var rows: [[Int64]] = []
                store.forEach { rows.append([Int64($0), Int64($1), $2, $3]) }
                return rows
            }
            let whole = part(0..<6)
            for cut in 0...6 {
                var joined = part(0..<cut)
                joined.append(part(cut..<6))
                #expect(joined.count == 6 && !joined.hasExactBuckets)
                for column in columns where joined[keyPath: column].count == 6 {
                    let (own, other) = (joined[keyPath: column], whole[keyPath: column])
                    #expect((0..<6).map { own[$0] } == (0..<6).map { other[$0] }, "cut at \(cut)")
                }
                #expect(columns.allSatisfy { joined[keyPath: $0].count == 6 }, "cut at \(cut)")
                #expect(buckets(joined) == buckets(whole), "cut at \(cut)")
            }
            #expect(part(0..<1).hasExactBuckets && !part(0..<2).hasExactBuckets)
        }
    }

    @Test("The quantiles of pooled samples equal those of the merged histograms")
    func pooledEqualsMerged() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let replicas = histograms(4, samples: 40, waiting: 1 + seed % 3 * 3, &dice)
            let pooled = PooledSamples(store(replicas), Self.queries, mergesDistantBuckets: false)
            #expect(pooled.blocks.count > 1, "one block needs no search")
            var weights: [UInt8] = [0, 0, 0, 0]
            for _ in 0..<4 { weights[Int(dice.next() % 4)] += 1 }
            var merged = SpanHistogram()
            for (histogram, weight) in zip(replicas, weights) { for _ in 0..<weight { merged.merge(histogram) } }
            let answers = weights.withUnsafeBufferPointer { pooled.answers(Weights($0)) }
            #expect(answers == Self.queries.map { merged.quantile($0.share) }, "weights \(weights)")
        }
    }

    @Test("A quantile with waiting samples is the span of an arrival in a drawn replica")
    func quantilesAreSpansOfArrivals() {
        // Broken: the lowest quantile is the age of a waiting sample, or a span of a replica that was not drawn. Or a
        // quantile is such an age if it is reached only because a censoring step rounds the share down.
        func histogram(
            _ arrivals: [(span: Int64, times: Int64)], waiting: [Int64], lost: Int64 = 0
        ) -> SpanHistogram {
            var histogram = SpanHistogram()
            for arrival in arrivals { histogram.record(arrival.span, times: arrival.times) }
            for age in waiting { histogram.recordWaiting(age) }
            histogram.recordLost(lost)
            return histogram
        }
        // After the second arrivals the share that has not arrived is above one half by 2 to the power of -62. The
        // sample that waits behind them rounds it to one half.
        let many: Int64 = 1 << 30 - 1
        let close = histogram([(10, 2), (30, many), (50, 1)], waiting: [20, 40], lost: many)
        let rows: [(replicas: [SpanHistogram], weights: [UInt8], median: Int64?, lowest: Int64)] = [
            // Buckets around 5,001 are four wide, and their middle stands for them.
            (
                [histogram([(3_000, 1)], waiting: []), histogram([(5_001, 1), (6_000, 1)], waiting: [4_000])], [0, 2],
                nil, 5_002
            ),
            ([histogram([(9, 1), (12, 1)], waiting: [5, 8]), histogram([(2, 3)], waiting: [1])], [2, 0], nil, 9),
            ([close], [1], 50, 10), ([close, histogram([(1, 1)], waiting: [])], [1, 0], 50, 10),
        ]
        let queries = Self.queries([0, 1, 250, 500, 1_000])
        for row in rows {
            let pooled = PooledSamples(store(row.replicas), queries, mergesDistantBuckets: false)
            var merged = SpanHistogram()
            for (histogram, weight) in zip(row.replicas, row.weights) {
                for _ in 0..<weight { merged.merge(histogram) }
            }
            let answers = row.weights.withUnsafeBufferPointer { pooled.answers(Weights($0)) }
            #expect(answers == queries.map { merged.quantile($0.share) }, "\(row.weights)")
            #expect(answers?.first == .span(row.lowest), "\(row.weights)")
            if let median = row.median { #expect(answers?[3] == .span(median), "\(row.weights)") }
        }
    }

    @Test("Merging buckets at many replicas changes no answer")
    func mergingBucketsChangesNoAnswer() {
        var (known, unknown) = (0, 0)
        seedSweep(6) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let store = store(histograms(200, samples: 60, waiting: 1 + seed % 2 * 2, &dice))
            let apart = PooledSamples(store, Self.queries, mergesDistantBuckets: false)
            let together = PooledSamples(store, Self.queries, mergesDistantBuckets: true)
            let bootstrap = try #require(Bootstrap(seed: seed, replicas: 200, SerialMap()))
            bootstrap.forEach { _, weights in
                let answers = together.answers(weights)
                if answers == nil { unknown += 1 } else { known += 1 }
                guard answers != nil, known % 8 == 0 else { return }
                #expect(answers == apart.answers(weights))
            }
        }
        #expect(known > 5_900, "\(unknown) lie in merged buckets")
    }

    @Test("Merged buckets keep the samples of each replica apart")
    func mergedBucketsKeepReplicasApart() {
        // Broken: a replica's samples in merged buckets count as those of the replica before it.
        let count = 400
        // One sample each. Those of the first replicas lie between two quantiles, where buckets are merged.
        let store = store(
            (0..<count).map { replica in
                var histogram = SpanHistogram()
                histogram.record(Int64((replica + 90) % count + 1) * 1_000_000)
                return histogram
            })
        let apart = PooledSamples(store, Self.queries, mergesDistantBuckets: false)
        let together = PooledSamples(store, Self.queries, mergesDistantBuckets: true)
        #expect(together.cells.count < apart.cells.count && together.entries.count == count)
        var known = 0
        seedSweep(30) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var weights = [UInt8](repeating: 0, count: count)
            for _ in 0..<count { weights[Int(dice.next() % UInt64(count))] += 1 }
            let answers = weights.withUnsafeBufferPointer { together.answers(Weights($0)) }
            guard let answers else { return }
            known += 1
            #expect(answers == weights.withUnsafeBufferPointer { apart.answers(Weights($0)) })
        }
        #expect(known > 20)
    }

    @Test("Resamples that are skipped do not move the ends of an interval")
    func skippedResamplesMoveNoEnd() throws {
        var (fenced, vain) = (0, 0)
        seedSweep(123) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            // An end is rarely within a skip range: with seed 111 and 20 replicas. 257 replicas are too many to be named by
            // a byte, and 1,500 are too long for a separate layout.
            let count = seed == 111 ? 20 : seed < 120 ? 10 : seed < 122 ? 257 : 1_500
            let replicas = histograms(count, samples: 60, waiting: 1 + seed % 3, &dice)
            let store = store(replicas, coarseness: seed % 4 == 0 ? SpanHistogram.maxCoarseness : 0)
            let pooled = PooledSamples(store, Self.queries, mergesDistantBuckets: false)
            let bootstrap = try #require(Bootstrap(seed: seed, replicas: count, SerialMap()))
            #expect((store.codedLength > PooledSamples.minMergeBytes) == (count == 1_500), "\(store.codedLength) B")
            var results = Self.queries.map { _ in [Int128?]() }
            bootstrap.forEach { _, weights in
                for (index, answer) in (pooled.answers(weights) ?? []).enumerated() {
                    results[index].append(Self.queries[index].result(answer))
                }
            }
            let intervals = ResampleTask.samples(store, Self.queries).intervals(bootstrap)
            for ((question, results), interval) in zip(zip(Self.queries, results), intervals) {
                let sorted = results.compactMap(\.self).sorted()
                let ends = try #require(bootstrap.percentileInterval(of: sorted))
                #expect(interval.interval == ends.interval(question.figure), "\(question.share)")
                guard let fence = SkipRange(around: results.prefix(SkipRange.pilotResamples), pooled) else { continue }
                if fence.isInside(ends) { fenced += 1 } else { vain += 1 }
            }
        }
        #expect(fenced > 100, "hardly any range is skipped")
        #expect(vain > 0, "no end lies within a skip range")
    }

    @Test("A skip range leaves out the six lowest and the six highest of 64 resamples")
    func aSkipRangeHoldsMostResamples() throws {
        // Broken: a range is chosen from fewer resamples, contains an interval end too often, or skips other samples.
        // Below 2,048 ns each value has a bucket of its own. The replicas have the even and the odd values.
        func pooled(_ values: [Int64], coarseness bits: Int = 0) -> PooledSamples {
            let replicas = (0..<2).map { replica in
                values.filter { $0 % 2 == replica }.reduce(into: SpanHistogram()) { $0.record($1) }
            }
            return PooledSamples(store(replicas, coarseness: bits), Self.queries, mergesDistantBuckets: false)
        }
        let samples = pooled(Array(0..<1_000))
        let quantiles: [Int128?] = (0..<64).map { Int128(100 + 10 * ($0 * 37 % 64)) }
        let range = try #require(SkipRange(around: quantiles[...], samples))
        #expect(range.spans == 151..<680 && range.placeholder == 420)
        #expect(range.endCell == 680 && range.countsBefore == [76, 75, 340, 340])
        #expect(range.firstBlock == samples.block(of: 151) && range.endBlock == samples.block(of: 680))
        let ends = [(150, 680, true), (151, 680, false), (150, 679, false)] as [(Int128, Int128, Bool)]
        for (low, high, isInside) in ends { #expect(range.isInside(IntervalEnds(low: low, high: high)) == isInside) }
        #expect(range.isInside(nil))
        // There is none around fewer or more resamples, resamples without a span, or equal ones.
        let fewer = Array(quantiles.dropLast())
        let equal = [Int128?](repeating: 420, count: 64)
        for others in [fewer, quantiles + [100], fewer + [nil], fewer + [Int128.max], equal] {
            #expect(SkipRange(around: others[...], samples) == nil)
        }
        // Neither is there one in coarse buckets, or between two samples.
        for other in [pooled(Array(0..<1_000), coarseness: 1), pooled([150, 680]), pooled([150, 151, 681])] {
            #expect(SkipRange(around: quantiles[...], other) == nil)
        }
    }

    @Test("A replica takes at most four kilobytes, so that 100,000 fit into a gigabyte")
    func replicaTakesAtMostFourKilobytes() {
        // Records of every kind, and more samples than fit.
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        func replica(_ seed: UInt64) -> RunFold {
            let records = (0..<3_000).map { _ in
                Record(at: .zero, phone: 0, kind: .deliveredDown, value: Int64(dice.next() >> (20 + dice.next() % 30)))
            }
            let end = [Record(at: .zero, phone: 0, kind: .finished, value: 1_000_000 + Int64(seed))]
            return fold(randomRecords(600, seed: seed) + records + end)
        }
        let folds = (0..<4).map { replica(UInt64($0)) }
        var replicas = Replicas(prices: .unevenlyPriced, planned: 100_000)
        let empty = replicas.storedBytes
        for index in 0..<1_000 { replicas.add(folds[index % 4]) }
        #expect((replicas.storedBytes - empty) / 1_000 + Bootstrap.resamples <= 4_096)
        #expect(replicas.stores.contains { $0.coarseness[0] > 0 }, "no histogram had to be made coarser")
        #expect((replicas.storedBytes - empty) / 1_000 > 1_000, "coarser than the memory requires")
        let few = replicas.withFirst(4, folds, planned: 4)
        #expect(
            few.stores.allSatisfy { store in (0..<4).allSatisfy { store.coarseness[$0] == 0 } },
            "a few replicas may take more")
        // The figures come from all samples, at full precision.
        let run = Measurement(of: replicas.withFirst(4, folds, planned: 100_000), seed: 1)
        let fine = Measurement(of: folds, prices: .unevenlyPriced, seed: 1)
        for metric in Catalogue.all { #expect(run.figure(metric.name) == fine.figure(metric.name), "\(metric.name)") }
        #expect(run.interval("latency.down.p50") != fine.interval("latency.down.p50"))
    }

    @Test("Adjacent replicas can be appended in any grouping")
    func adjacentReplicasCanBeAppended() {
        let folds = (0..<6).map { seed in
            fold(
                randomRecords(300, seed: UInt64(seed)) + [
                    Record(at: .zero, phone: 0, kind: .finished, value: 1_000_000)
                ]
            )
        }
        func laid(_ range: Range<Int>) -> Replicas {
            range.reduce(into: Replicas(prices: .unevenlyPriced, planned: 6)) { $0.add(folds[$1]) }
        }
        var parts = laid(0..<1)
        var behind = laid(1..<4)
        behind.append(laid(4..<6))
        parts.append(behind)
        let (one, other) = (Measurement(of: parts, seed: 2), Measurement(of: laid(0..<6), seed: 2))
        #expect(parts.merged == merged(folds[0], folds[1], folds[2], folds[3], folds[4], folds[5]))
        for metric in Catalogue.all {
            #expect(one.figure(metric.name) == other.figure(metric.name), "\(metric.name)")
            #expect(one.interval(metric.name) == other.interval(metric.name), "\(metric.name)")
            #expect(one.witness(metric.name) == other.witness(metric.name), "\(metric.name)")
        }
    }
}

extension PooledSamples {
    fileprivate func answers(_ weights: Weights) -> [SpanHistogram.QuantileResult]? {
        var answers = queries.map { _ in SpanHistogram.QuantileResult.nothing }
        func sum(_ column: ReplicaColumn) -> Int64 {
            (0..<weights.count).reduce(0) { $0 + Int64(column[$1]) * Int64(weights[$1]) }
        }
        let counts = Counts(arrived: sum(store.arrived), waiting: sum(store.waiting), lost: sum(store.lost))
        return answer(weights, counts, queries.map { _ in nil }, &answers) ? answers : nil
    }
}

extension Replicas {
    fileprivate func withFirst(_ count: Int, _ folds: [RunFold], planned: Int) -> Replicas {
        folds.prefix(count).reduce(into: Replicas(prices: prices, planned: planned)) { $0.add($1) }
    }
}
