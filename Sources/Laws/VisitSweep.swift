public import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSettings

/// What a client that closes in the background and comes when it is pushed does with its visits, over many seeds: the worlds of
/// `RandomWorld` with sound links, and after the trouble an hour in a pocket in which nothing is wrong but a history that may be too
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
public struct VisitSweep: Sendable {
    let radios: RandomWorld.Radios
    let composed: StrategyKind

    /// - Parameter composed: The strategy that is made of facets.
    public init(radios: RandomWorld.Radios, composed: StrategyKind) {
        self.radios = radios
        self.composed = composed
    }

    public struct Finding: Sendable {
        public let seed: UInt64
        public let client: String
        public let broken: [String]
        public let seen: [Bool]
    }

    /// What must have happened in many of the worlds.
    public static let sights = [
        "wake-ups", "full syncs", "visits that leave and had a full sync", "repeated messages that are confirmed",
    ]

    public func finding(_ seed: UInt64) -> Finding {
        var random = RandomWorld(seed: seed, radios: radios)
        var (world, calm) = random.pocket()
        let (settings, server) = random.visitor()
        server(&world.server)
        var reader = SettingsReader(.map(settings), of: composed.name)
        let client = composed.make(&reader)
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: seed).run(0..<1, into: &laws)
        var broken = Self.broken(laws, in: world, from: calm)
        if !reader.faults.isEmpty { broken.append("\(reader.faults)") }
        let leaves = settings.contains { $0.value.flow.contains("when-done: leave") }
        let hasAgain = laws.count(.suppressedUp) + laws.count(.duplicatedUp) > 0 && world.server.receipts != nil
        let kinds: [Kind] = [.pushed, .fullSync]
        return Finding(
            seed: seed, client: settings.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", "), broken: broken,
            seen: kinds.map { laws.count($0) > 0 } + [leaves && laws.count(.fullSync) > 0, hasAgain])
    }

    /// One sentence for each law that does not hold.
    static func broken(_ laws: WorldLaws, in world: World, from calm: Instant) -> [String] {
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
