import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneMetrics

/// Counts, quantiles and columns beside plain lists, with every sample kept.
struct MetricModelTests {
    private func draw(_ dice: inout Dice, _ bound: UInt64) -> Int64 { Int64(dice.next().scaled(below: bound)) }

    // MARK: Histograms

    @Test func bucketsCoverTheirSpans() {
        // Broken: a span lies outside of its bucket, a bucket is wider than 1/1,024 of its span, or a middle is off.
        var last = -1
        for bucket in 0..<SpanHistogram.bucketCount {
            let low = SpanHistogram.lowest(of: bucket)
            guard bucket < SpanHistogram.bucketCount - 1_024 else { break }
            let next = SpanHistogram.lowest(of: bucket + 1)
            #expect(SpanHistogram.bucket(of: low) == bucket && SpanHistogram.bucket(of: next - 1) == bucket)
            #expect(SpanHistogram.middle(of: bucket) == low + (next - low) / 2)
            let width = next - low
            #expect(low < 2_048 ? width == 1 : width * 1_024 <= low && low < width * 2_048)
            #expect(bucket == last + 1)
            last = bucket
        }
        #expect(
            [0, 1, 2_047, 2_048, 2_049, 2_050, 4_095, 4_096].map { SpanHistogram.bucket(of: $0) } == [
                0, 1, 2_047, 2_048, 2_048, 2_049, 3_071, 3_072,
            ])
    }

    @Test func ranksAreRoundedUp() {
        // Broken: a rank is one too small or too large, at exact multiples and beside them.
        for total in [0, 1, 2, 3, 10, 19, 20, 21, 999, 1_000, 1_001, 2_000_001] as [Int64] {
            for thousandths in [0, 1, 50, 250, 500, 501, 950, 999, 1_000] as [Int64] {
                let exact = (Int128(total) * Int128(thousandths) + 999) / 1_000
                let rank = Share(thousandths: thousandths).rank(among: total)
                #expect(Int128(rank) == (total == 0 ? 0 : max(1, exact)), "\(thousandths) of \(total)")
            }
        }
        #expect(Share.percent(95).thousandths == 950 && Share.all.thousandths == 1_000)
    }

    @Test func quantilesEqualASortedList() {
        // Broken: a quantile differs from the nearest rank of a sorted list by more than its bucket, or a lost sample
        // counts as a number.
        seedSweep(150) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var (histogram, spans) = (SpanHistogram(), [Int64]())
            let lost = draw(&dice, 4)
            histogram.recordLost(lost)
            for _ in 0..<draw(&dice, 40) {
                let span = draw(&dice, [10, 3_000, 1_000_000_000][Int(seed % 3)])
                let times = 1 + draw(&dice, 3)
                histogram.record(span, times: times)
                spans += Array(repeating: span, count: Int(times))
            }
            histogram.record(7, times: 0)
            spans.sort()
            #expect(histogram.count == Int64(spans.count) && histogram.lost == lost)
            #expect(histogram.sum == spans.reduce(Int128(0)) { $0 + Int128($1) })
            #expect(histogram.least == spans.first ?? .max && histogram.largest == spans.last ?? -1)
            for thousandths in [1, 50, 250, 500, 900, 950, 999, 1_000] as [Int64] {
                let rank = Int(Share(thousandths: thousandths).rank(among: Int64(spans.count) + lost))
                let answer = histogram.quantile(Share(thousandths: thousandths))
                guard rank > 0 else {
                    #expect(answer == .nothing)
                    continue
                }
                guard rank <= spans.count else {
                    #expect(answer == .never)
                    continue
                }
                guard case .span(let span) = answer else {
                    Issue.record("\(answer)")
                    continue
                }
                let exact = spans[rank - 1]
                let isExact = rank == 1 || rank == spans.count || exact < 2_048
                #expect(isExact ? span == exact : SpanHistogram.bucket(of: span) == SpanHistogram.bucket(of: exact))
                #expect(spans[0] <= span && span <= spans[spans.count - 1])
            }
        }
    }

    @Test func waitingSamplesFollowTheProductLimit() {
        // Broken: a waiting sample counts as arrived, or leaves the risk set before the samples of its own time. The
        // model computes Kaplan and Meier's estimate with doubles.
        var bounds = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var histogram = SpanHistogram()
            var (spans, ages) = ([Int64](), [Int64]())
            for _ in 0..<2 + draw(&dice, 12) {
                spans.append(draw(&dice, 30))
                histogram.record(spans.last ?? 0)
            }
            for _ in 0..<1 + draw(&dice, 6) {
                ages.append(draw(&dice, 30))
                histogram.recordWaiting(ages.last ?? 0)
            }
            let lost = draw(&dice, 2)
            histogram.recordLost(lost)
            let total = spans.count + ages.count + Int(lost)
            #expect(histogram.waiting == Int64(ages.count) && histogram.oldest == ages.max())
            for thousandths in [100, 250, 500, 750, 900] as [Int64] {
                var (survival, answer) = (1.0, Int64?.none)
                for time in 0..<30 as Range<Int64> {
                    let atRisk = spans.count { $0 >= time } + ages.count { $0 >= time } + Int(lost)
                    let arrived = spans.count { $0 == time }
                    if arrived > 0 { survival *= 1 - Double(arrived) / Double(atRisk) }
                    if answer == nil && arrived > 0 && survival <= 1 - Double(thousandths) / 1_000 + 1e-12 {
                        answer = time
                    }
                }
                let share = Share(thousandths: thousandths)
                let found = histogram.quantile(share)
                let rank = Int(share.rank(among: Int64(total)))
                if rank > spans.count + ages.count {
                    #expect(found == .never)
                } else if let answer {
                    #expect(found == .span(answer), "seed \(seed), \(thousandths)")
                } else {
                    // Each waiting sample counts as if it arrived now.
                    let together = (spans + ages).sorted()
                    #expect(found == .atLeast(together[rank - 1]), "seed \(seed), \(thousandths)")
                    bounds += 1
                }
            }
            let whole: SpanHistogram.QuantileResult =
                lost > 0
                ? .never : (spans.max() ?? 0) < (ages.max() ?? 0) ? .atLeast(ages.max() ?? 0) : .span(spans.max() ?? 0)
            #expect(histogram.quantile(.all) == whole)
        }
        #expect(bounds > 20)
    }

    @Test func mergedHistogramsCountEverything() {
        // Broken: a merge loses a count, an extreme or an age.
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var (whole, parts) = (SpanHistogram(), [SpanHistogram(), SpanHistogram(), SpanHistogram()])
            for _ in 0..<draw(&dice, 30) {
                let (part, value) = (Int(draw(&dice, 3)), draw(&dice, 1_000_000))
                switch draw(&dice, 3) {
                case 0:
                    whole.recordWaiting(value)
                    parts[part].recordWaiting(value)
                case 1:
                    whole.recordLost(value % 3)
                    parts[part].recordLost(value % 3)
                default:
                    whole.record(value)
                    parts[part].record(value)
                }
            }
            var merged = SpanHistogram()
            for part in parts { merged.merge(part) }
            #expect(merged == whole && merged.waiting == whole.waiting && merged.lost == whole.lost)
            if whole.count > 0 {
                merged.record(5)
                #expect(merged != whole)
            }
        }
    }

    // MARK: Tenths of seconds

    @Test func tenthsEqualAPlainCount() {
        // Broken: an event counts in another tenth, or something is present at its end, or not at its beginning.
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var (counts, present) = (TenthSecondCounts(), TenthSecondCounts())
            var (events, spans) = ([Int64](), [Range<Int64>]())
            for _ in 0..<draw(&dice, 30) {
                let begin = draw(&dice, 40) * 50_000_000 + draw(&dice, 2)
                let end = begin + draw(&dice, 12) * 50_000_000
                events.append(begin / 100_000_000)
                spans.append(begin..<end)
                counts.add(inTenthOf: Instant(nanoseconds: begin))
                present.addInterval(from: Instant(nanoseconds: begin), until: Instant(nanoseconds: end))
            }
            let tenths = (0...40 as ClosedRange<Int64>).map { tenth in events.count { $0 == tenth } }
            #expect(counts.total == Int64(events.count) && counts.maxCount == Int64(tenths.max() ?? 0))
            let seconds = (0...4 as ClosedRange<Int64>).map { second in events.count { $0 / 10 == second } }
            #expect(counts.maxPerSecond == Int64(seconds.max() ?? 0) && counts.hasNoNegativeCount)
            let atOnce = (0...60 as ClosedRange<Int64>).map { tenth in spans.count { $0.contains(tenth * 100_000_000) }
            }
            #expect(present.maxConcurrent == Int64(atOnce.max() ?? 0), "seed \(seed)")
        }
        var early = TenthSecondCounts()
        early.add(3, inTenthOf: .zero - .seconds(5))
        early.add(2, inTenthOf: .zero + .nanoseconds(99_999_999))
        early.add(4, inTenthOf: .zero + .nanoseconds(100_000_000))
        #expect(early.maxCount == 5 && early.total == 9 && early.maxPerSecond == 9)
        early.add(-5, inTenthOf: .zero)
        #expect(early.total == 4)
    }

    // MARK: Figures

    private static func value(_ count: Int128) -> Figure { .value(Billionths(count: count)) }
    private static func bound(_ count: Int128) -> Figure { .atLeast(Billionths(count: count)) }

    @Test func figuresAreOrdered() {
        // Broken: a figure is certainly lower that is not, or the reverse.
        let figures: [Figure] = [Self.value(1), Self.value(2), Self.bound(1), Self.bound(2), .never, .nothing]
        let lower: [[Int]] = [
            [0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0],
        ]
        for (a, row) in zip(figures, lower) {
            #expect(figures.map { Figure.isLower(a, $0) ? 1 : 0 } == row, "\(a)")
        }
        func interval(_ low: Int128, _ high: Int128) -> Interval {
            Interval(low: Self.value(low), high: Self.value(high))
        }
        #expect(interval(1, 2).isDisjoint(from: interval(3, 4)) && interval(3, 4).isDisjoint(from: interval(1, 2)))
        #expect(!interval(1, 3).isDisjoint(from: interval(3, 4)) && !interval(3, 4).isDisjoint(from: interval(1, 3)))
        #expect(Self.value(5_000_000_000).double == 5 && Self.bound(5).double == nil && Figure.never.double == nil)
    }

    @Test func columnsKeepEveryKindOfFigure() {
        // Broken: a lower bound of nothing is read as a value, or a column forgets what came before its first change.
        let kinds: [Figure] = [
            Self.value(0), Self.bound(0), .never, .nothing, Self.value(1_500_000_000), Self.bound(1_500_000_000),
        ]
        for first in kinds {
            let constant = FigureColumn(repeating: first, count: 3)
            #expect(
                Array(constant) == [first, first, first] && constant.isConstant
                    && constant == FigureColumn([first, first, first]))
            for second in kinds {
                let column = FigureColumn([first, first, second, first])
                #expect(Array(column) == [first, first, second, first] && column.isConstant == (first == second))
                var joined = FigureColumn([first])
                joined.append(column)
                joined.append(FigureColumn(repeating: second, count: 2))
                #expect(Array(joined) == [first, first, first, second, first, second, second])
            }
        }
        #expect(FigureColumn().isEmpty && FigureColumn().isConstant && FigureColumn([Figure]()).count == 0)
        #expect(
            Self.value(1).stored == Self.value(1) && Self.bound(7).stored == Self.bound(7)
                && Figure.never.stored == .never)
        #expect(Billionths(stored: 0.1).count == 100_000_000 && Billionths(stored: 1e300).count == .max / 2)
    }

    @Test func columnsOfReplicasHoldTheirValues() {
        // Broken: a value changes when the column needs more bytes, or a sum differs from the plain one.
        let sizes: [Int128] = [
            0, 1, Int128(UInt32.max), Int128(UInt32.max) + 1, Int128(Int64.max), Int128(Int64.max) + 1, 1 << 100,
        ]
        for first in sizes {
            for second in sizes {
                var column = ReplicaColumn()
                for value in [first, first, second, first] { column.append(value) }
                #expect((0..<4).map { column[$0] } == [first, first, second, first] && column.count == 4)
                #expect(column.isConstant == (first == second) && column.sum == 3 * first + second)
                let largest = max(first, second)
                let width = largest <= UInt32.max ? 4 : largest <= Int64.max ? 8 : 16
                #expect(column.bytesPerValue == (first == second ? 0 : width))
                var joined = ReplicaColumn()
                joined.append(column)
                joined.append(column)
                #expect((0..<8).map { joined[$0] } == [first, first, second, first, first, first, second, first])
            }
        }
        var negative = ReplicaColumn()
        negative.append(-4)
        #expect(negative[0] == 0 && negative.isConstant)
    }

    @Test func quotientsAreRoundedHalfUp() {
        // Broken: a quotient is rounded in another way, or overflows without an answer.
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let bits = 1 + seed % 60
            let (top, bottom) = (Int128(dice.next() >> bits), Int128(dice.next() >> (1 + seed * 7 % 62)))
            let times = Int128(1 + dice.next() % 5_000_000)
            let model: Int128? = bottom == 0 ? nil : (top * times * 1_000_000_000 * 2 + bottom) / (2 * bottom)
            let isSafe = top < 1 << 60 && times < 1 << 23
            if isSafe {
                #expect(Billionths(top, times: times, over: bottom)?.count == model, "\(top) \(times) \(bottom)")
            }
        }
        for (top, bottom, count) in [(1, 2, 500_000_000), (1, 3, 333_333_333), (2, 3, 666_666_667), (0, 5, 0)]
            as [(Int128, Int128, Int128)]
        {
            #expect(Billionths(top, over: bottom)?.count == count)
        }
        #expect(Billionths(1, over: 2_000_000_000)?.count == 1 && Billionths(1, over: 2_000_000_001)?.count == 0)
        #expect(Billionths(.max, over: 1) == nil && Billionths(1, over: 0) == nil)
        #expect(Billionths(count: 1) < Billionths(count: 2) && !(Billionths(count: 2) < Billionths(count: 2)))
    }
}
