import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Runs a single phone simulation and passes its internals to a test.
enum OnePhone {
    static func run(
        _ world: World, _ strategy: AnyStrategy, until limit: Instant,
        _ inspect: (inout PhoneSimulation, inout WorkerContext) -> Void
    ) {
        var context = WorkerContext(world: world, seed: 1, strategy: strategy, journal: JournalBuffer { _ in })
        context.beginPhone(PhoneID(0))
        var simulation = PhoneSimulation(phone: PhoneID(0), context: context)
        simulation.start(&context)
        simulation.run(until: limit, &context)
        inspect(&simulation, &context)
        simulation.releasePackets(&context)
    }
}

@Suite struct BudgetTests {
    /// Broken: the memory budget of an active phone: its simulation, its separate allocations and the state of its
    /// strategy. The run is one hour with messages, with the screen off; on Android the phone is in the pocket. Most of
    /// the memory is one connection with its two ends.
    ///
    /// About 100 bytes hold the reasons of the latest outage (`OutageLog`) and the ranges of messages that were given
    /// up. Each lost message is charged to its cause from them. 16 bytes hold the call that tells a slow network.
    /// 4 bytes hold the code and kind of an end, and 8 the address of the server that was used last. 24 bytes hold the
    /// place of the tunnel, and the facts about the two connections that their packets depend on. On Android, 40 bytes hold
    /// the window of the alarm of light Doze, and the random times of deep Doze, and 24 the end of a foreground service,
    /// the time awake after a change of network, and the restrictions of the user.
    @Test(arguments: [(nil, 4_796), ("android-15", 5_580)] as [(String?, Int)])
    func aPhoneFitsItsBudget(system: String?, budget: Int) throws {
        var world = Fixture.cellularWorld(Traffic(down: .every(.minutes(2))), horizon: .hours(1))
        world.server.acceptsPerSecond = 100
        world.platform = try system.map { try #require(Platform.named($0)) }
        world.timeline.append(TimelineEntry(at: .zero + .minutes(1), .screen(false)))
        let strategy = Fixture.strategy(Composed.self)
        OnePhone.run(world, strategy, until: world.horizon) { simulation, context in
            let bytes = simulation.bytes + strategy.stateSize
            #expect(bytes <= budget, "\(bytes) B: \(simulation.parts), strategy \(strategy.stateSize)")
        }
    }
}

extension PhoneSimulation {
    /// Parts of the simulation and their sizes. The separate allocations are those that `deinit` frees.
    fileprivate var parts: [(name: String, bytes: Int)] {
        func size<Value: ~Copyable>(_ type: Value.Type, _ count: Int = 1) -> Int { count * MemoryLayout<Value>.stride }
        var parts = [
            ("row", size(PhoneSimulation.self)), ("ports", size(AccessPath.self, networks.interfaces.count)),
            ("networks", size(NetworkState.self, networks.interfaces.count)),
            ("lines", size(ClientConnection.self, phoneEnd.connections.count)),
            ("realities", size(ConnectionTruth.self, connections.truths.count)),
            ("server's ends", size(ServerEnd.self, server.ends.count)),
            ("words", size(UInt64.self, server.profile.pointee.dedup.words)),
        ]
        if delivery.leftOut != nil { parts.append(("left out", size(MissingRanges.self))) }
        if delivery.consumption != nil { parts.append(("consumption", size(ConsumerBuffer.self))) }
        if let system = host.system {
            parts.append(("system", size(OperatingSystem.self)))
            parts.append(("inbox", size(Event.self, system.pointee.inbox.capacity)))
        }
        return parts
    }

    fileprivate var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }
}
