import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Settings of `keepalive:` in `composed` besides the interval and the timeout.
@Suite struct KeepaliveSettingsTests {
    private let connection = ConnectionSlot(0)

    /// Advances time; `answer` follows every ping at once. Returns the times of the pings in milliseconds.
    private func pings(
        _ phone: inout StrategyHarness<Composed>, until end: TimeSpan,
        answer: Event? = .pong(ConnectionSlot(0), after: .zero)
    ) -> [Int64] {
        var times: [Int64] = []
        while phone.session.timers.earliest.at <= .zero + end {
            let actions = phone.advance(by: phone.session.timers.earliest.at - phone.session.now)
            guard actions.contains(.ping(connection)) else { continue }
            times.append(phone.session.now.nanoseconds / 1_000_000)
            if let answer { _ = phone.send(answer) }
        }
        _ = phone.advance(by: .zero + end - phone.session.now)
        return times
    }

    /// Broken: the keepalive differs from OkHttp's WebSocket (`RealWebSocketTest`). It pings every 500 ms regardless
    /// of traffic, and a missing pong fails the connection at the next ping. Unsolicited pongs do not count, and
    /// without an interval there are no pings.
    @Test func pingsLikeOkHttp() {
        let okHttp: Setting = [
            "keepalive": [
                "interval": "500ms", "verdict": "next-beat", "postponed-by": "nothing", "answered-by": "pong",
            ], "backoff": ["base": "1h"],
        ]
        var answered = StrategyHarness.open(okHttp)
        #expect(pings(&answered, until: .milliseconds(1_600)) == [500, 1_000, 1_500])
        var silent = StrategyHarness.open(okHttp)
        #expect(silent.advance(by: .milliseconds(999)) == [.ping(connection)])
        #expect(silent.advance(by: .milliseconds(1)) == [.close(connection)])
        var noisy = StrategyHarness.open(okHttp)
        for _ in 0..<3 { _ = noisy.send(.pong(connection, after: .zero)) }
        #expect(noisy.advance(by: .milliseconds(500)) == [.ping(connection)])
        _ = noisy.send(.pong(connection, after: .zero))
        #expect(noisy.advance(by: .milliseconds(999)) == [.ping(connection)])
        #expect(noisy.advance(by: .milliseconds(1)) == [.close(connection)])
        var off = StrategyHarness.open([:])
        #expect(off.advance(by: .seconds(1)) == [])
    }

    /// Broken: after "too many pings", the next connection pings as often. Or the doubled interval is lost with the
    /// connection, or applies to the current one.
    @Test(arguments: [("double", [60, 120, 240, 480]), ("keep", [60, 60, 60, 60])] as [(String, [Int64])])
    func doublesForNewConnections(word: String, seconds: [Int64]) {
        for machine in ["plain", "grpc-java", "grpc-go"] {
            var phone = StrategyHarness.open([
                "keepalive": ["interval": "60s", "machine": .text(machine), "on-too-many-pings": .text(word)],
                "backoff": ["base": "1s", "jitter": "none"],
            ])
            for expected in seconds {
                let begin = phone.session.now
                let first = pings(&phone, until: begin - .zero + .seconds(expected)).first
                #expect(first == (begin + .seconds(expected)).nanoseconds / 1_000_000, "\(machine)")
                #expect(phone.send(.goingAway(connection, .tooManyPings)) == [.close(connection)])
                _ = phone.advance(by: .seconds(1))
                _ = phone.send(.opened(connection, resumedAt: .start))
            }
        }
    }

