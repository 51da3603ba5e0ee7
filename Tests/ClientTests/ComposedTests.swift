import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct ComposedTests {
    private let line = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    /// Broken: a client of no facets that does more than connect, wait and resume.
    @Test func whatIsNotWrittenIsNotDone() {
        var lane = ManualLane<Composed>([:])
        #expect(lane.tell(.started) == [attempt])
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [])
        #expect(lane.advance(by: .hours(24)) == [])
        #expect(lane.change(to: .cellular) == [])
        #expect(lane.tell(.app(.background)) == [] && lane.tell(.pushWoken) == [])
        #expect(lane.tell(.closed(line, .reset)) == [])
        #expect(lane.advance(by: .milliseconds(500)) == [attempt])
    }

    /// Broken: a gate that lets an attempt out without a network, or never opens again for a client that ignores the path.
    @Test func restsUntilTheGateOpens() {
        var lane = ManualLane<Composed>([:])
        lane.session.network = NetworkView()
        #expect(lane.tell(.started) == [])
        #expect(lane.advance(by: .hours(1)) == [])
        #expect(lane.change(to: .cellular) == [attempt])
    }

    /// Broken: an attempt that hangs for ever, or a connect timeout that is not the one written.
    @Test(arguments: [("5s", 5), ("10s", 10), ("20s", 20), ("2m", 120)] as [(String, Int64)])
    func givesAnAttemptUpInTime(word: String, seconds: Int64) {
        var lane = ManualLane<Composed>([
            "connect": ["timeout": .text(word)], "backoff": ["base": "1s", "jitter": "none"],
        ])
        #expect(lane.tell(.started) == [attempt])
        #expect(lane.advance(by: .seconds(seconds) - .milliseconds(1)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
        #expect(lane.advance(by: .milliseconds(999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [attempt])
    }
}
