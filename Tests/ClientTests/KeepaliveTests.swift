import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct KeepaliveTests {
    private let connection = ConnectionSlot(0)
    private static let beat = TimerSlot(1)

    /// Broken: the failure is detected at another time than computed: interval + timeout, twice the interval, or
    /// never.
    @Test(
        arguments: [("timeout", 7_000), ("next-beat", 10_000), ("none", nil)] as [(String, Int64?)])
    func detectsSilenceByItsRule(verdict: String, closedAt: Int64?) {
        // Only `verdict: timeout` uses a timeout.
        let beat: [(String, Setting)] = [("interval", "5s"), ("verdict", .text(verdict))]
        var phone = StrategyHarness.open([
            "keepalive": .map(beat + (verdict == "timeout" ? [("timeout", "2s")] : [])), "backoff": ["base": "1h"],
        ])
        guard let closedAt else {
            #expect(phone.advance(by: .hours(1)) == [Action](repeating: .ping(connection), count: 720))
            return
        }
        #expect(phone.advance(by: .milliseconds(closedAt - 1)) == [.ping(connection)])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        #expect(phone.session.isArmed(Self.beat) == false)
    }

    /// Broken: a client pings although its server sends heartbeats. Or it keeps trusting a server that has become
    /// silent, or closes at another time than the server's interval plus `stand-in`. Also checked: which bytes count
    /// as a sign of life.
    @Test(
        arguments: [(10, "anything", 13), (10, "pong", 8), (0, "anything", 8), (0, "pong", 3)]
            as [(Int64, String, Int64)])
    func listensWhileTheServerSendsHeartbeats(promised: Int64, word: String, left: Int64) {
        var phone = StrategyHarness.open([
            "keepalive": [
                "interval": "5s", "timeout": "2s", "postponed-by": "nothing", "stand-in": "3s",
                "answered-by": .text(word),
            ], "backoff": ["base": "1h"],
        ])
        // Until a server sends heartbeats, the client pings.
        #expect(phone.advance(by: .seconds(5)) == [.ping(connection)])
        #expect(phone.send(.pong(connection, after: .milliseconds(1))) == [])
        // After one heartbeat or an announced interval, it only listens: for the server's interval, or its own, plus
        // three seconds.
        #expect(phone.send(.heartbeat(connection, every: .seconds(promised))) == [])
        let patience = (promised > 0 ? promised : 5) + 3
        #expect(phone.advance(by: .milliseconds(patience * 1_000 - 1)) == [])
        #expect(phone.send(.heartbeat(connection, every: .zero)) == [])
        // Other data from the server counts only if any byte does.
        #expect(phone.advance(by: .seconds(5)) == [])
        _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 10))
        #expect(phone.advance(by: .milliseconds(left * 1_000 - 1)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
    }

    /// Broken: any byte counts as a pong where only a pong should, or only a pong counts where any byte should.
    @Test(arguments: [("anything", true), ("pong", false)])
    func followsTheAnsweredBySetting(word: String, survives: Bool) {
        var phone = StrategyHarness.open(["keepalive": ["interval": "5s", "timeout": "2s", "answered-by": .text(word)]])
        #expect(phone.advance(by: .seconds(5)) == [.ping(connection)])
        #expect(phone.advance(by: .seconds(1)) == [])
        _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 10))
        #expect(phone.advance(by: .seconds(1)) == (survives ? [] : [.close(connection)]))
    }

    /// Broken: a client's own messages postpone the ping that the server waits for. Or the server's messages do not
    /// postpone it where they should.
    @Test(
        arguments: [
            ("nothing", true, true), ("received", true, false), ("sent", false, true), ("traffic", false, false),
            ("both", true, true),
        ])
    func followsThePostponedBySetting(word: String, pingsWhileSending: Bool, pingsWhileReceiving: Bool) {
        for isSending in [true, false] {
            var phone = StrategyHarness.open(["keepalive": ["interval": "5s", "postponed-by": .text(word)]])
            var pings = 0
            for index in 0..<20 as Range<UInt32> {
                pings += phone.advance(by: .seconds(3)).count { $0 == .ping(connection) }
                if pings > 0 { _ = phone.send(.pong(connection, after: .zero)) }
                _ = phone.send(
                    isSending
                        ? .wantsToSend(Message(index: index, bytes: 10))
                        : .received(connection, upTo: Cursor(index + 1), bytes: 10))
            }
            #expect((pings > 0) == (isSending ? pingsWhileSending : pingsWhileReceiving), "sending \(isSending)")
        }
    }

    /// Broken: with traffic in both directions, the interval does not start at the older of the last send and the
    /// last receive (Paho). Or an awaited answer does not start the next interval.
    @Test func countsFromTheOlderOfBothDirections() {
        var phone = StrategyHarness.open([
            "keepalive": ["interval": "60s", "timeout": "60s", "postponed-by": "both"], "backoff": ["base": "1h"],
        ])
        _ = phone.advance(by: .seconds(20))
        _ = phone.send(.received(connection, upTo: Cursor(1), bytes: 10))
        _ = phone.advance(by: .seconds(20))
        _ = phone.send(.wantsToSend(Message(index: 0, bytes: 10)))
        // Last received at 20 s, last sent at 40 s.
        #expect(phone.advance(by: .milliseconds(39_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.ping(connection)])
        // Bytes that the client sends meanwhile do not count as an answer.
        _ = phone.advance(by: .seconds(30))
        _ = phone.send(.wantsToSend(Message(index: 1, bytes: 10)))
        #expect(phone.advance(by: .milliseconds(29_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
    }

    /// Broken: a client that tolerates two unanswered pings closes at the second or the fourth, or counts pings from
    /// before an answer.
    @Test func toleratesTheSetNumberOfUnansweredPings() {
        let nats: Setting = [
            "keepalive": [
                "interval": "2m", "postponed-by": "nothing", "answered-by": "pong", "verdict": "next-beat",
                "unanswered": "2",
            ], "backoff": ["base": "1h"],
        ]
        var phone = StrategyHarness.open(nats)
        _ = phone.advance(by: .minutes(4))
        _ = phone.send(.pong(connection, after: .zero))
        #expect(phone.advance(by: .milliseconds(359_999)) == [.ping(connection), .ping(connection)])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
    }

    /// Broken: while an answer is awaited, a message brings the next beat forward. That causes a useless ping, or
    /// closes the connection too early.
    @Test(arguments: [("none", Action.ping(ConnectionSlot(0))), ("next-beat", .close(ConnectionSlot(0)))])
    func noBeatIsAdvancedWhileAnAnswerIsAwaited(verdict: String, due: Action) {
        var phone = StrategyHarness.open([
            "keepalive": [
                "interval": "10s", "coalesce": "4s", "postponed-by": "nothing", "answered-by": "pong",
                "verdict": .text(verdict),
            ], "backoff": ["base": "1h"],
        ])
        // No answer is awaited yet, and the beat is due in three seconds.
        _ = phone.advance(by: .seconds(7))
        #expect(phone.send(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(connection)))
        _ = phone.advance(by: .seconds(7))
        #expect(!phone.send(.wantsToSend(Message(index: 1, bytes: 10))).contains(due))
        #expect(!phone.send(.received(connection, upTo: Cursor(1), bytes: 10)).contains(due))
        #expect(phone.advance(by: .milliseconds(2_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [due])
    }

    /// Broken: silence is detected when it has lasted long enough, not at the next check. Or each byte from the
    /// server postpones the check.
    @Test func detectsSilenceOnlyAtItsChecks() {
        let cable: Setting = [
            "keepalive": ["pings": "false", "verdict": "silence", "silence": "6s", "looks-every": ["10s"]],
            "backoff": ["base": "1h", "after-silence": "500ms", "after-open": "2h"],
        ]
        var phone = StrategyHarness.open(cable)
        for _ in 0..<3 {
            #expect(phone.advance(by: .seconds(3)) == [])
            _ = phone.send(.heartbeat(connection, every: .zero))
        }
        // The last byte arrived at 9 s. The check at 10 s finds one second of silence, the check at 20 s eleven.
        #expect(phone.advance(by: .milliseconds(10_999)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.close(connection)])
        #expect(phone.advance(by: .milliseconds(499)) == [])
        #expect(phone.advance(by: .milliseconds(1)).contains { if case .connect = $0 { true } else { false } })
        var found: [Double] = []
        for seed in 0..<200 as Range<UInt64> {
            var phone = StrategyHarness.open(
                [
                    "keepalive": [
                        "pings": "false", "verdict": "silence", "silence": "6s", "looks-every": ["6s", "12s"],
                    ],
                    "backoff": ["base": "1h"],
                ], seed: seed)
            while phone.advance(by: .milliseconds(100)) == [] {}
            found.append(Double((phone.session.now - Instant.zero).nanoseconds) / 1e9)
        }
        // Opening the connection counts as received data, so one check is enough.
        #expect(found.allSatisfy { 6 <= $0 && $0 <= 12.1 } && found.min()! < 6.3 && found.max()! > 11.7)
    }

    /// Broken: the decision to ping does not use the setting's clock. The alarm fires after a minute in which the
    /// processor was awake for five seconds.
    @Test(arguments: [("uptime", false), ("elapsed", true), ("wall", true)])
    func decidesByItsClock(word: String, pings: Bool) {
        var phone = StrategyHarness.open([
            "keepalive": ["interval": "60s", "clock": "elapsed", "wake": "alarm", "decides-by": .text(word)]
        ])
        phone.session.slept = .seconds(55)
        #expect(phone.advance(by: .seconds(60)) == (pings ? [.ping(connection)] : []))
        // Too early by that clock: it checks again when the rest of the interval is over.
        #expect(phone.session.timers[Self.beat].at == (pings ? Instant.zero + .seconds(120) : .zero + .seconds(115)))
    }

    /// Broken: a beat uses another clock than the setting says, or another wake policy.
    @Test func armsItsTimerAsSet() {
        let clocks: [(String, PhoneClock)] = [("uptime", .uptime), ("elapsed", .elapsed), ("wall", .wall)]
        let wakes: [(String, WakePolicy)] = [
            ("none", .none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job),
        ]
        let combinations = withEvery { choices in
            let (clockWord, clock) = choices.one(of: clocks)
            let (wakeWord, wake) = choices.one(of: clock == .uptime ? Array(wakes.prefix(1)) : wakes)
            let phone = StrategyHarness.open([
                "keepalive": ["interval": "9m", "clock": .text(clockWord), "wake": .text(wakeWord)]
            ])
            let timer = phone.session.timers[Self.beat]
            #expect(timer.at == .zero + .minutes(9) && timer.clock == clock && timer.wake == wake)
        }
        #expect(combinations == 9)
    }

    /// Broken: one interval applies to all networks although each has its own.
    @Test(arguments: [(Interface.wifi, 600), (.cellular, 60)] as [(Interface, Int64)])
    func keepsAnIntervalForEachNetwork(path: Interface, seconds: Int64) {
        var phone = StrategyHarness<Composed>([
            "keepalive": ["interval": "30s", "on-wifi": "10m", "on-cellular": "1m"]
        ])
        phone.session.network.path = path
        _ = phone.send(.started)
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(phone.advance(by: .seconds(seconds) - .milliseconds(1)) == [])
        #expect(phone.advance(by: .milliseconds(1)) == [.ping(connection)])
    }

    /// Broken: a watchdog in the writer's queue fires although the writer is stuck. Or a watchdog with its own queue
    /// does not fire.
    @Test(arguments: [("own", true), ("writer", false)])
    func waitsBehindAStuckWriter(queue: String, notices: Bool) {
        var phone = StrategyHarness.open([
            "keepalive": ["interval": "5s", "timeout": "5s", "queue": .text(queue)], "backoff": ["base": "1h"],
        ])
        #expect(phone.send(.stalled(connection)) == [])
        #expect(phone.advance(by: .seconds(15)).contains(.close(connection)) == notices)
        guard !notices else { return }
        #expect(phone.send(.writable(connection)) == [])
        #expect(phone.advance(by: .zero) == [.ping(connection)])
    }

    /// Broken: the wake lock is not released when the answer arrives, or is acquired when no answer is awaited.
    @Test func staysAwakeForTheAnswer() {
        var phone = StrategyHarness.open(["keepalive": "1m", "life-cycle": ["wake-lock": "beat"]])
        #expect(phone.advance(by: .minutes(1)) == [.ping(connection), .stayAwake(true)])
        #expect(phone.send(.pong(connection, after: .milliseconds(60))) == [.stayAwake(false)])
        #expect(
            phone.advance(by: .seconds(70)) == [
                .ping(connection), .stayAwake(true), .close(connection), .stayAwake(false),
            ])
    }

    /// Broken: a stalled socket is waited for longer than the limit, or closed although it took data again.
    @Test func limitsAStalledWrite() {
        var phone = StrategyHarness.open(["write-limit": "10s", "backoff": ["base": "1h"]])
        _ = phone.send(.stalled(connection))
        #expect(phone.advance(by: .seconds(9)) == [])
        _ = phone.send(.writable(connection))
        #expect(phone.advance(by: .minutes(1)) == [])
        _ = phone.send(.stalled(connection))
        #expect(phone.advance(by: .seconds(10)) == [.close(connection)])
    }
}
