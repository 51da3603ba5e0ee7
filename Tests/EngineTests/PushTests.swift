import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSettings
import Testing

/// Holds a connection for half a minute, closes it, and connects again when it is woken.
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
    /// Broken: a message that crosses the client's goodbye waits at the server until the next one: nobody asks for a push.
    @Test func whatCrossesAGoodbyeIsPushed() {
        var reader = SettingsReader.describing("a test")
        // Written 10 ms after the client closed, while the goodbye takes 35 ms.
        let message = TrafficStream(
            gap: .constant(30_010_000_000), size: .constant(300), until: .zero + .seconds(40))
        for push in [PushHabit.high, .none] {
            var world = Fixture.cellularWorld(Traffic(down: message), horizon: .minutes(2))
            world.platform = Platform.named("android-15")
            world.server.push = push
            let run = Simulation(world: world, strategy: AnyStrategy(Visitor(&reader)), seed: 1).everything()
            let isPushed = push == .high
            #expect(run.count(.sentDown) == 1 && run.count(.opened) == (isPushed ? 2 : 1))
            #expect(run.count(.pushed) == (isPushed ? 1 : 0) && run.count(.deliveredDown) == (isPushed ? 1 : 0))
        }
    }
}
