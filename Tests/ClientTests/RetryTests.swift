import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@Suite struct RetryTests {
    private let connection = ConnectionSlot(0)

    /// Start times of the attempts in milliseconds. Each attempt ends at once (refused) or by its own timeout (a
    /// black hole).
    private func starts(_ settings: Setting, refused: Bool, count: Int) -> [Int64] {
        var phone = StrategyHarness(settings)
        _ = phone.send(.started)
        var starts: [Int64] = [0]
        while starts.count < count {
            if refused { _ = phone.send(.failed(connection, .refused)) }
            while case let due = phone.session.timers.earliest.at - phone.session.now,
                !phone.advance(by: due).contains(where: \.isConnect)
            {}
            starts.append(phone.session.now.nanoseconds / 1_000_000)
        }
        return starts
    }

    /// Broken: the waits differ from grpc/grpc `doc/connection-backoff.md` without its jitter: 1 s × 1.6 up to 2 min,
    /// from the start of an attempt that may take 20 s.
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

    /// Broken: the first wait differs from the setting, or consumes a step of the growth.
    @Test func beginsWithTheFirstWait() {
        let settings: Setting = [
            "backoff": ["first": "0s", "base": "1s", "multiplier": "1.5", "cap": "60s", "jitter": "none"]
        ]
        #expect(starts(settings, refused: true, count: 5).map { $0 / 100 } == [0, 0, 10, 25, 47])
    }

    /// Broken: jitter leaves its bounds or never comes near them.
    @Test(arguments: [(Backoff.JitterRule.spread(200_000), 800, 1_200), (.decorrelated, 1_000, 3_000)])
    func jitterFillsItsBounds(jitter: Backoff.JitterRule, low: Int64, high: Int64) {
        let backoff = Backoff(base: .seconds(1), multiplier: 1_000_000, cap: .minutes(1), jitter: jitter)
        var dice = Dice(seed: 7, phone: PhoneID(0), purpose: .test)
        let waits = (0..<10_000).map { _ in
            // The first wait: decorrelated jitter continues from the base.
            var attempts = Backoff.Attempts()
            return backoff.next(&attempts, using: &dice).nanoseconds / 1_000_000
        }
        #expect(waits.allSatisfy { low <= $0 && $0 <= high })
        #expect(waits.min()! < low + 10 && waits.max()! > high - 10)
    }

    /// Broken: decorrelated jitter never reaches the cap, or exceeds it.
    @Test func decorrelatedJitterEndsAtTheCap() {
        let backoff = Backoff(base: .milliseconds(5), cap: .seconds(2), jitter: .decorrelated)
        var dice = Dice(seed: 3, phone: PhoneID(0), purpose: .test)
        var attempts = Backoff.Attempts()
        let waits = (0..<1_000).map { _ in backoff.next(&attempts, using: &dice) }
        #expect(waits.allSatisfy { .milliseconds(5) <= $0 && $0 <= .seconds(2) } && waits.contains(.seconds(2)))
    }

    /// Broken: a wait uses a clock that stops with the processor although the setting says otherwise, or does not
    /// wake the phone.
    @Test func armsItsTimerAsSet() {
        var phone = StrategyHarness<Composed>(["backoff": ["clock": "wall", "wake": "alarm"]])
        _ = phone.send(.started)
        _ = phone.send(.failed(connection, .refused))
        let timer = phone.session.timers[TimerSlot(0)]
        #expect(timer.clock == .wall && timer.wake == .alarm && timer.at != .never)
    }

    /// Broken: a transport is read as another, or a documented socket option is not set.
    @Test func readsItsTransport() {
        let words: [(String, Transport)] = [
            ("websocket", .webSocket), ("http2", Transport(.http2)), ("grpc", Transport(.grpc)),
            ("quic", Transport(.quic)),
            ("mqtt", Transport(.mqtt)), ("sse", Transport(.serverSentEvents)),
            ("long-polling", Transport(.longPolling)),
            ("polling", Transport(.polling)), ("tcp", Transport(.tcp)), ("datagram", .datagram),
        ]
        #expect(Set(words.map(\.1.kind)) == Set(Transport.TransportKind.allCases), "a transport has no name")
        for (word, transport) in words {
            var phone = StrategyHarness<Composed>(["transport": .text(word)])
            let resuming: ResumeRequest = transport == .datagram ? .fresh : .from(.start)
            #expect(phone.send(.started) == [.connect(connection, transport, resuming: resuming)])
        }
        var tuned = Transport(.grpc, security: .tls13Resumed)
        tuned.socketAPI = .framework
        tuned.userTimeout = .seconds(6)
        tuned.tcpKeepalive = TCPKeepalive(idle: .seconds(3), interval: .seconds(1), count: 3)
        tuned.sendBuffer = 256
        var phone = StrategyHarness<Composed>([
            "transport": [
                "kind": "grpc", "tls": "1.3-resumed", "api": "framework", "user-timeout": "6s", "send-buffer": "256B",
                "tcp-keepalive": ["idle": "3s", "interval": "1s", "count": "3"],
            ],
            "on-path-change": "reconnect",
        ])
        var first = tuned
        first.security = .tls13
        #expect(phone.send(.started) == [.connect(connection, first, resuming: .from(.start))])
        _ = phone.send(.opened(connection, resumedAt: .start))
        #expect(
            phone.change(to: .cellular) == [.close(connection), .connect(connection, tuned, resuming: .from(.start))])
    }

    /// Broken: contradictory settings are accepted without an error.
    @Test func refusesContradictorySettings() {
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

    /// Broken: received messages are requested again, missed messages are skipped, or a cursor that a new process
    /// needs is not persisted.
    @Test(arguments: [("nothing", Resume.nothing), ("cursor", .cursor), ("persisted", .persisted)])
    func resumesAsSet(word: String, resume: Resume) {
        var phone = StrategyHarness.open(["resume": .text(word), "on-path-change": "reconnect"])
        phone.session.produced = Cursor(1)
        let sent = phone.send(.wantsToSend(Message(index: 0, bytes: 10)))
        #expect(sent.contains(.send(connection, from: .start, upTo: Cursor(1))))
        #expect(sent.contains(.forget(below: Cursor(1))) == (resume == .nothing))
        let shown = phone.send(.received(connection, upTo: Cursor(4), bytes: 10))
        #expect(shown == [.deliver(Cursor(4))] + (resume == .persisted ? [.persist(Cursor(4))] : []))
        phone.session.cursor = Cursor(4)
        let again = phone.change(to: .cellular)
        let asked = resume == .nothing ? ResumeRequest.fresh : .from(Cursor(4))
        #expect(again == [.close(connection), .connect(connection, .webSocket, resuming: asked)])
        let resent = resume == .nothing ? [] : [Action.send(connection, from: .start, upTo: Cursor(1))]
        #expect(phone.send(.opened(connection, resumedAt: Cursor(4))) == resent)
    }
}

extension Action {
    fileprivate var isConnect: Bool {
        if case .connect = self { true } else { false }
    }
}
