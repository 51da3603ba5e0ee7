import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import Testing

/// Connects at each new default network, and a second after each failure.
private struct Hurried: Strategy {
    static let name = "hurried"
    static let about = "connects at every network"
    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        let line = ConnectionSlot(0)
        switch event {
        case .started: out.append(.connect(line, .webSocket, resuming: .fresh))
        case .network(let change) where change.replacesDefaultPath:
            session.disarm(TimerSlot(0))
            out.append(.connect(line, .webSocket, resuming: .fresh))
        case .failed: session.arm(TimerSlot(0), after: .seconds(1))
        case .fired: out.append(.connect(line, .webSocket, resuming: .fresh))
        default: break
        }
    }
}

@Suite struct InboxTests {
    /// Broken: an app that returns gets the failure of an attempt that it has just abandoned, and takes it for the new
    /// attempt. It then closes a good connection a second later.
    @Test func eventsOfAbandonedAttemptsAreDropped() throws {
        var reader = SettingsReader.describing("a test")
        var world = World(
            horizon: .zero + .minutes(4), wifi: Fixture.wifi, cellular: Fixture.lte, wifiLink: Fixture.link(),
            cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
                TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
                // When the network goes, an attempt is in progress and the app is frozen.
                TimelineEntry(at: .zero + .seconds(50), .server(.frozen)),
                TimelineEntry(at: .zero + .seconds(60), .app(foreground: false)),
                TimelineEntry(at: .zero + .seconds(62), .pathDown(.wifi, .error)),
                TimelineEntry(at: .zero + .seconds(100), .pathUp(.wifi, .plain)),
                TimelineEntry(at: .zero + .seconds(105), .pathDown(.cellular, .error)),
                TimelineEntry(at: .zero + .seconds(120), .server(.thawed)),
                TimelineEntry(at: .zero + .seconds(140), .app(foreground: true)),
            ])
        var platform = try #require(Platform.named("android-15"))
        platform.life.blocksNetworkAfter = .longest
        platform.life.reclaimsSocketsAfter = .longest
        world.platform = platform
        let run = Hurried(&reader).run(world)
        let late = run.records.filter { .zero + .seconds(140) <= $0.at }
        // The app connects at each network event, and the last connection stays.
        #expect(late.contains { $0.kind == .networkTold } || late.contains { $0.kind == .connecting })
        #expect(late.count { $0.kind == .opened } == 1 && run.count(.falseDrop) == 0)
        #expect(run.records.contains { $0.kind == .failed && .zero + .seconds(62) < $0.at })
    }
}
