import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct DeadlineTests {
    private let line = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    private func call(_ index: UInt32) -> Event { .wantsToCall(Message(index: index, bytes: 100)) }

    /// Broken: an answer in time that counts as missed, or a deadline that passes unnoticed.
    @Test func failsWhatIsNotAnsweredInTime() {
        var lane = ManualLane.open(["calls": ["deadline": "10s"]])
        #expect(lane.tell(call(0)) == [.call(line, 0)])
        #expect(lane.advance(by: .seconds(4)) == [])
        #expect(lane.tell(call(1)) == [.call(line, 1)])
        #expect(lane.advance(by: .seconds(5)) == [])
        #expect(lane.tell(.answered(line, call: 0)) == [])
        #expect(lane.advance(by: .seconds(5)) == [.abandon(call: 1, .deadlineExceeded)])
        // Too late to be of use.
        #expect(lane.tell(.answered(line, call: 1)) == [])
        #expect(lane.advance(by: .hours(1)) == [])
    }

    /// Broken: a deadline that goes on while the process's clock stands still, or one that stands still although time goes on.
    @Test(arguments: [("elapsed", true), ("wall", true), ("uptime", false)])
    func countsByItsClock(word: String, isOver: Bool) {
        var lane = ManualLane.open(["calls": ["deadline": "60s", "clock": .text(word)]])
        _ = lane.tell(call(0))
        lane.session.now += .hours(2)
        lane.session.slept += .hours(2)
        let slot = TimerSlot(5)
        let wish = lane.session.timers[slot]
        #expect((wish.at <= lane.session.now(wish.clock)) == isOver)
        // Woken for another reason: what is not over by that clock is not failed, and its timer is set again.
        lane.session.disarm(slot)
        #expect(lane.tell(.fired(slot)) == (isOver ? [.abandon(call: 0, .deadlineExceeded)] : []))
        #expect(lane.session.isArmed(slot) != isOver)
    }

    /// Broken: a background deadline in the foreground, or the other way round.
    @Test func knowsTheBackground() {
        var lane = ManualLane.open(["calls": ["deadline": "10s", "in-background": "1m"]])
        lane.session.isForeground = false
        _ = lane.tell(call(0))
        #expect(lane.advance(by: .seconds(59)) == [])
        #expect(lane.advance(by: .seconds(1)) == [.abandon(call: 0, .deadlineExceeded)])
    }

    /// Broken: a low battery is not asked about, or goes behind where the app is; the limit moves with a call that was asked before.
    @Test(arguments: [true, false])
    func sparesTheBattery(_ inFront: Bool) {
        var lane = ManualLane.open(["calls": ["deadline": "10s", "in-background": "1m", "low-battery": "30s"]])
        lane.session.isForeground = inFront
        lane.session.isSaving = true
        _ = lane.tell(call(0))
        lane.session.isSaving = false
        #expect(lane.tell(.app(.batterySaver)) == [])
        #expect(lane.advance(by: .seconds(29)) == [])
        #expect(lane.advance(by: .seconds(1)) == [.abandon(call: 0, .deadlineExceeded)])
    }

    /// Broken: a call that is lost with its connection, or asked again against the settings.
    @Test(arguments: [("true", true), ("false", false)])
    func outlivesItsConnection(retry: String, isAskedAgain: Bool) {
        var lane = ManualLane.open(["calls": ["retry": .text(retry)], "backoff": ["jitter": "none"]])
        _ = lane.tell(call(0))
        #expect(lane.tell(.closed(line, .reset)) == (isAskedAgain ? [] : [.abandon(call: 0, .unavailable)]))
        #expect(lane.advance(by: .seconds(1)) == [attempt])
        #expect(lane.tell(.opened(line, resumedAt: .start)) == (isAskedAgain ? [.call(line, 0)] : []))
    }

    /// Broken: a call without a connection that waits where it should fail, or fails where it should wait.
    @Test(
        arguments: [
            ("wait", "wait", [false, false, false, false]), ("fail", "wait", [false, true, true, false]),
            ("wait", "fail", [false, false, true, true]), ("fail", "fail", [false, true, true, true]),
        ])
    func failsFastWhereAsked(unready: String, offline: String, expected: [Bool]) {
        let settings: Setting = [
            "calls": ["unready": .text(unready), "offline": .text(offline)], "backoff": ["base": "1h"],
        ]
        let failure = [Action.abandon(call: 0, .unavailable)]
        var opening = ManualLane(settings)
        _ = opening.tell(.started)
        var waiting = ManualLane.open(settings)
        _ = waiting.tell(.closed(line, .reset))
        var resting = ManualLane<Composed>(settings)
        resting.session.network = NetworkView()
        _ = resting.tell(.started)
        var open = ManualLane.open(settings)
        _ = open.tell(call(0))
        let seen = [
            opening.tell(call(0)) == failure, waiting.tell(call(0)) == failure, resting.tell(call(0)) == failure,
            open.change(to: nil, .lost) == failure,
        ]
        #expect(seen == expected)
    }

    /// Broken: a dead connection that is kept however many calls it fails, or dropped for fewer; an answer forgives them all.
    @Test(arguments: [(1, "reconnect-after"), (3, "reconnect-after"), (1, "probe-after"), (3, "probe-after")])
    func drawsAConclusionFromMisses(count: UInt32, setting: String) {
        var lane = ManualLane.open([
            "calls": ["deadline": "1s", setting: .text("\(count)")], "probe-timeout": "500ms",
        ])
        _ = lane.tell(call(100))
        _ = lane.tell(.answered(line, call: 100))
        for index in 0..<count {
            _ = lane.tell(call(index))
            let actions = lane.advance(by: .seconds(1))
            #expect(actions.first == .abandon(call: index, .deadlineExceeded))
            let verdict = Array(actions.dropFirst())
            if index + 1 < count {
                #expect(verdict == [])
            } else if setting == "reconnect-after" {
                #expect(verdict == [.close(line), attempt])
            } else {
                #expect(verdict == [.ping(line)])
                #expect(lane.advance(by: .milliseconds(500)) == [.close(line), attempt])
            }
        }
    }

    /// Broken: a flood of calls that grows without bound, or takes the client down.
    @Test func boundsWhatWaits() {
        var lane = ManualLane.open([:])
        var refused = 0
        for index in 0..<100 as Range<UInt32> {
            refused += lane.tell(call(index)).count { $0 == .abandon(call: index, .unavailable) }
        }
        #expect(refused == 100 - CallTable.capacity)
        _ = lane.tell(.closed(line, .reset))
        _ = lane.advance(by: .seconds(1))
        #expect(lane.tell(.opened(line, resumedAt: .start)).count == CallTable.capacity)
    }
}
