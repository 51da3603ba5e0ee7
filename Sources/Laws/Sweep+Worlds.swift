import DeadzoneBase
package import DeadzoneClient
import DeadzoneSimulator

extension Sweep {
    /// Makes a search for broken invariants (`WorldLaws`) in random environments, with any of these clients.
    package static func worlds(_ radios: RandomWorld.RadioChoices, clients: [AnyStrategy]) -> Sweep {
        Sweep(of: "worlds", one: "world", coverageGoals: worldCoverageGoals.map(\.name)) { seed in
            var random = RandomWorld(seed: seed, radios: radios)
            var world = random.world()
            random.refuseMessages(in: &world)
            random.endStreams(in: &world)
            let client = random.client(of: clients)
            var laws = WorldLaws()
            Simulation(world: world, strategy: client, seed: seed).run(0..<UInt32(world.phones), into: &laws)
            return SeedResult(
                seed: seed, client: client.name, broken: laws.broken(in: world),
                seen: worldCoverageGoals.map { goal in
                    laws.records.contains { $0.kind == goal.kind && (goal.tag == nil || goal.tag == $0.tag) }
                })
        }
    }

    /// - Parameter tag: `nil` matches any tag.
    private static let worldCoverageGoals: [(name: String, kind: RecordKind, tag: UInt16?)] = [
        ("messages lost", .lostDown, nil), ("zombies", .zombie, nil), ("zombies of a stopped app", .zombieFrozen, nil),
        ("calls failed", .callFailed, nil), ("resets", .closed, CloseCode.reset.rawValue),
        ("phones suspended", .suspended, nil), ("pushes", .pushed, nil), ("mappings expired", .mappingExpired, nil),
        ("UDP blocked", .protocolBlocked, nil), ("packets held by the network", .downlinkHeld, nil),
        ("names resolved", .resolved, nil), ("queues full", .queueDropped, nil), ("timers late", .timerLate, nil),
        ("push tokens void", .pushTokenVoid, nil),
    ]
}
