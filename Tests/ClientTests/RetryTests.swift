import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

@Suite struct RetryTests {
    private let line = ConnectionSlot(0)

    /// When attempts begin, in milliseconds, each ended at once (refused) or by its own timeout (a black hole).
    private func starts(_ settings: Setting, refused: Bool, count: Int) -> [Int64] {
        var lane = ManualLane(settings)
        _ = lane.tell(.started)
        var starts: [Int64] = [0]
        while starts.count < count {
            if refused { _ = lane.tell(.failed(line, .refused)) }
            while case let due = lane.session.timers.earliest.at - lane.session.now,
                !lane.advance(by: due).contains(where: \.isConnect)
            {}
            starts.append(lane.session.now.nanoseconds / 1_000_000)
        }
        return starts
    }

    /// Broken: waits that are not those of grpc/grpc `doc/connection-backoff.md` without its jitter: 1 s × 1.6 up to 2 min,
    /// from the beginning of an attempt that may take 20 s.
    @Test func countsFromTheAttemptAsGRPCDoes() {
        let grpc: Setting = [
            "backoff": [
                "base": "1s", "multiplier": "1.6", "cap": "2m", "jitter": "none", "from": "attempt",
                "min-connect-timeout": "20s",
            ],
            "connect": ["when": "always"],
        ]
        #expect(starts(grpc, refused: true, count: 7) == [0, 1_000, 2_600, 5_160, 9_256, 15_809, 26_295])
        let blackHole = starts(grpc, refused: false, count: 10)
        #expect(blackHole == [0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000, 140_000, 166_843, 209_793])
    }

    /// Broken: a first wait that is not the one written, or takes a step of the law away.
    @Test func beginsWithTheFirstWait() {
        let settings: Setting = [
            "backoff": ["first": "0s", "base": "1s", "multiplier": "1.5", "cap": "60s", "jitter": "none"]
        ]
        #expect(starts(settings, refused: true, count: 5).map { $0 / 100 } == [0, 0, 10, 25, 47])
    }

    /// Broken: jitter that leaves its bounds or never comes near them.
    @Test(arguments: [(Backoff.Jitter.spread(200_000), 800, 1_200), (.decorrelated, 1_000, 3_000)])
    func jitterFillsItsBounds(jitter: Backoff.Jitter, low: Int64, high: Int64) {
        let backoff = Backoff(base: .seconds(1), multiplier: 1_000_000, cap: .minutes(1), jitter: jitter)
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        let waits = (0..<10_000).map { _ in
            // The first wait: decorrelated jitter goes on from the base.
            var attempts = Backoff.Attempts()
            return backoff.next(&attempts, using: &dice).nanoseconds / 1_000_000
        }
        #expect(waits.allSatisfy { low <= $0 && $0 <= high })
        #expect(waits.min()! < low + 10 && waits.max()! > high - 10)
    }

    /// Broken: decorrelated jitter that never reaches the cap, or passes it.
    @Test func decorrelatedJitterEndsAtTheCap() {
        let backoff = Backoff(base: .milliseconds(5), cap: .seconds(2), jitter: .decorrelated)
        var dice = Dice(seed: 3, phone: PhoneID(0), purpose: .test)
        var attempts = Backoff.Attempts()
        let waits = (0..<1_000).map { _ in backoff.next(&attempts, using: &dice) }
        #expect(waits.allSatisfy { .milliseconds(5) <= $0 && $0 <= .seconds(2) } && waits.contains(.seconds(2)))
    }

    /// Broken: a wait that stands still with the processor although written otherwise, or does not wake the phone.
    @Test func runsItsTimerAsWritten() {
        var lane = ManualLane<Composed>(["backoff": ["clock": "wall", "wake": "alarm"]])
        _ = lane.tell(.started)
        _ = lane.tell(.failed(line, .refused))
        let wish = lane.session.timers[TimerSlot(0)]
        #expect(wish.clock == .wall && wish.wake == .alarm && wish.at != .never)
    }

