import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Connects once over a transport, and again a second after each end; sends no pings.
private struct ReconnectingHolder: Strategy {
    static let name = "holder"
    static let about = "holds a connection"
    let carrier: Transport
    init(_ carrier: Transport) { self.carrier = carrier }
    init(_ settings: inout SettingsReader) { carrier = .webSocket }
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired: out.append(.connect(ConnectionSlot(0), carrier, resuming: .from(session.cursor)))
        case .closed, .failed: session.arm(TimerSlot(0), after: .seconds(1))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .wantsToSend(let message):
            out.append(.send(ConnectionSlot(0), from: message.cursor, upTo: message.next))
        default: break
        }
    }
}

@Suite struct ServerTests {
    private func run(
        _ changes: [(TimeSpan, ServerChange)], over carrier: Transport = .webSocket, traffic: Traffic = Traffic(),
        horizon: TimeSpan = .minutes(5), idleLimit: TimeSpan? = nil
    ) -> AllRecords {
        var world = Fixture.cellularWorld(traffic, horizon: horizon)
        world.timeline += changes.map { TimelineEntry(at: .zero + $0.0, .server($0.1)) }
        world.server.idleLimit = idleLimit
        let run = Simulation(world: world, strategy: AnyStrategy(ReconnectingHolder(carrier)), seed: 1).allRecords()
        #expect(run.records.filter { $0.kind == .weather }.allSatisfy { $0.value == 1 })
        return run
    }

    /// Broken: the round trips of a connection setup, from the first SYN to the app's first byte. TCP with TLS 1.2
    /// takes three, resumed two; TLS 1.3 takes two, with 0-RTT one. WebSocket and MQTT take one more (RFC 5246, 8446,
    /// 6455), and so does gRPC, which waits for SETTINGS.
    @Test(arguments: [
        (Transport.TLSMode.none, Int64(1)), (.tls12, 3), (.tls12Resumed, 2), (.tls13, 2), (.tls13Resumed, 2),
        (.tls13Early, 1),
    ])
    func roundTripsOfTheSetup(security: Transport.TLSMode, roundTrips: Int64) {
        for (kind, more) in [
            (Transport.TransportKind.http2, Int64(0)), (.polling, 0), (.grpc, 1), (.webSocket, 1), (.mqtt, 1),
        ] {
            let run = run([], over: Transport(kind, security: security), horizon: .seconds(20))
            let begun = run.records.first { $0.kind == .connecting }!.at
            let opened = run.records.first { $0.kind == .opened }!.at
            // Promotion takes 260 ms before the first byte. The radio listens within 40 ms after each byte; the
            // transmission takes little time.
            let least = TimeSpan.milliseconds(260) + .milliseconds(70) * (roundTrips + more)
            #expect(opened - begun >= least, "\(kind) \(security)")
            #expect(opened - begun < least + .milliseconds(60), "\(kind) \(security): \((opened - begun).nanoseconds)")
        }
    }

    /// Broken: a server closes an idle connection without notice. It must send FIN, and the app must get the event.
    @Test func theServerClosesIdleConnections() {
        let run = run([], idleLimit: .seconds(90))
        let expired = run.records.filter { $0.kind == .serverExpired }
        let closed = run.records.filter { $0.kind == .closed }
        #expect(expired.count == 3 && closed.count == 3)
        #expect(closed.allSatisfy { $0.tag == CloseCode.ended.rawValue })
        #expect(expired[0].at < .zero + .seconds(91) && closed[0].at > expired[0].at)
    }

