import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@testable import DeadzoneStrategies

/// What a connection of `composed` leaves behind.
@Suite struct ConnectionTests {
    private let line = ConnectionSlot(0)
    private static let (retry, open) = (TimerSlot(0), TimerSlot(3))

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: who was refused for good tries again, because it was connected once.
    @Test(arguments: [false, true], [false, true])
    func whoIsRefusedForGoodStaysAway(wasOpen: Bool, isPermanent: Bool) {
        var lane = ManualLane([
            "backoff": ["base": "1s", "jitter": "none"], "connect": ["when-denied": "stop"],
        ])
        _ = lane.tell(.started)
        if wasOpen {
            _ = lane.tell(.opened(line, resumedAt: .start))
            _ = lane.tell(.closed(line, .reset))
            #expect(attempts(lane.advance(by: .seconds(1))) == 1)
        }
        _ = lane.tell(.turnedAway(line, SessionRefusal(isPermanent: isPermanent)))
        _ = lane.tell(.failed(line, .refused))
        #expect((attempts(lane.advance(by: .minutes(1))) == 0) == isPermanent)
    }

    /// Broken: who is not let in by an open connection tries again as after any other end, where it should not, or does not where it
    /// should.
    @Test(arguments: [("stop", CloseReason.denied, 0), ("retry", .denied, 1), ("stop", .reset, 1)])
    func whoIsDeniedStops(word: String, reason: CloseReason, expected: Int) {
        var lane = ManualLane.open([
            "backoff": ["base": "1s", "cap": "1h", "jitter": "none", "when-denied": .text(word)]
        ])
        _ = lane.tell(.closed(line, reason))
        #expect(attempts(lane.advance(by: .seconds(5))) == expected)
    }

    /// Broken: a timer runs on though what it was for is over, and wakes the phone for nothing.
    @Test func noTimerOutlivesWhatItIsFor() {
        var lane = ManualLane([
            "connect": ["timeout": "9s"], "life-cycle": ["background": "close"],
            "backoff": ["base": "1h", "cap": "1h", "jitter": "none"],
        ])
        _ = lane.tell(.started)
        #expect(lane.session.isArmed(Self.open) && !lane.session.isArmed(Self.retry))
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(!lane.session.isArmed(Self.open) && !lane.session.isArmed(Self.retry))
        _ = lane.tell(.closed(line, .reset))
        #expect(!lane.session.isArmed(Self.open) && lane.session.isArmed(Self.retry))
        lane.session.isForeground = false
        _ = lane.tell(.app(.background))
        #expect(lane.state.phase == .parked && !lane.session.isArmed(Self.retry))
    }

    /// Broken: a connection on which the server never said a word counts as one that was lost, not as an attempt that failed.
    @Test(arguments: [(false, Channel.State.transientFailure), (true, .idle)])
    func whatWasNeverReadyHasFailed(isGreeted: Bool, expected: Channel.State) {
        var lane = ManualLane(["channel": ["connects": "on-demand", "after-loss": "idle", "stream": "none"]])
        _ = lane.tell(.started)
        _ = lane.tell(.wantsToCall(Message(index: 0, bytes: 100)))
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.answered(line, call: 0))
        if isGreeted { _ = lane.tell(.greeted(line)) }
        _ = lane.tell(.closed(line, .reset))
        #expect(lane.state.channel == expected)
    }

    /// Broken: a probe of a connection that is gone decides about the next one: its silence then counts as an answer that was asked for
    /// in a hurry, and not as a failure that is waited after.
    @Test func aProbeEndsWithItsConnection() {
        var lane = ManualLane.open([
            "keepalive": ["interval": "20s", "timeout": "5s"], "life-cycle": ["foreground": "probe"],
            "backoff": ["base": "10s", "jitter": "none"],
        ])
        _ = lane.advance(by: .seconds(10))
        lane.session.isForeground = false
        _ = lane.tell(.app(.background))
        lane.session.isForeground = true
        #expect(lane.tell(.app(.foreground)) == [.ping(line)] && lane.state.isProbing)
        _ = lane.tell(.closed(line, .reset))
        #expect(attempts(lane.advance(by: .seconds(10))) == 1)
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.advance(by: .seconds(20)) == [.ping(line)])
        #expect(lane.advance(by: .seconds(5)) == [.close(line)])
    }

    /// Broken: a visit leaves although somebody waits for the answer to a call.
    @Test(arguments: [false, true])
    func aVisitStaysForItsCalls(hasCall: Bool) {
        var lane = ManualLane.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"]
        ])
        lane.session.isForeground = false
        _ = lane.tell(.app(.background))
        lane.session.cursor = Cursor(4)
        _ = lane.tell(.pushWoken)
        _ = lane.tell(.opened(line, resumedAt: Cursor(4)))
        if hasCall { #expect(lane.tell(.wantsToCall(Message(index: 0, bytes: 100))) == [.call(line, 0)]) }
        var actions = lane.tell(
            .resumed(line, Greeting(sent: Cursor(4), received: .start, next: Cursor(4))))
        actions += lane.tell(.greeted(line))
        #expect(actions.contains(.leave(line)) == !hasCall)
        if hasCall { #expect(lane.tell(.answered(line, call: 0)).contains(.leave(line))) }
    }
}
