import DeadzoneBase
import DeadzoneClient
import Testing

@Suite struct BackoffTests {
    /// Broken: the wait does not grow to the cap, or the first wait exceeds it. The sequences are from grpc/grpc
    /// `backoff_test.cc`.
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

    /// Broken: jitter of 10 % deviates by more than a tenth, also on the first wait (same test of gRPC).
    @Test func jittersWithinATenth() {
        let backoff = Backoff(base: .milliseconds(2), cap: .milliseconds(32), jitter: .spread(100_000))
        var dice = Dice(seed: 4, phone: PhoneID(0), purpose: .test)
        var seen = 0
        for _ in 0..<1_000 {
            var attempts = Backoff.Attempts()
            for expected in [2, 4, 8, 16, 32, 32, 32] as [Int64] {
                let wait = backoff.next(&attempts, using: &dice).nanoseconds
                #expect(900_000 * expected <= wait && wait <= 1_100_000 * expected)
                seen += wait == expected * 1_000_000 ? 0 : 1
            }
        }
        #expect(seen > 6_900)
    }

    /// Broken: gRPC's defaults lose precision. Each of the first hundred waits is min(1.6^n, 120 s) to a microsecond
    /// (grpc/grpc-swift `Tests/GRPCTests/ConnectionBackoffTests.swift`).
    @Test func isExactForAHundredFailures() {
        let backoff = Backoff(base: .seconds(1), multiplier: 1_600_000, cap: .seconds(120), jitter: .none)
        var power = 1.0
        for failed in 0..<100 as Range<UInt32> {
            let wait = Double(backoff.delay(afterFailures: failed).nanoseconds) / 1e9
            #expect(abs(wait - min(power, 120)) <= 1e-6)
            power *= 1.6
        }
        #expect(power > 1e20)
        // In Java, each step is truncated to whole nanoseconds (grpc/grpc-java `ExponentialBackoffPolicy.java`).
        #expect(backoff.delay(afterFailures: 10).nanoseconds == 109_951_162_777)
        #expect(backoff.delay(afterFailures: 11) == .seconds(120))
    }

    /// Broken: a documented setting is not read.
    @Test func readsItsSettings() {
        let written: [(Setting, Backoff)] = [
            (
                ["base": "250ms", "multiplier": "1.6", "cap": "2m", "jitter": "equal"],
                Backoff(base: .milliseconds(250), multiplier: 1_600_000, cap: .minutes(2), jitter: .equal)
            ),
            (
                ["base": "5s", "step": "10s", "cap": "30s", "jitter": ["times": ["0.8", "1"]]],
                Backoff(
                    base: .seconds(5), growth: .step(.seconds(10)), cap: .seconds(30),
                    jitter: .times(800_000, 1_000_000))
            ),
            (
                ["table": ["10ms", "1s"], "jitter": ["plus": ["300ms", "3s"]]],
                Backoff(
                    table: Backoff.WaitTable([.milliseconds(10), .seconds(1)]),
                    jitter: .plus(.milliseconds(300), .seconds(3)))
            ),
        ]
        for (setting, expected) in written { #expect(read(setting) == (expected, [])) }
        var odd = Backoff(base: .seconds(1), cap: .seconds(5), jitter: .parity(500_000))
        odd.capPlacement = .both
        odd.firstJitter = .perProcess(.zero, .seconds(4))
        odd.firstJitter = Backoff.JitterRule.none
        odd.plus = .milliseconds(500)
        let setting: Setting = [
            "base": "1s", "cap": "5s", "capped": "both", "jitter": ["parity": "50%"], "first-jitter": "none",
            "plus": "500ms",
        ]
        #expect(read(setting) == (odd, []))
    }

    /// Broken: contradictory settings or a reversed pair are accepted without an error. So are waits between zero and
    /// one millisecond; a million of them would take almost no simulated time.
    @Test(
        arguments: [
            (["table": ["1s"], "base": "2s"], .contradiction), (["table": ["1s"], "cap": "2s"], .contradiction),
            (["table": []], .wrongCount), (["step": "1s", "multiplier": "3"], .contradiction),
            (["jitter": "decorrelated", "multiplier": "3"], .contradiction),
            (["table": ["1s"], "jitter": ["per-process": ["0s", "1s"]]], .contradiction),
            (["first-jitter": "decorrelated"], .contradiction), (["jitter": ["times": ["2", "1"]]], .outOfRange),
            (["jitter": ["plus": ["2s"]]], .wrongForm), (["jitter": ["tims": ["1", "2"]]], .unknownKey),
            (["jitter": [:] as Setting], .wrongForm), (["jitter": "ful"], .unknownWord),
            (["jitter": "120%"], .outOfRange), (["table": ["1s", "1ns"]], .outOfRange),
            (["base": "999us"], .outOfRange),
            (["cap": "1ns"], .outOfRange), (["step": "1us"], .outOfRange), (["plus": "1ns"], .outOfRange),
            (["jitter": ["plus": ["0s", "1ns"]]], .outOfRange),
        ] as [(Setting, FaultCode)])
    func refusesContradictorySettings(setting: Setting, code: FaultCode) {
        #expect(read(setting).1 == [code])
    }

    private func read(_ setting: Setting) -> (Backoff, [FaultCode]) {
        var reader = SettingsReader(Node.map([.init(key: "backoff", value: setting.node)]), of: "a test")
        let read = reader.backoff("backoff", default: Backoff(base: .seconds(1), cap: .seconds(2), jitter: .none))
        reader.finish()
        return (read, reader.faults.sorted.map(\.code))
    }

    /// Broken: the resolved settings, read again, give a different backoff.
    @Test func resolvedSettingsReadTheSame() {
        let jitters: [Backoff.JitterRule] = [
            .none, .full, .equal, .decorrelated, .spread(200_000), .plus(.milliseconds(300), .seconds(3)),
            .times(800_000, 1_150_000), .parity(500_000), .perProcess(.zero, .seconds(4)),
        ]
        for jitter in jitters {
            var reader = SettingsReader(.map([]), of: "a test")
            let usual = Backoff(base: .seconds(1), cap: .seconds(2), jitter: jitter)
            #expect(reader.backoff("backoff", default: usual) == usual)
            var again = SettingsReader(reader.resolved, of: "a test")
            #expect(again.backoff("backoff", default: Backoff(base: .zero, cap: .zero, jitter: .none)) == usual)
            again.finish()
            #expect(again.faults.sorted.map(\.message) == [])
        }
    }
}
