import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit
import Testing

/// What `keepalive:` of `composed` can be set to beside interval and timeout.
@Suite struct KeepaliveSettingsTests {
    private let line = ConnectionSlot(0)

    /// Lets time go on; every ping is answered at once by what is given.
    private func pings(
        _ lane: inout ManualLane<Composed>, until end: TimeSpan, answer: Event? = .pong(ConnectionSlot(0), after: .zero)
    ) -> [Int64] {
        var times: [Int64] = []
        while lane.session.timers.earliest.at <= .zero + end {
            let actions = lane.advance(by: lane.session.timers.earliest.at - lane.session.now)
            guard actions.contains(.ping(line)) else { continue }
            times.append(lane.session.now.nanoseconds / 1_000_000)
            if let answer { _ = lane.tell(answer) }
        }
        _ = lane.advance(by: .zero + end - lane.session.now)
        return times
    }

    /// Broken: OkHttp's WebSocket (`RealWebSocketTest`): a ping every 500 ms whatever else happens; one without a pong fails at the
    /// next; pongs that nobody asked for hide nothing; without an interval no pings.
    @Test func beatsAsOkHttpDoes() {
        let okHttp: Setting = [
            "keepalive": [
                "interval": "500ms", "verdict": "next-beat", "postponed-by": "nothing", "answered-by": "pong",
            ], "backoff": ["base": "1h"],
        ]
        var answered = ManualLane.open(okHttp)
        #expect(pings(&answered, until: .milliseconds(1_600)) == [500, 1_000, 1_500])
        var silent = ManualLane.open(okHttp)
        #expect(silent.advance(by: .milliseconds(999)) == [.ping(line)])
        #expect(silent.advance(by: .milliseconds(1)) == [.close(line)])
        var noisy = ManualLane.open(okHttp)
        for _ in 0..<3 { _ = noisy.tell(.pong(line, after: .zero)) }
        #expect(noisy.advance(by: .milliseconds(500)) == [.ping(line)])
        _ = noisy.tell(.pong(line, after: .zero))
        #expect(noisy.advance(by: .milliseconds(999)) == [.ping(line)])
        #expect(noisy.advance(by: .milliseconds(1)) == [.close(line)])
        var off = ManualLane.open([:])
        #expect(off.advance(by: .seconds(1)) == [])
    }

    /// Broken: too many pings, and the next connection pings as often; or the doubling is lost with the connection, or touches the
    /// present one.
    @Test(arguments: [("double", [60, 120, 240, 480]), ("keep", [60, 60, 60, 60])] as [(String, [Int64])])
    func doublesForNewConnections(word: String, seconds: [Int64]) {
        for machine in ["plain", "grpc-java", "grpc-go"] {
            var lane = ManualLane.open([
                "keepalive": ["interval": "60s", "machine": .text(machine), "on-too-many-pings": .text(word)],
                "backoff": ["base": "1s", "jitter": "none"],
            ])
            for expected in seconds {
                let begin = lane.session.now
                let first = pings(&lane, until: begin - .zero + .seconds(expected)).first
                #expect(first == (begin + .seconds(expected)).nanoseconds / 1_000_000, "\(machine)")
                #expect(lane.tell(.goingAway(line, .tooManyPings)) == [.close(line)])
                _ = lane.advance(by: .seconds(1))
                _ = lane.tell(.opened(line, resumedAt: .start))
            }
        }
    }

    /// Broken: silence of the server's own beats that is found at another time; a client that listens and pings all the same; an
    /// interval announced and not taken.
    @Test func listensToTheServer() {
        var cable = ManualLane.open([
            "keepalive": ["pings": "false", "verdict": "silence", "silence": "6s"], "backoff": ["base": "1h"],
        ])
        for _ in 0..<20 {
            #expect(cable.advance(by: .seconds(3)) == [])
            _ = cable.tell(.heartbeat(line, every: .zero))
        }
        #expect(cable.advance(by: .seconds(6) - .milliseconds(1)) == [])
        #expect(cable.advance(by: .milliseconds(1)) == [.close(line)])

        var half = ManualLane.open(["keepalive": ["interval": "20s", "verdict": "silence"]])
        #expect(half.advance(by: .seconds(29)) == [.ping(line)])
        #expect(half.advance(by: .seconds(1)) == [.close(line)])

        var discord = ManualLane.open([
            "keepalive": [
                "interval": "10m", "from-server": "true", "verdict": "next-beat", "postponed-by": "nothing",
                "first": "random",
            ]
        ])
        _ = discord.tell(.heartbeat(line, every: .milliseconds(41_250)))
        let times = pings(&discord, until: .minutes(10))
        #expect(0 < times[0] && times[0] < 41_250 && times.count >= 14)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 41_250 })
    }

