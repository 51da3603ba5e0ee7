import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct PublishedLawTests {
    /// Broken: the backoff of a library cannot be written as settings, or has other waits or bounds.
    @Test(arguments: PublishedLaw.all)
    func hasItsWaitsAndBounds(_ published: PublishedLaw) {
        func waits(_ rehearsal: Dice.FixedDraw) -> [Int64] {
            var dice = Dice(fixed: rehearsal)
            var attempts = Backoff.Attempts()
            let law = published.law
            return published.waits.map { _ in law.next(&attempts, using: &dice).nanoseconds / 1_000_000 }
        }
        #expect(waits(.usual) == published.waits)
        #expect(waits(.lowest) == published.lowest ?? published.waits)
        #expect(waits(.highest) == published.highest ?? published.waits)
        let law = published.law
        let usual = published.waits.indices.map { law.delay(afterFailures: UInt32($0)).nanoseconds / 1_000_000 }
        #expect(usual == published.waits)
    }

    /// Broken: random draws leave the bounds of the fixed lowest and highest draws.
    @Test(arguments: PublishedLaw.all)
    func keepsItsBounds(_ published: PublishedLaw) {
        let law = published.law
        let low = (published.lowest ?? published.waits).map { $0 * 1_000_000 }
        let high = (published.highest ?? published.waits).map { ($0 + 1) * 1_000_000 }
        var draws = 0
        for seed in 0..<200 as Range<UInt64> {
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var attempts = Backoff.Attempts()
            for index in published.waits.indices {
                let wait = law.next(&attempts, using: &dice).nanoseconds
                #expect(low[index] <= wait && wait < high[index])
                draws += 1
            }
        }
        #expect(draws == 200 * published.waits.count)
    }

    /// Broken: each wait is right, but clients make more or fewer attempts in an outage than expected. The expected
    /// counts were computed independently of this program; they have one decimal.
    @Test(arguments: PublishedLaw.all.filter { $0.attempts != nil })
    func makesAsManyAttempts(_ published: PublishedLaw) throws {
        let outages: [Int64] = [60, 300, 600, 1_800]
        let clients = 2_000
        let law = published.law
        var counts = outages.map { _ in (sum: 0.0, squares: 0.0) }
        for client in 0..<UInt32(clients) {
            var dice = Dice(seed: 1, phone: PhoneID(client), purpose: .test)
            var attempts = Backoff.Attempts()
            var (at, made, outage) = (Instant.zero, 0.0, 0)
            while outage < outages.count {
                at += law.next(&attempts, using: &dice)
                while outage < outages.count && at > .zero + .seconds(outages[outage]) {
                    counts[outage].sum += made
                    counts[outage].squares += made * made
                    outage += 1
                }
                made += 1
            }
        }
        for (count, expected) in zip(counts, try #require(published.attempts)) {
            let mean = count.sum / Double(clients)
            let error = ((count.squares / Double(clients) - mean * mean) / Double(clients)).squareRoot()
            // The expected value is a sampled value, too.
            #expect(abs(mean - expected) <= 0.05 + 6 * error + 1e-9, "\(mean) instead of \(expected)")
        }
        #expect(counts[3].sum > counts[0].sum)
    }

    /// Broken: ten thousand clients that lose their server at the same moment reconnect in step instead of spread
    /// out, or spread out instead of in step. Examples: socket.io's cap after jitter (streamlit/streamlit#15902), and
    /// gRPC's first wait without jitter.
    @Test(arguments: PublishedLaw.all.filter { $0.peaks != nil })
    func reconnectsWithTheExpectedPeaks(_ published: PublishedLaw) throws {
        let law = published.law
        var seconds = [Double](repeating: 0, count: 180)
        for client in 0..<10_000 as Range<UInt32> {
            var dice = Dice(seed: 2, phone: PhoneID(client), purpose: .test)
            var attempts = Backoff.Attempts()
            var at = law.next(&attempts, using: &dice)
            while at < .seconds(180) {
                seconds[Int(at.nanoseconds / 1_000_000_000)] += 1
                at += law.next(&attempts, using: &dice)
            }
        }
        let found = [seconds[..<60].max()!, seconds[60...].max()!]
        for (peak, expected) in zip(found, try #require(published.peaks)) {
            // Both values are the maximum of many counts, each with a deviation of about its square root.
            #expect(abs(peak - expected) <= 5 * expected.squareRoot(), "\(peak) instead of \(expected)")
        }
    }
}
