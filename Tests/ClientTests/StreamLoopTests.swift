import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneTestKit
import Testing

@testable import DeadzoneStrategies

private func loop(_ settings: Setting) -> StreamLoop {
    var reader = SettingsReader(settings.node, of: "stream-loop")
    let strategy = StreamLoop(&reader)
    reader.finish()
    #expect(reader.faults.sorted.map(\.message) == [])
    return strategy
}

private let line = ConnectionSlot(0)

@Suite struct StreamLoopTests {
    /// Broken: the loop does not wait what its code says, or overflows elsewhere. Kotlin: below zero at 55 to 59 and 61, nothing
    /// at 62 and 63, and then anew. Swift counts first, and traps at 55.
    @Test func waitsWhatTheCodeSays() {
        var attempts: Int64 = 0
        let kotlin = loop([:])
        let waits = (0..<66).map { _ in kotlin.delay(&attempts)! }
        #expect(Array(waits.prefix(8)) == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
        #expect(waits.indices.filter { waits[$0] < 0 } == [55, 56, 57, 58, 59, 61])
        #expect(waits[60] == 30_000 && Array(waits[62...]) == [0, 0, 500, 1_000])
        #expect(waits[55] == -432_345_564_227_567_616)
        attempts = 0
        let swift = loop(["language": "swift"])
        let others = (0..<55).map { _ in swift.delay(&attempts) }
        #expect(others.prefix(6) == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
        #expect(others.dropLast().allSatisfy { $0 != nil } && others.last! == nil && attempts == 55)
        #expect(others.compactMap { $0 }.reduce(0, +) == 1_501_000)
    }

    /// Broken: the deadline follows the app, survives the stream, or the loop asks again after it.
    @Test(
        arguments: [(true, false, 120), (false, false, 10), (true, true, 30), (false, true, 30)]
            as [(Bool, Bool, Int64)])
    func aDeadlineEndsItForGood(_ inFront: Bool, _ isSaving: Bool, _ seconds: Int64) {
        var lane = ManualLane(
            loop(["deadline": ["foreground": "120s", "background": "10s", "low-battery": "30s"]]))
        lane.session.isForeground = inFront
        lane.session.isSaving = isSaving
        _ = lane.tell(.started)
        _ = lane.tell(.opened(line, resumedAt: .start))
        // It is fixed when the call is made.
        lane.session.isForeground = !inFront
        _ = lane.tell(.app(inFront ? .background : .foreground))
        lane.session.isSaving = !isSaving
        _ = lane.tell(.app(.batterySaver))
        #expect(lane.advance(by: .milliseconds(seconds * 1_000 - 1)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
        #expect(lane.tell(.app(.foreground)) == [] && lane.advance(by: .hours(2)) == [])
    }

    /// Broken: a call that ends otherwise leaves its deadline to the next, or a message does not reset the attempts.
    @Test func unavailableIsAskedAgain() {
        var lane = ManualLane(
            loop(["deadline": ["foreground": "120s"], "keepalive": ["interval": "60s", "timeout": "10s"]]))
        let connect = Action.connect(line, Carrier(.grpc), resuming: .from(.start))
        #expect(lane.tell(.started) == [connect])
        #expect(lane.advance(by: .seconds(20)) == [.close(line)], "an attempt may take twenty seconds")
        #expect(lane.advance(by: .milliseconds(500)) == [connect])
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.tell(.closed(line, .reset)) == [] && lane.advance(by: .milliseconds(999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [connect], "open is not enough to begin anew")
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.tell(.received(line, upTo: Cursor(1), bytes: 100)) == [.deliver(Cursor(1)), .persist(Cursor(1))])
        #expect(lane.advance(by: .seconds(60)) == [.ping(line)])
        #expect(lane.advance(by: .seconds(10)) == [.close(line)])
        #expect(lane.advance(by: .milliseconds(500)) == [connect])
    }

    /// Broken: `too_many_pings` does not double the interval of the next connection.
    @Test func aServerThatComplainsIsAskedHalfAsOften() {
        var lane = ManualLane(loop(["keepalive": ["interval": "60s"]]))
        for interval: Int64 in [60, 120, 240] {
            _ = lane.session.isArmed(TimerSlot(0)) ? lane.advance(by: .seconds(1)) : lane.tell(.started)
            _ = lane.tell(.opened(line, resumedAt: .start))
            _ = lane.tell(.received(line, upTo: Cursor(1), bytes: 10))
            #expect(lane.advance(by: .milliseconds(interval * 1_000 - 1)) == [])
            #expect(lane.advance(by: .milliseconds(1)) == [.ping(line)])
            _ = lane.tell(.goingAway(line, .tooManyPings))
            _ = lane.tell(.closed(line, .ended))
        }
    }
}

@Suite struct IntervalSocketTests {
    /// Broken: the printed heartbeat does not close a sound connection at every one of the 120 ticks of an hour; or with a tick
    /// below the age it closes any.
    @Test(arguments: [("30s", 120, 0), ("9s", 0, 400)] as [(String, Int, Int)])
    func closesWhatIsSound(_ tick: String, _ closed: Int, _ pings: Int) {
        var reader = SettingsReader(Setting.map([("tick", .text(tick))]).node, of: "interval-socket")
        var lane = ManualLane(IntervalSocket(&reader))
        var actions = lane.tell(.started)
        var counts = (closed: 0, pings: 0)
        // A server a tenth of a second away.
        for _ in 0...36_000 {
            for action in actions {
                if action == .close(line) { counts.closed += 1 }
                if action == .ping(line) {
                    counts.pings += 1
                    _ = lane.advance(by: .milliseconds(1))
                    _ = lane.tell(.pong(line, after: .milliseconds(100)))
                }
                if case .connect = action { actions += lane.tell(.opened(line, resumedAt: .start)) }
            }
            actions = lane.advance(by: .milliseconds(100))
        }
        #expect(counts.closed == closed && abs(counts.pings - pings) <= 5, "\(counts)")
    }

    /// Broken: what is not confirmed is not sent again, or the queue grows beyond its bound, or loses the newer half.
    @Test func losesTheOlderHalf() {
        var reader = SettingsReader(Setting.map([("queue", "4")]).node, of: "interval-socket")
        var lane = ManualLane(IntervalSocket(&reader))
        _ = lane.tell(.started)
        var forgotten: [Action] = []
        for index: UInt32 in 0..<6 {
            lane.session.produced = Cursor(index + 1)
            forgotten += lane.tell(.wantsToSend(Message(index: index, bytes: 10)))
        }
        #expect(forgotten == [.forget(below: Cursor(2))])
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [.send(line, from: Cursor(2), upTo: Cursor(6))])
    }
}
