import DeadzoneBase
import DeadzoneFit
import Testing

@testable import DeadzoneLive

/// Connection events that are derived from packets.
struct FlowObserverTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func name(port: UInt16) -> LiveFlowKey {
        LiveFlowKey(TestEndpoints.segment(.up, [], port: port), .up)
    }

    /// A connection attempt; `opens` says whether it is answered.
    private static func connect(_ watch: inout FlowObserver, port: UInt16, at: Instant, opens: Bool) {
        let syn = TestEndpoints.segment(.up, [.syn], port: port)
        _ = watch.phoneSent(syn, LiveFlowKey(syn, .up), at: at)
        guard opens else { return }
        let answer = TestEndpoints.segment(.down, [.syn, .ack], sequence: 0, port: port)
        _ = watch.serverSent(answer, LiveFlowKey(answer, .down))
        watch.phoneReceived(answer, LiveFlowKey(answer, .down), at: at + .milliseconds(50))
    }

    @Test func theNextAttemptDetectsADeadConnection() {
        // Broken: detection is not the time from the loss of the address to the client's next attempt.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
        Self.connect(&watch, port: 2, at: Self.at(17), opens: true)
        watch.finish(at: Self.at(30))
        #expect(watch.records.filter { $0.kind == .detected }.map(\.value) == [7_000_000_000])
        #expect(watch.records.filter { $0.kind == .opened }.count == 2)
        #expect(watch.flows.map(\.ending) == [.byClient, nil])
    }

    @Test func anUndetectedDeathIsAZombieToTheEnd() {
        // Broken: a death that was never detected is not reported.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
        watch.finish(at: Self.at(30))
        #expect(watch.records.filter { $0.kind == .undetected }.map(\.value) == [20_000_000_000])
        #expect(watch.records.contains { $0.kind == .detected } == false)
    }

    @Test func attemptsAreCountedSinceTheLoss() throws {
        // Broken: the waits between attempts or the times after the loss, by which a preset is judged, are wrong.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(7))
        watch.socketClosed(Self.name(port: 1), at: Self.at(10))
        for (port, second) in [(UInt16(2), Int64(15)), (3, 17), (4, 21)] {
            Self.connect(&watch, port: port, at: Self.at(second), opens: port == 4)
        }
        // The third was refused.
        let attempts = LiveAttempt.all(of: watch.flows)
        #expect(attempts.map(\.number) == [0, 0, 1, 2])
        #expect(attempts.map(\.afterLoss) == [nil, .seconds(5), .seconds(7), .seconds(11)])
        #expect(attempts.map(\.afterAttempt) == [nil, nil, .seconds(2), .seconds(4)])
        #expect(attempts.map(\.didOpen) == [true, false, false, true])
    }

    @Test func aCloseIsTheEndOfTheSocketNotOfItsFIN() {
        // Broken: a client that closes a connection in a dead zone is taken to notice the loss when its FIN gets out.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        let name = Self.name(port: 1)
        watch.socketFound(name)
        watch.socketClosed(name, at: Self.at(20))
        Self.connect(&watch, port: 2, at: Self.at(22), opens: false)
        watch.socketFound(Self.name(port: 2))
        watch.socketVanished(Self.name(port: 2), at: Self.at(25))
        let fin = TestEndpoints.segment(.up, [.fin, .ack], sequence: 1, port: 1)
        _ = watch.phoneSent(fin, name, at: Self.at(40))
        #expect(watch.flows.map(\.endedAt) == [Self.at(20), Self.at(25)])
        #expect(watch.flows.map(\.ending) == [.byClient, .timedOut])
        let lines = watch.connectionTracker.connections.map(\.line)
        #expect(lines.map(\.endedAt) == [Self.at(20), Self.at(25)] && lines.map(\.ending) == [.client, .client])
        let attempts = LiveAttempt.all(of: watch.flows)
        #expect(attempts.map(\.afterLoss) == [nil, .seconds(2)] && attempts.map(\.lostBy) == [nil, .client])
    }

    @Test func aSocketThatWasNeverFoundHasNotEnded() {
        // Broken: a socket that a lookup by addresses cannot find counts as closed.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.socketVanished(Self.name(port: 1), at: Self.at(2))
        #expect(watch.flows.map(\.isOpen) == [true] && watch.openConnections == [Self.name(port: 1)])
    }

    @Test func theAppMayDetectBeforeTheKernel() {
        // Broken: a connection that the app reported dead still counts as a zombie, or a working connection counts as
        // one.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.appDetectedLoss(at: Self.at(5))
        #expect(watch.records.map(\.kind) == [.connecting, .opened])
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
        watch.appDetectedLoss(at: Self.at(14))
        watch.appDetectedLoss(at: Self.at(15))
        watch.finish(at: Self.at(30))
        func values(_ kind: RecordKind) -> [Int64] { watch.records.filter { $0.kind == kind }.map(\.value) }
        #expect(values(.detected) == [4_000_000_000] && values(.zombie) == [4_000_000_000])
        #expect(values(.undetected) == [] && values(.available) == [8_950_000_000])
    }

    @Test func aFlowHasNoSilenceAfterItsEnd() {
        // Broken: the longest silence of a flow is longer than the flow, because of a packet after its end.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.socketClosed(Self.name(port: 1), at: Self.at(4))
        let late = TestEndpoints.segment(.down, [.ack], port: 1, payload: [1])
        watch.phoneReceived(late, LiveFlowKey(late, .down), at: Self.at(20))
        watch.finish(at: Self.at(30))
        #expect(watch.flows.map(\.longestSilence) == [.milliseconds(2_950)])
    }

    @Test func retransmittedSYNsAreOneAttempt() {
        // Broken: a SYN that the kernel retransmits counts as another attempt of the client.
        var watch = FlowObserver()
        for second in [1, 2, 4] as [Int64] { Self.connect(&watch, port: 1, at: Self.at(second), opens: second == 4) }
        #expect(watch.records.map(\.kind) == [.connecting, .opened] && watch.flows.map(\.attempts) == [3])
    }

    @Test func aConnectionThatNeverOpenedHasFailed() throws {
        // Broken: a refused or unanswered connection counts as opened and closed.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: false)
        let refusal = TestEndpoints.segment(.down, [.rst, .ack], sequence: 0, port: 1)
        watch.phoneReceived(refusal, LiveFlowKey(refusal, .down), at: Self.at(2))
        Self.connect(&watch, port: 2, at: Self.at(3), opens: false)
        Self.connect(&watch, port: 3, at: Self.at(5), opens: true)
        let end = TestEndpoints.segment(.down, [.fin, .ack], sequence: 1, port: 3)
        watch.phoneReceived(end, LiveFlowKey(end, .down), at: Self.at(6))
        let ends = watch.records.filter { $0.kind == .failed || $0.kind == .closed }
        #expect(ends.map(\.kind) == [.failed, .failed, .closed])
        #expect(ends.map(\.tag) == [FailureCode.refused.bits, FailureCode.timedOut.bits, CloseCode.ended.bits])
        #expect(ends.map(\.at) == [Self.at(2), Self.at(5), Self.at(6)])
    }

    @Test func aWebSocketIsOpenWhenTheServerAccepts() {
        // Broken: a refused WebSocket counts as a connection that was lost, and its error page as the end of an outage.
        let request = Array("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".utf8)
        let cases: [(answer: String?, ends: [RecordKind], code: FailureCode)] = [
            ("HTTP/1.1 101 Switching Protocols", [.opened, .recovered, .closed], .refused),
            ("HTTP/1.1 403 Forbidden", [.failed], .refused), ("HTTP/1.1 302 Found", [.failed], .refused),
            (nil, [.failed], .refused),
        ]
        for (answer, ends, code) in cases {
            var watch = FlowObserver()
            Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
            watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
            let before = watch.records.count
            Self.connect(&watch, port: 2, at: Self.at(20), opens: true)
            let ask = TestEndpoints.segment(.up, [.ack], port: 2, payload: request)
            _ = watch.phoneSent(ask, LiveFlowKey(ask, .up), at: Self.at(21))
            for (flags, payload, second) in [
                ([.ack], answer.map { Array(($0 + "\r\n\r\n").utf8) }, 22), ([.fin, .ack], [], 23),
            ] as [(Datagram.SegmentFlags, [UInt8]?, Int64)] {
                guard let payload else { continue }
                let segment = TestEndpoints.segment(.down, flags, port: 2, payload: payload)
                watch.phoneReceived(segment, LiveFlowKey(segment, .down), at: Self.at(second))
            }
            let wanted: Set<RecordKind> = [.opened, .recovered, .closed, .failed]
            let found = watch.records.dropFirst(before).filter { wanted.contains($0.kind) && $0.value != 1 }
            #expect(found.map(\.kind) == ends, "\(answer ?? "no answer")")
            #expect(found.allSatisfy { $0.kind != .failed || $0.tag == code.bits })
            let attempts = LiveAttempt.all(of: watch.flows)
            #expect(attempts.map(\.didOpen) == [true, ends.contains(.opened)])
        }
    }

    @Test(arguments: [(false, [12] as [Int64]), (true, [5])])
    func anOutageCountsFromTheReturnOfThePath(isBack: Bool, seconds: [Int64]) {
        // Broken: a client is charged for time without a path, or for an outage that did not happen.
        var watch = FlowObserver()
        func hear(port: UInt16, at: Instant) {
            let data = TestEndpoints.segment(.down, [.ack], sequence: 1, port: port, payload: [1])
            watch.phoneReceived(data, LiveFlowKey(data, .down), at: at)
        }
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        watch.pathRestored(at: Self.at(2))
        hear(port: 1, at: Self.at(3))
        #expect(!watch.records.contains { $0.kind == .recovered })
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
        if isBack { watch.pathRestored(at: Self.at(17)) }
        Self.connect(&watch, port: 2, at: Self.at(20), opens: true)
        hear(port: 2, at: Self.at(22))
        hear(port: 2, at: Self.at(25))
        let outages = watch.records.filter { $0.kind == .recovered }.map(\.value)
        #expect(outages == seconds.map { $0 * 1_000_000_000 })
    }

    @Test func causesAreReadFromPlainProtocols() {
        // Broken: a ping counts as payload, or payload as a ping, or a retransmission as new data.
        let pings: [([UInt8], Cause)] = [
            ([0xc0, 0], .keepalive), ([0xd0, 0], .pong), ([0x89, 0x80, 1, 2, 3, 4], .keepalive), ([0x8a, 0], .pong),
            ([0, 0, 8, 6, 0] + Array(repeating: 0, count: 12), .keepalive),
            ([0, 0, 8, 6, 1] + Array(repeating: 0, count: 12), .pong), ([22, 3, 1, 0, 1, 1], .tls),
            (Array("PING\r\n".utf8), .keepalive), (Array("PONG\r\n".utf8), .pong),
            (Array("*1\r\n$4\r\nPING\r\n".utf8), .keepalive), (Array("+PONG\r\n".utf8), .pong),
            (Array("PINGS\r".utf8), .payload), ([0x89, 5, 1], .payload), ([0xc0, 1], .payload),
            (Array("hello".utf8), .payload),
        ]
        for (payload, cause) in pings {
            var watch = FlowObserver()
            Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
            let packet = TestEndpoints.segment(.up, [.ack], sequence: 2, port: 1, payload: payload)
            do {
                let found = watch.phoneSent(packet, LiveFlowKey(packet, .up), at: Self.at(2))
                #expect(found.cause == cause)
            }
            do {
                let found = watch.phoneSent(packet, LiveFlowKey(packet, .up), at: Self.at(3))
                #expect(found.cause == .retransmit)
            }
        }
    }

    @Test func answersAreChargedToTheirRequests() {
        // Broken: the tail after an acknowledgement or a pong is charged to it, so that live runs cannot be compared with
        // simulated ones by cause.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        func account(_ direction: Direction, _ payload: [UInt8], _ sequence: UInt32) -> (cause: Cause, account: Cause) {
            let packet = TestEndpoints.segment(direction, [.ack], sequence: sequence, port: 1, payload: payload)
            let name = LiveFlowKey(packet, direction)
            return direction == .up
                ? watch.phoneSent(packet, name, at: Self.at(2)) : watch.serverSent(packet, name)
        }
        let sent: [(Direction, [UInt8], UInt32, Cause, Cause)] = [
            (.down, Array("hello".utf8), 2, .payload, .payload), (.up, [], 2, .ack, .payload),
            (.up, Array("*1\r\n$4\r\nPING\r\n".utf8), 2, .keepalive, .keepalive),
            (.down, Array("+PONG\r\n".utf8), 7, .pong, .keepalive), (.up, [], 16, .ack, .keepalive),
        ]
        for (direction, payload, sequence, cause, charged) in sent {
            let found = account(direction, payload, sequence)
            #expect(found == (cause, charged), "\(direction) \(sequence)")
        }
    }

    @Test func tcpKeepalivesCountAsKeepaliveAndPong() {
        // Broken: TCP keepalives count as acknowledgements.
        var watch = FlowObserver()
        Self.connect(&watch, port: 1, at: Self.at(1), opens: true)
        let probe = TestEndpoints.segment(.up, [.ack], sequence: 1, port: 1)
        do {
            let found = watch.phoneSent(probe, LiveFlowKey(probe, .up), at: Self.at(2))
            #expect(found.cause == .keepalive)
        }
        let answer = TestEndpoints.segment(.down, [.ack], sequence: 1, port: 1)
        do {
            let found = watch.serverSent(answer, LiveFlowKey(answer, .down))
            #expect(found.cause == .pong)
        }
    }
}
