import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct LifeCycleTests {
    private let line = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    /// Goes to the background or comes back, as the system says it.
    private func move(_ lane: inout ManualLane<Composed>, toForeground: Bool) -> [Action] {
        lane.session.isForeground = toForeground
        return lane.tell(.app(toForeground ? .foreground : .background))
    }

    /// Broken: a word that does something else when the app goes and comes back.
    @Test(
        arguments: [
            ("keep", "keep", [[], []]), ("keep", "probe", [[], [.ping(ConnectionSlot(0))]]),
            (
                "keep", "reconnect",
                [[], [.close(ConnectionSlot(0)), .connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))]]
            ),
            (
                "close", "keep",
                [[.leave(ConnectionSlot(0))], [.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))]]
            ),
            (
                "flush-and-close", "keep",
                [[.leave(ConnectionSlot(0))], [.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))]]
            ),
        ] as [(String, String, [[Action]])])
    func comesAndGoes(background: String, foreground: String, expected: [[Action]]) {
        var lane = ManualLane.open([
            "life-cycle": ["background": .text(background), "foreground": .text(foreground)]
        ])
        #expect(move(&lane, toForeground: false) == expected[0])
        #expect(lane.advance(by: .hours(1)) == [])
        #expect(lane.change(to: .cellular, handle: 4) == [])
        #expect(move(&lane, toForeground: true) == expected[1])
    }

    /// Broken: a client closes though nobody will wake it, or lies frozen with a connection though somebody would.
    @Test(arguments: [false, true])
    func reliesOnPushWhereThereIsOne(isPushed: Bool) {
        var lane = ManualLane.open(["life-cycle": ["background": "rely-on-push", "on-push": "30s"]])
        lane.session.isPushed = isPushed
        #expect(move(&lane, toForeground: false) == (isPushed ? [.leave(line)] : []))
        lane.session.isForeground = false
        let woken = lane.tell(.pushWoken)
        #expect(woken == (isPushed ? [.connect(line, .webSocket, resuming: .from(.start))] : [.ping(line)]))
        #expect(lane.tell(.app(.expiring)) == (isPushed ? [.leave(line)] : []))
    }

    /// Broken: a visit leaves while it is being told something, stays when nothing more comes, or outstays its time.
    @Test func leavesOnceItIsQuiet() {
        var lane = ManualLane.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "wake-lock": "visit"]
        ])
        _ = move(&lane, toForeground: false)
        lane.session.isForeground = false
        #expect(
            lane.tell(.pushWoken)
                == [.stayAwake(true), .connect(line, .webSocket, resuming: .from(.start))])
        #expect(lane.advance(by: .milliseconds(2_999)) == [])
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.greeted(line))
        #expect(lane.advance(by: .milliseconds(2_001)) == [], "where it goes on is yet to be said")
        _ = lane.tell(.resumed(line, Greeting(sent: .start, received: .start, next: .start)))
        #expect(lane.advance(by: .milliseconds(1_900)) == [])
        lane.session.produced = Cursor(1)
        _ = lane.tell(.acknowledged(line, Cursor(1)))
        #expect(lane.advance(by: .milliseconds(1_900)) == [])
        _ = lane.tell(.acknowledged(line, Cursor(1)))
        // Ten seconds after the push, though something came less than two seconds ago.
        #expect(lane.advance(by: .milliseconds(1_199)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.leave(line), .stayAwake(false)])
        _ = lane.tell(.pushWoken)
        _ = lane.tell(.opened(line, resumedAt: .start))
        _ = lane.tell(.greeted(line))
        #expect(lane.advance(by: .milliseconds(2_001)) == [], "where it goes on is yet to be said")
        _ = lane.tell(.resumed(line, Greeting(sent: .start, received: .start, next: .start)))
        #expect(lane.advance(by: .milliseconds(1_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.leave(line), .stayAwake(false)])
    }

    /// Broken: a connection that spoke a moment ago is asked whether it lives, or one that was silent for long is not.
    @Test(arguments: [(59, false), (60, true)])
    func trustsWhatItHeardJustNow(silence: Int64, isAsked: Bool) {
        var lane = ManualLane.open(["life-cycle": ["foreground": "probe", "fresh": "1m"]])
        #expect(lane.advance(by: .minutes(10)) == [])
        _ = lane.tell(.acknowledged(line, Cursor(1)))
        _ = move(&lane, toForeground: false)
        #expect(lane.advance(by: .seconds(silence)) == [])
        #expect(move(&lane, toForeground: true) == (isAsked ? [.ping(line)] : []))
    }

    /// Broken: a visit that stays awake though it has all there is, or leaves before it has: before the server has said how far it
    /// is, while something is on its way in either direction, or on the word of a server that counts anew.
    @Test(
        arguments: [
            (5, 5, 2, true), (4, 5, 2, false), (5, 5, 1, false), (5, 3, 2, false),
        ] as [(UInt32, UInt32, UInt32, Bool)])
    func leavesWhenAllIsDone(received: UInt32, sent: UInt32, confirmed: UInt32, leaves: Bool) {
        var lane = ManualLane.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"]
        ])
        _ = move(&lane, toForeground: false)
        lane.session.isForeground = false
        lane.session.cursor = Cursor(4)
        lane.session.produced = Cursor(2)
        _ = lane.tell(.pushWoken)
        _ = lane.tell(.opened(line, resumedAt: Cursor(4)))
        let next = sent < 4 ? Cursor(sent) : Cursor(4)
        #expect(
            lane.tell(.resumed(line, Greeting(sent: Cursor(sent), received: .start, next: next))) == [])
        _ = lane.tell(.greeted(line))
        lane.session.acknowledged = Cursor(1)
        #expect(lane.tell(.acknowledged(line, Cursor(1))) == [])
        var actions: [Action] = []
        if received > 4 {
            #expect(lane.tell(.received(line, upTo: Cursor(received), bytes: 9)) == [.deliver(Cursor(received))])
        }
        if confirmed > 1 {
            lane.session.acknowledged = Cursor(confirmed)
            actions = lane.tell(.acknowledged(line, Cursor(confirmed)))
        }
        #expect(actions == (leaves ? [.leave(line)] : []))
        // Whoever is not sure stays until it is quiet; who knows of more, as long as a visit may last.
        let knowsOfMore = received < sent
        #expect(lane.advance(by: .seconds(2)) == (leaves || knowsOfMore ? [] : [.leave(line)]))
        #expect(lane.advance(by: .seconds(8)) == (knowsOfMore ? [.leave(line)] : []))
    }

    /// Broken: a visit that ends before everything has come in one piece: because the server's count is reached without it, or because
    /// a piece is silent until its last byte. Where the client has asked for it, it cannot tell when that is.
    @Test(arguments: ["promised", "asked"])
    func waitsForEverythingInOnePiece(whole: String) {
        var lane = ManualLane.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"],
            "resume": ["keeps": "cursor", "on-gap": "resync"],
        ])
        _ = move(&lane, toForeground: false)
        lane.session.isForeground = false
        lane.session.cursor = Cursor(4)
        let isPromised = whole == "promised"
        _ = lane.tell(.pushWoken)
        #expect(
            lane.tell(
                .resumed(
                    line,
                    Greeting(sent: Cursor(9), received: .start, next: Cursor(9), bringsSnapshot: isPromised))) == [])
        #expect(lane.tell(.opened(line, resumedAt: Cursor(9))) == (isPromised ? [] : [.resync(line)]))
        #expect(lane.advance(by: .seconds(9)) == [])
        let actions = lane.tell(.received(line, upTo: Cursor(9), bytes: 20_000))
        #expect(actions == [.deliver(Cursor(9))] + (isPromised ? [.leave(line)] : []))
        #expect(lane.advance(by: .seconds(1)) == (isPromised ? [] : [.leave(line)]))
    }

    /// Broken: what the app wants to say in the background waits for somebody else to wake it; a client that stays awake for it
    /// without a network; or one that connects though nobody asked it to.
    @Test(arguments: [("on-send", true), ("on-send", false), ("on-push", true)])
    func speaksUpFromItsRest(setting: String, hasNetwork: Bool) {
        var lane = ManualLane.open([
            "life-cycle": ["background": "close", setting: "10s", "wake-lock": "visit"]
        ])
        _ = move(&lane, toForeground: false)
        lane.session.isForeground = false
        lane.session.network.isBlocked = !hasNetwork
        let speaks = setting == "on-send" && hasNetwork
        #expect(lane.tell(.wantsToSend(Message(index: 0, bytes: 9))) == (speaks ? [.stayAwake(true), attempt] : []))
        _ = lane.tell(.wantsToCall(Message(index: 0, bytes: 9)))
        #expect(lane.advance(by: .seconds(10)) == (speaks ? [.leave(line), .stayAwake(false)] : []))
    }

    /// Broken: what was handed over is cut off, or waited for without end.
    @Test(arguments: ["confirmed", "expiring", "limit", "closed", "foreground"])
    func flushesBeforeItCloses(ending: String) {
        var lane = ManualLane.open(["life-cycle": ["background": "flush-and-close", "flush-limit": "3s"]])
        lane.session.produced = Cursor(2)
        _ = lane.tell(.wantsToSend(Message(index: 1, bytes: 10)))
        #expect(move(&lane, toForeground: false) == [])
        lane.session.acknowledged = Cursor(1)
        #expect(lane.tell(.acknowledged(line, Cursor(1))) == [])
        switch ending {
        case "confirmed":
            lane.session.acknowledged = Cursor(2)
            #expect(lane.tell(.acknowledged(line, Cursor(2))) == [.leave(line)])
        case "expiring": #expect(lane.tell(.app(.expiring)) == [.leave(line)])
        case "limit": #expect(lane.advance(by: .seconds(3)) == [.leave(line)])
        case "closed": #expect(lane.tell(.closed(line, .reset)) == [])
        default:
            // Back before it was done: nothing is closed.
            #expect(move(&lane, toForeground: true) == [])
            #expect(lane.advance(by: .hours(1)) == [])
            return
        }
        #expect(lane.advance(by: .hours(1)) == [])
    }

    /// Broken: a push or a grant of time that does not bring what is new, or leaves the app connected for ever.
    @Test(arguments: [("on-push", Event.pushWoken), ("on-refresh", .app(.refresh))])
    func looksInWhenCalled(setting: String, event: Event) {
        var lane = ManualLane.open(["life-cycle": ["background": "close", setting: "10s"]])
        _ = move(&lane, toForeground: false)
        #expect(lane.tell(event) == [attempt])
        #expect(lane.tell(.opened(line, resumedAt: .start)) == [])
        #expect(lane.tell(.received(line, upTo: Cursor(5), bytes: 100)) == [.deliver(Cursor(5))])
        #expect(lane.advance(by: .seconds(10)) == [.leave(line)])
        #expect(lane.advance(by: .hours(1)) == [])
        // One that stays connected makes sure that it is.
        var kept = ManualLane.open(["life-cycle": [setting: "10s"]])
        _ = move(&kept, toForeground: false)
        #expect(kept.tell(event) == [.ping(line)])
        #expect(kept.advance(by: .seconds(2)) == [.close(line), attempt])
    }

    /// Broken: polls that drift with the length of the visits, or that a push puts off.
    @Test func pollsAtItsInterval() {
        var lane = ManualLane<Composed>([
            "life-cycle": [
                "background": "close", "on-push": "1m", "poll": ["every": "15m", "stay": "30s", "wake": "alarm"],
            ]
        ])
        lane.session.isForeground = false
        #expect(lane.tell(.started) == [])
        #expect(lane.session.timers[TimerSlot(7)].wake == .alarm)
        for visit in 1...4 as ClosedRange<Int64> {
            let due = Instant.zero + .minutes(15) * visit
            if visit == 3 {
                _ = lane.advance(by: .minutes(5))
                #expect(lane.tell(.pushWoken) == [attempt])
                _ = lane.tell(.opened(line, resumedAt: .start))
                #expect(lane.advance(by: .minutes(1)) == [.leave(line)])
            }
            #expect(lane.advance(by: due - lane.session.now) == [attempt])
            _ = lane.tell(.opened(line, resumedAt: .start))
            #expect(lane.advance(by: .seconds(30)) == [.leave(line)])
        }
    }

    /// Broken: a visit that outlasts its wake-up is the last of the night. Its end wakes nobody: while the phone sleeps through it,
    /// the next visit has to come, and finds out whether its connection still works.
    @Test(arguments: ["close", "flush-and-close"])
    func looksInAgainAfterAVisitWithoutEnd(background: String) {
        var lane = ManualLane.open([
            "life-cycle": [
                "background": .text(background), "poll": ["every": "15m", "stay": "30s", "wake": "job"],
            ]
        ])
        lane.session.produced = Cursor(1)
        let leaving = move(&lane, toForeground: false)
        #expect(leaving == (background == "close" ? [.leave(line)] : []))
        for visit in 1...4 as ClosedRange<Int64> {
            let due = lane.session.timers[TimerSlot(7)]
            #expect(due.at == .zero + .minutes(15) * visit && due.wake == .job, "visit \(visit)")
            // The processor sleeps until the system runs the job: the end of the visit stays where it is.
            lane.session.now = due.at + .seconds(7)
            lane.session.disarm(TimerSlot(7))
            let actions = lane.tell(.fired(TimerSlot(7)))
            if actions == [attempt] { _ = lane.tell(.opened(line, resumedAt: .start)) }
            #expect(actions == (visit == 1 && background == "close" ? [attempt] : [.ping(line)]))
            #expect(lane.session.timers[TimerSlot(8)].at == lane.session.now + .seconds(30))
        }
        // Awake for once, the visit ends, and the plan stays.
        #expect(lane.advance(by: .seconds(30)).contains(.leave(line)))
        #expect(lane.session.timers[TimerSlot(7)].at == .zero + .minutes(75))
    }

    /// Broken: a wait that the user sees although the app is in front of them.
    @Test func endsAWaitWhenTheUserLooks() {
        var lane = ManualLane.open([
            "life-cycle": ["foreground": "probe"], "backoff": ["base": "90s", "jitter": "none"],
        ])
        _ = move(&lane, toForeground: false)
        _ = lane.tell(.closed(line, .timedOut))
        #expect(lane.advance(by: .seconds(5)) == [])
        #expect(move(&lane, toForeground: true) == [attempt])
    }

    /// Broken: what the app is to its system is read and forgotten; a lock held without a connection.
    @Test func standsAsWritten() {
        let lane = ManualLane<Composed>([
            "life-cycle": ["exempt": "true", "foreground-service": "true", "asks-for-time": "true"]
        ])
        let standing = lane.strategy.standing
        #expect(standing.isExempt && standing.hasForegroundService && standing.asksForTime)
        #expect(ManualLane<Composed>([:]).strategy.standing == AppStanding())
        var holder = ManualLane<Composed>(["life-cycle": ["wake-lock": "connected"]])
        #expect(holder.tell(.started) == [attempt])
        #expect(holder.tell(.opened(line, resumedAt: .start)) == [.stayAwake(true)])
        #expect(holder.tell(.closed(line, .ended)) == [.stayAwake(false)])
    }
}
