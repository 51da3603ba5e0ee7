import DeadzoneBase
package import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport

extension Sweep {
    /// Searches for broken laws of visits. The client closes its connection in the background and connects for a visit
    /// when a push arrives. The worlds are those of `RandomWorld` with lossless links. After the troubled phase comes
    /// an hour in a pocket, in which the only possible problem is a history that is too short.
    ///
    /// **Wake-ups, full syncs and connections are bounded.** A server requests a wake-up for a message, or because it
    /// lost a connection with messages left to send. On lossless links only a timeline change ends a connection. Each
    /// wake-up and each timeline change causes at most one visit and one snapshot. Each message of the app also causes
    /// a visit. For a timeline change that moves the phone, the system reports more than one network change, and each
    /// of them may replace the connection. Therefore timeline changes count twice in the bound for connections.
    ///
    /// **A visit delivers everything.** A push of high priority wakes the phone in its pocket. All messages that the
    /// server had at that time are delivered within a minute. The law does not cover pushes of normal priority: they
    /// may arrive at the end of a maintenance window, shortly before the network is gone. It does not cover visits
    /// during which the system kills the process.
    ///
    /// - Parameter composed: The strategy that is composed of facets.
    package static func visits(_ radios: RandomWorld.RadioChoices, composed: StrategyKind) -> Sweep {
        Sweep(of: "clients that visit", one: "client that visits", coverageGoals: visitCoverageGoals) { seed in
            var random = RandomWorld(seed: seed, radios: radios)
            var (world, calm) = random.pocketWorld()
            let (settings, server) = random.visitingClient()
            server(&world.server)
            let client = RandomClient(composed, settings)
            var laws = WorldLaws()
            Simulation(world: world, strategy: client.strategy, seed: seed).run(0..<1, into: &laws)
            let leaves = settings.contains { $0.value.flow.contains("when-done: leave") }
            let hasAgain = laws.count(.suppressedUp) + laws.count(.duplicatedUp) > 0 && world.server.receipts != nil
            let kinds: [RecordKind] = [.pushed, .fullSync]
            return SeedResult(
                seed: seed, client: client.name, broken: Self.broken(laws, in: world, from: calm) + client.faults,
                seen: kinds.map { laws.count($0) > 0 } + [leaves && laws.count(.fullSync) > 0, hasAgain])
        }
    }

    private static let visitCoverageGoals = [
        "wake-ups", "full syncs", "visits that leave and had a full sync", "repeated messages that are confirmed",
    ]

    /// The broken invariants, one sentence each.
    private static func broken(_ laws: WorldLaws, in world: World, from calm: Instant) -> [String] {
        var broken: [String] = []
        if laws.count(.stopped) > 0 { broken.append("the client was stopped") }
        func bound(_ kind: RecordKind, _ name: String, by limit: Int) {
            let count = laws.count(kind)
            if limit < count { broken.append("\(count) \(name), but only \(limit) have a reason") }
        }
        let timelineChanges = world.timeline.count
        let reasons = laws.count(.sentDown) + timelineChanges
        bound(.pushed, "wake-ups", by: reasons)
        bound(.fullSync, "full syncs", by: reasons)
        bound(.opened, "connections", by: reasons + laws.count(.sentUp) + timelineChanges)
        let late = world.server.push == .high ? late(laws.records, from: calm) : 0
        if late > 0 {
            broken.append("\(late) messages were at the server when it woke the phone, and were not delivered")
        }
        for record in laws.records where record.kind == .pendingDown && record.value > 0 {
            broken.append("\(record.value) messages are still at the server")
        }
        let known = laws.count(.acknowledgedUp)
        let arrived = laws.count(.deliveredUp)
        if known < arrived {
            broken.append("\(arrived - known) messages are at the server, but the app has no confirmation")
        }
        return broken
    }

    /// Number of messages that were not delivered within a minute of a wake-up in the pocket.
    private static func late(_ records: [Record], from calm: Instant) -> Int {
        let ends = records.filter { $0.kind == .killed }.map(\.at)
        let wakes = records.filter { $0.kind == .pushed && calm <= $0.at }.map(\.at).filter { wake in
            !ends.contains { wake <= $0 && $0 <= wake + .minutes(1) }
        }
        return records.count { record in
            guard record.kind == .deliveredDown else { return false }
            let sent = record.at - .nanoseconds(record.value)
            return wakes.contains { sent < $0 && $0 + .minutes(1) < record.at }
        }
    }
}
