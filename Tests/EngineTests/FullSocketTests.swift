import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Data that finds no room on a stream is sent later, not dropped.
@Suite struct FullSocketTests {
    /// Broken: calls that the socket refused consume flow-control credit. Calls start once a second, with the return
    /// path cut for 5.5 s. All are answered afterwards, over HTTP/2 and over WebSocket.
    @Test(arguments: [Transport.TransportKind.http2, .webSocket])
    func callsGoOnAfterAnOutage(_ kind: Transport.TransportKind) {
        var world = Fixture.wifiWorld(horizon: .minutes(3))
        world.traffic.calls = .every(.seconds(1), bytes: 300, until: .zero + .minutes(2))
        world.traffic.answer = .constant(100)
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(30), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .milliseconds(35_500), .oneWay(.wifi, .down, passes: true)),
        ]
        var carrier = Transport(kind)
        carrier.sendBuffer = 1_000
        let run = RecoveringClient(carrier).run(world)
        #expect(run.count(.called) == 119 && run.count(.answered) == 119 && run.count(.opened) == 1)
        #expect(run.values(.answered).contains { $0 > TimeSpan.seconds(5).nanoseconds })
    }

    /// Broken: a WINDOW_UPDATE finds the send buffer full and is never sent again. The app uploads more than the link
    /// carries; the server has 25 kB a second to send. After one window it would be silent for ever.
    @Test(arguments: [UInt32(4_096), 4 << 20])
    func creditIsReturnedWhileTheSocketIsFull(_ sendBuffer: UInt32) {
        var world = Fixture.wifiWorld(horizon: .minutes(2))
        world.wifiLink.up.bitsPerSecond = 100_000
        world.traffic.up = .every(.milliseconds(4), bytes: 28, until: .zero + .seconds(30))
        world.traffic.down = .every(.milliseconds(200), bytes: 5_000, until: .zero + .seconds(100))
        var carrier = Transport(.http2)
        carrier.sendBuffer = sendBuffer
        let run = SingleConnectionStrategy(carrier).run(world)
        #expect(run.count(.sentDown) > 490 && run.sum(.pendingDown) == 0)
        #expect(run.count(.deliveredUp) > 7_000 && run.sum(.pendingUp) == 0)
    }

    /// Broken: the cause recorded for a stalled upload. It is a full socket if the link is slow or gone. It is the
    /// server's window if the server's program is frozen, and for a round trip each 64 KB of HTTP/2. There is no cause if
    /// there is room for everything. An app that waits for write callbacks waits equally long.
    @Test(
        arguments: [
            (.webSocket, nil, 4_096, "none", 0...0, 58...95), (.http2, nil, 4_096, "none", 0...3, 58...95),
            (.http2, .frozen, 4 << 20, "none", 15...20, 0...0), (.http2, .frozen, 4 << 20, "written", 15...20, 0...0),
            (.webSocket, nil, 4 << 20, "none", 0...0, 0...0), (.webSocket, nil, 4_096, "written", 0...0, 58...95),
        ] as [(Transport.TransportKind, ServerChange?, UInt32, String, ClosedRange<Int64>, ClosedRange<Int64>)])
    func stalledUploadsNameTheirCause(
        kind: Transport.TransportKind, change: ServerChange?, sendBuffer: UInt32, flow: String,
        shut: ClosedRange<Int64>,
        full: ClosedRange<Int64>
    ) {
        var world = Fixture.wifiWorld(horizon: .minutes(2))
        // 15 kB a second, of which a slow link carries 12.5 kB.
        if change == nil { world.wifiLink.up.bitsPerSecond = 100_000 }
        world.traffic.up = .every(.milliseconds(100), bytes: 1_500, until: .zero + .minutes(1))
        if let change {
            world.timeline += [
                TimelineEntry(at: .zero + .seconds(20), .server(change)),
                TimelineEntry(at: .zero + .seconds(40), .server(.thawed)),
            ]
        }
        let transport: SettingsLiteral = [
            "kind": .text(kind == .http2 ? "grpc" : "websocket"), "send-buffer": .text("\(sendBuffer)B"),
        ]
        let client: SettingsLiteral =
            flow == "written"
            ? ["transport": transport, "flow": ["pending": "1"]] : ["transport": transport]
        let run = client.run(world)
        let up = UInt16(Direction.up.rawValue)
        let stalled = run.records.filter { $0.kind == .flowStalled && $0.tag == up }
        #expect(run.records.count { $0.kind == .windowShut && $0.tag == up } == stalled.count)
        #expect(shut.contains(stalled.reduce(0) { $0 + $1.value } / 1_000_000_000), "\(stalled)")
        #expect(full.contains(run.sum(.socketStalled) / 1_000_000_000), "\(run.sum(.socketStalled))")
        #expect(run.count(.socketFilled) == run.count(.socketStalled))
        #expect(run.count(.deliveredUp) == 599 && run.sum(.lostUp) == 0)
    }

    /// Broken: a frozen program reads again after its thaw without notifying the client. Data that found no room on the
    /// stream then stays with the client, although nothing is in flight.
    @Test func aThawedProgramMakesRoom() {
        var world = Fixture.wifiWorld(horizon: .minutes(4))
        world.traffic.calls = .every(.seconds(2), bytes: 300, until: .zero + .seconds(60))
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(20), .server(.frozen)),
            TimelineEntry(at: .zero + .seconds(90), .server(.thawed)),
        ]
        let run = CallsAtOnce().run(world)
        #expect(run.count(.called) == 29 && run.count(.answered) == 29 && run.count(.opened) == 1)
        let late = run.records.filter { $0.kind == .answered && .zero + .seconds(90) < $0.at }
        #expect(late.count > 15 && late.allSatisfy { $0.at < .zero + .seconds(93) })
    }

    /// Broken: a close is never sent. The server's stream is full of answers when the server closes; the client gets
    /// the close as soon as some data was taken.
    @Test func aCloseIsSentWhenThereIsRoom() {
        var world = Fixture.wifiWorld(horizon: .minutes(1))
        // Requested before the return path is cut, answered after that.
        world.traffic.calls = .every(.milliseconds(50), bytes: 100, until: .zero + .milliseconds(9_900))
        world.traffic.answer = .constant(1_000)
        world.server.thinkTime = .seconds(2)
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(10), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .seconds(13), .server(.draining)),
            TimelineEntry(at: .zero + .seconds(14), .oneWay(.wifi, .down, passes: true)),
        ]
        for kind in [Transport.TransportKind.webSocket, .mqtt, .http2] {
            let run = CallsAtOnce(kind).run(world)
            let ended = run.times(.closed)
            let grace = kind == .http2 ? Int64(30_000) : 0
            #expect(run.tags(.closed) == [CloseCode.ended.rawValue], "\(kind)")
            #expect(ended.allSatisfy { 14_000 < $0 && $0 < 20_000 + grace }, "\(kind): \(ended)")
        }
    }
}