    /// Broken: a frozen server resets connections, or its old connections do not resume after the thaw. Messages
    /// written meanwhile arrive late; nothing is lost.
    @Test func aFrozenServerIsSilentAndResumes() {
        let run = run(
            [(.seconds(60), .frozen), (.seconds(120), .thawed)],
            traffic: Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))))
        #expect(run.count(.opened) == 1 && run.count(.closed) == 0)
        #expect(run.sum(.lostDown) == 0 && run.sum(.lostUp) == 0)
        let late = run.values(.deliveredUp).filter { $0 > TimeSpan.seconds(50).nanoseconds }
        #expect(!late.isEmpty && run.values(.deliveredDown).max()! > TimeSpan.seconds(55).nanoseconds)
        // Its kernel acknowledged at once.
        #expect(run.values(.acknowledgedUp).allSatisfy { $0 < TimeSpan.seconds(2).nanoseconds })
        #expect(run.sum(.blocked) == TimeSpan.seconds(60).nanoseconds)
    }

    /// Broken: a connection to a frozen server fails by itself. TCP is established, but the handshake is never
    /// answered, not even after the thaw: the client waits for ever.
    @Test func aConnectionToAFrozenServerNeverOpens() {
        let run = run([(.zero, .frozen), (.seconds(30), .thawed)], horizon: .hours(1))
        #expect(run.count(.connecting) == 1 && run.count(.opened) == 0 && run.count(.failed) == 0)
    }

    /// Broken: a server goes down silently. Connections must be reset and attempts refused at once.
    @Test func aServerThatIsDownResetsAndRefuses() {
        let run = run([(.seconds(60), .down), (.seconds(70), .up)])
        #expect(run.records.first { $0.kind == .closed }?.tag == CloseCode.reset.rawValue)
        let failures = run.records.filter { $0.kind == .failed }
        #expect(failures.count >= 5 && failures.allSatisfy { $0.tag == FailureCode.refused.rawValue })
        #expect(run.count(.opened) == 2)
    }

    /// Broken: a deploy loses messages. The server sends GOAWAY if the protocol has it, then closes.
    @Test(arguments: [Transport.TransportKind.http2, .webSocket])
    func aDeployEndsConnectionsInOrder(kind: Transport.TransportKind) {
        let run = run(
            [(.seconds(60), .draining)], over: Transport(kind), traffic: Traffic(down: .every(.seconds(5))))
        #expect(run.count(.goAway) == (kind == .http2 ? 2 : 0))
        #expect(run.records.filter { $0.kind == .closed }.map(\.tag) == [CloseCode.ended.rawValue])
        #expect(run.count(.opened) == 2 && run.sum(.lostDown) == 0)
    }

    /// Broken: the kernel's keepalive in a complete phone. With 2 s of idle time and 4 probes 1 s apart, a dead path is
    /// found in 6 s. With a message in flight it takes as long as retransmission, a quarter of an hour, unless there is
    /// a user timeout.
    @Test func dataInFlightDefeatsKeepalive() {
        func detection(up: TrafficStream?, userTimeout: TimeSpan?) -> TimeSpan {
            var world = Fixture.cellularWorld(Traffic(up: up), horizon: .minutes(30))
            world.timeline.append(TimelineEntry(at: .zero + .milliseconds(60_500), .coverage(.cellular, false)))
            var carrier = Transport.webSocket
            carrier.tcpKeepalive = .init(idle: .seconds(2), interval: .seconds(1), count: 4)
            carrier.userTimeout = userTimeout
            let run = Simulation(world: world, strategy: AnyStrategy(ReconnectingHolder(carrier)), seed: 1).allRecords()
            let closed = run.records.first { $0.kind == .closed }
            #expect(closed?.tag == CloseCode.timedOut.rawValue)
            return (closed?.at ?? .never) - (.zero + .milliseconds(60_500))
        }
        let message = TrafficStream(
            gap: .constant(61_000_000_000), size: .constant(100), until: .zero + .seconds(100))
        let quiet = detection(up: nil, userTimeout: nil)
        let busy = detection(up: message, userTimeout: nil)
        let both = detection(up: message, userTimeout: .seconds(6))
        #expect(.seconds(3) < quiet && quiet <= .milliseconds(6_100), "\(quiet.nanoseconds)")
        #expect(.seconds(900) < busy && busy < .seconds(1_060), "\(busy.nanoseconds)")
        // The first round trip contains the promotion of the radio. So the first timeout is longer than that of the path.
        #expect(.seconds(5) < both && both <= .milliseconds(8_800), "\(both.nanoseconds)")
    }
}
