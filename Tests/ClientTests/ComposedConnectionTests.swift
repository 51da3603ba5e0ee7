import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

/// State that a connection of `composed` leaves behind when it ends.
@Suite struct ComposedConnectionTests {
    private let connection = ConnectionSlot(0)
    private static let (retry, open) = (TimerSlot(0), TimerSlot(3))

    private func attempts(_ actions: [Action]) -> Int {
        actions.count { if case .connect = $0 { true } else { false } }
    }

    /// Broken: a permanently refused client tries again because it was connected once.
    @Test(arguments: [false, true], [false, true])
    func aPermanentRefusalStopsRetries(wasOpen: Bool, isPermanent: Bool) {
        var phone = StrategyHarness([
            "backoff": ["base": "1s", "jitter": "none"], "connect": ["when-denied": "stop"],
        ])
        _ = phone.send(.started)
        if wasOpen {
            _ = phone.send(.opened(connection, resumedAt: .start))
            _ = phone.send(.closed(connection, .reset))
            #expect(attempts(phone.advance(by: .seconds(1))) == 1)
        }
        _ = phone.send(.sessionRefused(connection, SessionRefusal(isPermanent: isPermanent)))
        _ = phone.send(.failed(connection, .refused))
        #expect((attempts(phone.advance(by: .minutes(1))) == 0) == isPermanent)
    }

    /// Broken: the `when-denied` setting is ignored. After a denied login on an open connection, the client
    /// reconnects although the setting says stop, or stops although it says retry.
    @Test(arguments: [("stop", CloseReason.denied, 0), ("retry", .denied, 1), ("stop", .reset, 1)])
    func followsTheWhenDeniedSetting(word: String, reason: CloseReason, expected: Int) {
        var phone = StrategyHarness.open([
            "backoff": ["base": "1s", "cap": "1h", "jitter": "none", "when-denied": .text(word)]
        ])
        _ = phone.send(.closed(connection, reason))
        #expect(attempts(phone.advance(by: .seconds(5))) == expected)
    }

    /// Broken: a timer keeps running after its purpose has ended, and wakes the phone for nothing.
    @Test func noTimerOutlivesItsPurpose() {
        var phone = StrategyHarness([
            "connect": ["timeout": "9s"], "life-cycle": ["background": "close"],
            "backoff": ["base": "1h", "cap": "1h", "jitter": "none"],
        ])
        _ = phone.send(.started)
        #expect(phone.session.isArmed(Self.open) && !phone.session.isArmed(Self.retry))
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(!phone.session.isArmed(Self.open) && !phone.session.isArmed(Self.retry))
        _ = phone.send(.closed(connection, .reset))
        #expect(!phone.session.isArmed(Self.open) && phone.session.isArmed(Self.retry))
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        #expect(phone.state.phase == .parked && !phone.session.isArmed(Self.retry))
    }

    /// Broken: a connection without any byte from the server counts as a lost connection, not as a failed attempt.
    @Test(arguments: [(false, Channel.State.transientFailure), (true, .idle)])
    func aConnectionThatWasNeverReadyHasFailed(isGreeted: Bool, expected: Channel.State) {
        var phone = StrategyHarness(["channel": ["connects": "on-demand", "after-loss": "idle", "stream": "none"]])
        _ = phone.send(.started)
        _ = phone.send(.wantsToCall(Message(index: 0, bytes: 100)))
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.answered(connection, call: 0))
        if isGreeted { _ = phone.send(.serverResponded(connection)) }
        _ = phone.send(.closed(connection, .reset))
        #expect(phone.state.channel == expected)
    }

    /// Broken: the probe of a closed connection affects the next connection. Its missing pong then counts as a failed
    /// probe, which reconnects at once, and not as a failure with a wait.
    @Test func aProbeEndsWithItsConnection() {
        var phone = StrategyHarness.open([
            "keepalive": ["interval": "20s", "timeout": "5s"], "life-cycle": ["foreground": "probe"],
            "backoff": ["base": "10s", "jitter": "none"],
        ])
        _ = phone.advance(by: .seconds(10))
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        phone.session.isForeground = true
        #expect(phone.send(.app(.foreground)) == [.ping(connection)] && phone.state.isProbing)
        _ = phone.send(.closed(connection, .reset))
        #expect(attempts(phone.advance(by: .seconds(10))) == 1)
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.advance(by: .seconds(20)) == [.ping(connection)])
        #expect(phone.advance(by: .seconds(5)) == [.close(connection)])
    }

    /// Broken: a background visit closes its connection while a call waits for its answer.
    @Test(arguments: [false, true])
    func aVisitStaysForItsCalls(hasCall: Bool) {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"]
        ])
        phone.session.isForeground = false
        _ = phone.send(.app(.background))
        phone.session.cursor = Cursor(4)
        _ = phone.send(.pushWoken)
        _ = phone.send(.opened(connection, resumedAt: Cursor(4)))
        if hasCall { #expect(phone.send(.wantsToCall(Message(index: 0, bytes: 100))) == [.call(connection, 0)]) }
        var actions = phone.send(
            .resumeResponse(connection, ResumeResponse(sent: Cursor(4), received: .start, next: Cursor(4))))
        actions += phone.send(.serverResponded(connection))
        #expect(actions.contains(.closeGracefully(connection)) == !hasCall)
        if hasCall { #expect(phone.send(.answered(connection, call: 0)).contains(.closeGracefully(connection))) }
    }
}
