import DeadzoneClient
import DeadzonePrimitives
@testable import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct CallRetryTests {
    private let line = ConnectionSlot(0)

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    private func refused(
        _ index: UInt32, _ status: CallFailure = .unavailable, _ pushback: CallRefusal.Pushback = .none,
        committed: Bool = false, unprocessed: Bool = false, goodbye: Bool = false
    ) -> Event {
        .rejected(
            line, call: index,
            CallRefusal(
                status, pushback: pushback, isCommitted: committed, isUnprocessed: unprocessed, isGoodbye: goodbye))
    }

    /// Broken: the throttle of grpc-java's `RetriableStreamTest.throttle`: 4 tokens, 0.8 for an answer, threshold 2.
    @Test func throttlesAsTheJavaTestSays() {
        let throttle = RetryThrottle(tokens: 4, ratio: 800)
        var state = RetryThrottle.State()
        var seen: [Bool] = []
        for step in [false, false, false, false, false, true, true, true, true, true] {
            if step { throttle.succeeded(&state) } else { throttle.failed(&state) }
            seen.append(throttle.allows(state))
        }
        #expect(seen == [true, false, false, false, false, false, false, true, true, true])
        #expect(throttle.left(state) == 4_000)
    }

    /// Broken: a ratio of more than three decimals that counts with all of them (gRFC A6 cuts them off).
    @Test(arguments: [("0.1", 100), ("0.0019", 1), ("0.5999", 599), ("1", 1_000)])
    func cutsTheRatioOff(written: String, thousandths: UInt32) {
        let settings: Setting = [
            "calls": [
                "retry-policy": ["max-attempts": "4"],
                "retry-throttling": ["max-tokens": "10", "token-ratio": .text(written)],
            ]
        ]
        let lane = ManualLane.open(settings)
        #expect(lane.strategy.deadlines.throttle == RetryThrottle(tokens: 10, ratio: thousandths))
    }

    /// Broken: attempts of a hedged call at 0, 500, 1000 and 1500 ms, and no fifth (gRFC A6's example).
    @Test func hedgesAtItsDelay() {
        var lane = ManualLane.open(["calls": ["hedging-policy": ["delay": "500ms", "max-attempts": "4"]]])
        var outstanding = lane.tell(call(0)).count
        var seen: [Int] = []
        for wait in [1, 500, 500, 500, 5_000] {
            outstanding += lane.advance(by: .milliseconds(Int64(wait))).count { $0 == .call(line, 0) }
            seen.append(outstanding)
        }
        #expect(seen == [1, 2, 3, 4, 4])
        #expect(lane.tell(.answered(line, call: 0)) == [])
    }

    /// Broken: a failure of one attempt that waits for the delay, ends the call though others are out, or is the last without
    /// ending it; and an error that is fatal, or a server that wants no more.
    @Test func hedgesGoAtOnceAfterAFailure() {
        let settings: Setting = ["calls": ["hedging-policy": ["delay": "10s", "max-attempts": "3"]]]
        var lane = ManualLane.open(settings)
        _ = lane.tell(call(0))
        #expect(lane.tell(refused(0)) == [.call(line, 0)])
        #expect(lane.tell(refused(0)) == [.call(line, 0)])
        #expect(lane.tell(refused(0)) == [.abandon(call: 0, .unavailable)])
        lane = .open(settings)
        _ = lane.tell(call(0))
        #expect(lane.advance(by: .seconds(10)) == [.call(line, 0)])
        #expect(lane.tell(refused(0, .unavailable, .stop)) == [])
        #expect(lane.advance(by: .minutes(1)) == [])
        #expect(lane.tell(refused(0, .unavailable, .after(.seconds(3)))) == [.abandon(call: 0, .unavailable)])
        lane = .open(settings)
        _ = lane.tell(call(0))
        #expect(lane.tell(refused(0, .unavailable, .after(.seconds(3)))) == [])
        #expect(lane.advance(by: .seconds(3)) == [.call(line, 0)])
        #expect(lane.tell(refused(0, .permissionDenied)) == [.abandon(call: 0, .permissionDenied)])
    }

    /// Broken: the waits 1, 2, 4, 5 s between attempts, U(0.8, 1.2) or U(0, 1) of them, and the end after the last.
    @Test(arguments: [("none", 100, 100), ("20%", 80, 120), ("full", 0, 100)])
    func waitsByItsLaw(jitter: String, low: Int64, high: Int64) {
        var spread = Set<Int64>()
        for seed in 0..<40 as Range<UInt64> {
            var lane = ManualLane.open(
                [
                    "calls": [
                        "retry-policy": [
                            "initial-backoff": "1s", "backoff-multiplier": "2", "max-backoff": "5s",
                            "jitter": .text(jitter),
                        ]
                    ]
                ], seed: seed)
            _ = lane.tell(call(0))
            for wait in [1, 2, 4, 5] as [Int64] {
                let due = lane.session.now
                #expect(lane.tell(refused(0)) == [])
                let at = lane.session.timers[TimerSlot(10)].at - due
                #expect(at >= .seconds(wait) * low / 100 && at <= .seconds(wait) * high / 100)
                spread.insert(at.nanoseconds)
                #expect(lane.advance(by: at) == [.call(line, 0)])
            }
            #expect(lane.tell(refused(0)) == [.abandon(call: 0, .unavailable)])
        }
        #expect(jitter == "none" ? spread.count == 4 : spread.count > 150)
    }

    /// Broken: more than five attempts, whatever is asked for.
    @Test(arguments: [("2", 2), ("5", 5), ("50", 5)])
    func makesFiveAttemptsAtMost(asked: String, made: Int) {
        var lane = ManualLane.open(["calls": ["retry-policy": ["max-attempts": .text(asked), "jitter": "none"]]])
        var attempts = lane.tell(call(0)).count
        for _ in 0..<60 {
            _ = lane.tell(refused(0))
            attempts += lane.advance(by: .minutes(1)).count { $0 == .call(line, 0) }
        }
        #expect(attempts == made)
    }

    /// Broken: pushback that is not exact, does not begin the waits anew, or is ignored when it says stop; a code that is not
    /// in the list; a call that is committed.
    @Test func followsTheServersWord() {
        let settings: Setting = ["calls": ["retry-policy": ["initial-backoff": "1s", "jitter": "none"]]]
        var lane = ManualLane.open(settings)
        _ = lane.tell(call(0))
        _ = lane.tell(refused(0))
        #expect(lane.advance(by: .seconds(1)) == [.call(line, 0)])
        #expect(lane.tell(refused(0, .unavailable, .after(.milliseconds(250)))) == [])
        #expect(lane.advance(by: .milliseconds(249)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.call(line, 0)])
        _ = lane.tell(refused(0))
        #expect(lane.advance(by: .seconds(1)) == [.call(line, 0)])
        for (event, failure) in [
            (refused(0, .unavailable, .stop), CallFailure.unavailable),
            (refused(0, .resourceExhausted), .resourceExhausted),
            (refused(0, committed: true), .unavailable),
        ] {
            lane = .open(settings)
            _ = lane.tell(call(0))
            #expect(lane.tell(event) == [.abandon(call: 0, failure)])
        }
    }

    /// Broken: a call that never reached the server's program and counts as an attempt, waits, or is repeated for ever; one
    /// above a GOAWAY that is asked again on the connection that takes nothing new.
    @Test func repeatsWhatWasNeverSeenOnce() {
        let settings: Setting = ["calls": ["retry-policy": ["max-attempts": "2", "jitter": "none"]]]
        var lane = ManualLane.open(settings)
        _ = lane.tell(call(0))
        #expect(lane.tell(refused(0, unprocessed: true)) == [.call(line, 0)])
        // The second time it is an error like any other, and one attempt is left.
        #expect(lane.tell(refused(0, unprocessed: true)) == [])
        #expect(lane.advance(by: .seconds(1)) == [.call(line, 0)])
        #expect(lane.tell(refused(0)) == [.abandon(call: 0, .unavailable)])
        lane = .open(settings)
        _ = lane.tell(call(0))
        #expect(lane.tell(refused(0, unprocessed: true, goodbye: true)) == [])
        _ = lane.tell(.closed(line, .ended))
        _ = lane.advance(by: .minutes(1))
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [.call(line, 0)])
    }

    /// Broken: calls of a lost connection that are not retried, or that count attempts while they merely wait for another; a
    /// throttle without effect.
    @Test func outlivesItsConnectionByPolicy() {
        var lane = ManualLane.open([
            "calls": [
                "retry-policy": ["max-attempts": "3", "jitter": "none"],
                "retry-throttling": ["max-tokens": "2", "token-ratio": "1"],
            ], "backoff": ["jitter": "none", "base": "10s"],
        ])
        _ = lane.tell(call(0))
        // One token of two is left: not more than half.
        #expect(lane.tell(.closed(line, .reset)) == [.abandon(call: 0, .unavailable)])
        _ = lane.tell(call(1))
        for _ in 0..<5 {
            #expect(lane.advance(by: lane.session.timers[TimerSlot(0)].at - lane.session.now).count == 1)
            _ = lane.tell(.failed(line, .refused))
        }
        _ = lane.advance(by: lane.session.timers[TimerSlot(0)].at - lane.session.now)
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [.call(line, 1)])
        _ = lane.tell(.answered(line, call: 1))
        _ = lane.tell(call(2))
        #expect(lane.tell(refused(2)) == [.abandon(call: 2, .unavailable)])
    }

    /// Broken: a call without connection: waits, waits for the next attempt and fails with it, or fails at once.
    @Test(arguments: [("wait", 0, 0), ("attempt", 0, 1), ("fail", 1, 1)])
    func knowsThreeWaysOfBeingUnready(word: String, atOnce: Int, withTheAttempt: Int) {
        var lane = ManualLane.open(["calls": ["unready": .text(word)], "backoff": ["jitter": "none", "base": "10s"]])
        _ = lane.tell(.closed(line, .reset))
        var failed = lane.tell(call(0)).count { $0 == .abandon(call: 0, .unavailable) }
        #expect(failed == atOnce)
        _ = lane.advance(by: .seconds(10))
        failed += lane.tell(.failed(line, .refused)).count { $0 == .abandon(call: 0, .unavailable) }
        #expect(failed == withTheAttempt)
    }
}
