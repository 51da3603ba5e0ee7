import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTestKit
import Testing

@Suite struct LimitTests {
    /// Broken: a bucket that gives more than it holds and gains, or less, whatever comes when.
    @Test func aBucketGivesWhatItHoldsAndGains() {
        var refused = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let every = TimeSpan.milliseconds(Int64(1 + dice.next().scaled(below: 500)))
            let burst = UInt32(1 + dice.next().scaled(below: 20))
            let limit = RateLimit(every: every, burst: burst)
            var fullAt = Instant.zero
            var now = Instant.zero
            // The same in plain words: whole tokens, and time towards the next one.
            var tokens = Int64(burst) * every.nanoseconds
            for _ in 0..<500 {
                let gap = TimeSpan.milliseconds(Int64(dice.next().scaled(below: 400)))
                now += gap
                tokens = min(tokens + gap.nanoseconds, Int64(burst) * every.nanoseconds)
                let admits = tokens >= every.nanoseconds
                if admits { tokens -= every.nanoseconds } else { refused += 1 }
                #expect(limit.admits(at: now, fullAt: &fullAt) == admits, "seed \(seed)")
            }
        }
        #expect(refused > 1_000)
    }

    /// Broken: first come, first served, one service time each; an idle server saves nothing up.
    @Test func aLineServesInTurn() {
        var line = ServiceLine(perSecond: 4)
        #expect(line.offer(at: .zero) == .zero + .milliseconds(250))
        #expect(line.offer(at: .zero) == .zero + .milliseconds(500))
        #expect(line.offer(at: .zero + .seconds(10)) == .zero + .milliseconds(10_250))
    }

    /// Broken: a queue that serves two at once, out of turn, or more than fit.
    @Test func aLineHasItsPlaces() {
        var queue = ServiceLine(perSecond: 10, places: 2)
        let now = Instant.zero + .seconds(1)
        let done = (0..<4).map { _ in queue.offer(at: now).map { ($0 - now).nanoseconds / 1_000_000 } }
        #expect(done == [100, 200, 300, nil])
        #expect(queue.offer(at: now + .milliseconds(100)) == now + .milliseconds(400))
        #expect(queue.offer(at: now + .seconds(9)) == now + .milliseconds(9_100))
    }
}
