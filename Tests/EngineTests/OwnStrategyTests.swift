import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneStrategies
import DeadzoneTestKit
import DeadzoneWorld
import Synchronization
import Testing

/// Groups of phones that run another strategy than the rest, at one server or at none.
@Suite struct OwnStrategyTests {
    private static func draw(_ seed: UInt64) -> World {
        var world = RandomWorld.draw(seed).0
        world.horizon = .zero + .minutes(3)
        world.timeline.removeAll { world.horizon <= $0.at }
        if seed % 2 == 0 { world.server.acceptsPerSecond = 5 }
        return world
    }

    /// What they keep of a phone is of different sizes.
    private static func pair(_ seed: UInt64) -> (AnyStrategy, AnyStrategy) {
        (RandomWorld.draw(seed).1, seed % 3 == 0 ? Fixture.strategy(Eager.self) : Fixture.strategy(Patient.self))
    }

    private func records(_ simulation: Simulation) -> [Record] { simulation.everything().records }

    @Test(
        "Else a population of one group with a strategy of its own would be something else than a run of that strategy")
    func oneGroupIsAPlainRun() {
        seedSweep(30) { seed in
            var world = Self.draw(seed)
            world.phones = 5
            let (compared, own) = Self.pair(seed)
            let plain = Simulation(world: world, strategy: own, seed: seed)
            let group = Simulation(
                world: World(of: [("all", 5, world)]), strategy: compared, own: [own], seed: seed)
            #expect(records(group) == records(plain))
        }
    }

    @Test("Else a group would run what its neighbours run, or nobody's own strategy")
    func everyGroupRunsItsOwn() {
        let differing = Mutex(0)
        seedSweep(30) { seed in
            var world = Self.draw(seed)
            world.server.acceptsPerSecond = nil
            let (compared, own) = Self.pair(seed)
            let all = World(of: [("a", 2, world), ("b", 2, world), ("c", 2, world)])
            guard !all.isCoupled else { return }
            let together = records(Simulation(world: all, strategy: compared, own: [own, nil, own], seed: seed))
            for (group, strategy) in zip(all.groups, [own, compared, own]) {
                let alone = records(Simulation(world: all, strategy: strategy, seed: seed))
                #expect(
                    together.filter { group.phones.contains($0.lane) }
                        == alone.filter { group.phones.contains($0.lane) })
            }
            let without = records(Simulation(world: all, strategy: compared, seed: seed))
            if together != without { differing.withLock { $0 += 1 } }
        }
        #expect(differing.withLock { $0 } > 10)
    }

    @Test("Else a group that names what is compared would be something else than one that names nothing")
    func theSameStrategyIsNone() {
        seedSweep(30) { seed in
            let world = Self.draw(seed)
            let strategy = Self.pair(seed).0
            let all = World(of: [("a", 3, world), ("b", 4, world)])
            let plain = records(Simulation(world: all, strategy: strategy, seed: seed))
            for own in [[strategy, nil], [nil, strategy], [strategy, strategy]] {
                #expect(records(Simulation(world: all, strategy: strategy, own: own, seed: seed)) == plain)
            }
        }
    }

    @Test("Else whom a worker runs beside whom would show where strategies differ in what they keep")
    func crowdsDoNotShow() {
        seedSweep(20) { seed in
            var world = Self.draw(seed)
            world.server.acceptsPerSecond = 5
            let (compared, own) = Self.pair(seed)
            let all = World(of: [("a", 4, world), ("b", 1, world), ("c", 9, world)])
            let simulation = Simulation(world: all, strategy: compared, own: [own, nil, own], seed: seed)
            let whole = records(simulation)
            for crowds in [2, 3, 8] {
                var parts = Array(repeating: Everything(), count: crowds)
                simulation.run(into: &parts, by: InTurn())
                for phone in 0..<14 as Range<UInt32> {
                    let own = parts.flatMap(\.records).filter { $0.lane == phone }
                    #expect(own == whole.filter { $0.lane == phone }, "\(crowds) crowds")
                }
            }
        }
    }
}

private struct InTurn: Helpers {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void) { for index in 0..<count { body(index) } }
}