    /// Broken: the first beat of clients that connect together comes at one moment.
    @Test func spreadsTheFirstBeat() {
        var firsts: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var lane = ManualLane<Composed>(["keepalive": ["interval": "100s", "first": "random"]], seed: seed)
            _ = lane.tell(.started)
            _ = lane.tell(.opened(line, resumedAt: .start))
            firsts.append(pings(&lane, until: .seconds(100)).first!)
        }
        // Uniform from 0 to 100 s: the mean of 200 is within four standard errors of 50 s (2.04 s each).
        let mean = firsts.reduce(0, +) / 200
        #expect((41_800...58_200).contains(mean) && Set(firsts).count > 190, "\(mean)")
    }

    /// Broken: gRPC's core sends more than two pings on a stream that says nothing, or none after the app has spoken; with
    /// throttling it does not stop, and asks at most once a minute.
    @Test func stopsAfterTwoPingsWithoutData() {
        func lane(_ beyond: String) -> ManualLane<Composed> {
            ManualLane.open([
                "keepalive": ["interval": "20s", "send-limit": ["without-data": "2", "then": .text(beyond)]]
            ])
        }
        var blocked = lane("block")
        #expect(pings(&blocked, until: .minutes(10)) == [20_000, 40_000])
        blocked.session.produced = Cursor(1)
        #expect(blocked.tell(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(line)))
        _ = blocked.tell(.pong(line, after: .zero))
        #expect(pings(&blocked, until: .minutes(20)) == [620_000])
        var throttled = lane("throttle")
        #expect(pings(&throttled, until: .minutes(4)) == [20_000, 40_000, 100_000, 160_000, 220_000])
        var unlimited = ManualLane.open(["keepalive": ["interval": "20s", "send-limit": ["without-data": "0"]]])
        #expect(pings(&unlimited, until: .minutes(10)).count == 30)
    }

    /// Broken: grpc-swift 1 counts pings beside an open stream, or sends more than three without one, or sooner than 5 min.
    @Test func holdsBackWithoutStreams() {
        func lane(stream: String) -> ManualLane<Composed> {
            ManualLane.open([
                "transport": ["kind": "http2", "stream": .text(stream)],
                "keepalive": [
                    "interval": "1m", "postponed-by": "nothing", "answered-by": "pong",
                    "send-limit": ["without-data": "2", "gap": "5m", "counts": "without-streams"],
                ],
            ])
        }
        var streaming = lane(stream: "true")
        #expect(pings(&streaming, until: .minutes(30)).count == 30)
        var idle = lane(stream: "false")
        #expect(pings(&idle, until: .hours(2)) == [60_000, 360_000, 660_000])
    }

    /// Broken: pings between calls where they are not wanted, or a call on a connection that was long idle and is not asked after.
    @Test(arguments: [("plain", nil), ("grpc-java", 0), ("grpc-go", 0)] as [(String, Int64?)])
    func pingsOnlyBesideCalls(machine: String, after: Int64?) {
        var lane = ManualLane.open([
            "transport": ["kind": "http2", "stream": "false"],
            "keepalive": ["interval": "60s", "machine": .text(machine), "without-calls": "false"],
        ])
        #expect(pings(&lane, until: .seconds(630)) == [])
        let asked = lane.tell(.wantsToCall(Message(index: 0, bytes: 100)))
        #expect(asked.contains(.call(line, 0)))
        let first = asked.contains(.ping(line)) ? lane.session.now : lane.session.timers.earliest.at
        #expect(first == .zero + .seconds(after.map { 630 + $0 } ?? 660), "\(machine)")
        // While the call is open, silence is judged; once it is answered there is none to judge.
        if !asked.contains(.ping(line)) { #expect(lane.advance(by: first - lane.session.now) == [.ping(line)]) }
        _ = lane.tell(.answered(line, call: 0))
        #expect(pings(&lane, until: .hours(2)) == [])
    }

    /// Broken: a beat that is nearly due wakes the radio a second time although something was just sent.
    @Test func goesAlongWithTraffic() {
        var lane = ManualLane.open(["keepalive": ["interval": "60s", "coalesce": "15s"]])
        lane.session.produced = Cursor(2)
        _ = lane.advance(by: .seconds(44))
        #expect(!lane.tell(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(line)))
        _ = lane.advance(by: .seconds(2))
        #expect(lane.tell(.wantsToSend(Message(index: 1, bytes: 10))).contains(.ping(line)))
        #expect(lane.advance(by: .seconds(9)) == [])
        _ = lane.tell(.pong(line, after: .zero))
        // From the answer at 55 s on, a whole interval.
        #expect(pings(&lane, until: .seconds(114)) == [] && pings(&lane, until: .seconds(115)) == [115_000])
    }

    /// Broken: a client whose every packet brings a ping, since it may bring them forward by nearly a whole interval.
    @Test(arguments: [(29_999, false), (30_000, true)])
    func bringsNoPingForwardByMoreThanHalf(milliseconds: Int64, pings: Bool) {
        var lane = ManualLane.open(["keepalive": ["interval": "60s", "coalesce": "50s"]])
        lane.session.produced = Cursor(1)
        _ = lane.advance(by: .milliseconds(milliseconds))
        #expect(lane.tell(.wantsToSend(Message(index: 0, bytes: 10))).contains(.ping(line)) == pings)
    }

    /// Broken: TCP_USER_TIMEOUT is not the keepalive's timeout where it should be, or is where the transport has its own.
    @Test func limitsTheKernelAsWell() {
        func carrier(_ settings: Setting) -> Carrier? {
            var lane = ManualLane<Composed>(settings)
            guard case .connect(_, let carrier, _)? = lane.tell(.started).first else { return nil }
            return carrier
        }
        let keepalive: Setting = ["interval": "1m", "timeout": "7s", "user-timeout": "true"]
        #expect(carrier(["keepalive": keepalive])?.userTimeout == .seconds(7))
        #expect(carrier(["keepalive": "1m"])?.userTimeout == TimeSpan?.none)
        let own: Setting = ["kind": "http2", "user-timeout": "3s"]
        #expect(carrier(["keepalive": keepalive, "transport": own])?.userTimeout == .seconds(3))
        #expect(carrier(["keepalive": keepalive, "transport": "quic"])?.userTimeout == TimeSpan?.none)
        let off: Setting = ["interval": "8760h", "timeout": "7s", "user-timeout": "true"]
        #expect(carrier(["keepalive": off])?.userTimeout == TimeSpan?.none)
    }

    /// Broken: a client that waits longer than it tells the kernel ends its connection by the kernel's timeout, or never.
    @Test func waitsItsOwnTime() {
        let table: [(Setting, Int64)] = [
            (["interval": "1m", "timeout": "7s"], 7),
            (["interval": "1m", "timeout": "7s", "own-timeout": "1m"], 60),
            (["interval": "1m", "timeout": "7s", "own-timeout": "3s"], 3),
        ]
        for (keepalive, waits) in table {
            var lane = ManualLane<Composed>(["keepalive": keepalive])
            _ = lane.tell(.started)
            _ = lane.tell(.opened(line, resumedAt: .start))
            #expect(lane.advance(by: .seconds(60)).contains(.ping(line)))
            #expect(lane.advance(by: .seconds(waits) - .milliseconds(1)).isEmpty, "before \(waits) s")
            #expect(lane.advance(by: .milliseconds(1)).contains(.close(line)), "after \(waits) s")
        }
    }
}
