import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct DeadlineTests {
    private let connection = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    /// Broken: an answer in time counts as missed, or a missed deadline goes unnoticed.
    @Test func failsUnansweredCallsAtTheirDeadline() {
        var phone = StrategyHarness.open(["calls": ["deadline": "10s"]])
        #expect(phone.send(call(0)) == [.call(connection, 0)])
        #expect(phone.advance(by: .seconds(4)) == [])
        #expect(phone.send(call(1)) == [.call(connection, 1)])
        #expect(phone.advance(by: .seconds(5)) == [])
        #expect(phone.send(.answered(connection, call: 0)) == [])
        #expect(phone.advance(by: .seconds(5)) == [.abandon(call: 1, .deadlineExceeded)])
        // Too late to be of use.
        #expect(phone.send(.answered(connection, call: 1)) == [])
        #expect(phone.advance(by: .hours(1)) == [])
    }

    /// Broken: a deadline keeps counting while the clock of the process stands still, or stops although its clock
    /// runs.
    @Test(arguments: [("elapsed", true), ("wall", true), ("uptime", false)])
    func measuresTimeByItsClock(word: String, isOver: Bool) {
        var phone = StrategyHarness.open(["calls": ["deadline": "60s", "clock": .text(word)]])
        _ = phone.send(call(0))
        phone.session.now += .hours(2)
        phone.session.slept += .hours(2)
        let slot = TimerSlot(5)
        let timer = phone.session.timers[slot]
        #expect((timer.at <= phone.session.now(timer.clock)) == isOver)
        // Woken for another reason: a deadline that has not passed by its clock does not fail the call, and its timer
        // is armed again.
        phone.session.disarm(slot)
        #expect(phone.send(.fired(slot)) == (isOver ? [.abandon(call: 0, .deadlineExceeded)] : []))
        #expect(phone.session.isArmed(slot) != isOver)
    }

    /// Broken: the background deadline applies in the foreground, or the foreground deadline in the background.
    @Test func usesTheBackgroundDeadline() {
        var phone = StrategyHarness.open(["calls": ["deadline": "10s", "in-background": "1m"]])
        phone.session.isForeground = false
        _ = phone.send(call(0))
        #expect(phone.advance(by: .seconds(59)) == [])
        #expect(phone.advance(by: .seconds(1)) == [.abandon(call: 0, .deadlineExceeded)])
    }

    /// Broken: battery saver is ignored, or ranks below the app's foreground or background state. Or a change of
    /// battery saver alters the deadline of a call that was already sent.
    @Test(arguments: [true, false])
    func usesTheBatterySaverDeadline(_ inFront: Bool) {
        var phone = StrategyHarness.open(["calls": ["deadline": "10s", "in-background": "1m", "low-battery": "30s"]])
        phone.session.isForeground = inFront
        phone.session.isBatterySaverOn = true
        _ = phone.send(call(0))
        phone.session.isBatterySaverOn = false
        #expect(phone.send(.app(.batterySaver)) == [])
        #expect(phone.advance(by: .seconds(29)) == [])
        #expect(phone.advance(by: .seconds(1)) == [.abandon(call: 0, .deadlineExceeded)])
    }

    /// Broken: the deadline on a slow network applies before a call was slow, or after one was fast again. Or it ranks
    /// above the background or battery saver, or calls without an answer do not count as slow.
    @Test func usesTheDeadlineOfASlowNetwork() {
        var phone = StrategyHarness.open([
            "calls": [
                "deadline": "10s", "in-background": "5s", "low-battery": "7s",
                "slow-network": ["above": "2s", "deadline": "1m"],
            ]
        ])
        var next: UInt32 = 0
        /// Makes a call and answers it after this number of seconds.
        func answer(after seconds: Int64, in phone: inout StrategyHarness<Composed>) {
            _ = phone.send(call(next))
            #expect(phone.advance(by: .seconds(seconds)) == [])
            _ = phone.send(.answered(connection, call: next))
            next += 1
        }
        /// Makes a call without an answer, and returns the seconds until it fails.
        func patience(_ phone: inout StrategyHarness<Composed>) -> Int {
            _ = phone.send(call(next))
            next += 1
            for second in 1...100 where phone.advance(by: .seconds(1)) != [] { return second }
            return 0
        }
        answer(after: 2, in: &phone)
        #expect(patience(&phone) == 10)
        #expect(patience(&phone) == 60, "a call without an answer is a slow call")
        answer(after: 3, in: &phone)
        #expect(patience(&phone) == 60)
        phone.session.isForeground = false
        #expect(patience(&phone) == 5)
        phone.session.isBatterySaverOn = true
        #expect(patience(&phone) == 7)
        phone.session.isForeground = true
        phone.session.isBatterySaverOn = false
        answer(after: 1, in: &phone)
        #expect(patience(&phone) == 10)
    }

    /// Broken: a call is lost with its connection, or retried against the settings.
    @Test(arguments: [("true", true), ("false", false)])
    func callsOutliveTheirConnectionIfSet(retry: String, isAskedAgain: Bool) {
        var phone = StrategyHarness.open(["calls": ["retry": .text(retry)], "backoff": ["jitter": "none"]])
        _ = phone.send(call(0))
        #expect(phone.send(.closed(connection, .reset)) == (isAskedAgain ? [] : [.abandon(call: 0, .unavailable)]))
        #expect(phone.advance(by: .seconds(1)) == [attempt])
        #expect(phone.send(.opened(connection, resumedAt: .start)) == (isAskedAgain ? [.call(connection, 0)] : []))
    }

    /// Broken: a call without a connection waits where it should fail, or fails where it should wait.
    @Test(
        arguments: [
            ("wait", "wait", [false, false, false, false]), ("fail", "wait", [false, true, true, false]),
            ("wait", "fail", [false, false, true, true]), ("fail", "fail", [false, true, true, true]),
        ])
    func failsFastIfSet(unready: String, offline: String, expected: [Bool]) {
        let settings: Setting = [
            "calls": ["unready": .text(unready), "offline": .text(offline)], "backoff": ["base": "1h"],
        ]
        let failure = [Action.abandon(call: 0, .unavailable)]
        var opening = StrategyHarness(settings)
        _ = opening.send(.started)
        var waiting = StrategyHarness.open(settings)
        _ = waiting.send(.closed(connection, .reset))
        var resting = StrategyHarness<Composed>(settings)
        resting.session.network = NetworkView()
        _ = resting.send(.started)
        var open = StrategyHarness.open(settings)
        _ = open.send(call(0))
        let seen = [
            opening.send(call(0)) == failure, waiting.send(call(0)) == failure, resting.send(call(0)) == failure,
            open.change(to: nil, .lost) == failure,
        ]
        #expect(seen == expected)
    }

    /// Broken: a dead connection is kept after the set number of missed calls, or dropped after fewer. An answer
    /// resets the count.
    @Test(arguments: [(1, "reconnect-after"), (3, "reconnect-after"), (1, "probe-after"), (3, "probe-after")])
    func reactsToMissedDeadlines(count: UInt32, setting: String) {
        var phone = StrategyHarness.open([
            "calls": ["deadline": "1s", setting: .text("\(count)")], "probe-timeout": "500ms",
        ])
        _ = phone.send(call(100))
        _ = phone.send(.answered(connection, call: 100))
        for index in 0..<count {
            _ = phone.send(call(index))
            let actions = phone.advance(by: .seconds(1))
            #expect(actions.first == .abandon(call: index, .deadlineExceeded))
            let verdict = Array(actions.dropFirst())
            if index + 1 < count {
                #expect(verdict == [])
            } else if setting == "reconnect-after" {
                #expect(verdict == [.close(connection), attempt])
            } else {
                #expect(verdict == [.ping(connection)])
                #expect(phone.advance(by: .milliseconds(500)) == [.close(connection), attempt])
            }
        }
    }

    /// Broken: the number of waiting calls grows without bound, or a flood of calls crashes the client. Or the newest
    /// calls fail instead of the oldest, so that after a long outage no call succeeds any more.
    @Test func boundsWaitingCalls() {
        var phone = StrategyHarness.open([:])
        var refused = 0
        for index in 0..<100 as Range<UInt32> {
            let oldest = index &- UInt32(CallTable.capacity)
            refused += phone.send(call(index)).count { $0 == .abandon(call: oldest, .unavailable) }
        }
        #expect(refused == 100 - CallTable.capacity)
        _ = phone.send(.closed(connection, .reset))
        _ = phone.advance(by: .seconds(1))
        #expect(phone.send(.opened(connection, resumedAt: .start)).count == CallTable.capacity)
    }
}
