import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

/// Stored results that contradict themselves are rejected when they are read.
struct StoredFoldTests {
    /// The stored form of a histogram, with numbers that need not fit each other.
    private struct StoredHistogram: BinaryCodable {
        var count: Int64 = 3
        var lost: Int64 = 2
        var sum: Int128 = 1_500
        var least: Int64 = 0
        var largest: Int64 = 1_000
        var waiting: Int64 = 2
        var oldest: Int64 = 700
        var arrivals: [(Int, Int128)] = [(0, 1), (500, 1), (1_000, 1)]
        var ages: [(Int, Int128)] = [(0, 1), (700, 1)]

        mutating func code(through coder: inout BinaryCoder) {
            coder.code(&count)
            coder.code(&lost)
            coder.code(&sum)
            coder.code(&least)
            coder.code(&largest)
            coder.code(&waiting)
            coder.code(&oldest)
            coder.code(pairs: arrivals) { _, _ in true }
            coder.code(pairs: ages) { _, _ in true }
        }
    }

    private static func read<Value: BinaryCodable>(_ stored: some BinaryCodable, as empty: Value) -> Value? {
        var (writer, stored) = (BinaryCoder(), stored)
        writer.code(&stored)
        var (reader, value) = (BinaryCoder(reading: writer.bytes), empty)
        reader.code(&value)
        return reader.isFullyRead ? value : nil
    }

    private static func isRead(_ change: (inout StoredHistogram) -> Void) -> Bool {
        var stored = StoredHistogram()
        change(&stored)
        return read(stored, as: SpanHistogram()) != nil
    }

