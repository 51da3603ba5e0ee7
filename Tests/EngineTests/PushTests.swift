import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Keeps a connection for half a minute, closes it, and connects again when a push wakes it.
private struct Visitor: Strategy {
    static let name = "visitor"
    static let about = "closes after 30 s, comes when it is pushed"
    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(session.cursor)))
            session.arm(TimerSlot(0), after: .seconds(30))
        case .pushWoken: out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(session.cursor)))
        case .fired: out.append(.close(ConnectionSlot(0)))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        default: break
        }
    }
}

@Suite struct PushTests {
    /// Broken: a message that crosses the client's close waits at the server until the next message, because no push is
    /// requested.
    @Test func aMessageThatCrossesACloseIsPushed() {
        var reader = SettingsReader.describing("a test")
        // Written 10 ms after the client closed; the close takes 35 ms.
        let message = TrafficStream(
            gap: .constant(30_010_000_000), size: .constant(300), until: .zero + .seconds(40))
        for push in [PushPolicy.high, .none] {
            var world = Fixture.cellularWorld(Traffic(down: message), horizon: .minutes(2))
            world.platform = Platform.named("android-15")
            world.server.push = push
            let run = Simulation(world: world, strategy: AnyStrategy(Visitor(&reader)), seed: 1).allRecords()
            let isPushed = push == .high
            #expect(run.count(.sentDown) == 1 && run.count(.opened) == (isPushed ? 2 : 1))
            #expect(run.count(.pushed) == (isPushed ? 1 : 0) && run.count(.deliveredDown) == (isPushed ? 1 : 0))
        }
    }

    private func world(_ message: TrafficStream, horizon: TimeSpan = .minutes(10)) -> World {
        var world = Fixture.cellularWorld(Traffic(down: message), horizon: horizon)
        world.platform = Platform.named("android-15")
        world.server.push = .high
        return world
    }

    /// Broken: a server that was down or frozen when its messages became due requests no push after its return.
    @Test(arguments: [(ServerChange.down, ServerChange.up), (.frozen, .thawed)])
    func aReturningServerRequestsAPush(_ goes: ServerChange, _ comes: ServerChange) {
        var reader = SettingsReader.describing("a test")
        var world = world(.every(.seconds(100), until: .zero + .seconds(150)))
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(60), .server(goes)),
            TimelineEntry(at: .zero + .seconds(200), .server(comes)),
        ]
        let run = Visitor(&reader).run(world)
        #expect(run.count(.pushed) == 1 && run.count(.deliveredDown) == 1)
        #expect(run.times(.deliveredDown).allSatisfy { (200_000..<203_000).contains($0) })
    }

    /// Broken: a server with a connection that was reset in its name keeps writing to it, and never requests a push.
    @Test func aServerThatWasResetRequestsAPush() {
        var reader = SettingsReader.describing("a test")
        var world = world(.every(.seconds(25), until: .zero + .seconds(60)))
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(10), .readdress(.cellular, .reset))
        ]
        world.platform?.networks.linger = .zero
        let run = Visitor(&reader).run(world)
        #expect(run.records.first { $0.kind == .closed }?.tag == CloseCode.reset.rawValue)
        #expect(run.times(.pushed).first.map { (25_000..<28_000).contains($0) } == true)
        #expect(run.count(.deliveredDown) == 2)
    }

    /// Broken: a push that has not woken the app at the horizon leaves no trace, or one that has does.
    @Test func aPushThatWaitsAtTheEndHasItsAge() {
        var reader = SettingsReader.describing("a test")
        var world = world(.every(.seconds(100), until: .zero + .seconds(150)), horizon: .seconds(160))
        let open = Visitor(&reader).run(world)
        #expect(open.count(.pushed) == 1 && open.count(.waitedPush) == 0)
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .uplink(.cellular, false)))
        let cut = Visitor(&reader).run(world)
        #expect(cut.count(.pushed) == 0 && cut.values(.waitedPush) == [TimeSpan.seconds(60).nanoseconds])
    }

    private static let obstacles: [(ConditionChange, ConditionChange)] = [
        (.uplink(.cellular, false), .uplink(.cellular, true)),
        (.coverage(.cellular, false), .coverage(.cellular, true)),
        (.oneWay(.cellular, .up, passes: false), .oneWay(.cellular, .up, passes: true)),
        (.oneWay(.cellular, .down, passes: false), .oneWay(.cellular, .down, passes: true)),
    ]

    /// Broken: a push is sent over a path without service. It arrives although its service gets no acknowledgement, or
    /// waits for its next repeat.
    @Test("A push waits for a usable path and is then sent at once", arguments: obstacles)
    func aPushWaitsForAPath(_ begins: ConditionChange, _ ends: ConditionChange) {
        var reader = SettingsReader.describing("a test")
        var world = world(.every(.seconds(100), until: .zero + .seconds(150)))
        // Repeats of a push sent at 100 s would come at 163 s and at 227 s.
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(60), begins),
            TimelineEntry(at: .zero + .seconds(170), ends),
        ]
        let run = Visitor(&reader).run(world)
        #expect(run.times(.pushed).map { (170_000..<175_000).contains($0) } == [true])
    }

    /// Broken: a push that the link lost arrives only with the next change of path, or never. The service repeats it
    /// after one second, and then after twice as long each time.
    @Test func aLostPushIsRepeated() {
        var reader = SettingsReader.describing("a test")
        var waits: [Int64] = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var world = world(.every(.seconds(100), until: .zero + .seconds(150)))
            world.cellularLink = Fixture.link(loss: .independent(Probability(1, of: 2)))
            waits += Visitor(&reader).run(world, seed: seed).values(.pushed)
        }
        #expect(waits.count >= 12 && waits.contains { $0 > 1_000_000_000 })
        #expect(waits.allSatisfy { $0 < TimeSpan.seconds(140).nanoseconds })
    }
}
