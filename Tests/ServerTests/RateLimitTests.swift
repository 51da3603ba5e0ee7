import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@Suite struct RateLimitTests {
    /// Broken: a token bucket admits more or less than it holds and gains, for some sequence of arrivals.
    @Test func aBucketAdmitsWhatItHoldsAndGains() {
        var refused = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let every = TimeSpan.milliseconds(Int64(1 + dice.next().scaled(below: 500)))
            let burst = UInt32(1 + dice.next().scaled(below: 20))
            let limit = RateLimit(every: every, burst: burst)
            var fullAt = Instant.zero
            var now = Instant.zero
            // The same with whole tokens, and the time towards the next token.
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

    /// Broken: requests are not served in order of arrival with one service time each, or an idle server accumulates
    /// capacity.
    @Test func aQueueServesInOrder() {
        var line = ServiceQueue(perSecond: 4)
        #expect(line.enqueue(at: .zero) == .zero + .milliseconds(250))
        #expect(line.enqueue(at: .zero) == .zero + .milliseconds(500))
        #expect(line.enqueue(at: .zero + .seconds(10)) == .zero + .milliseconds(10_250))
    }

    /// Broken: the queue serves two requests at once, out of order, or accepts more than fit.
    @Test func aQueueHasItsCapacity() {
        var queue = ServiceQueue(perSecond: 10, capacity: 2)
        let now = Instant.zero + .seconds(1)
        let done = (0..<4).map { _ in queue.enqueue(at: now).map { ($0 - now).nanoseconds / 1_000_000 } }
        #expect(done == [100, 200, 300, nil])
        #expect(queue.enqueue(at: now + .milliseconds(100)) == now + .milliseconds(400))
        #expect(queue.enqueue(at: now + .seconds(9)) == now + .milliseconds(9_100))
    }
}
