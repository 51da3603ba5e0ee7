import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

@testable import DeadzoneTransport

/// Each timer of the server for a connection: nothing happens a nanosecond before it, and one thing at it.
@Suite struct ServerTimerTests {
    private static let callsOnly: Transport = {
        var transport = Transport(.http2)
        transport.keepsStreamOpen = false
        return transport
    }()

    /// Advances to the deadline of the connection, which must be at `due`. Checks that nothing happens before it.
    private func expire(_ bench: ServerBench, at due: Instant, _ slot: Int = 0) -> [String] {
        #expect(bench.deadline(slot) == due, "\(bench.deadline(slot).text) instead of \(due.text)")
        bench.now = due - .nanoseconds(1)
        #expect(bench.taking { bench.expire(slot) }.isEmpty)
        bench.now = due
        return bench.taking { bench.expire(slot) }
    }

    /// Broken: the idle limit counts from another moment than the last frame that the program read.
    @Test func silenceEndsAtItsLimit() {
        let bench = ServerBench { $0.idleLimit = .seconds(30) }
        bench.open()
        bench.wait(.seconds(12))
        bench.read(.pong, 5)
        let lines = expire(bench, at: .zero + .seconds(42))
        #expect(lines == ["serverExpired silent 1", "changed", "send data 0"])
        #expect(bench.frames() == ["finish"] && !bench.server.isAttached(0) && bench.server.isHeld(0))
    }

    /// Broken: an MQTT client is given another time than 1.5 times its keep-alive, or other clients are.
    @Test(
        arguments: [
            (Transport.TransportKind.mqtt, 40, nil, 60), (.mqtt, 40, 50, 50), (.mqtt, 40, 70, 60), (.mqtt, nil, 70, 70),
            (.mqtt, 0, nil, nil), (.webSocket, 40, nil, nil), (.webSocket, 40, 70, 70),
        ] as [(Transport.TransportKind, Int64?, Int64?, Int64?)])
    func anMQTTBrokerHasItsOwnLimit(kind: Transport.TransportKind, keepAlive: Int64?, limit: Int64?, idle: Int64?) {
        var transport = Transport(kind)
        transport.mqttKeepAlive = keepAlive.map { .seconds($0) }
        #expect(transport.idleTimeout(limit.map { .seconds($0) }) == idle.map { .seconds($0) })
        let bench = ServerBench { $0.idleLimit = limit.map { .seconds($0) } }
        bench.open(transport)
        #expect(bench.deadline() == idle.map { .zero + .seconds($0) } ?? .never)
    }

    /// Broken: a connection that is frozen, closing, captured or not held has a program timer.
    @Test func onlyARunningProgramHasTimers() {
        let bench = ServerBench { $0.idleLimit = .seconds(30) }
        bench.renew()
        #expect(bench.deadline() == .never)
        bench.hello()
        #expect(bench.deadline() == .never, "no session yet")
        bench.request()
        bench.settle()
        #expect(bench.deadline() == .zero + .seconds(30))
        bench.change(.frozen)
        #expect(bench.deadline() == .never)
        bench.now = .zero + .seconds(31)
        #expect(bench.taking { bench.expire() }.isEmpty)
        bench.change(.thawed)
        #expect(bench.deadline() == .zero + .seconds(30))
        bench.server.ends[0].isClosing = true
        #expect(bench.deadline() == .never)
        let datagram = ServerBench { $0.idleLimit = .seconds(30) }
        datagram.renew(.datagram)
        datagram.act { [introduction = datagram.introduction] in $0.openDatagrams(0, introduction, at: .zero, &$1) }
        #expect(datagram.deadline() == .never)
    }

    // MARK: Heartbeats

    /// Broken: a heartbeat is sent at another time, with another frame or number, or its answer is expected at another
    /// time.
    @Test func anAskedHeartbeatMustBeAnswered() {
        let bench = ServerBench { $0.heartbeat = Heartbeat(.asks, every: .seconds(25), timeout: .seconds(20)) }
        bench.open()
        #expect(expire(bench, at: .zero + .seconds(25)) == ["serverPinged 1", "send data 0"])
        let sent = bench.ranges()
        #expect(sent.map(\.text) == ["ping 1"] && sent.first?.cause == .keepalive)
        bench.settle()
        bench.wait(.seconds(19))
        bench.read(.message, 0)
        bench.read(.pong, 1)
        #expect(expire(bench, at: .zero + .seconds(69)) == ["serverPinged 2", "send data 0"])
        bench.settle()
        let lines = expire(bench, at: .zero + .seconds(89))
        #expect(lines == ["serverExpired unanswered 1", "changed", "send data 0"])
        #expect(bench.frames() == ["finish"])
    }