    /// Broken: silence of the server's heartbeats is detected at another time. Or a client with `pings: false` pings.
    /// Or an announced interval is not used.
    @Test func followsServerHeartbeats() {
        var cable = StrategyHarness.open([
            "keepalive": ["pings": "false", "verdict": "silence", "silence": "6s"], "backoff": ["base": "1h"],
        ])
        for _ in 0..<20 {
            #expect(cable.advance(by: .seconds(3)) == [])
            _ = cable.send(.heartbeat(connection, every: .zero))
        }
        #expect(cable.advance(by: .seconds(6) - .milliseconds(1)) == [])
        #expect(cable.advance(by: .milliseconds(1)) == [.close(connection)])

        var half = StrategyHarness.open(["keepalive": ["interval": "20s", "verdict": "silence"]])
        #expect(half.advance(by: .seconds(29)) == [.ping(connection)])
        #expect(half.advance(by: .seconds(1)) == [.close(connection)])

        var discord = StrategyHarness.open([
            "keepalive": [
                "interval": "10m", "from-server": "true", "verdict": "next-beat", "postponed-by": "nothing",
                "first": "random",
            ]
        ])
        _ = discord.send(.heartbeat(connection, every: .milliseconds(41_250)))
        let times = pings(&discord, until: .minutes(10))
        #expect(0 < times[0] && times[0] < 41_250 && times.count >= 14)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 41_250 })
    }

