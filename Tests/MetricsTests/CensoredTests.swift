import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

/// A message that is still pending at the end of the run has taken at least its age.
@Suite struct CensoredTests {
    private func histogram(_ spans: [Int64], waiting ages: [Int64], lost: Int64 = 0) -> SpanHistogram {
        var histogram = SpanHistogram()
        for span in spans { histogram.record(span) }
        for age in ages { histogram.recordWaiting(age) }
        histogram.recordLost(lost)
        return histogram
    }

    @Test("Pending messages count with their age, so a client that died early is not fast")
    func pendingMessagesCountWithTheirAge() {
        // 23 messages arrive within 322 ns. After that, one more message every 5 ns stays pending.
        let dead = histogram((300..<323).map { Int64($0) }, waiting: (0..<377).map { 324 + $0 * 5 })
        #expect(dead.quantile(.percent(5)) == .span(319))
        // Rank 200 of 400 is the 177th pending message, rank 380 the 357th. Above 2,048, a bucket holds two values.
        #expect(dead.quantile(.percent(50)) == .atLeast(1_204) && dead.quantile(.percent(95)) == .atLeast(2_104))
        #expect(dead.quantile(.all) == .atLeast(2_204))
    }

    @Test("Messages that are in the air at the end do not change the quantiles")
    func youngPendingMessagesDoNotCount() {
        let spans = (1...100).map { Int64($0) }
        for thousandths in stride(from: Int64(0), through: 1_000, by: 25) {
            let q = Share(thousandths: thousandths)
            #expect(histogram(spans, waiting: [0, 0, 0]).quantile(q) == histogram(spans, waiting: []).quantile(q))
        }
        let late = histogram(spans, waiting: [70, 100])
        #expect(late.quantile(.percent(50)) == .span(51) && late.quantile(.all) == .span(100))
        #expect(histogram(spans, waiting: [101]).quantile(.all) == .atLeast(101))
    }

    @Test("Lost messages never arrive, unlike pending ones")
    func lostMessagesNeverArrive() {
        let mixed = histogram([1, 2, 3, 4], waiting: [9, 9, 9], lost: 3)
        #expect(mixed.quantile(.percent(40)) == .span(4) && mixed.quantile(.percent(50)) == .atLeast(9))
        #expect(mixed.quantile(.percent(70)) == .atLeast(9) && mixed.quantile(.percent(71)) == .never)
        #expect(mixed.quantile(.all) == .never && histogram([], waiting: [5]).quantile(.all) == .atLeast(5))
    }

    @Test("A lower bound holds however the pending messages end")
    func lowerBoundAlwaysHolds() {
        var open = 0
        seedSweep(30) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ count: UInt64) -> [Int64] {
                (0..<dice.next() % count).map { _ in Int64(dice.next() % 5_000_000) }
            }
            let (spans, ages, lost) = (draw(30), draw(30), Int64(dice.next() % 4))
            let cut = histogram(spans, waiting: ages, lost: lost)
            // Each pending message arrives at once, later, or never.
            for _ in 0..<10 {
                var whole = histogram(spans, waiting: [], lost: lost)
                for age in ages {
                    if dice.next() % 5 == 0 {
                        whole.recordLost(1)
                    } else {
                        whole.record(age + Int64(dice.next() % 9_000_000))
                    }
                }
                for thousandths in stride(from: Int64(100), through: 1_000, by: 100) {
                    let q = Share(thousandths: thousandths)
                    guard case .atLeast(let bound) = cut.quantile(q) else { continue }
                    open += 1
                    #expect(whole.quantile(q).span ?? .max >= bound - bound / 2_048, "quantile \(thousandths)")
                }
            }
        }
        #expect(open > 100)
    }
}