    /// Broken: a one-way heartbeat has another size, is repeated at another time, or clears no strikes.
    @Test(arguments: [(12, 40, 40), (36, 40, 40), (36, 0, 36)] as [(UInt32, UInt32, UInt32)])
    func aOneWayHeartbeatIsRepeated(bytes: UInt32, envelope: UInt32, size: UInt32) {
        var streams = Traffic.everySecond
        if envelope > 0 { streams.envelope = .json }
        let bench = ServerBench(streams) { $0.heartbeat = Heartbeat(.beats, every: .seconds(3), bytes: bytes) }
        bench.open(Transport(.http2))
        _ = bench.server.ends[0].pingPolicy.receive(at: .zero, hasStreams: false)
        #expect(expire(bench, at: .zero + .seconds(3)) == ["serverPinged 1", "send data 0"])
        let sent = bench.ranges()
        let payload = max(bytes, streams.envelope.heartbeat(0))
        #expect(sent.map(\.text) == ["heartbeat"] && sent.first?.cause == .keepalive)
        #expect(sent.first?.bytes == bench.server.ends[0].config.pointee.serverRules.framing.message(payload))
        bench.settle()
        bench.wait(.seconds(1))
        bench.read(.pong, 1)
        #expect(expire(bench, at: .zero + .seconds(6)) == ["serverPinged 2", "send data 0"])
    }

    /// Broken: an expected heartbeat is waited for too short or too long, or another frame counts as one.
    @Test func anExpectedHeartbeatMustArrive() {
        let bench = ServerBench { $0.heartbeat = Heartbeat(.expects, every: .seconds(45), timeout: .seconds(22)) }
        bench.open()
        bench.wait(.seconds(10))
        bench.read(.message, 0)
        bench.read(.pong, 3)
        bench.settle()
        #expect(bench.deadline() == .zero + .seconds(67))
        bench.read(.ping, 0)
        bench.settle()
        #expect(expire(bench, at: .zero + .seconds(77)) == ["serverExpired unanswered 1", "changed", "send data 0"])
    }

    /// Broken: gRPC's keepalive is sent without HTTP/2, is not answered by any byte, or replaces the heartbeat.
    @Test func keepaliveNeedsHTTP2() {
        let rule = Heartbeat(.asks, every: .seconds(20), timeout: .seconds(5), afterSilence: true)
        let bench = ServerBench { $0.keepalive = rule }
        bench.open(Transport(.http2))
        #expect(expire(bench, at: .zero + .seconds(20)) == ["serverPinged 1", "send data 0"])
        bench.settle()
        bench.wait(.seconds(4))
        bench.read(.message, 0)
        #expect(expire(bench, at: .zero + .seconds(44)) == ["serverPinged 2", "send data 0"])
        bench.settle()
        #expect(expire(bench, at: .zero + .seconds(49)) == ["serverExpired unanswered 1", "changed", "send data 0"])
        let plain = ServerBench { $0.keepalive = rule }
        plain.open()
        #expect(plain.deadline() == .never)
    }

    /// Broken: a transport gets a heartbeat that its server cannot send, or does not get one that it can.
    @Test func transportsSupportTheirHeartbeats() {
        for kind in Transport.TransportKind.allCases {
            for mode in Heartbeat.Mode.allCases {
                for keepsStream in [true, false] {
                    var transport = Transport(kind)
                    transport.keepsStreamOpen = keepsStream
                    let isSupported: Bool =
                        switch kind {
                        case .http2, .grpc: mode == .beats && keepsStream
                        case .datagram, .polling, .longPolling: false
                        case .webSocket, .quic, .serverSentEvents, .mqtt, .tcp: true
                        }
                    #expect(transport.supports(Heartbeat(mode, every: .seconds(1))) == isSupported, "\(kind) \(mode)")
                }
            }
        }
    }

    /// Broken: a superseded connection sends heartbeats, or loses its keepalive.
    @Test func aSupersededConnectionHasNoHeartbeat() {
        let bench = ServerBench(.everySecond) {
            $0.heartbeat = Heartbeat(.beats, every: .seconds(3))
            $0.keepalive = Heartbeat(.asks, every: .seconds(20))
            $0.thinkTime = .hours(1)
        }
        bench.open(Transport(.http2), 0)
        #expect(bench.server.keepaliveRules(0).heartbeat != nil)
        bench.read(.call, 0, 0)
        bench.change(.draining)
        bench.open(Transport(.http2), 1)
        #expect(bench.server.keepaliveRules(0).heartbeat == nil && bench.server.keepaliveRules(0).keepalive != nil)
        #expect(bench.server.keepaliveRules(1).heartbeat != nil)
    }

