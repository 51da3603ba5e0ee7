import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneClient

private func loop(_ settings: Setting) -> StreamLoop {
    var reader = SettingsReader(settings.node, of: "stream-loop")
    let strategy = StreamLoop(&reader)
    reader.finish()
    #expect(reader.faults.sorted.map(\.message) == [])
    return strategy
}

private let connection = ConnectionSlot(0)

@Suite struct StreamLoopTests {
    /// Broken: the loop's waits differ from its code, or overflow at another count. Kotlin: negative at 55 to 59 and
    /// 61, zero at 62 and 63, and then from the start again. Swift counts first, and traps at 55.
    @Test func waitsLikeTheArticlesCode() {
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

    /// Broken: the deadline follows later app state changes, survives the stream, or the loop calls again after it.
    @Test(
        arguments: [(true, false, 120), (false, false, 10), (true, true, 30), (false, true, 30)]
            as [(Bool, Bool, Int64)])
    func aDeadlineEndsTheLoop(_ inFront: Bool, _ isSaving: Bool, _ seconds: Int64) {
        var phone = StrategyHarness(
            loop(["deadline": ["foreground": "120s", "background": "10s", "low-battery": "30s"]]))
        phone.session.isForeground = inFront
        phone.session.isBatterySaverOn = isSaving
        _ = phone.send(.started)
        _ = phone.send(.opened(connection, resumedAt: .start))
        // The deadline is fixed when the call is made.
        phone.session.isForeground = !inFront
        _ = phone.send(.app(inFront ? .background : .foreground))
        phone.session.isBatterySaverOn = !isSaving
        _ = phone.send(.app(.batterySaver))
        #expect(phone.advance(by: .milliseconds(seconds * 1_000 - 1)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        #expect(phone.send(.app(.foreground)) == [] && phone.advance(by: .hours(2)) == [])
    }

    /// Broken: the deadline of a slow network applies before anything was slow, in the background, or to the running
    /// stream; or a faster measurement does not end it.
    @Test(
        arguments: [(2_000, 20), (2_001, 90)] as [(Int64, Int64)], ["opening", "pong", "no answer to an attempt"])
    func aSlowNetworkHasItsOwnDeadline(_ measured: (Int64, Int64), _ way: String) {
        var phone = StrategyHarness(
            loop([
                "deadline": [
                    "foreground": "20s", "background": "10s", "slow-network": ["above": "2s", "deadline": "90s"],
                ], "keepalive": ["interval": "10s", "timeout": "5s"],
            ]))
        phone.session.isForeground = true
        let isUnanswered = way == "no answer to an attempt"
        _ = phone.send(.started)
        if isUnanswered {
            _ = phone.advance(by: .seconds(20))
            _ = phone.advance(by: .milliseconds(500))
        } else {
            if way == "opening" { _ = phone.advance(by: .milliseconds(measured.0)) }
            _ = phone.send(.opened(connection, resumedAt: .start))
            if way == "pong" { _ = phone.send(.pong(connection, after: .milliseconds(measured.0))) }
            _ = phone.send(.closed(connection, .completed))
        }
        // The stream that is opened now has the deadline of the network before it.
        let limit = isUnanswered ? 90 : measured.1
        var passed = TimeSpan.zero
        while passed < .seconds(limit) - .milliseconds(1) {
            _ = phone.send(.opened(connection, resumedAt: .start))
            _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 1))
            let step = min(.seconds(9), .seconds(limit) - .milliseconds(1) - passed)
            #expect(!phone.advance(by: step).contains(.close(connection)))
            passed += step
        }
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        // In the background, the network does not matter.
        var behind = StrategyHarness(
            loop(["deadline": ["background": "10s", "slow-network": ["deadline": "90s"]]]))
        behind.session.isForeground = false
        _ = behind.send(.started)
        _ = behind.advance(by: .milliseconds(3_000))
        _ = behind.send(.opened(connection, resumedAt: .start))
        _ = behind.send(.closed(connection, .completed))
        #expect(behind.advance(by: .milliseconds(9_999)) == [])
        #expect(behind.advance(by: .milliseconds(1)) == [.close(connection)])
    }

    /// Broken: a call that ends otherwise leaves its deadline to the next one, or a message does not reset the
    /// attempts.
    @Test func unavailableIsRetried() {
        var phone = StrategyHarness(
            loop(["deadline": ["foreground": "120s"], "keepalive": ["interval": "60s", "timeout": "10s"]]))
        let connect = Action.connect(connection, Transport(.grpc), resuming: .from(.start))
        #expect(phone.send(.started) == [connect])
        #expect(phone.advance(by: .seconds(20)) == [.close(connection)], "an attempt may take twenty seconds")
        #expect(phone.advance(by: .milliseconds(500)) == [connect])
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.send(.closed(connection, .reset)) == [] && phone.advance(by: .milliseconds(999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [connect], "opening alone does not restart the backoff")
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(
            phone.send(.received(connection, upTo: Cursor(1), bytes: 100)) == [
                .deliver(Cursor(1)), .persist(Cursor(1)),
            ])
        #expect(phone.advance(by: .seconds(60)) == [.ping(connection)])
        #expect(phone.advance(by: .seconds(10)) == [.close(connection)])
        #expect(phone.advance(by: .milliseconds(500)) == [connect])
    }

    /// Broken: a stream that ends with OK is retried with a wait, or counts as a failure. Neither printed loop reaches its
    /// `catch` then: it opens the next stream at once.
    @Test(arguments: ["kotlin", "swift"])
    func aStreamThatEndsInOrderIsOpenedAtOnce(_ language: String) {
        var phone = StrategyHarness(loop(["language": .text(language), "deadline": ["foreground": "120s"]]))
        let connect = Action.connect(connection, Transport(.grpc), resuming: .from(.start))
        _ = phone.send(.started)
        for _ in 0..<100 {
            _ = phone.send(.opened(connection, resumedAt: .start))
            #expect(phone.advance(by: .seconds(1)) == [])
            #expect(phone.send(.closed(connection, .completed)) == [connect])
        }
        // The wait after an error is still the first one.
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.send(.closed(connection, .ended)) == [])
        let wait: Int64 = language == "kotlin" ? 500 : 1_000
        #expect(phone.advance(by: .milliseconds(wait - 1)) == [] && phone.advance(by: .milliseconds(1)) == [connect])
    }

    /// Broken: the loop retries after an error that it does not catch, or the Swift code tells its consumer of the end.
    @Test(arguments: ["kotlin", "swift"])
    func anotherErrorEndsTheLoop(_ language: String) {
        let ends: [[Event]] = [
            [.opened(connection, resumedAt: .start), .closed(connection, .denied)],
            [
                .sessionRefused(connection, SessionRefusal(isPermanent: true)),
                .failed(connection, .sessionRefused),
            ],
        ]
        for events in ends {
            var phone = StrategyHarness(loop(["language": .text(language)]))
            _ = phone.send(.started)
            let actions = events.flatMap { phone.send($0) }
            #expect(actions == (language == "swift" ? [.abandonConsumer] : []))
            #expect(phone.advance(by: .hours(1)) == [])
        }
        var phone = StrategyHarness(loop(["language": .text(language)]))
        _ = phone.send(.started)
        _ = phone.send(.sessionRefused(connection, SessionRefusal(isPermanent: false)))
        _ = phone.send(.failed(connection, .sessionRefused))
        #expect(phone.advance(by: .seconds(1)).count == 1, "a refusal for now is UNAVAILABLE")
    }

    /// Broken: `too_many_pings` does not double the interval of the next connection.
    @Test func tooManyPingsDoublesTheInterval() {
        var phone = StrategyHarness(loop(["keepalive": ["interval": "60s"]]))
        for interval: Int64 in [60, 120, 240] {
            _ = phone.session.isArmed(TimerSlot(0)) ? phone.advance(by: .seconds(1)) : phone.send(.started)
            _ = phone.send(.opened(connection, resumedAt: .start))
            _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 10))
            #expect(phone.advance(by: .milliseconds(interval * 1_000 - 1)) == [])
            #expect(phone.advance(by: .milliseconds(1)) == [.ping(connection)])
            _ = phone.send(.goingAway(connection, .tooManyPings))
            _ = phone.send(.closed(connection, .ended))
        }
    }
}

