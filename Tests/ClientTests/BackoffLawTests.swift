import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Properties that hold for every backoff, whatever its settings. Violated elsewhere: a wait of 256 ms where 150 s
/// were set (nightscout/nightscout-connect pull request 68), a wait of zero after fifteen failures
/// (dimagi/commcare-android 2338).
@Suite struct BackoffLawTests {
    /// Broken: for up to a million failures, a wait is above the cap, or shorter than the wait before it.
    @Test func isMonotoneAndBounded() {
        var steps = 0
        for base in [TimeSpan.zero, .nanoseconds(1), .milliseconds(500), .seconds(150), .longest] {
            for growth in Self.growths {
                for cap in [TimeSpan.zero, .nanoseconds(1), .seconds(32), .hours(1_000_000), .longest] {
                    for capped in [Backoff.CapPlacement.beforeJitter, .afterJitter, .both] {
                        var backoff = Backoff(base: base, growth: growth, cap: cap)
                        backoff.capPlacement = capped
                        var last = TimeSpan.zero
                        for failed in [0, 1, 2, 3, 10, 15, 50, 55, 63, 64, 1_000, 20_000] as [UInt32] {
                            let delay = backoff.delay(afterFailures: failed)
                            #expect(last <= delay && delay <= cap)
                            last = delay
                            steps += 1
                        }
                    }
                }
            }
        }
        #expect(steps == 5 * Self.growths.count * 5 * 3 * 12)
    }

    private static let growths: [Backoff.GrowthRule] = [
        .times(1_000_000), .times(1_000_001), .times(1_600_000), .times(2_000_000), .times(1_000_000_000),
        .step(.zero), .step(.seconds(5)), .step(.longest), .table(Backoff.WaitTable([.zero, .seconds(2), .longest])),
    ]

    /// Broken: the same at a million failures, and at the largest failure count that the state of a phone can hold.
    @Test(arguments: [1_000_001, 1_600_000, 2_000_000, 1_000_000_000] as [Int64])
    func survivesAMillionFailures(multiplier: Int64) {
        let backoff = Backoff(base: .milliseconds(500), multiplier: multiplier, cap: .minutes(2), jitter: .equal)
        #expect(backoff.delay(afterFailures: 1_000_000) <= .minutes(2))
        let longest = Backoff(base: .milliseconds(500), multiplier: multiplier, cap: .longest, jitter: .none)
        #expect(longest.delay(afterFailures: 1_000_000) >= longest.delay(afterFailures: 999_999))
        #expect(multiplier == 1_000_001 || longest.delay(afterFailures: .max) == .longest)
    }

    /// Broken: the wait after the first failure differs from the setting, or the second is not the first times the
    /// multiplier.
    @Test func honoursItsSettings() {
        var met = 0
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let base = TimeSpan(nanoseconds: Int64(dice.next().scaled(below: 1_000_000_000_000)))
            let multiplier = Int64(1_000_000 + dice.next().scaled(below: 9_000_000))
            let backoff = Backoff(base: base, multiplier: multiplier, cap: .hours(24), jitter: .none)
            #expect(backoff.delay(afterFailures: 0) == base)
            let second = Int64(Int128(base.nanoseconds) * Int128(multiplier) / 1_000_000)
            #expect(backoff.delay(afterFailures: 1).nanoseconds == second)
            met += 1
        }
        #expect(met >= 1)
    }

    /// Broken: jitter leaves its bounds, never comes near them, or is biased to one side. The means are in closed
    /// form.
    @Test(
        arguments: [
            (.none, 1_000, 1_000, 1_000), (.full, 0, 1_000, 500), (.equal, 500, 1_000, 750),
            (.spread(200_000), 800, 1_200, 1_000), (.decorrelated, 1_000, 3_000, 2_000),
            (.plus(.milliseconds(300), .seconds(3)), 1_300, 4_000, 2_650),
            (.times(800_000, 1_000_000), 800, 1_000, 900), (.times(1_000_000, 1_150_000), 1_000, 1_150, 1_075),
            // Of ten tenths, the odd ones add: (-1 + 3 - 5 + 7 - 9 + 11 - 13 + 15 - 17 + 19) / 200 = 1/20 of the
            // jitter's range.
            (.parity(500_000), 550, 1_500, 1_025), (.perProcess(.zero, .seconds(4)), 1_000, 5_000, 3_000),
        ] as [(Backoff.JitterRule, Double, Double, Double)])
    func fillsItsBounds(jitter: Backoff.JitterRule, low: Double, high: Double, mean: Double) {
        let count = 20_000
        let backoff = Backoff(base: .seconds(1), cap: .minutes(1), jitter: jitter)
        let waits = (0..<UInt32(count)).map { phone in
            var dice = Dice(seed: 7, phone: PhoneID(phone), purpose: .test)
            var attempts = Backoff.Attempts()
            return Double(backoff.next(&attempts, using: &dice).nanoseconds) / 1e6
        }
        #expect(waits.allSatisfy { low <= $0 && $0 <= high })
        let near = (high - low) / 100
        #expect(waits.min()! <= low + near && waits.max()! >= high - near)
        let found = waits.reduce(0, +) / Double(count)
        let spread = (waits.reduce(0) { $0 + ($1 - found) * ($1 - found) } / Double(count)).squareRoot()
        #expect(abs(found - mean) <= 4.5 * spread / Double(count).squareRoot(), "\(found) instead of \(mean)")
    }

    /// Broken: a per-process draw is repeated after a success, or is the same for every client.
    @Test func drawsOncePerProcess() {
        let backoff = Backoff(
            base: .seconds(1), multiplier: 1_300_000, cap: .seconds(10), jitter: .perProcess(.zero, .seconds(4)))
        let clients = (0..<50 as Range<UInt32>).map { phone in
            var dice = Dice(seed: 1, phone: PhoneID(phone), purpose: .test)
            var attempts = Backoff.Attempts()
            let first = backoff.next(&attempts, using: &dice)
            let second = backoff.next(&attempts, using: &dice)
            #expect(second.nanoseconds == first.nanoseconds * 13 / 10)
            attempts.reset()
            #expect(backoff.next(&attempts, using: &dice) == first)
            return first
        }
        #expect(Set(clients).count == 50)
    }

    /// Broken: decorrelated jitter never reaches the cap, or exceeds it.
    @Test func decorrelatedJitterEndsAtTheCap() {
        let backoff = Backoff(base: .milliseconds(5), cap: .seconds(2), jitter: .decorrelated)
        var dice = Dice(seed: 3, phone: PhoneID(0), purpose: .test)
        var attempts = Backoff.Attempts()
        let waits = (0..<1_000).map { _ in backoff.next(&attempts, using: &dice) }
        #expect(waits.allSatisfy { .milliseconds(5) <= $0 && $0 <= .seconds(2) } && waits.contains(.seconds(2)))
    }

    /// Broken: elapsed time is subtracted after jitter instead of before it, or `atCap` does not yield the longest
    /// wait.
    @Test func subtractsElapsedTimeBeforeJitter() {
        let backoff = Backoff(base: .seconds(10), cap: .minutes(5), jitter: .full)
        var least = TimeSpan.longest
        for seed in 0..<500 as Range<UInt64> {
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var attempts = Backoff.Attempts()
            let wait = backoff.next(&attempts, less: .seconds(4), using: &dice)
            #expect(wait <= .seconds(6))
            least = min(least, wait)
            var hidden = Backoff.Attempts()
            var usual = Dice(fixed: .usual)
            #expect(backoff.next(&hidden, atCap: true, using: &usual) == .minutes(5))
        }
        #expect(least < .milliseconds(100))
    }
}
