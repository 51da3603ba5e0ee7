import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@Suite struct SpanHistogramTests {
    /// Spans of all magnitudes: as many microseconds as days.
    private func spans(_ count: Int, seed: UInt64) -> [Int64] {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        return (0..<count).map { _ in Int64(dice.next() >> (1 + dice.next() % 60)) }
    }

    private func histogram(_ spans: [Int64], lost: Int64 = 0) -> SpanHistogram {
        var histogram = SpanHistogram()
        for span in spans { histogram.record(span) }
        histogram.recordLost(lost)
        return histogram
    }

    /// Broken: two histograms with other spans count as equal because their numbers, sums and extremes are equal.
    @Test func equalHistogramsHaveEqualSpans() {
        let groups: [[Int64]] = [
            [10, 20, 30, 40], [10, 22, 28, 40], [10, 24, 26, 40], [10, 25, 25, 40],
            // The same buckets, but another smallest or largest span.
            [1_000_000_000_123, 1_500_000_000_123, 2_000_000_000_123],
            [1_000_000_000_122, 1_500_000_000_124, 2_000_000_000_123],
            [1_000_000_000_123, 1_500_000_000_122, 2_000_000_000_124],
        ]
        for one in groups {
            for other in groups {
                #expect((histogram(one) == histogram(other)) == (one == other), "\(one), \(other)")
                #expect(histogram(one) == histogram(one.reversed()))
            }
        }
    }

    /// Exact quantile by its definition: the smallest span such that at least the share q of all, lost ones included,
    /// do not exceed it.
    private func exact(_ q: Share, _ spans: [Int64], lost: Int64) -> Int64? {
        let total = Int64(spans.count) + lost
        let sorted = spans.sorted()
        return sorted.first { candidate in
            Int64(sorted.count { $0 <= candidate }) * 1_000 >= q.thousandths * total
        }
    }

    @Test("Quantiles keep the documented error bound of 0.05 %")
    func quantilesKeepTheirErrorBound() {
        var compared = 0
        seedSweep(30) { seed in
            let spans = spans(101 + Int(seed), seed: seed)
            let lost = Int64(seed % 12)
            let histogram = histogram(spans, lost: lost)
            for thousandths in stride(from: Int64(0), through: 1_000, by: 25) {
                let q = Share(thousandths: thousandths)
                let truth = exact(q, spans, lost: lost)
                let answer = histogram.quantile(q).span
                #expect((truth == nil) == (answer == nil), "quantile \(thousandths)")
                guard let truth, let answer else { continue }
                #expect((answer - truth).magnitude * 2_048 <= truth.magnitude, "\(answer) is not \(truth)")
                compared += 1
            }
        }
        #expect(compared > 1_000)
    }

    @Test("Buckets meet without a gap at every power of two")
    func bucketsMeetAtEveryPowerOfTwo() {
        for exponent in 0..<63 {
            let power = Int64(1) << Int64(exponent)
            for span in [power - 1, power, power + 1] where span >= 0 {
                let between = histogram([0, span, .max])
                let answer = between.quantile(Share(thousandths: 500)).span!
                #expect((answer - span).magnitude * 2_048 <= span.magnitude, "\(answer) is not \(span)")
            }
        }
        #expect(histogram([0, 2_047, .max]).quantile(.percent(50)) == .span(2_047))
    }

    @Test("Minimum, maximum, count and sum are exact")
    func theEndsAreExact() {
        seedSweep(20) { seed in
            let spans = spans(50, seed: seed)
            let histogram = histogram(spans)
            #expect(histogram.quantile(.all).span == spans.max())
            #expect(histogram.quantile(Share(thousandths: 0)).span == spans.min())
            #expect(histogram.sum == spans.reduce(Int128(0)) { $0 + Int128($1) })
            #expect(histogram.count == 50)
        }
    }

    @Test("Lost messages are slower than every number")
    func lostMessagesAreSlowerThanEverything() {
        let half = histogram([1, 2, 3, 4, 5], lost: 5)
        #expect(half.quantile(.percent(50)) == .span(5))
        #expect(half.quantile(Share(thousandths: 501)) == .never)
        #expect(half.quantile(.all) == .never)
        #expect(histogram([], lost: 3).quantile(.percent(1)) == .never)
        #expect(histogram([]).quantile(.percent(50)) == .nothing)
    }

    @Test("Every small case has the correct rank")
    func everySmallCase() {
        let cases = withEvery { choices in
            let spans = choices.sequence(of: [Int64(0), 7, 3_000], upTo: 4)
            let lost = Int64(choices.number(below: 3))
            let histogram = histogram(spans, lost: lost)
            for thousandths in [Int64(0), 1, 250, 333, 334, 500, 750, 999, 1_000] {
                let q = Share(thousandths: thousandths)
                let truth = exact(q, spans, lost: lost)
                let answer = histogram.quantile(q).span
                #expect((answer == nil) == (truth == nil))
                if let answer, let truth { #expect((answer - truth).magnitude <= 1) }
            }
        }
        #expect(cases == (1 + 3 + 9 + 27 + 81) * 3)
    }
}
