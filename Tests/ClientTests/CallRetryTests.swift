import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

@Suite struct CallRetryTests {
    private let connection = ConnectionSlot(0)

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    private func refused(
        _ index: UInt32, _ status: CallFailure = .unavailable, _ pushback: CallRefusal.Pushback = .none,
        committed: Bool = false, unprocessed: Bool = false, goodbye: Bool = false
    ) -> Event {
        .rejected(
            connection, call: index,
            CallRefusal(
                status, pushback: pushback, isCommitted: committed, isUnprocessed: unprocessed,
                isConnectionDraining: goodbye))
    }

    /// Broken: the throttle differs from grpc-java's `RetriableStreamTest.throttle`: 4 tokens, 0.8 for a success,
    /// threshold 2.
    @Test func throttlesLikeTheJavaTest() {
        let throttle = RetryThrottle(tokens: 4, ratio: 800)
        var state = RetryThrottle.State()
        var seen: [Bool] = []
        for step in [false, false, false, false, false, true, true, true, true, true] {
            if step { throttle.succeeded(&state) } else { throttle.failed(&state) }
            seen.append(throttle.allows(state))
        }
        #expect(seen == [true, false, false, false, false, false, false, true, true, true])
        #expect(throttle.tokensLeft(state) == 4_000)
    }

    /// Broken: a token ratio uses more than three decimals (gRFC A6 truncates them).
    @Test(arguments: [("0.1", 100), ("0.0019", 1), ("0.5999", 599), ("1", 1_000)])
    func truncatesTheTokenRatio(written: String, thousandths: UInt32) {
        let settings: Setting = [
            "calls": [
                "retry-policy": ["max-attempts": "4"],
                "retry-throttling": ["max-tokens": "10", "token-ratio": .text(written)],
            ]
        ]
        let phone = StrategyHarness.open(settings)
        #expect(phone.strategy.deadlines.throttle == RetryThrottle(tokens: 10, ratio: thousandths))
    }

    /// Broken: a hedged call does not make its attempts at 0, 500, 1000 and 1500 ms, or makes a fifth (example of
    /// gRFC A6).
    @Test func hedgesAtItsDelay() {
        var phone = StrategyHarness.open(["calls": ["hedging-policy": ["delay": "500ms", "max-attempts": "4"]]])
        var outstanding = phone.send(call(0)).count
        var seen: [Int] = []
        for wait in [1, 500, 500, 500, 5_000] {
            outstanding += phone.advance(by: .milliseconds(Int64(wait))).count { $0 == .call(connection, 0) }
            seen.append(outstanding)
        }
        #expect(seen == [1, 2, 3, 4, 4])
        #expect(phone.send(.answered(connection, call: 0)) == [])
    }

    /// Broken: after a failed attempt the next one waits for the hedging delay. Or the failure ends the call while
    /// other attempts are open, or the last failure does not end it. Also checked: a fatal error, and pushback that
    /// forbids further attempts.
    @Test func hedgesGoAtOnceAfterAFailure() {
        let settings: Setting = ["calls": ["hedging-policy": ["delay": "10s", "max-attempts": "3"]]]
        var phone = StrategyHarness.open(settings)
        _ = phone.send(call(0))
        #expect(phone.send(refused(0)) == [.call(connection, 0)])
        #expect(phone.send(refused(0)) == [.call(connection, 0)])
        #expect(phone.send(refused(0)) == [.abandon(call: 0, .unavailable)])
        phone = .open(settings)
        _ = phone.send(call(0))
        #expect(phone.advance(by: .seconds(10)) == [.call(connection, 0)])
        #expect(phone.send(refused(0, .unavailable, .stop)) == [])
        #expect(phone.advance(by: .minutes(1)) == [])
        #expect(phone.send(refused(0, .unavailable, .after(.seconds(3)))) == [.abandon(call: 0, .unavailable)])
        phone = .open(settings)
        _ = phone.send(call(0))
        #expect(phone.send(refused(0, .unavailable, .after(.seconds(3)))) == [])
        #expect(phone.advance(by: .seconds(3)) == [.call(connection, 0)])
        #expect(phone.send(refused(0, .permissionDenied)) == [.abandon(call: 0, .permissionDenied)])
    }

    /// Broken: the waits between attempts are not 1, 2, 4, 5 s times U(0.8, 1.2) or U(0, 1). Or the call does not
    /// fail after the last attempt.
    @Test(arguments: [("none", 100, 100), ("20%", 80, 120), ("full", 0, 100)])
    func waitsFollowTheRetryPolicy(jitter: String, low: Int64, high: Int64) {
        var spread = Set<Int64>()
        for seed in 0..<40 as Range<UInt64> {
            var phone = StrategyHarness.open(
                [
                    "calls": [
                        "retry-policy": [
                            "initial-backoff": "1s", "backoff-multiplier": "2", "max-backoff": "5s",
                            "jitter": .text(jitter),
                        ]
                    ]
                ], seed: seed)
            _ = phone.send(call(0))
            for wait in [1, 2, 4, 5] as [Int64] {
                let due = phone.session.now
                #expect(phone.send(refused(0)) == [])
                let at = phone.session.timers[TimerSlot(10)].at - due
                #expect(at >= .seconds(wait) * low / 100 && at <= .seconds(wait) * high / 100)
                spread.insert(at.nanoseconds)
                #expect(phone.advance(by: at) == [.call(connection, 0)])
            }
            #expect(phone.send(refused(0)) == [.abandon(call: 0, .unavailable)])
        }
        #expect(jitter == "none" ? spread.count == 4 : spread.count > 150)
    }

