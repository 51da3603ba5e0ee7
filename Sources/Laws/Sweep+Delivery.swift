public import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTransport
public import DeadzoneWorld

extension Sweep {
    /// Delivery laws: a client that claims exactly-once, at-least-once or at-most-once, made of the settings that give it a right to,
    /// against a server that does its part, in a random world; what it claims is compared with what the journal says.
    ///
    /// - Parameter composed: The strategy that is made of facets.
    public static func delivery(_ radios: RandomWorld.Radios, composed: StrategyKind) -> Sweep {
        Sweep(of: "clients with claims", which: "did not keep them", sights: deliverySights.map(\.name)) { seed in
            var random = RandomWorld(seed: seed, radios: radios)
            var world = random.world()
            let (settings, server) = random.delivery()
            server(&world.server)
            let client = DrawnClient(composed, settings)
            let laws = Self.laws(of: client.strategy, in: world, seed)
            let broken = laws.broken(in: world) + Self.broken(client.strategy.claims, laws) + client.faults
            let shortest = broken.isEmpty ? nil : shortestBreach(client.strategy, in: world, seed: seed)
            return Finding(
                seed: seed, client: client.name, broken: broken,
                seen: deliverySights.map { sight in laws.records.contains { $0.kind == sight.kind } },
                shortest: shortest?.history.map { "at \($0.at.nanoseconds / 1_000_000) ms \($0.change)" })
        }
    }

    private static let deliverySights: [(name: String, kind: Kind)] = [
        ("messages lost down", .lostDown), ("messages lost up", .lostUp), ("duplicates down", .duplicatedDown),
        ("duplicates up", .duplicatedUp), ("recognised down", .suppressedDown), ("recognised up", .suppressedUp),
        ("full resyncs", .fullSync), ("kills", .killed), ("resumptions", .drift),
    ]

    /// The fewest changes of the world with which the client does not keep what it claims; nil: it keeps it.
    public static func shortestBreach(
        _ client: AnyStrategy, in world: World, seed: UInt64
    ) -> (history: [TimelineEntry], broken: [String])? {
        shrunk(world.timeline) { timeline in
            var other = world
            other.timeline = timeline
            let laws = Self.laws(of: client, in: other, seed)
            return laws.broken(in: other) + Self.broken(client.claims, laws)
        }
    }

    private static func laws(of client: AnyStrategy, in world: World, _ seed: UInt64) -> WorldLaws {
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: seed).run(0..<UInt32(world.phones), into: &laws)
        return laws
    }

    /// One sentence for each promise that was not kept.
    private static func broken(_ claims: Claims, _ laws: WorldLaws) -> [String] {
        var broken: [String] = []
        func check(_ promise: Claims.Promise, _ way: String, _ lost: Kind, _ duplicated: Kind, _ reordered: Kind) {
            let counts = [lost, duplicated, reordered].map { kind in
                laws.records.reduce(0) { $1.kind == kind ? $0 + $1.value : $0 }
            }
            if promise.isLossless, counts[0] > 0 { broken.append("\(promise) \(way), and \(counts[0]) were lost") }
            if promise.isWithoutDuplicates, counts[1] > 0 {
                broken.append("\(promise) \(way), and \(counts[1]) came twice")
            }
            if claims.isOrdered, counts[2] > 0 { broken.append("in order \(way), and \(counts[2]) were not") }
        }
        check(claims.up, "up", .lostUp, .duplicatedUp, .reorderedUp)
        check(claims.down, "down", .lostDown, .duplicatedDown, .reorderedDown)
        return broken
    }
}

extension RandomWorld {
    /// Settings that give a right to a claim, and what the server has to do for it.
    mutating func delivery() -> ([Node.Entry], @Sendable (inout ServerProfile) -> Void) {
        let (up, queue, serverUp) = upward()
        let (down, resume, serverDown) = downward(needsResume: up != "at-most-once")
        let carriers = ["websocket", "http2", "grpc", "quic", "polling", "long-polling", "sse", "mqtt"]
        let settings: [Node.Entry] = [
            .init(key: "transport", value: .text(pick(carriers))), .init(key: "queue", value: .entries(queue)),
            .init(key: "resume", value: .entries(resume)), .init(key: "keepalive", value: .text("20s")),
            .init(key: "on-path-change", value: .text("reconnect")),
            .init(
                key: "claims",
                value: .entries([
                    ("up", up), ("down", down),
                    // What comes once more comes after what was later.
                    ("ordered", up == "at-least-once" || down == "at-least-once" ? "false" : "true"),
                ])),
        ]
        return (
            settings,
            { server in
                serverUp(&server)
                serverDown(&server)
            }
        )
    }

    private mutating func upward() -> (String, [(String, String)], @Sendable (inout ServerProfile) -> Void) {
        let within = TimeSpan.milliseconds(Int64(below(3_000)))
        let every = UInt32(1 + below(5))
        let receipts: @Sendable (inout ServerProfile) -> Void = {
            $0.receipts = ReceiptRules(every: every, within: within)
        }
        switch below(5) {
        // The server's program confirms, and knows what it has had.
        case 0, 1:
            let dedup: Dedup = once(in: 2) ? .bitmap(window: 100_000) : .set(window: 2_000)
            return (
                "exactly-once", [("keeps", "stored")],
                {
                    receipts(&$0)
                    $0.dedup = dedup
                }
            )
        // It does not know.
        case 2: return ("at-least-once", [("keeps", "stored")], receipts)
        // What the process had is gone with it; what it handed over is known again.
        case 3:
            return (
                "at-most-once", [("keeps", "memory")],
                {
                    receipts(&$0)
                    $0.dedup = .bitmap(window: 100_000)
                }
            )
        default: return ("at-most-once", [("keeps", once(in: 2) ? "none" : "stored"), ("until", "sent")], { _ in })
        }
    }

    private mutating func downward(
        needsResume: Bool
    ) -> (String, [(String, String)], @Sendable (inout ServerProfile) -> Void) {
        let few = UInt32(1 + below(6))
        let forgets = once(in: 2)
        // A history that is too short is made good by a snapshot.
        let server: @Sendable (inout ServerProfile) -> Void = {
            guard forgets else { return }
            $0.history.messages = few
            $0.history.whenGone = .snapshot
        }
        switch below(needsResume ? 4 : 5) {
        case 0: return ("exactly-once", [("keeps", "persisted")], server)
        case 1: return ("exactly-once", [("keeps", "persisted"), ("shows-after", "700ms")], server)
        case 2: return ("at-least-once", [("keeps", "cursor")], server)
        case 3:
            return (
                "at-most-once", [("keeps", "persisted"), ("shows-after", "700ms"), ("stores", "before-showing")], server
            )
        default: return ("at-most-once", [("keeps", "nothing")], { _ in })
        }
    }
}