    /// Broken: clients that connect at the same time send their first beat at the same time.
    @Test func spreadsTheFirstBeat() {
        var firsts: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var phone = StrategyHarness<Composed>(["keepalive": ["interval": "100s", "first": "random"]], seed: seed)
            _ = phone.send(.started)
            _ = phone.send(.opened(connection, resumedAt: .start))
            firsts.append(pings(&phone, until: .seconds(100)).first!)
        }
        // Uniform from 0 to 100 s: the mean of 200 is within four standard errors of 50 s (2.04 s each).
        let mean = firsts.reduce(0, +) / 200
        #expect((41_800...58_200).contains(mean) && Set(firsts).count > 190, "\(mean)")
    }

    /// Broken: gRPC's core sends more than two pings on a stream without data, or none after the app has sent data.
    /// With throttling it stops entirely, or pings more often than once a minute.
    @Test func stopsAfterTwoPingsWithoutData() {
        func phone(_ beyond: String) -> StrategyHarness<Composed> {
            StrategyHarness.open([
                "keepalive": ["interval": "20s", "send-limit": ["without-data": "2", "then": .text(beyond)]]
            ])
        }
        var blocked = phone("block")
        #expect(pings(&blocked, until: .minutes(10)) == [20_000, 40_000])
        blocked.session.produced = Cursor(1)
        #expect(blocked.send(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(connection)))
        _ = blocked.send(.pong(connection, after: .zero))
        #expect(pings(&blocked, until: .minutes(20)) == [620_000])
        var throttled = phone("throttle")
        #expect(pings(&throttled, until: .minutes(4)) == [20_000, 40_000, 100_000, 160_000, 220_000])
        var unlimited = StrategyHarness.open(["keepalive": ["interval": "20s", "send-limit": ["without-data": "0"]]])
        #expect(pings(&unlimited, until: .minutes(10)).count == 30)
    }

    /// Broken: grpc-swift 1 counts pings while a stream is open. Or, without a stream, it sends more than three
    /// pings, or sends them sooner than every 5 min.
    @Test func limitsPingsWithoutStreams() {
        func phone(stream: String) -> StrategyHarness<Composed> {
            StrategyHarness.open([
                "transport": ["kind": "http2", "stream": .text(stream)],
                "keepalive": [
                    "interval": "1m", "postponed-by": "nothing", "answered-by": "pong",
                    "send-limit": ["without-data": "2", "gap": "5m", "counts": "without-streams"],
                ],
            ])
        }
        var streaming = phone(stream: "true")
        #expect(pings(&streaming, until: .minutes(30)).count == 30)
        var idle = phone(stream: "false")
        #expect(pings(&idle, until: .hours(2)) == [60_000, 360_000, 660_000])
    }

    /// Broken: pings are sent between calls although the setting forbids it. Or a call starts on a connection that
    /// was idle for long, and no ping follows.
    @Test(arguments: [("plain", nil), ("grpc-java", 0), ("grpc-go", 0)] as [(String, Int64?)])
    func pingsOnlyBesideCalls(machine: String, after: Int64?) {
        var phone = StrategyHarness.open([
            "transport": ["kind": "http2", "stream": "false"],
            "keepalive": ["interval": "60s", "machine": .text(machine), "without-calls": "false"],
        ])
        #expect(pings(&phone, until: .seconds(630)) == [])
        let asked = phone.send(.wantsToCall(Message(index: 0, bytes: 100)))
        #expect(asked.contains(.call(connection, 0)))
        let first = asked.contains(.ping(connection)) ? phone.session.now : phone.session.timers.earliest.at
        #expect(first == .zero + .seconds(after.map { 630 + $0 } ?? 660), "\(machine)")
        // While the call is open, silence is detected. After the answer, there is no call left that could detect it.
        if !asked.contains(.ping(connection)) {
            #expect(phone.advance(by: first - phone.session.now) == [.ping(connection)])
        }
        _ = phone.send(.answered(connection, call: 0))
        #expect(pings(&phone, until: .hours(2)) == [])
    }

    /// Broken: a beat that is nearly due wakes the radio a second time although a message was just sent.
    @Test func sendsPingsTogetherWithTraffic() {
        var phone = StrategyHarness.open(["keepalive": ["interval": "60s", "coalesce": "15s"]])
        phone.session.produced = Cursor(2)
        _ = phone.advance(by: .seconds(44))
        #expect(!phone.send(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(connection)))
        _ = phone.advance(by: .seconds(2))
        #expect(phone.send(.wantsToSend(Message(index: 1, bytes: 10))).contains(.ping(connection)))
        #expect(phone.advance(by: .seconds(9)) == [])
        _ = phone.send(.pong(connection, after: .zero))
        // A whole interval from the answer at 55 s.
        #expect(pings(&phone, until: .seconds(114)) == [] && pings(&phone, until: .seconds(115)) == [115_000])
    }

    /// Broken: every packet of a client brings a ping with it, because packets may advance a ping by nearly a whole
    /// interval.
    @Test(arguments: [(29_999, false), (30_000, true)])
    func bringsNoPingForwardByMoreThanHalf(milliseconds: Int64, pings: Bool) {
        var phone = StrategyHarness.open(["keepalive": ["interval": "60s", "coalesce": "50s"]])
        phone.session.produced = Cursor(1)
        _ = phone.advance(by: .milliseconds(milliseconds))
        #expect(phone.send(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(connection)) == pings)
    }

    /// Broken: TCP_USER_TIMEOUT is not set to the keepalive timeout where it should be. Or it is, although the
    /// transport has its own value.
    @Test func setsTheKernelTimeout() {
        func transport(_ settings: Setting) -> Transport? {
            var phone = StrategyHarness<Composed>(settings)
            guard case .connect(_, let transport, _)? = phone.send(.started).first else { return nil }
            return transport
        }
        let keepalive: Setting = ["interval": "1m", "timeout": "7s", "user-timeout": "true"]
        #expect(transport(["keepalive": keepalive])?.userTimeout == .seconds(7))
        #expect(transport(["keepalive": "1m"])?.userTimeout == TimeSpan?.none)
        let own: Setting = ["kind": "http2", "user-timeout": "3s"]
        #expect(transport(["keepalive": keepalive, "transport": own])?.userTimeout == .seconds(3))
        #expect(transport(["keepalive": keepalive, "transport": "quic"])?.userTimeout == TimeSpan?.none)
        let off: Setting = ["interval": "8760h", "timeout": "7s", "user-timeout": "true"]
        #expect(transport(["keepalive": off])?.userTimeout == TimeSpan?.none)
    }

    /// Broken: a client with an own timeout longer than its kernel timeout closes at the kernel timeout, or never.
    @Test func usesItsOwnTimeout() {
        let table: [(Setting, Int64)] = [
            (["interval": "1m", "timeout": "7s"], 7),
            (["interval": "1m", "timeout": "7s", "own-timeout": "1m"], 60),
            (["interval": "1m", "timeout": "7s", "own-timeout": "3s"], 3),
        ]
        for (keepalive, waits) in table {
            var phone = StrategyHarness<Composed>(["keepalive": keepalive])
            _ = phone.send(.started)
            _ = phone.send(.opened(connection, resumedAt: .start))
            #expect(phone.advance(by: .seconds(60)).contains(.ping(connection)))
            #expect(phone.advance(by: .seconds(waits) - .milliseconds(1)).isEmpty, "before \(waits) s")
            #expect(phone.advance(by: .milliseconds(1)).contains(.close(connection)), "after \(waits) s")
        }
    }
}
