public import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneWorld

extension Sweep {
    /// What a client that closes in the background and comes when it is pushed does with its visits: the worlds of `RandomWorld`
    /// with sound links, and after the trouble an hour in a pocket in which nothing is wrong but a history that may be too
    /// short.
    ///
    /// **Wake-ups, full syncs and connections are bounded.** A server has the phone woken for a message, or because it has lost a connection
    /// with something left to say; and on sound links a connection is lost to an upheaval alone. A wake-up or an upheaval brings one visit,
    /// and one snapshot at most. Something to say brings a visit, too. An upheaval that moves the phone is told by the system more than
    /// once, and each time a connection may be taken for another: twice.
    ///
    /// **A visit brings what there is.** Whatever the server had when a push of high priority woke the phone in its pocket is there a
    /// minute later. One of normal priority may come in the last moment of a maintenance window, and the network is gone again; and a
    /// system that ends processes by itself may end this one in the midst of its visit.
    ///
    /// - Parameter composed: The strategy that is made of facets.
    public static func visits(_ radios: RandomWorld.Radios, composed: StrategyKind) -> Sweep {
        Sweep(of: "clients that visit", sights: visitSights) { seed in
            var random = RandomWorld(seed: seed, radios: radios)
            var (world, calm) = random.pocket()
            let (settings, server) = random.visitor()
            server(&world.server)
            let client = DrawnClient(composed, settings)
            var laws = WorldLaws()
            Simulation(world: world, strategy: client.strategy, seed: seed).run(0..<1, into: &laws)
            let leaves = settings.contains { $0.value.flow.contains("when-done: leave") }
            let hasAgain = laws.count(.suppressedUp) + laws.count(.duplicatedUp) > 0 && world.server.receipts != nil
            let kinds: [Kind] = [.pushed, .fullSync]
            return Finding(
                seed: seed, client: client.name, broken: Self.broken(laws, in: world, from: calm) + client.faults,
                seen: kinds.map { laws.count($0) > 0 } + [leaves && laws.count(.fullSync) > 0, hasAgain])
        }
    }

    private static let visitSights = [
        "wake-ups", "full syncs", "visits that leave and had a full sync", "repeated messages that are confirmed",
    ]

    /// One sentence for each law that does not hold.
    private static func broken(_ laws: WorldLaws, in world: World, from calm: Instant) -> [String] {
        var broken: [String] = []
        if laws.count(.stopped) > 0 { broken.append("the client was stopped") }
        func bound(_ kind: Kind, _ name: String, by limit: Int) {
            let count = laws.count(kind)
            if limit < count { broken.append("\(count) \(name), and no more than \(limit) have a reason") }
        }
        let upheavals = world.timeline.count
        let reasons = laws.count(.sentDown) + upheavals
        bound(.pushed, "wake-ups", by: reasons)
        bound(.fullSync, "full syncs", by: reasons)
        bound(.opened, "connections", by: reasons + laws.count(.sentUp) + upheavals)
        let late = world.server.push == .high ? late(laws.records, from: calm) : 0
        if late > 0 {
            broken.append("\(late) messages were at the server when it had the phone woken, and stayed there")
        }
        for record in laws.records where record.kind == .pendingDown && record.value > 0 {
            broken.append("\(record.value) messages wait at the server")
        }
        let known = laws.count(.acknowledgedUp)
        let arrived = laws.count(.deliveredUp)
        if known < arrived { broken.append("\(arrived - known) messages are at the server, and the app does not know") }
        return broken
    }

    /// Messages that a wake-up in the pocket did not bring within a minute.
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