@Suite struct IntervalSocketTests {
    /// Broken: the heartbeat printed in the article does not close a working connection at each of the 120 ticks of
    /// an hour. Or, with a tick below the age limit, it closes any.
    @Test(arguments: [("30s", 120, 0), ("9s", 0, 400)] as [(String, Int, Int)])
    func closesWorkingConnections(_ tick: String, _ closed: Int, _ pings: Int) {
        var reader = SettingsReader(Setting.map([("tick", .text(tick))]).node, of: "interval-socket")
        var phone = StrategyHarness(IntervalSocket(&reader))
        var actions = phone.send(.started)
        var counts = (closed: 0, pings: 0)
        // A server at a distance of a tenth of a second.
        for _ in 0...36_000 {
            for action in actions {
                if action == .close(connection) { counts.closed += 1 }
                if action == .ping(connection) {
                    counts.pings += 1
                    _ = phone.advance(by: .milliseconds(1))
                    _ = phone.send(.pong(connection, after: .milliseconds(100)))
                }
                if case .connect = action { actions += phone.send(.opened(connection, resumedAt: .start)) }
            }
            actions = phone.advance(by: .milliseconds(100))
        }
        #expect(counts.closed == closed && abs(counts.pings - pings) <= 5, "\(counts)")
    }

    /// Broken: unconfirmed messages are not sent again, the queue exceeds its bound, or it drops the newer half.
    @Test func losesTheOlderHalf() {
        var reader = SettingsReader(Setting.map([("queue", "4")]).node, of: "interval-socket")
        var phone = StrategyHarness(IntervalSocket(&reader))
        _ = phone.send(.started)
        var forgotten: [Action] = []
        for index: UInt32 in 0..<6 {
            phone.session.produced = Cursor(index + 1)
            forgotten += phone.send(.wantsToSend(Message(index: index, bytes: 10)))
        }
        #expect(forgotten == [.forget(below: Cursor(2))])
        #expect(
            phone.send(.opened(connection, resumedAt: .start)) == [.send(connection, from: Cursor(2), upTo: Cursor(6))])
    }
}
