import DeadzoneBase
import DeadzoneLaws
import DeadzoneTestKit
import Synchronization
import Testing

@testable import DeadzoneSimulator

/// Compact and plain memory of phones give the same records.
@Suite struct PhoneMemoryTests {
    private static func digests(_ simulation: Simulation) -> [String] {
        [PhoneMemory.compact, .plain].map { memory in
            var simulation = simulation
            simulation.memory = memory
            var digest = Digest()
            simulation.run(0..<UInt32(simulation.world.phones), into: &digest)
            return digest.hex
        }
    }

    @Test func phonesThatRunOneAfterTheOther() {
        // Broken: a part of a phone lies outside its block, keeps something of the phone before, or is freed too early.
        seedSweep(60) { seed in
            var (world, strategy) = RandomWorld.draw(seed)
            world.phones = world.isCoupled ? 2 : 3
            let found = Self.digests(Simulation(world: world, strategy: strategy, seed: seed))
            #expect(found[0] == found[1])
        }
    }

    @Test func phonesThatShareAServer() {
        // Broken: a phone that was stored continues with other bytes. Some groups are larger than the resident set.
        let stored = Mutex(0)
        seedSweep(24) { seed in
            let isLarge = seed % 8 == 0
            let drawn = SyncWindowTests.draw(seed, phones: isLarge ? ResidentSet.maxResident + 20 : 12)
            var world = drawn.world
            if isLarge { world.horizon = min(world.horizon, .zero + .seconds(30)) }
            world.timeline.removeAll { world.horizon <= $0.at }
            let found = Self.digests(Simulation(world: world, strategy: drawn.strategy, seed: seed))
            #expect(found[0] == found[1])
            stored.withLock { $0 += isLarge && world.isCoupled ? 1 : 0 }
        }
        #expect(stored.withLock { $0 } > 0)
    }
}
