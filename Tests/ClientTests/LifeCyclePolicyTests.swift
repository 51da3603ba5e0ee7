import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct LifeCyclePolicyTests {
    private let connection = ConnectionSlot(0)
    private let attempt = Action.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))

    /// Moves the app to the background or to the foreground, as the system reports it.
    private func move(_ phone: inout StrategyHarness<Composed>, toForeground: Bool) -> [Action] {
        phone.session.isForeground = toForeground
        return phone.send(.app(toForeground ? .foreground : .background))
    }

    /// Broken: a setting causes another action when the app goes to the background or comes back.
    @Test(
        arguments: [
            ("keep", "keep", [[], []]), ("keep", "probe", [[], [.ping(ConnectionSlot(0))]]),
            (
                "keep", "reconnect",
                [[], [.close(ConnectionSlot(0)), .connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))]]
            ),
            (
                "close", "keep",
                [
                    [.closeGracefully(ConnectionSlot(0))],
                    [.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))],
                ]
            ),
            (
                "flush-and-close", "keep",
                [
                    [.closeGracefully(ConnectionSlot(0))],
                    [.connect(ConnectionSlot(0), .webSocket, resuming: .from(.start))],
                ]
            ),
        ] as [(String, String, [[Action]])])
    func followsBackgroundAndForegroundSettings(background: String, foreground: String, expected: [[Action]]) {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": .text(background), "foreground": .text(foreground)]
        ])
        #expect(move(&phone, toForeground: false) == expected[0])
        #expect(phone.advance(by: .hours(1)) == [])
        #expect(phone.change(to: .cellular, handle: 4) == [])
        #expect(move(&phone, toForeground: true) == expected[1])
    }

    /// Broken: a client closes although no push will wake it, or keeps a connection while frozen although a push
    /// would.
    @Test(arguments: [false, true])
    func reliesOnPushWhereThereIsOne(isPushed: Bool) {
        var phone = StrategyHarness.open(["life-cycle": ["background": "rely-on-push", "on-push": "30s"]])
        phone.session.canBePushed = isPushed
        #expect(move(&phone, toForeground: false) == (isPushed ? [.closeGracefully(connection)] : []))
        phone.session.isForeground = false
        let woken = phone.send(.pushWoken)
        #expect(woken == (isPushed ? [.connect(connection, .webSocket, resuming: .from(.start))] : [.ping(connection)]))
        #expect(phone.send(.app(.expiring)) == (isPushed ? [.closeGracefully(connection)] : []))
    }

    /// Broken: a background visit closes while messages arrive, stays when no more arrive, or exceeds its time limit.
    @Test func closesOnceItIsQuiet() {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "wake-lock": "visit"]
        ])
        _ = move(&phone, toForeground: false)
        phone.session.isForeground = false
        #expect(
            phone.send(.pushWoken)
                == [.stayAwake(true), .connect(connection, .webSocket, resuming: .from(.start))])
        #expect(phone.advance(by: .milliseconds(2_999)) == [])
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.serverResponded(connection))
        #expect(phone.advance(by: .milliseconds(2_001)) == [], "the resume position is not known yet")
        _ = phone.send(.resumeResponse(connection, ResumeResponse(sent: .start, received: .start, next: .start)))
        #expect(phone.advance(by: .milliseconds(1_900)) == [])
        phone.session.produced = Cursor(1)
        _ = phone.send(.acknowledged(connection, Cursor(1)))
        #expect(phone.advance(by: .milliseconds(1_900)) == [])
        _ = phone.send(.acknowledged(connection, Cursor(1)))
        // Ten seconds after the push, although a byte arrived less than two seconds ago.
        #expect(phone.advance(by: .milliseconds(1_199)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.closeGracefully(connection), .stayAwake(false)])
        _ = phone.send(.pushWoken)
        _ = phone.send(.opened(connection, resumedAt: .start))
        _ = phone.send(.serverResponded(connection))
        #expect(phone.advance(by: .milliseconds(2_001)) == [], "the resume position is not known yet")
        _ = phone.send(.resumeResponse(connection, ResumeResponse(sent: .start, received: .start, next: .start)))
        #expect(phone.advance(by: .milliseconds(1_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.closeGracefully(connection), .stayAwake(false)])
    }

    /// Broken: a connection that received a byte a moment ago is probed, or one that was silent for long is not.
    @Test(arguments: [(59, false), (60, true)])
    func trustsARecentlyActiveConnection(silence: Int64, isAsked: Bool) {
        var phone = StrategyHarness.open(["life-cycle": ["foreground": "probe", "fresh": "1m"]])
        #expect(phone.advance(by: .minutes(10)) == [])
        _ = phone.send(.acknowledged(connection, Cursor(1)))
        _ = move(&phone, toForeground: false)
        #expect(phone.advance(by: .seconds(silence)) == [])
        #expect(move(&phone, toForeground: true) == (isAsked ? [.ping(connection)] : []))
    }

    /// Broken: a visit stays awake although everything is received and confirmed, or closes before that. It must not
    /// close before the server has reported its position, or while a message is in transit in either direction. Nor
    /// may it trust the position of a server that has restarted its numbering.
    @Test(
        arguments: [
            (5, 5, 2, true), (4, 5, 2, false), (5, 5, 1, false), (5, 3, 2, false),
        ] as [(UInt32, UInt32, UInt32, Bool)])
    func closesWhenAllIsDone(received: UInt32, sent: UInt32, confirmed: UInt32, leaves: Bool) {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"]
        ])
        _ = move(&phone, toForeground: false)
        phone.session.isForeground = false
        phone.session.cursor = Cursor(4)
        phone.session.produced = Cursor(2)
        _ = phone.send(.pushWoken)
        _ = phone.send(.opened(connection, resumedAt: Cursor(4)))
        let next = sent < 4 ? Cursor(sent) : Cursor(4)
        #expect(
            phone.send(.resumeResponse(connection, ResumeResponse(sent: Cursor(sent), received: .start, next: next)))
                == [])
        _ = phone.send(.serverResponded(connection))
        phone.session.acknowledged = Cursor(1)
        #expect(phone.send(.acknowledged(connection, Cursor(1))) == [])
        var actions: [Action] = []
        if received > 4 {
            #expect(phone.send(.received(connection, upTo: Cursor(received), bytes: 9)) == [.deliver(Cursor(received))])
        }
        if confirmed > 1 {
            phone.session.acknowledged = Cursor(confirmed)
            actions = phone.send(.acknowledged(connection, Cursor(confirmed)))
        }
        #expect(actions == (leaves ? [.closeGracefully(connection)] : []))
        // A client without certainty stays until the connection is quiet. A client that expects more messages stays
        // as long as a visit may last.
        let knowsOfMore = received < sent
        #expect(phone.advance(by: .seconds(2)) == (leaves || knowsOfMore ? [] : [.closeGracefully(connection)]))
        #expect(phone.advance(by: .seconds(8)) == (knowsOfMore ? [.closeGracefully(connection)] : []))
    }

    /// Broken: a visit closes before the whole snapshot has arrived: because the server's position is reached without
    /// it, or because a snapshot is silent until its last byte. A client that requested the snapshot itself cannot
    /// detect its end.
    @Test(arguments: ["promised", "asked"])
    func waitsForTheWholeSnapshot(whole: String) {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": "close", "on-push": "10s", "quiet": "2s", "when-done": "leave"],
            "resume": ["keeps": "cursor", "on-gap": "resync"],
        ])
        _ = move(&phone, toForeground: false)
        phone.session.isForeground = false
        phone.session.cursor = Cursor(4)
        let isPromised = whole == "promised"
        _ = phone.send(.pushWoken)
        #expect(
            phone.send(
                .resumeResponse(
                    connection,
                    ResumeResponse(sent: Cursor(9), received: .start, next: Cursor(9), bringsSnapshot: isPromised)))
                == [])
        #expect(phone.send(.opened(connection, resumedAt: Cursor(9))) == (isPromised ? [] : [.resync(connection)]))
        #expect(phone.advance(by: .seconds(9)) == [])
        let actions = phone.send(.received(connection, upTo: Cursor(9), bytes: 20_000))
        #expect(actions == [.deliver(Cursor(9))] + (isPromised ? [.closeGracefully(connection)] : []))
        #expect(phone.advance(by: .seconds(1)) == (isPromised ? [] : [.closeGracefully(connection)]))
    }

    /// Broken: a message of a background app waits until something else wakes the client. Or the client stays awake
    /// for it without a network, or connects although no setting says so.
    @Test(arguments: [("on-send", true), ("on-send", false), ("on-push", true)])
    func sendsFromTheBackground(setting: String, hasNetwork: Bool) {
        var phone = StrategyHarness.open([
            "life-cycle": ["background": "close", setting: "10s", "wake-lock": "visit"]
        ])
        _ = move(&phone, toForeground: false)
        phone.session.isForeground = false
        phone.session.network.isBlocked = !hasNetwork
        let speaks = setting == "on-send" && hasNetwork
        #expect(phone.send(.wantsToSend(Message(index: 0, bytes: 9))) == (speaks ? [.stayAwake(true), attempt] : []))
        _ = phone.send(.wantsToCall(Message(index: 0, bytes: 9)))
        #expect(phone.advance(by: .seconds(10)) == (speaks ? [.closeGracefully(connection), .stayAwake(false)] : []))
    }

    /// Broken: written messages are cut off, or the client waits for their confirmation for ever.
    @Test(arguments: ["confirmed", "expiring", "limit", "closed", "foreground"])
    func flushesBeforeItCloses(ending: String) {
        var phone = StrategyHarness.open(["life-cycle": ["background": "flush-and-close", "flush-limit": "3s"]])
        phone.session.produced = Cursor(2)
        _ = phone.send(.wantsToSend(Message(index: 1, bytes: 10)))
        #expect(move(&phone, toForeground: false) == [])
        phone.session.acknowledged = Cursor(1)
        #expect(phone.send(.acknowledged(connection, Cursor(1))) == [])
        switch ending {
        case "confirmed":
            phone.session.acknowledged = Cursor(2)
            #expect(phone.send(.acknowledged(connection, Cursor(2))) == [.closeGracefully(connection)])
        case "expiring": #expect(phone.send(.app(.expiring)) == [.closeGracefully(connection)])
        case "limit": #expect(phone.advance(by: .seconds(3)) == [.closeGracefully(connection)])
        case "closed": #expect(phone.send(.closed(connection, .reset)) == [])
        default:
            // Back in the foreground before the flush was done: nothing is closed.
            #expect(move(&phone, toForeground: true) == [])
            #expect(phone.advance(by: .hours(1)) == [])
            return
        }
        #expect(phone.advance(by: .hours(1)) == [])
    }

    /// Broken: a push, the report of discarded pushes or a background refresh does not fetch new messages, or leaves
    /// the app connected for ever.
    @Test(arguments: [("on-push", Event.pushWoken), ("on-push", .pushesDiscarded), ("on-refresh", .app(.refresh))])
    func connectsWhenWoken(setting: String, event: Event) {
        var phone = StrategyHarness.open(["life-cycle": ["background": "close", setting: "10s"]])
        _ = move(&phone, toForeground: false)
        #expect(phone.send(event) == [attempt])
        #expect(phone.send(.opened(connection, resumedAt: .start)) == [])
        #expect(phone.send(.received(connection, upTo: Cursor(5), bytes: 100)) == [.deliver(Cursor(5))])
        #expect(phone.advance(by: .seconds(10)) == [.closeGracefully(connection)])
        #expect(phone.advance(by: .hours(1)) == [])
        // A client that stays connected checks its connection.
        var kept = StrategyHarness.open(["life-cycle": [setting: "10s"]])
        _ = move(&kept, toForeground: false)
        #expect(kept.send(event) == [.ping(connection)])
        #expect(kept.advance(by: .seconds(2)) == [.close(connection), attempt])
    }

    /// Broken: polls drift by the length of the visits, or a push postpones them.
    @Test func pollsAtItsInterval() {
        var phone = StrategyHarness<Composed>([
            "life-cycle": [
                "background": "close", "on-push": "1m", "poll": ["every": "15m", "stay": "30s", "wake": "alarm"],
            ]
        ])
        phone.session.isForeground = false
        #expect(phone.send(.started) == [])
        #expect(phone.session.timers[TimerSlot(7)].wake == .alarm)
        for visit in 1...4 as ClosedRange<Int64> {
            let due = Instant.zero + .minutes(15) * visit
            if visit == 3 {
                _ = phone.advance(by: .minutes(5))
                #expect(phone.send(.pushWoken) == [attempt])
                _ = phone.send(.opened(connection, resumedAt: .start))
                #expect(phone.advance(by: .minutes(1)) == [.closeGracefully(connection)])
            }
            #expect(phone.advance(by: due - phone.session.now) == [attempt])
            _ = phone.send(.opened(connection, resumedAt: .start))
            #expect(phone.advance(by: .seconds(30)) == [.closeGracefully(connection)])
        }
    }

    /// Broken: a visit that outlasts its wake-up is the last of the night. Its end does not wake the phone. If the
    /// phone sleeps through it, the next visit must still start, and check whether its connection still works.
    @Test(arguments: ["close", "flush-and-close"])
    func pollsAgainAfterAVisitWithoutEnd(background: String) {
        var phone = StrategyHarness.open([
            "life-cycle": [
                "background": .text(background), "poll": ["every": "15m", "stay": "30s", "wake": "job"],
            ]
        ])
        phone.session.produced = Cursor(1)
        let leaving = move(&phone, toForeground: false)
        #expect(leaving == (background == "close" ? [.closeGracefully(connection)] : []))
        for visit in 1...4 as ClosedRange<Int64> {
            let due = phone.session.timers[TimerSlot(7)]
            #expect(due.at == .zero + .minutes(15) * visit && due.wake == .job, "visit \(visit)")
            // The processor sleeps until the system runs the job; the end of the visit stays unprocessed.
            phone.session.now = due.at + .seconds(7)
            phone.session.disarm(TimerSlot(7))
            let actions = phone.send(.fired(TimerSlot(7)))
            if actions == [attempt] { _ = phone.send(.opened(connection, resumedAt: .start)) }
            #expect(actions == (visit == 1 && background == "close" ? [attempt] : [.ping(connection)]))
            #expect(phone.session.timers[TimerSlot(8)].at == phone.session.now + .seconds(30))
        }
        // Once the processor stays awake, the visit ends, and the polling schedule continues.
        #expect(phone.advance(by: .seconds(30)).contains(.closeGracefully(connection)))
        #expect(phone.session.timers[TimerSlot(7)].at == .zero + .minutes(75))
    }

    /// Broken: the user sees a wait although the app is in the foreground.
    @Test func endsAWaitInTheForeground() {
        var phone = StrategyHarness.open([
            "life-cycle": ["foreground": "probe"], "backoff": ["base": "90s", "jitter": "none"],
        ])
        _ = move(&phone, toForeground: false)
        _ = phone.send(.closed(connection, .timedOut))
        #expect(phone.advance(by: .seconds(5)) == [])
        #expect(move(&phone, toForeground: true) == [attempt])
    }

    /// Broken: privilege settings of the app are read and dropped, or a wake lock is held without a connection.
    @Test func hasThePrivilegesThatAreSet() {
        let phone = StrategyHarness<Composed>([
            "life-cycle": ["exempt": "true", "foreground-service": "true", "asks-for-time": "true"]
        ])
        let privileges = phone.strategy.privileges
        #expect(privileges.isExempt && privileges.hasForegroundService && privileges.requestsTime)
        #expect(StrategyHarness<Composed>([:]).strategy.privileges == AppPrivileges())
        var holder = StrategyHarness<Composed>(["life-cycle": ["wake-lock": "connected"]])
        #expect(holder.send(.started) == [attempt])
        #expect(holder.send(.opened(connection, resumedAt: .start)) == [.stayAwake(true)])
        #expect(holder.send(.closed(connection, .ended)) == [.stayAwake(false)])
    }

    /// Broken: visits under a wake lock are reported as visits that the processor sleeps through, or others are not.
    @Test(arguments: ["none", "connected", "beat", "visit"], ["none", "job", "alarm"])
    func visitsWithoutAWakeLockAreNamed(_ lock: String, _ wake: String) {
        let client = StrategyHarness<Composed>([
            "life-cycle": [
                "background": "close", "wake-lock": .text(lock),
                "poll": ["every": "15m", "stay": "40s", "wake": .text(wake)],
            ]
        ])
        let isLocked = lock == "connected" || lock == "visit"
        let visit = UnlockedVisit(length: .seconds(40), wake: wake == "job" ? .job : .alarm)
        #expect(client.strategy.unlockedVisit == (isLocked || wake == "none" ? nil : visit))
        let closed = StrategyHarness<Composed>(["life-cycle": ["background": "close"]])
        #expect(closed.strategy.unlockedVisit == nil)
    }
}