    /// Broken: numbers of a histogram that contradict each other are accepted, or valid ones at their limits are not.
    @Test func histogramsMustBeConsistent() throws {
        let read = try #require(Self.read(StoredHistogram(), as: SpanHistogram()))
        #expect(read.count == 3 && read.lost == 2 && read.sum == 1_500 && read.least == 0 && read.largest == 1_000)
        #expect(read.waiting == 2 && read.oldest == 700 && read.quantile(Share(thousandths: 0)) == .span(0))
        for (count, isValid) in [(3, true), (2, false), (4, false), (0, false), (-1, false)] as [(Int64, Bool)] {
            #expect(Self.isRead { $0.count = count } == isValid)
        }
        for (least, largest, isValid) in [
            (0, 0, true), (5, 5, true), (6, 5, false), (-1, 5, false), (0, .max, true), (.max, -1, false),
        ] as [(Int64, Int64, Bool)] {
            #expect(Self.isRead { ($0.least, $0.largest) = (least, largest) } == isValid, "\(least) to \(largest)")
        }
        for (waiting, oldest, isValid) in [(2, 0, true), (2, -1, false), (1, 0, false), (3, 9, false)]
            as [(Int64, Int64, Bool)]
        {
            #expect(Self.isRead { ($0.waiting, $0.oldest) = (waiting, oldest) } == isValid)
        }
        let counts = BinaryCoder.validCounts.upperBound
        for (lost, isValid) in [(0, true), (counts, true), (counts + 1, false), (-1, false)] {
            #expect(Self.isRead { $0.lost = lost } == isValid)
        }
        let sums = BinaryCoder.validSums.upperBound
        for (sum, isValid) in [(0, true), (sums, true), (sums + 1, false), (-1, false)] {
            #expect(Self.isRead { $0.sum = sum } == isValid)
        }
        func emptied(_ stored: inout StoredHistogram) {
            (stored.count, stored.arrivals, stored.sum, stored.waiting, stored.ages) = (0, [], 0, 0, [])
            (stored.least, stored.largest, stored.oldest) = (.max, -1, -1)
        }
        #expect(Self.isRead { emptied(&$0) })
        for change in [
            { $0.least = 0 }, { $0.largest = 0 }, { $0.oldest = 0 }, { $0.oldest = 1 }, { $0.waiting = 1 },
            { $0.count = 1 },
        ] as [(inout StoredHistogram) -> Void] {
            #expect(
                !Self.isRead {
                    emptied(&$0)
                    change(&$0)
                })
        }
    }

    /// Broken: a bucket that does not exist, or that is empty or counts too much, is accepted.
    @Test func bucketsMustExist() {
        let last = SpanHistogram.bucketCount - 1
        for (bucket, times, isValid) in [
            (0, 3, true), (last, 3, true), (last + 1, 3, false), (5, 0, false), (5, -3, false),
        ] as [(Int, Int128, Bool)] {
            let isRead = Self.isRead { stored in
                (stored.arrivals, stored.count) = ([(bucket, times)], Int64(times))
                if times <= 0 { (stored.least, stored.largest) = (.max, -1) }
            }
            #expect(isRead == isValid, "\(times) in bucket \(bucket)")
        }
        let most = Int128(BinaryCoder.validCounts.upperBound)
        for (times, isValid) in [(most, true), (most + 1, false), (1 << 70, false)] {
            #expect(Self.isRead { ($0.arrivals, $0.count) = ([(7, times)], Int64(clamping: times)) } == isValid)
        }
    }

    private struct StoredPairs: BinaryCodable {
        var pairs: [(Int, Int128)]

        mutating func code(through coder: inout BinaryCoder) { coder.code(pairs: pairs) { _, _ in true } }
    }

    /// Broken: a stored count of a tenth of a second is greater than that of any run, so the sum of two parts traps.
    @Test func countsOfTenthsAreBounded() {
        let most = Int128(BinaryCoder.validCounts.upperBound)
        for (count, isValid) in [
            (1, true), (most, true), (-most, true), (most + 1, false), (-most - 1, false),
            (Int128(Int64.max), false), (Int128(Int64.min), false), (1 << 70, false),
        ] as [(Int128, Bool)] {
            let tenths = Self.read(StoredPairs(pairs: [(3, count)]), as: TenthSecondCounts())
            #expect(tenths?.total == (isValid ? Int64(clamping: count) : nil), "\(count)")
        }
    }

    /// Rows of stored loss totals.
    private struct StoredLosses: BinaryCodable {
        var cells: [Int64] = []
        var silence: [Int128] = []
        var byChange: [Int64] = []
        var silenceByChange: [Int128] = []

        mutating func code(through coder: inout BinaryCoder) {
            coder.code(growing: &cells)
            coder.code(growing: &silence)
            coder.code(growing: &byChange)
            coder.code(growing: &silenceByChange)
        }
    }

    /// Broken: stored losses are shorter or longer than their tables, so that reading them traps; or they are negative.
    @Test func lossesMustFitTheirTables() {
        func isRead(_ change: (inout StoredLosses) -> Void) -> Bool {
            var stored = StoredLosses()
            change(&stored)
            return Self.read(stored, as: LossTotals()) != nil
        }
        func row<Number: FixedWidthInteger>(_ count: Int, _ last: Number = 1) -> [Number] {
            .init(repeating: 0, count: count - 1) + [last]
        }
        #expect(isRead { _ in })
        for (count, isValid) in [(1, false), (1_023, false), (1_024, true), (1_025, false)] {
            #expect(isRead { $0.cells = row(count) } == isValid, "\(count) cells")
        }
        for (count, isValid) in [(1, false), (31, false), (32, true), (33, false)] {
            #expect(isRead { $0.silence = row(count) } == isValid, "\(count) causes")
        }
        for (count, isValid) in [(131_072, true), (131_073, false)] {
            #expect(isRead { $0.byChange = row(count) } == isValid)
        }
        for (count, isValid) in [(65_536, true), (65_537, false)] {
            #expect(isRead { $0.silenceByChange = row(count) } == isValid)
        }
        let (counts, sums) = (BinaryCoder.validCounts.upperBound, BinaryCoder.validSums.upperBound)
        #expect(isRead { ($0.cells, $0.byChange) = (row(1_024, counts), row(1, counts)) })
        #expect(isRead { ($0.silence, $0.silenceByChange) = (row(32, sums), row(1, sums)) })
        #expect(!isRead { $0.cells = row(1_024, counts + 1) } && !isRead { $0.byChange = row(1, counts + 1) })
        #expect(!isRead { $0.cells = row(1_024, -1) } && !isRead { $0.byChange = row(1, -1) })
        #expect(!isRead { $0.silence = row(32, sums + 1) } && !isRead { $0.silenceByChange = row(1, sums + 1) })
        #expect(!isRead { $0.silence = row(32, -1) } && !isRead { $0.silenceByChange = row(1, -1) })
    }

    /// Broken: losses or silence are charged to another change, or the number of changes is not that of the last one.
    @Test func lossesBelongToTheirChange() {
        for change in [nil, 0, 1, 7] as [UInt16?] {
            for direction in Direction.allCases {
                var losses = LossTotals()
                losses.add(
                    MessageLoss(LossCause.allCases[1], LossPlace.allCases[1], first: 0, count: 5, change: change),
                    direction)
                for other in [nil, 0, 1, 2, 6, 7, 8] as [Int?] {
                    let isCharged = other == change.map { Int($0) }
                    #expect(losses.count(direction, change: other) == (isCharged ? 5 : 0))
                    let opposite: Direction = direction == .up ? .down : .up
                    #expect(losses.count(opposite, change: other) == 0 && losses.silence(change: other) == 0)
                }
                #expect(losses.changes == (change.map { Int($0) + 1 } ?? 0))
            }
            var silence = LossTotals()
            let cause = LossCause.silenceCauses[1]
            silence.addSilence(9, SilenceTag(cause, change: change))
            for other in [nil, 0, 1, 2, 6, 7, 8] as [Int?] {
                #expect(silence.silence(change: other) == (other == change.map { Int($0) } ? 9 : 0))
            }
            for other in LossCause.allCases { #expect(silence.silence(other) == (other == cause ? 9 : 0)) }
            #expect(silence.changes == (change.map { Int($0) + 1 } ?? 0))
        }
        #expect(LossTotals().changes == 0)
    }

    /// Broken: a curve of latencies leaves out its ends, falls, or has another count than the samples.
    @Test func curvesFollowTheSamples() {
        #expect(SpanHistogram().curve().isEmpty)
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var (histogram, spans) = (SpanHistogram(), [Int64]())
            for _ in 0..<1 + dice.next() % 400 {
                spans.append(Int64(dice.next() % [40, 2_000, 1_000_000_000][Int(seed % 3)]))
                histogram.record(spans[spans.count - 1])
            }
            spans.sort()
            let (steps, count) = (Int64(1 + seed % 20), Int64(spans.count))
            let curve = histogram.curve(steps: steps)
            // The naive curve: over the distinct buckets in order, with a point for each sufficient step.
            var points: [[Int64]] = [[spans[0], 0]]
            var seen: Int64 = 0
            for bucket in Set(spans.map { SpanHistogram.bucket(of: $0) }).sorted() {
                seen = Int64(spans.count { SpanHistogram.bucket(of: $0) <= bucket })
                let span = min(max(SpanHistogram.middle(of: bucket), spans[0]), spans[spans.count - 1])
                let last = points[points.count - 1]
                let isStep = (seen - last[1]) * steps >= count || span - last[0] >= last[0] / 8
                if isStep { points.append([span, seen]) }
            }
            if points[points.count - 1] != [spans[spans.count - 1], count] {
                points.append([spans[spans.count - 1], count])
            }
            #expect(curve.map { [$0.nanoseconds, $0.count] } == points, "seed \(seed)")
            #expect(curve.first?.nanoseconds == spans.first && curve.last?.count == count)
        }
    }

    /// Broken: the sample behind a number is looked for in another replica than the first that has it.
    @Test func witnessesAreTheFirstWithTheSample() {
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var (replicas, store) = ([SpanHistogram](), SampleStore())
            let bits = seed % 2 == 0 ? 0 : 4
            for replica in 0..<5 {
                var histogram = SpanHistogram()
                for _ in 0..<dice.next() % 4 { histogram.record(Int64(dice.next() % 60) * 3_000) }
                for _ in 0..<dice.next() % 2 { histogram.recordWaiting(Int64(dice.next() % 60) * 3_000) }
                histogram.recordLost(Int64(dice.next() % 5 / 4))
                let own = replica % 2 == 0 ? bits : 0
                store.add(histogram, SampleStore.code(histogram, coarseness: own), coarseness: own)
                replicas.append(histogram)
            }
            #expect(store.witness(.never) == replicas.firstIndex { $0.lost > 0 } && store.witness(.nothing) == nil)
            for step in 0..<60 as Range<Int64> {
                let span = step * 3_000
                let exact = replicas.firstIndex {
                    $0.least == span && $0.count > 0 || $0.largest == span || $0.oldest == span
                }
                func has(_ replica: Int, _ shift: Int) -> Bool {
                    var isThere = false
                    let wanted = SpanHistogram.bucket(of: span) >> shift
                    replicas[replica].forEachBucket { bucket, _ in isThere = isThere || bucket >> shift == wanted }
                    replicas[replica].forEachAge { bucket, _ in isThere = isThere || bucket >> shift == wanted }
                    return isThere
                }
                let fine = (0..<5).first { ($0 % 2 == 1 || bits == 0) && has($0, 0) }
                let coarse = (0..<5).first { $0 % 2 == 0 && bits > 0 && has($0, bits) }
                #expect(store.witness(.span(span)) == exact ?? fine ?? coarse, "\(span)")
                #expect(store.witness(.atLeast(span)) == exact ?? fine ?? coarse)
            }
        }
    }
}
