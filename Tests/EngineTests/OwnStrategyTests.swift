import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import Synchronization
import Testing

/// Groups of phones with their own strategy, with a shared server or without.
@Suite struct OwnStrategyTests {
    private static func draw(_ seed: UInt64) -> World {
        var world = RandomWorld.draw(seed).0
        world.horizon = .zero + .minutes(3)
        world.timeline.removeAll { world.horizon <= $0.at }
        if seed % 2 == 0 { world.server.acceptsPerSecond = 5 }
        return world
    }

    /// Two strategies with states of different sizes.
    private static func pair(_ seed: UInt64) -> (AnyStrategy, AnyStrategy) {
        (RandomWorld.draw(seed).1, seed % 3 == 0 ? Fixture.strategy(Eager.self) : Fixture.strategy(Patient.self))
    }

    private func records(_ simulation: Simulation) -> [Record] { simulation.allRecords().records }

    @Test(
        "A population of one group with its own strategy equals a plain run of that strategy")
    func oneGroupIsAPlainRun() {
        seedSweep(30) { seed in
            var world = Self.draw(seed)
            world.phones = 5
            let (compared, own) = Self.pair(seed)
            let plain = Simulation(world: world, strategy: own, seed: seed)
            let group = Simulation(
                world: World(of: [("all", 5, world)]), strategy: compared, groupStrategies: [own], seed: seed)
            #expect(records(group) == records(plain))
        }
    }

    @Test("Each group runs its own strategy, or the compared one if it has none")
    func everyGroupRunsItsOwn() {
        let differing = Mutex(0)
        seedSweep(30) { seed in
            var world = Self.draw(seed)
            world.server.acceptsPerSecond = nil
            let (compared, own) = Self.pair(seed)
            let all = World(of: [("a", 2, world), ("b", 2, world), ("c", 2, world)])
            guard !all.isCoupled else { return }
            let together = records(
                Simulation(world: all, strategy: compared, groupStrategies: [own, nil, own], seed: seed))
            for (group, strategy) in zip(all.groups, [own, compared, own]) {
                let alone = records(Simulation(world: all, strategy: strategy, seed: seed))
                #expect(
                    together.filter { group.phones.contains($0.phone) }
                        == alone.filter { group.phones.contains($0.phone) })
            }
            let without = records(Simulation(world: all, strategy: compared, seed: seed))
            if together != without { differing.withLock { $0 += 1 } }
        }
        #expect(differing.withLock { $0 } > 10)
    }

    @Test("Naming the compared strategy as a group's own strategy changes nothing")
    func namingTheComparedStrategyChangesNothing() {
        seedSweep(30) { seed in
            let world = Self.draw(seed)
            let strategy = Self.pair(seed).0
            let all = World(of: [("a", 3, world), ("b", 4, world)])
            let plain = records(Simulation(world: all, strategy: strategy, seed: seed))
            for own in [[strategy, nil], [nil, strategy], [strategy, strategy]] {
                #expect(records(Simulation(world: all, strategy: strategy, groupStrategies: own, seed: seed)) == plain)
            }
        }
    }

    @Test("The division among workers does not change results, even if strategies have states of different sizes")
    func divisionAmongWorkersDoesNotChangeResults() {
        seedSweep(20) { seed in
            var world = Self.draw(seed)
            world.server.acceptsPerSecond = 5
            let (compared, own) = Self.pair(seed)
            let all = World(of: [("a", 4, world), ("b", 1, world), ("c", 9, world)])
            let simulation = Simulation(world: all, strategy: compared, groupStrategies: [own, nil, own], seed: seed)
            let whole = records(simulation)
            for partitions in [2, 3, 8] {
                var parts = Array(repeating: AllRecords(), count: partitions)
                simulation.run(into: &parts, by: InOrderFor())
                for phone in 0..<14 as Range<UInt32> {
                    let own = parts.flatMap(\.records).filter { $0.phone == phone }
                    #expect(own == whole.filter { $0.phone == phone }, "\(partitions) partitions")
                }
            }
        }
    }
}

private struct InOrderFor: ParallelFor {
    func each(_ count: Int, _ body: @Sendable (Int) -> Void) { for index in 0..<count { body(index) } }
}
