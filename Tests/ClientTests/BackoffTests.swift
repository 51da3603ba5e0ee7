import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import Testing

@Suite struct BackoffTests {
    /// Broken: a wait that does not grow to the cap, or a first wait above it. Sequences of grpc/grpc `backoff_test.cc`.
    @Test(
        arguments: [
            (200, 1_000_000, 1_000, [200, 200, 200, 200, 200]),
            (2_000, 1_000_000, 1_000, [1_000, 1_000, 1_000, 1_000, 1_000]),
            (2, 2_000_000, 32, [2, 4, 8, 16, 32, 32, 32]),
        ] as [(Int64, Int64, Int64, [Int64])])
    func growsToTheCap(base: Int64, multiplier: Int64, cap: Int64, expected: [Int64]) {
        let backoff = Backoff(
            base: .milliseconds(base), multiplier: multiplier, cap: .milliseconds(cap), jitter: .none)
        var attempts = Backoff.Attempts()
        var dice = Dice(seed: 1, phone: PhoneID(0), purpose: .test)
        let waits = expected.map { _ in backoff.next(&attempts, using: &dice).nanoseconds / 1_000_000 }
        #expect(waits == expected)
        attempts.reset()
        #expect(backoff.next(&attempts, using: &dice) == .milliseconds(expected[0]))
    }

    /// Broken: a wait below zero, above the cap or falling, for any number of failures up to a million.
    @Test func isMonotoneAndBounded() {
        for multiplier in [1_000_000, 1_000_001, 1_600_000, 2_000_000, 1_000_000_000] as [Int64] {
            for cap in [TimeSpan.zero, .nanoseconds(1), .seconds(32), .longest] {
                let backoff = Backoff(base: .milliseconds(500), multiplier: multiplier, cap: cap, jitter: .none)
                var last = TimeSpan.zero
                for failed in [0, 1, 2, 3, 10, 50, 63, 64, 1_000, 1_000_000] as [UInt32] {
                    let delay = backoff.delay(afterFailures: failed)
                    #expect(last <= delay && delay <= cap)
                    last = delay
                }
            }
        }
    }

    /// Broken: jitter that leaves its bounds or never comes near them.
    @Test(arguments: [(Backoff.Jitter.full, Int64(0)), (.equal, 500)])
    func jitterFillsItsBounds(jitter: Backoff.Jitter, low: Int64) {
        let backoff = Backoff(base: .seconds(1), multiplier: 1_000_000, cap: .seconds(1), jitter: jitter)
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        var attempts = Backoff.Attempts()
        let waits = (0..<10_000).map { _ in backoff.next(&attempts, using: &dice).nanoseconds / 1_000_000 }
        #expect(waits.allSatisfy { low <= $0 && $0 <= 1_000 })
        #expect(waits.min()! < low + 10 && waits.max()! > 990)
    }

    /// Broken: settings that the facet documents but does not read.
    @Test func readsItsSettings() {
        let node = Node.map([
            .init(
                key: "backoff",
                value: .map([
                    .init(key: "base", value: .text("250ms")), .init(key: "multiplier", value: .text("1.6")),
                    .init(key: "cap", value: .text("2m")), .init(key: "jitter", value: .text("equal")),
                ]))
        ])
        var reader = SettingsReader(node, of: "a test")
        let read = reader.backoff("backoff", default: Backoff(base: .seconds(1), cap: .seconds(2), jitter: .none))
        reader.finish()
        #expect(reader.faults.isEmpty)
        #expect(read == Backoff(base: .milliseconds(250), multiplier: 1_600_000, cap: .minutes(2), jitter: .equal))
    }
}