    /// Broken: a transport read as another, or a socket option that is documented and not set.
    @Test func readsWhatItRidesOn() {
        let words: [(String, Carrier)] = [
            ("websocket", .webSocket), ("http2", Carrier(.http2)), ("grpc", Carrier(.grpc)), ("quic", Carrier(.quic)),
            ("mqtt", Carrier(.mqtt)), ("sse", Carrier(.serverSentEvents)), ("long-polling", Carrier(.longPolling)),
            ("polling", Carrier(.polling)), ("datagram", .datagram),
        ]
        #expect(Set(words.map(\.1.kind)) == Set(Carrier.Kind.allCases), "no word for one of them")
        for (word, carrier) in words {
            var lane = ManualLane<Composed>(["transport": .text(word)])
            let resuming: Resuming = carrier == .datagram ? .fresh : .from(.start)
            #expect(lane.tell(.started) == [.connect(line, carrier, resuming: resuming)])
        }
        var tuned = Carrier(.grpc, security: .tls13Resumed)
        tuned.door = .framework
        tuned.userTimeout = .seconds(6)
        tuned.probing = Carrier.Probing(idle: .seconds(3), interval: .seconds(1), count: 3)
        tuned.sendBuffer = 256
        var lane = ManualLane<Composed>([
            "transport": [
                "kind": "grpc", "tls": "1.3-resumed", "api": "framework", "user-timeout": "6s", "send-buffer": "256B",
                "tcp-keepalive": ["idle": "3s", "interval": "1s", "count": "3"],
            ],
            "on-path-change": "reconnect",
        ])
        var first = tuned
        first.security = .tls13
        #expect(lane.tell(.started) == [.connect(line, first, resuming: .from(.start))])
        _ = lane.tell(.opened(line, resumedAt: .start))
        #expect(lane.change(to: .cellular) == [.close(line), .connect(line, tuned, resuming: .from(.start))])
    }

    /// Broken: settings that cannot both be meant are taken without a word.
    @Test func refusesWhatContradictsItself() {
        let wrong: [Setting] = [
            ["transport": ["kind": "quic", "user-timeout": "6s"]], ["on-path-change": "migrate"],
            ["life-cycle": ["poll": ["every": "15m"]]],
        ]
        for settings in wrong {
            var reader = SettingsReader(settings.node, of: "composed")
            _ = Composed(&reader)
            reader.finish()
            #expect(reader.faults.sorted.map(\.code) == [.contradiction])
        }
    }

    /// Broken: what was seen is asked for again, what was not is skipped, or a cursor that a new process needs is not kept.
    @Test(arguments: [("nothing", Resume.nothing), ("cursor", .cursor), ("persisted", .persisted)])
    func carriesOver(word: String, resume: Resume) {
        var lane = ManualLane.open(["resume": .text(word), "on-path-change": "reconnect"])
        lane.session.produced = Cursor(1)
        let sent = lane.tell(.wantsToSend(Message(index: 0, bytes: 10)))
        #expect(sent.contains(.send(line, from: .start, upTo: Cursor(1))))
        #expect(sent.contains(.forget(below: Cursor(1))) == (resume == .nothing))
        let shown = lane.tell(.received(line, upTo: Cursor(4), bytes: 10))
        #expect(shown == [.deliver(Cursor(4))] + (resume == .persisted ? [.persist(Cursor(4))] : []))
        lane.session.cursor = Cursor(4)
        let again = lane.change(to: .cellular)
        let asked = resume == .nothing ? Resuming.fresh : .from(Cursor(4))
        #expect(again == [.close(line), .connect(line, .webSocket, resuming: asked)])
        let resent = resume == .nothing ? [] : [Action.send(line, from: .start, upTo: Cursor(1))]
        #expect(lane.tell(.opened(line, resumedAt: Cursor(4))) == resent)
    }
}

extension Action {
    fileprivate var isConnect: Bool {
        if case .connect = self { true } else { false }
    }
}