    /// Broken: more than five attempts are made, whatever the setting.
    @Test(arguments: [("2", 2), ("5", 5), ("50", 5)])
    func makesFiveAttemptsAtMost(asked: String, made: Int) {
        var phone = StrategyHarness.open(["calls": ["retry-policy": ["max-attempts": .text(asked), "jitter": "none"]]])
        var attempts = phone.send(call(0)).count
        for _ in 0..<60 {
            _ = phone.send(refused(0))
            attempts += phone.advance(by: .minutes(1)).count { $0 == .call(connection, 0) }
        }
        #expect(attempts == made)
    }

    /// Broken: a pushback delay is inexact, does not restart the backoff, or is ignored when it says stop. Or a
    /// status code outside the list, or a committed call, is retried.
    @Test func followsServerPushback() {
        let settings: Setting = ["calls": ["retry-policy": ["initial-backoff": "1s", "jitter": "none"]]]
        var phone = StrategyHarness.open(settings)
        _ = phone.send(call(0))
        _ = phone.send(refused(0))
        #expect(phone.advance(by: .seconds(1)) == [.call(connection, 0)])
        #expect(phone.send(refused(0, .unavailable, .after(.milliseconds(250)))) == [])
        #expect(phone.advance(by: .milliseconds(249)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.call(connection, 0)])
        _ = phone.send(refused(0))
        #expect(phone.advance(by: .seconds(1)) == [.call(connection, 0)])
        for (event, failure) in [
            (refused(0, .unavailable, .stop), CallFailure.unavailable),
            (refused(0, .resourceExhausted), .resourceExhausted),
            (refused(0, committed: true), .unavailable),
        ] {
            phone = .open(settings)
            _ = phone.send(call(0))
            #expect(phone.send(event) == [.abandon(call: 0, failure)])
        }
    }

    /// Broken: a call that never reached the server application counts as an attempt, waits, or is repeated
    /// endlessly. Or a call above the last stream of a GOAWAY is sent again on the connection that takes no new
    /// calls.
    @Test func repeatsAnUnprocessedCallOnce() {
        let settings: Setting = ["calls": ["retry-policy": ["max-attempts": "2", "jitter": "none"]]]
        var phone = StrategyHarness.open(settings)
        _ = phone.send(call(0))
        #expect(phone.send(refused(0, unprocessed: true)) == [.call(connection, 0)])
        // The second time it is treated like any other error, and one attempt is left.
        #expect(phone.send(refused(0, unprocessed: true)) == [])
        #expect(phone.advance(by: .seconds(1)) == [.call(connection, 0)])
        #expect(phone.send(refused(0)) == [.abandon(call: 0, .unavailable)])
        phone = .open(settings)
        _ = phone.send(call(0))
        #expect(phone.send(refused(0, unprocessed: true, goodbye: true)) == [])
        _ = phone.send(.closed(connection, .ended))
        _ = phone.advance(by: .minutes(1))
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [.call(connection, 0)])
    }

    /// Broken: calls of a lost connection are not retried, or count attempts while they only wait for a new
    /// connection. Or the throttle has no effect.
    @Test func callsOutliveTheirConnectionByPolicy() {
        var phone = StrategyHarness.open([
            "calls": [
                "retry-policy": ["max-attempts": "3", "jitter": "none"],
                "retry-throttling": ["max-tokens": "2", "token-ratio": "1"],
            ], "backoff": ["jitter": "none", "base": "10s"],
        ])
        _ = phone.send(call(0))
        // One of two tokens is left, which is not more than half.
        #expect(phone.send(.closed(connection, .reset)) == [.abandon(call: 0, .unavailable)])
        _ = phone.send(call(1))
        for _ in 0..<5 {
            #expect(phone.advance(by: phone.session.timers[TimerSlot(0)].at - phone.session.now).count == 1)
            _ = phone.send(.failed(connection, .refused))
        }
        _ = phone.advance(by: phone.session.timers[TimerSlot(0)].at - phone.session.now)
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [.call(connection, 1)])
        _ = phone.send(.answered(connection, call: 1))
        _ = phone.send(call(2))
        #expect(phone.send(refused(2)) == [.abandon(call: 2, .unavailable)])
    }

    /// Broken: a call without a connection does not follow its `unready` setting: wait, fail with the next attempt,
    /// or fail at once.
    @Test(arguments: [("wait", 0, 0), ("attempt", 0, 1), ("fail", 1, 1)])
    func followsTheUnreadySetting(word: String, atOnce: Int, withTheAttempt: Int) {
        var phone = StrategyHarness.open([
            "calls": ["unready": .text(word)], "backoff": ["jitter": "none", "base": "10s"],
        ])
        _ = phone.send(.closed(connection, .reset))
        var failed = phone.send(call(0)).count { $0 == .abandon(call: 0, .unavailable) }
        #expect(failed == atOnce)
        _ = phone.advance(by: .seconds(10))
        failed += phone.send(.failed(connection, .refused)).count { $0 == .abandon(call: 0, .unavailable) }
        #expect(failed == withTheAttempt)
    }
}
