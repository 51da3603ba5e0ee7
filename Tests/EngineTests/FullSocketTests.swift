import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// What a stream has no place for is said later, not never.
@Suite struct FullSocketTests {
    /// Broken: credit that calls take with them which the socket refused. A call a second into twenty seconds without a way back:
    /// of HTTP/2 as of WebSocket every one is answered afterwards.
    @Test(arguments: [Carrier.Kind.http2, .webSocket])
    func callsGoOnAfterAnOutage(_ kind: Carrier.Kind) {
        var world = Fixture.wifiWorld(horizon: .minutes(3))
        world.traffic.calls = .every(.seconds(1), bytes: 300, until: .zero + .minutes(2))
        world.traffic.answer = .constant(100)
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(30), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .milliseconds(35_500), .oneWay(.wifi, .down, passes: true)),
        ]
        var carrier = Carrier(kind)
        carrier.sendBuffer = 1_000
        let run = Reviver(carrier).run(world)
        #expect(run.count(.called) == 119 && run.count(.answered) == 119 && run.count(.opened) == 1)
        #expect(run.values(.answered).contains { $0 > TimeSpan.seconds(5).nanoseconds })
    }

    /// Broken: a WINDOW_UPDATE that found the buffer full and was never said again. The app uploads more than the link takes, the
    /// server has 50 kB a second to say: after one window it would be silent for ever.
    @Test(arguments: [UInt32(4_096), 4 << 20])
    func creditIsGivenBackWhileTheSocketIsFull(_ sendBuffer: UInt32) {
        var world = Fixture.wifiWorld(horizon: .minutes(2))
        world.wifiLink.up.bitsPerSecond = 100_000
        world.traffic.up = .every(.milliseconds(4), bytes: 28, until: .zero + .seconds(30))
        world.traffic.down = .every(.milliseconds(200), bytes: 5_000, until: .zero + .seconds(100))
        var carrier = Carrier(.http2)
        carrier.sendBuffer = sendBuffer
        let run = Rider(carrier).run(world)
        #expect(run.count(.sentDown) > 490 && run.sum(.pendingDown) == 0)
        #expect(run.count(.deliveredUp) > 7_000 && run.sum(.pendingUp) == 0)
    }

    /// Broken: what an upload that stands still is blamed on. A socket that is full, since the link is slow or gone; the window of
    /// a server whose program is frozen; nothing, where there is room for all. An app that waits for callbacks waits as long.
    @Test(
        arguments: [
            (.webSocket, nil, 4_096, "none", 0...0, 58...95), (.http2, nil, 4_096, "none", 0...0, 58...95),
            (.http2, .frozen, 4 << 20, "none", 15...20, 0...0), (.http2, .frozen, 4 << 20, "written", 15...20, 0...0),
            (.webSocket, nil, 4 << 20, "none", 0...0, 0...0), (.webSocket, nil, 4_096, "written", 0...0, 58...95),
        ] as [(Carrier.Kind, ServerChange?, UInt32, String, ClosedRange<Int64>, ClosedRange<Int64>)])
    func uploadsSayWhatHeldThemUp(
        kind: Carrier.Kind, change: ServerChange?, sendBuffer: UInt32, flow: String, shut: ClosedRange<Int64>,
        full: ClosedRange<Int64>
    ) {
        var world = Fixture.wifiWorld(horizon: .minutes(2))
        // 15 kB a second, of which a slow link takes 12.5.
        if change == nil { world.wifiLink.up.bitsPerSecond = 100_000 }
        world.traffic.up = .every(.milliseconds(100), bytes: 1_500, until: .zero + .minutes(1))
        if let change {
            world.timeline += [
                TimelineEntry(at: .zero + .seconds(20), .server(change)),
                TimelineEntry(at: .zero + .seconds(40), .server(.thawed)),
            ]
        }
        let transport: Written = [
            "kind": .text(kind == .http2 ? "grpc" : "websocket"), "send-buffer": .text("\(sendBuffer)B"),
        ]
        let client: Written =
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

    /// Broken: a program that stood still, read again, and told nobody: what had no place on the stream meanwhile stays with the
    /// client, though nothing is in flight.
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

    /// Broken: an end that is never said. The server's stream is full of answers when it says goodbye; the client hears of it as
    /// soon as something was taken.
    @Test func aGoodbyeFindsItsPlace() {
        var world = Fixture.wifiWorld(horizon: .minutes(1))
        // Asked before the way back is gone, answered after that.
        world.traffic.calls = .every(.milliseconds(50), bytes: 100, until: .zero + .milliseconds(9_900))
        world.traffic.answer = .constant(1_000)
        world.server.think = .seconds(2)
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(10), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .seconds(13), .server(.draining)),
            TimelineEntry(at: .zero + .seconds(14), .oneWay(.wifi, .down, passes: true)),
        ]
        for kind in [Carrier.Kind.webSocket, .mqtt, .http2] {
            let run = CallsAtOnce(kind).run(world)
            let ended = run.times(.closed)
            let grace = kind == .http2 ? Int64(30_000) : 0
            #expect(run.tags(.closed) == [CloseCode.ended.rawValue], "\(kind)")
            #expect(ended.allSatisfy { 14_000 < $0 && $0 < 20_000 + grace }, "\(kind): \(ended)")
        }
    }
}
