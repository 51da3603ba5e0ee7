import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct KeepaliveTests {
    private let line = ConnectionSlot(0)
    private static let beat = TimerSlot(1)

    /// Broken: a verdict that comes at another time than the arithmetic of detection says: interval + timeout, twice the
    /// interval, or never.
    @Test(
        arguments: [("timeout", 7_000), ("next-beat", 10_000), ("none", nil)] as [(String, Int64?)])
    func endsSilenceByItsVerdict(verdict: String, closedAt: Int64?) {
        // Only one of them looks at a timeout.
        let beat: [(String, Setting)] = [("interval", "5s"), ("verdict", .text(verdict))]
        var lane = ManualLane.open([
            "keepalive": .map(beat + (verdict == "timeout" ? [("timeout", "2s")] : [])), "backoff": ["base": "1h"],
        ])
        guard let closedAt else {
            #expect(lane.advance(by: .hours(1)) == [Action](repeating: .ping(line), count: 720))
            return
        }
        #expect(lane.advance(by: .milliseconds(closedAt - 1)) == [.ping(line)])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
        #expect(lane.session.isArmed(Self.beat) == false)
    }

    /// Broken: a client whose server pings, and that pings as well; one that goes on trusting a server that has fallen silent, or
    /// gives it up for another silence than the server's own interval and its patience; or what passes for a sign of life.
    @Test(
        arguments: [(10, "anything", 13), (10, "pong", 8), (0, "anything", 8), (0, "pong", 3)]
            as [(Int64, String, Int64)])
    func standsInForTheServersBeats(promised: Int64, word: String, left: Int64) {
        var lane = ManualLane.open([
            "keepalive": [
                "interval": "5s", "timeout": "2s", "postponed-by": "nothing", "stand-in": "3s",
                "answered-by": .text(word),
            ], "backoff": ["base": "1h"],
        ])
        // Of a server that says nothing it asks.
        #expect(lane.advance(by: .seconds(5)) == [.ping(line)])
        #expect(lane.tell(.pong(line, after: .milliseconds(1))) == [])
        // One beat, or a promise, and it listens: the server's interval, or its own, and three seconds.
        #expect(lane.tell(.heartbeat(line, every: .seconds(promised))) == [])
        let patience = (promised > 0 ? promised : 5) + 3
        #expect(lane.advance(by: .milliseconds(patience * 1_000 - 1)) == [])
        #expect(lane.tell(.heartbeat(line, every: .zero)) == [])
        // Another word of the server's counts only where any byte does.
        #expect(lane.advance(by: .seconds(5)) == [])
        _ = lane.tell(.received(line, upTo: Cursor(1), bytes: 10))
        #expect(lane.advance(by: .milliseconds(left * 1_000 - 1)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
    }

    /// Broken: any byte passes for a pong where only a pong should, or nothing but a pong does where any byte should.
    @Test(arguments: [("anything", true), ("pong", false)])
    func knowsWhatAnswersAPing(word: String, survives: Bool) {
        var lane = ManualLane.open(["keepalive": ["interval": "5s", "timeout": "2s", "answered-by": .text(word)]])
        #expect(lane.advance(by: .seconds(5)) == [.ping(line)])
        #expect(lane.advance(by: .seconds(1)) == [])
        _ = lane.tell(.received(line, upTo: Cursor(1), bytes: 10))
        #expect(lane.advance(by: .seconds(1)) == (survives ? [] : [.close(line)]))
    }

    /// Broken: a chatty client's own messages put off the ping that the server waits for, or a server's messages do not where
    /// they should.
    @Test(
        arguments: [
            ("nothing", true, true), ("received", true, false), ("sent", false, true), ("traffic", false, false),
            ("both", true, true),
        ])
    func isPutOffByWhatItSays(word: String, pingsWhileSending: Bool, pingsWhileReceiving: Bool) {
        for isSending in [true, false] {
            var lane = ManualLane.open(["keepalive": ["interval": "5s", "postponed-by": .text(word)]])
            var pings = 0
            for index in 0..<20 as Range<UInt32> {
                pings += lane.advance(by: .seconds(3)).count { $0 == .ping(line) }
                if pings > 0 { _ = lane.tell(.pong(line, after: .zero)) }
                _ = lane.tell(
                    isSending
                        ? .wantsToSend(Message(index: index, bytes: 10))
                        : .received(line, upTo: Cursor(index + 1), bytes: 10))
            }
            #expect((pings > 0) == (isSending ? pingsWhileSending : pingsWhileReceiving), "sending \(isSending)")
        }
    }

    /// Broken: with both ends speaking, the interval does not begin with the older of what they said last (Paho); or an answer
    /// that is awaited is not the next beat's beginning.
    @Test func countsFromTheOlderOfBothDirections() {
        var lane = ManualLane.open([
            "keepalive": ["interval": "60s", "timeout": "60s", "postponed-by": "both"], "backoff": ["base": "1h"],
        ])
        _ = lane.advance(by: .seconds(20))
        _ = lane.tell(.received(line, upTo: Cursor(1), bytes: 10))
        _ = lane.advance(by: .seconds(20))
        _ = lane.tell(.wantsToSend(Message(index: 0, bytes: 10)))
        // Heard at 20 s, said at 40 s.
        #expect(lane.advance(by: .milliseconds(39_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.ping(line)])
        // What it says meanwhile is no answer.
        _ = lane.advance(by: .seconds(30))
        _ = lane.tell(.wantsToSend(Message(index: 1, bytes: 10)))
        #expect(lane.advance(by: .milliseconds(29_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
    }

    /// Broken: a client that bears two unanswered pings gives up at the second or the fourth, or counts those before an answer.
    @Test func bearsSoManyUnansweredPings() {
        let nats: Setting = [
            "keepalive": [
                "interval": "2m", "postponed-by": "nothing", "answered-by": "pong", "verdict": "next-beat",
                "unanswered": "2",
            ], "backoff": ["base": "1h"],
        ]
        var lane = ManualLane.open(nats)
        _ = lane.advance(by: .minutes(4))
        _ = lane.tell(.pong(line, after: .zero))
        #expect(lane.advance(by: .milliseconds(359_999)) == [.ping(line), .ping(line)])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
    }

    /// Broken: a beat goes along with what is said while an answer is awaited: a ping in vain, or the end before it is due.
    @Test(arguments: [("none", Action.ping(ConnectionSlot(0))), ("next-beat", .close(ConnectionSlot(0)))])
    func noBeatGoesAlongWhileOneIsAwaited(verdict: String, due: Action) {
        var lane = ManualLane.open([
            "keepalive": [
                "interval": "10s", "coalesce": "4s", "postponed-by": "nothing", "answered-by": "pong",
                "verdict": .text(verdict),
            ], "backoff": ["base": "1h"],
        ])
        // Nothing is awaited yet, and the beat is due in three seconds.
        _ = lane.advance(by: .seconds(7))
        #expect(lane.tell(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(line)))
        _ = lane.advance(by: .seconds(7))
        #expect(!lane.tell(.wantsToSend(Message(index: 1, bytes: 10))).contains(due))
        #expect(!lane.tell(.received(line, upTo: Cursor(1), bytes: 10)).contains(due))
        #expect(lane.advance(by: .milliseconds(2_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [due])
    }

    /// Broken: silence is found when it has lasted long enough, not when somebody looks; or each word of the server's puts the
    /// look off.
    @Test func findsSilenceOnlyWhenItLooks() {
        let cable: Setting = [
            "keepalive": ["pings": "false", "verdict": "silence", "silence": "6s", "looks-every": ["10s"]],
            "backoff": ["base": "1h", "after-silence": "500ms", "after-open": "2h"],
        ]
        var lane = ManualLane.open(cable)
        for _ in 0..<3 {
            #expect(lane.advance(by: .seconds(3)) == [])
            _ = lane.tell(.heartbeat(line, every: .zero))
        }
        // Heard at 9 s: the look at 10 s finds one second of silence, that at 20 s eleven.
        #expect(lane.advance(by: .milliseconds(10_999)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.close(line)])
        #expect(lane.advance(by: .milliseconds(499)) == [])
        #expect(lane.advance(by: .milliseconds(1)).contains { if case .connect = $0 { true } else { false } })
        var found: [Double] = []
        for seed in 0..<200 as Range<UInt64> {
            var lane = ManualLane.open(
                [
                    "keepalive": [
                        "pings": "false", "verdict": "silence", "silence": "6s", "looks-every": ["6s", "12s"],
                    ],
                    "backoff": ["base": "1h"],
                ], seed: seed)
            while lane.advance(by: .milliseconds(100)) == [] {}
            found.append(Double((lane.session.now - Instant.zero).nanoseconds) / 1e9)
        }
        // The connection's own opening is what was heard: one look is enough.
        #expect(found.allSatisfy { 6 <= $0 && $0 <= 12.1 } && found.min()! < 6.3 && found.max()! > 11.7)
    }

    /// Broken: the decision about a ping does not stand still with the clock that it is made by. The alarm fires after a
    /// minute in which the processor was awake for five seconds.
    @Test(arguments: [("uptime", false), ("elapsed", true), ("wall", true)])
    func decidesByItsClock(word: String, pings: Bool) {
        var lane = ManualLane.open([
            "keepalive": ["interval": "60s", "clock": "elapsed", "wake": "alarm", "decides-by": .text(word)]
        ])
        lane.session.slept = .seconds(55)
        #expect(lane.advance(by: .seconds(60)) == (pings ? [.ping(line)] : []))
        // Too early by that clock: looked at again when the rest of the interval is over.
        #expect(lane.session.timers[Self.beat].at == (pings ? Instant.zero + .seconds(120) : .zero + .seconds(115)))
    }

    /// Broken: a beat that runs by another clock than written, or wakes the phone otherwise.
    @Test func armsItsTimerAsWritten() {
        let clocks: [(String, Clock)] = [("uptime", .uptime), ("elapsed", .elapsed), ("wall", .wall)]
        let wakes: [(String, Wake)] = [
            ("none", .none), ("alarm", .alarm), ("while-idle", .whileIdle), ("job", .job),
        ]
        let combinations = withEvery { choices in
            let (clockWord, clock) = choices.one(of: clocks)
            let (wakeWord, wake) = choices.one(of: clock == .uptime ? Array(wakes.prefix(1)) : wakes)
            let lane = ManualLane.open([
                "keepalive": ["interval": "9m", "clock": .text(clockWord), "wake": .text(wakeWord)]
            ])
            let wish = lane.session.timers[Self.beat]
            #expect(wish.at == .zero + .minutes(9) && wish.clock == clock && wish.wake == wake)
        }
        #expect(combinations == 9)
    }

    /// Broken: one interval for all networks where there is one for each.
    @Test(arguments: [(Interface.wifi, 600), (.cellular, 60)] as [(Interface, Int64)])
    func keepsAnIntervalForEachNetwork(path: Interface, seconds: Int64) {
        var lane = ManualLane<Composed>([
            "keepalive": ["interval": "30s", "on-wifi": "10m", "on-cellular": "1m"]
        ])
        lane.session.network.path = path
        _ = lane.tell(.started)
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.advance(by: .seconds(seconds) - .milliseconds(1)) == [])
        #expect(lane.advance(by: .milliseconds(1)) == [.ping(line)])
    }

    /// Broken: a watchdog in the writer's queue that runs although the writer is stuck, or one of its own that does not.
    @Test(arguments: [("own", true), ("writer", false)])
    func waitsBehindAStuckWriter(queue: String, notices: Bool) {
        var lane = ManualLane.open([
            "keepalive": ["interval": "5s", "timeout": "5s", "queue": .text(queue)], "backoff": ["base": "1h"],
        ])
        #expect(lane.tell(.stalled(line)) == [])
        #expect(lane.advance(by: .seconds(15)).contains(.close(line)) == notices)
        guard !notices else { return }
        #expect(lane.tell(.writable(line)) == [])
        #expect(lane.advance(by: .zero) == [.ping(line)])
    }

    /// Broken: a wake lock that is not let go when the answer is there, or is taken where nobody waits for one.
    @Test func staysAwakeForTheAnswer() {
        var lane = ManualLane.open(["keepalive": "1m", "life-cycle": ["wake-lock": "beat"]])
        #expect(lane.advance(by: .minutes(1)) == [.ping(line), .stayAwake(true)])
        #expect(lane.tell(.pong(line, after: .milliseconds(60))) == [.stayAwake(false)])
        #expect(lane.advance(by: .seconds(70)) == [.ping(line), .stayAwake(true), .close(line), .stayAwake(false)])
    }

    /// Broken: a socket that takes nothing is waited for longer than the limit, or closed although it took something again.
    @Test func limitsAStalledWrite() {
        var lane = ManualLane.open(["write-limit": "10s", "backoff": ["base": "1h"]])
        _ = lane.tell(.stalled(line))
        #expect(lane.advance(by: .seconds(9)) == [])
        _ = lane.tell(.writable(line))
        #expect(lane.advance(by: .minutes(1)) == [])
        _ = lane.tell(.stalled(line))
        #expect(lane.advance(by: .seconds(10)) == [.close(line)])
    }
}
