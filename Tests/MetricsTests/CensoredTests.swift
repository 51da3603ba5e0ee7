import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

/// What is still waited for at the horizon has taken at least its age.
@Suite struct CensoredTests {
    private func histogram(_ spans: [Int64], waiting ages: [Int64], lost: Int64 = 0) -> SpanHistogram {
        var histogram = SpanHistogram()
        for span in spans { histogram.record(span) }
        for age in ages { histogram.wait(age) }
        histogram.lose(lost)
        return histogram
    }

    @Test("Else a client that died after its first messages would seem quick")
    func theDeadHaveWaited() {
        // 23 messages came within 322 ns; then one more is waited for every 5 ns.
        let dead = histogram((300..<323).map { Int64($0) }, waiting: (0..<377).map { 324 + $0 * 5 })
        #expect(dead.quantile(.percent(5)) == .span(319))
        // Rank 200 of 400 is the 177th that waits, rank 380 the 357th; above 2,048 a bucket holds two.
        #expect(dead.quantile(.percent(50)) == .atLeast(1_204) && dead.quantile(.percent(95)) == .atLeast(2_104))
        #expect(dead.quantile(.all) == .atLeast(2_204))
    }

    @Test("Else one message that is in the air at the end would decide the quantiles of a good run")
    func theYoungSayNothing() {
        let spans = (1...100).map { Int64($0) }
        for thousandths in stride(from: Int64(0), through: 1_000, by: 25) {
            let q = Share(thousandths: thousandths)
            #expect(histogram(spans, waiting: [0, 0, 0]).quantile(q) == histogram(spans, waiting: []).quantile(q))
        }
        let late = histogram(spans, waiting: [70, 100])
        #expect(late.quantile(.percent(50)) == .span(51) && late.quantile(.all) == .span(100))
        #expect(histogram(spans, waiting: [101]).quantile(.all) == .atLeast(101))
    }

    @Test("Else what is lost would pass for what may still come")
    func theLostAreNeverThere() {
        let mixed = histogram([1, 2, 3, 4], waiting: [9, 9, 9], lost: 3)
        #expect(mixed.quantile(.percent(40)) == .span(4) && mixed.quantile(.percent(50)) == .atLeast(9))
        #expect(mixed.quantile(.percent(70)) == .atLeast(9) && mixed.quantile(.percent(71)) == .never)
        #expect(mixed.quantile(.all) == .never && histogram([], waiting: [5]).quantile(.all) == .atLeast(5))
    }

    @Test("Else a bound would be claimed that a world contradicts")
    func atLeastIsCertain() {
        var open = 0
        seedSweep(30) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ count: UInt64) -> [Int64] {
                (0..<dice.next() % count).map { _ in Int64(dice.next() % 5_000_000) }
            }
            let (spans, ages, lost) = (draw(30), draw(30), Int64(dice.next() % 4))
            let cut = histogram(spans, waiting: ages, lost: lost)
            // However it goes on: each comes at once, later, or never.
            for _ in 0..<10 {
                var whole = histogram(spans, waiting: [], lost: lost)
                for age in ages {
                    if dice.next() % 5 == 0 {
                        whole.lose(1)
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
