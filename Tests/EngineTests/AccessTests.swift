import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Synchronization
import Testing

/// Reads the reachability flags at every network event and stores them.
private struct ReachabilityWatcher: Strategy {
    static let name = "watcher"
    static let about = "writes down what it could read of the network"

    final class FlagLog: Sendable {
        let flags = Mutex<[Reachability]>([])
    }

    let log = FlagLog()

    init() {}
    init(_ settings: inout SettingsReader) {}

    struct State: BitwiseCopyable, Sendable {}

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .fresh))
        case .network:
            let flags = Reachability(session.network)
            log.flags.withLock { $0.append(flags) }
        default: break
        }
    }
}

/// Networks that are up but do not carry the app's traffic: access is refused, or needs a connection on demand.
@Suite struct AccessTests {
    private static func world(
        _ interface: Interface, _ changes: [(Int64, ConditionChange)], platform: String? = "ios-18",
        traffic: Traffic = Traffic()
    ) -> World {
        var world = World(
            horizon: .zero + .minutes(5), wifi: Fixture.wifi, cellular: Fixture.lte, wifiLink: Fixture.link(),
            cellularLink: Fixture.link(),
            timeline: [TimelineEntry(at: .zero, .pathUp(interface, .plain))]
                + changes.map { TimelineEntry(at: .zero + .seconds($0.0), $0.1) },
            traffic: traffic)
        world.platform = platform.map { Platform.named($0)! }
        return world
    }

    private static let rows: [(Interface, [ConditionChange], Reachability)] = [
        (.wifi, [.pathDown(.wifi, .error)], Reachability(isReachable: false)),
        (.cellular, [.access(.cellular, .refused)], Reachability(isReachable: false, isWWAN: true)),
        (
            .wifi, [.access(.wifi, .needsConnection(nil)), .access(.wifi, .refused)],
            Reachability(isReachable: false, needsConnection: true)
        ),
        (
            .cellular, [.access(.cellular, .needsConnection(nil)), .access(.cellular, .refused)],
            Reachability(isReachable: false, needsConnection: true, isWWAN: true)
        ),
        (.cellular, [.pathUp(.wifi, .plain)], Reachability(isReachable: true)),
        (.wifi, [.pathDown(.wifi, .error), .pathUp(.cellular, .plain)], Reachability(isReachable: true, isWWAN: true)),
        (.wifi, [.access(.wifi, .needsConnection(nil))], Reachability(isReachable: true, needsConnection: true)),
        (
            .cellular, [.access(.cellular, .needsConnection(.seconds(2)))],
            Reachability(isReachable: true, needsConnection: true, isWWAN: true)
        ),
    ]

    /// Broken: a row of the reachability table never occurs, or the app gets no event for it.
    @Test(arguments: rows.indices)
    func everyReachabilityRowOccurs(_ index: Int) {
        let (interface, changes, flags) = Self.rows[index]
        let watcher = ReachabilityWatcher()
        let run = watcher.run(Self.world(interface, changes.map { (60, $0) }))
        #expect(watcher.log.flags.withLock { $0.last } == flags)
        #expect(run.values(.weather).allSatisfy { $0 == 1 })
        #expect(Set(Self.rows.map { "\($0.2)" }).count == 8)
    }

    /// Broken: packets pass through refused access, a connection that could continue is lost, or an on-demand
    /// connection is set up without a request or never. From 60 s on, one message a second is due.
    @Test(
        arguments: [
            (.refused, 180, 1), (.needsConnection(nil), 180, 1), (.needsConnection(.seconds(3)), 63, 0),
        ] as [(Access, Int64, Int64)])
    func holdsPacketsBack(_ access: Access, _ from: Int64, _ opened: Int64) {
        let up = TrafficStream(
            gap: .constant(TimeSpan.seconds(1).nanoseconds), size: .constant(100), from: .zero + .seconds(60))
        let changes: [(Int64, ConditionChange)] = [(30, .access(.cellular, access)), (180, .access(.cellular, .open))]
        let run = SingleConnectionStrategy(.webSocket).run(Self.world(.cellular, changes, traffic: Traffic(up: up)))
        let arrived = run.times(.deliveredUp)
        #expect(arrived.count > 200 && run.count(.opened) == 1 && run.sum(.lostUp) == 0)
        #expect(arrived[0] >= from * 1_000 && arrived[0] < (from + 70) * 1_000, "\(arrived[0])")
        // On-demand access that was set up in the meantime is already open, so the last change has no effect.
        #expect(run.values(.weather) == [1, 1, opened])
    }

    /// Broken: Android applies an iOS-only change, or a phone without a system gets no event.
    @Test(arguments: [("android-15", [1, 0], 0), (nil, [1, 1], 1)] as [(String?, [Int64], Int)])
    func androidHasNoRefusedAccess(_ platform: String?, _ weather: [Int64], _ eventCount: Int) {
        let run = ReachabilityWatcher().run(Self.world(.wifi, [(60, .access(.wifi, .refused))], platform: platform))
        #expect(run.values(.weather) == weather && run.count(.networkTold) == eventCount)
    }
}