    /// Broken: a client learns of a heartbeat that is not announced, or of another interval.
    @Test(arguments: [(Heartbeat.actionCable, nil), (.ably, TimeSpan.seconds(15)), (.discord, .seconds(45))])
    func onlyAnAnnouncedHeartbeatIsTold(rule: Heartbeat, told: TimeSpan?) {
        let bench = ServerBench { $0.heartbeat = rule }
        bench.open()
        #expect(bench.server.announcedHeartbeat(0) == told)
        #expect(ServerBench().server.announcedHeartbeat(0) == nil)
    }

    // MARK: Limits

    /// Broken: the age limit ends at another moment, differs from its ±10 %, or the grace is another.
    @Test func anOldConnectionIsDrained() {
        var ages: Set<Int64> = []
        for seed in 1...30 as ClosedRange<UInt64> {
            let bench = ServerBench(.everySecond, seed: seed) {
                $0.limits = ConnectionLimits(age: .seconds(100), ageGrace: .seconds(7))
                $0.thinkTime = .hours(1)
            }
            bench.open(Transport(.http2))
            let due = bench.deadline()
            #expect(.zero + .seconds(90) <= due && due <= .zero + .seconds(110))
            ages.insert(due.nanoseconds)
            guard seed == 1 else { continue }
            bench.read(.call, 0)
            bench.settle()
            #expect(expire(bench, at: due) == ["serverExpired age 1", "send data 0"])
            #expect(bench.frames() == ["goAway", "ping 0"])
            bench.settle()
            bench.wait(.seconds(2))
            bench.read(.pong, 0)
            #expect(bench.frames() == ["finalGoAway"])
            bench.settle()
            #expect(expire(bench, at: due + .seconds(9)) == ["changed", "send data 0"])
            #expect(bench.frames() == ["finish"])
        }
        #expect(ages.count == 30)
        let webSocket = ServerBench { $0.limits = ConnectionLimits(idle: .seconds(5), age: .seconds(100)) }
        webSocket.open()
        #expect(webSocket.deadline() > .zero + .seconds(80), "only HTTP/2 has the idle limit")
        #expect(expire(webSocket, at: webSocket.deadline()) == ["serverExpired age 1", "changed", "send data 0"])
    }

    /// Broken: an idle connection is closed too early or late, while a call is open, or after one.
    @Test func anIdleConnectionIsDrained() {
        let bench = ServerBench(.everySecond) {
            $0.limits = ConnectionLimits(idle: .seconds(50))
            $0.thinkTime = .seconds(80)
        }
        bench.open(Self.callsOnly)
        #expect(bench.deadline() == .zero + .seconds(50))
        bench.wait(.seconds(10))
        bench.read(.call, 0)
        #expect(bench.deadline() == .never)
        bench.wait(.seconds(80))
        bench.run(.answer(0))
        bench.settle()
        #expect(expire(bench, at: .zero + .seconds(140)) == ["serverExpired idle 1", "send data 0"])
        #expect(bench.frames() == ["goAway", "ping 0"])
        bench.settle()
        bench.read(.pong, 0)
        #expect(bench.frames() == ["finalGoAway", "finish"], "no stream is open")
        let streaming = ServerBench { $0.limits = ConnectionLimits(idle: .seconds(50)) }
        streaming.open(Transport(.http2))
        #expect(streaming.deadline() == .never, "its stream is open")
    }

    /// Broken: the first GOAWAY waits for its pong for another time than a minute.
    @Test func aGoAwayWaitsAMinuteForItsPong() {
        let bench = ServerBench(.everySecond) { ($0.grace, $0.thinkTime) = (.seconds(12), .hours(1)) }
        bench.open(Transport(.http2))
        bench.read(.call, 0)
        bench.settle()
        #expect(bench.change(.draining))
        #expect(bench.frames() == ["goAway", "ping 0"])
        bench.settle()
        #expect(expire(bench, at: .zero + .seconds(60)) == ["send data 0"])
        #expect(bench.frames() == ["finalGoAway"])
        #expect(bench.server.acceptsCalls(0) == false)
        bench.settle()
        #expect(expire(bench, at: .zero + .seconds(72)) == ["changed", "send data 0"])
        #expect(bench.frames() == ["finish"])
    }

    // MARK: Kernel

