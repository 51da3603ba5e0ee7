public import DeadzoneClient
import DeadzoneEngine
public import DeadzoneJournal

/// The laws of worlds over many seeds.
public struct WorldSweep: Sendable {
    let radios: RandomWorld.Radios
    let clients: [AnyStrategy]

    public init(radios: RandomWorld.Radios, clients: [AnyStrategy]) {
        self.radios = radios
        self.clients = clients
    }

    /// What one seed showed.
    public struct Finding: Sendable {
        public let seed: UInt64
        public let client: String
        /// A sentence for each law that did not hold.
        public let broken: [String]
        /// How often each of `sights` was seen.
        public let seen: [Bool]
    }

    /// What must have happened in many of the worlds, or they were too kind to prove anything.
    public static let sights: [(name: String, kind: Kind)] = [
        ("messages lost", .lostDown), ("zombies", .zombie), ("zombies of a stopped app", .zombieFrozen),
        ("calls failed", .callFailed), ("resets", .closed),
        ("phones suspended", .suspended), ("pushes", .pushed), ("mappings expired", .mappingExpired),
        ("names resolved", .resolved), ("queues full", .queueDropped), ("timers late", .timerLate),
    ]

    public func finding(_ seed: UInt64) -> Finding {
        var random = RandomWorld(seed: seed, radios: radios)
        let world = random.world()
        let client = random.client(of: clients)
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: seed).run(0..<UInt32(world.phones), into: &laws)
        return Finding(
            seed: seed, client: client.name, broken: laws.broken(in: world),
            seen: Self.sights.map { sight in laws.records.contains { $0.kind == sight.kind } })
    }
}
