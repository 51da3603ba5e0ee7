import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct ComposedTests {
    private let connection = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    /// Broken: a client without facets does more than connect, wait and resume.
    @Test func doesNothingThatIsNotSet() {
        var phone = StrategyHarness<Composed>([:])
        #expect(phone.send(.started) == [attempt])
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [])
        #expect(phone.advance(by: .hours(24)) == [])
        #expect(phone.change(to: .cellular) == [])
        #expect(phone.send(.app(.background)) == [] && phone.send(.pushWoken) == [])
        #expect(phone.send(.closed(connection, .reset)) == [])
        #expect(phone.advance(by: .milliseconds(500)) == [attempt])
    }

    /// Broken: an attempt starts without a network, or a client that ignores path changes never starts one when a
    /// network appears.
    @Test func waitsUntilThereIsANetwork() {
        var phone = StrategyHarness<Composed>([:])
        phone.session.network = NetworkView()
        #expect(phone.send(.started) == [])
        #expect(phone.advance(by: .hours(1)) == [])
        #expect(phone.change(to: .cellular) == [attempt])
    }

    /// Broken: an attempt hangs for ever, or its timeout differs from the setting.
    @Test(arguments: [("5s", 5), ("10s", 10), ("20s", 20), ("2m", 120)] as [(String, Int64)])
    func abandonsAnAttemptAtItsTimeout(word: String, seconds: Int64) {
        var phone = StrategyHarness<Composed>([
            "connect": ["timeout": .text(word)], "backoff": ["base": "1s", "jitter": "none"],
        ])
        #expect(phone.send(.started) == [attempt])
        #expect(phone.advance(by: .seconds(seconds) - .milliseconds(1)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        #expect(phone.advance(by: .milliseconds(999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [attempt])
    }
}