    /// Broken: the kernel of the server gives up without releasing the connection, or without recording it.
    @Test func theKernelGivesUpDeadConnections() {
        let bench = ServerBench(.everySecond) { $0.push = .normal }
        bench.open()
        bench.write()
        var lines: [String] = []
        while bench.server.isHeld(0) && bench.now < .zero + .hours(1) {
            bench.now = bench.deadline()
            lines = bench.taking { bench.expire() }
        }
        #expect(lines == ["serverHeld \((bench.now - Instant.zero).nanoseconds)", "push if pending", "changed"])
        #expect(.milliseconds(924_600) <= bench.now - .zero && bench.now - .zero < .seconds(1_100))
    }

    // MARK: Windows and queues

    /// Broken: a stall of the flow-control window begins or ends at another time, or is counted without one.
    @Test func aShutWindowStalls() {
        let bench = ServerBench(.everySecond)
        bench.open(
            Transport(.http2),
            window: HTTP2SendWindows(connection: HTTP2Window(1_000), stream: HTTP2Window(150)))
        bench.write()
        bench.write()
        bench.settle()
        #expect(bench.server.ends[0].windowClosedSince == .never)
        bench.wait(.seconds(3))
        #expect(bench.taking { bench.write() } == ["sentDown 2", "written", "windowShut down 0"])
        bench.wait(.seconds(4))
        #expect(bench.taking { bench.write() } == ["sentDown 3", "written"])
        bench.wait(.seconds(5))
        let lines = bench.taking { bench.read(.streamWindowUpdate(10_000)) }
        #expect(lines == ["send data 0", "flowStalled down 9000000000"])
        #expect(bench.frames() == ["message 2..<4"])
        #expect(bench.taking { bench.act { [now = bench.now] in $0.endWindowStall(0, at: now, &$1) } }.isEmpty)
    }

    /// Broken: the queue of a slow client counts other bytes than those of its messages with their framing, conflates
    /// other messages, or its peak is not recorded.
    @Test func aSlowClientsQueueIsCounted() {
        let bench = ServerBench(.everySecond) {
            $0.slowConsumers.conflatesAbove = 300
            $0.slowConsumers.keys = 2
        }
        bench.open(
            Transport(.http2),
            window: HTTP2SendWindows(connection: HTTP2Window(1_000), stream: HTTP2Window(1)))
        let size = UInt64(bench.server.ends[0].config.pointee.serverRules.framing.message(100))
        #expect(size == 136)
        bench.write()
        bench.settle()
        bench.write()
        #expect(bench.server.queue.bytes == size && bench.server.queue.first == 1 && bench.server.queue.end == 2)
        bench.write()
        #expect(bench.server.queue.bytes == 2 * size)
        let lines = bench.taking { bench.write() }
        #expect(lines == ["sentDown 3", "written", "serverQueueDropped 1"])
        #expect(bench.server.queue.bytes == 2 * size && bench.server.queue.first == 2 && bench.server.queue.end == 4)
        #expect(bench.server.queue.peakBytes == 3 * size)
        #expect(bench.taking { bench.write() } == ["sentDown 4", "written", "serverQueueDropped 1"])
        #expect(bench.server.queue.bytes == 2 * size && bench.server.queue.first == 3)
        bench.read(.streamWindowUpdate(5_000))
        #expect(bench.frames() == ["message 3..<5"] && bench.server.queue.bytes == 0)
        bench.settle()
        let end = bench.taking { bench.act { [now = bench.now] in $0.finish(at: now, &$1) } }
        #expect(end == ["serverHeld 0", "serverQueuePeak \(3 * size)"])
    }

    /// Broken: a slow client is cut before or after its time, or its queue continues on the next connection.
    @Test func aSlowClientIsCut() {
        let bench = ServerBench(.everySecond) {
            $0.slowConsumers.closesAbove = 200
            $0.slowConsumers.closesAfter = .seconds(8)
        }
        bench.open(Transport(.http2), window: HTTP2SendWindows(stream: HTTP2Window(1)))
        bench.write()
        bench.settle()
        bench.write()
        #expect(bench.deadline() == .never)
        bench.wait(.seconds(2))
        bench.write()
        #expect(
            expire(bench, at: .zero + .seconds(10))
                == ["serverExpired slow 1", "changed", "send data 0", "flowStalled down 10000000000"])
        #expect(
            bench.frames() == ["finish"] && bench.server.queue.bytes == 0 && bench.deadline() != .zero + .seconds(10))
        #expect(bench.server.queue.peakBytes == 272)
    }
}
