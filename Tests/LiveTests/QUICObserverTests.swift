import DeadzoneBase
import DeadzoneCaptures
import DeadzoneFit
import Testing

@testable import DeadzoneLive

/// QUIC connections, as far as packets show them, and pings in segments with other data.
struct QUICObserverTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    /// A long header with connection IDs of eight and `source` bytes.
    private static func long(_ first: UInt8, version: [UInt8] = [0, 0, 0, 1], id: UInt8, source: UInt8 = 8) -> [UInt8] {
        [first] + version + [8] + Array(repeating: id, count: 8) + [source]
            + Array(repeating: id &+ 1, count: Int(source))
            + Array(repeating: 0, count: 40)
    }
    private static let short: [UInt8] = [0x40] + Array(repeating: 9, count: 40)

    private static func send(
        _ watch: inout FlowObserver, _ payload: [UInt8], port: UInt16, at seconds: Double,
        from phone: HostAddress = TestEndpoints.phone
    ) {
        let packet = Datagram.message(
            from: .init(.ipv4(phone.ipv4), port), to: .init(.ipv4(TestEndpoints.server.ipv4), 4_433), payload: payload)
        _ = watch.phoneSent(packet, LiveFlowKey(packet, .up), at: at(seconds))
    }

    private static func receive(
        _ watch: inout FlowObserver, _ payload: [UInt8], port: UInt16, at seconds: Double,
        to phone: HostAddress = TestEndpoints.phone
    ) {
        let packet = Datagram.message(
            from: .init(.ipv4(TestEndpoints.server.ipv4), 4_433), to: .init(.ipv4(phone.ipv4), port), payload: payload)
        _ = watch.serverSent(packet, LiveFlowKey(packet, .down))
        watch.phoneReceived(packet, LiveFlowKey(packet, .down), at: at(seconds))
    }

    private static func open(_ watch: inout FlowObserver, port: UInt16, id: UInt8, at seconds: Double) {
        send(&watch, long(0xc0, id: id), port: port, at: seconds)
        receive(&watch, long(0xc0, id: id), port: port, at: seconds + 0.1)
        send(&watch, long(0xe0, id: id), port: port, at: seconds + 0.11)
        send(&watch, short, port: port, at: seconds + 0.12)
        receive(&watch, short, port: port, at: seconds + 0.2)
    }

    @Test func attemptsAndOpeningsAreSeen() {
        // Broken: a QUIC client has no attempts, or its repeated Initials count as several.
        var watch = FlowObserver()
        Self.open(&watch, port: 1, id: 1, at: 1)
        watch.socketFound(watch.openConnections[0])
        watch.socketVanished(watch.openConnections[0], at: Self.at(10))
        for second in [12, 13, 15.0] { Self.send(&watch, Self.long(0xc0, id: 2), port: 2, at: second) }
        // The same port, and another connection.
        Self.send(&watch, Self.long(0xc3, id: 3), port: 2, at: 20)
        Self.receive(&watch, Self.long(0xc0, id: 3), port: 2, at: 20.1)
        Self.send(&watch, Self.short, port: 2, at: 20.2)
        #expect(watch.flows.map(\.isQUIC) == [true, true, true])
        #expect(watch.flows.map(\.openedAt) == [Self.at(1.12), nil, Self.at(20.2)])
        #expect(watch.flows.map(\.ending) == [.byClient, .timedOut, nil])
        #expect(watch.records.filter { $0.kind == .connecting }.count == 3)
        let attempts = LiveAttempt.all(of: watch.flows)
        #expect(attempts.map(\.number) == [0, 0, 1] && attempts.map(\.didOpen) == [true, false, true])
        #expect(attempts[1].afterLoss == .seconds(2))
        let lines = watch.connectionTracker.connections.map(\.line)
        #expect(lines.map(\.openedAt) == [Self.at(1.12), nil, Self.at(20.2)] && lines[0].endedAt == Self.at(10))
        let long = Datagram.message(
            from: .init(.ipv4(TestEndpoints.phone.ipv4), 3), to: .init(.ipv4(TestEndpoints.server.ipv4), 4_433),
            payload: Self.long(0xe0, id: 1))
        let (cause, _) = watch.phoneSent(long, LiveFlowKey(long, .up), at: Self.at(21))
        #expect(cause == .connect)
    }

    @Test func aMigratedConnectionContinues() {
        // Broken: a connection that moves to another address counts as dead, or its packets as another flow.
        var watch = FlowObserver()
        let other = HostAddress(TestEndpoints.phone.ipv4 + 1)
        Self.open(&watch, port: 1, id: 1, at: 1)
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(5))
        Self.send(&watch, Self.short, port: 1, at: 7, from: other)
        Self.receive(&watch, Self.short, port: 1, at: 7.2, to: other)
        watch.finish(at: Self.at(20))
        #expect(watch.flows.count == 1 && watch.flows[0].diedAt == nil)
        #expect(!watch.records.contains { $0.kind == .zombie })
        let available = watch.records.filter { $0.kind == .available }.reduce(0) { $0 + $1.value }
        #expect(available == 16_880_000_000, "3.88 s before, 13 s after")
    }

    @Test func otherDatagramsAreNoConnections() {
        // Broken: DNS, or a short header without a handshake, counts as an attempt.
        var watch = FlowObserver()
        for payload in [
            Self.short, Array("hello".utf8), Self.long(0xc0, version: [0, 0, 0, 9], id: 1), Self.long(0xe0, id: 1),
        ] {
            Self.send(&watch, payload, port: 5, at: 1)
        }
        #expect(watch.flows.map(\.isQUIC) == [false] && LiveAttempt.all(of: watch.flows).isEmpty)
        Self.send(&watch, Self.long(0xd0, version: [0x6b, 0x33, 0x43, 0xcf], id: 1), port: 6, at: 2)
        #expect(watch.flows.map(\.isQUIC) == [false, true], "version 2 has other type bits")
    }

    @Test func pingsAreFoundBesideOtherData() {
        // Broken: a ping that left the kernel together with other data is missed, or ordinary data is taken for one.
        let message: [UInt8] = [0x81, 0x81, 1, 2, 3, 4, 9]
        let ping: [UInt8] = [0x89, 0x80, 1, 2, 3, 4]
        let publish: [UInt8] = [0x30, 3, 0, 1, 0x74]
        let frame: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0, 1, 7]
        let ping2: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0] + Array(repeating: 5, count: 8)
        func text(_ words: String) -> [UInt8] { Array(words.utf8) }
        let cases: [([UInt8], Bool)] = [
            (message + ping, true), (ping + message, true), (message + message, false),
            (Array((message + ping).dropLast()), false),
            (publish + [0xc0, 0], true), (publish + publish, false), (frame + ping2, true), (frame + frame, false),
            (frame + [0, 0, 8, 6, 1] + ping2.dropFirst(5), false),
            (text("PUB t 1\r\n1\r\nPING\r\n"), true), (text("PING\r\nPUB t 1\r\n1\r\n"), true),
            (text("PUB t 7\r\nxPING\r\n"), false), (text("*2\r\n$3\r\nGET\r\n$1\r\nx\r\n*1\r\n$4\r\nPING\r\n"), true),
            ([1, 2, 3], false),
        ]
        for (payload, hasPing) in cases { #expect(PingFrame.isHidden(in: payload[...]) == hasPing, "\(payload)") }
    }
}
