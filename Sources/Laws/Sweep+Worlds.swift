public import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneWorld

extension Sweep {
    /// The laws of worlds, with any of these clients.
    public static func worlds(_ radios: RandomWorld.Radios, clients: [AnyStrategy]) -> Sweep {
        Sweep(of: "worlds", sights: worldSights.map(\.name)) { seed in
            var random = RandomWorld(seed: seed, radios: radios)
            let world = random.world()
            let client = random.client(of: clients)
            var laws = WorldLaws()
            Simulation(world: world, strategy: client, seed: seed).run(0..<UInt32(world.phones), into: &laws)
            return Finding(
                seed: seed, client: client.name, broken: laws.broken(in: world),
                seen: worldSights.map { sight in
                    laws.records.contains { $0.kind == sight.kind && (sight.tag == nil || sight.tag == $0.tag) }
                })
        }
    }

    /// - Parameter tag: Nil: any.
    private static let worldSights: [(name: String, kind: Kind, tag: UInt16?)] = [
        ("messages lost", .lostDown, nil), ("zombies", .zombie, nil), ("zombies of a stopped app", .zombieFrozen, nil),
        ("calls failed", .callFailed, nil), ("resets", .closed, CloseCode.reset.rawValue),
        ("phones suspended", .suspended, nil), ("pushes", .pushed, nil), ("mappings expired", .mappingExpired, nil),
        ("names resolved", .resolved, nil), ("queues full", .queueDropped, nil), ("timers late", .timerLate, nil),
    ]
}
