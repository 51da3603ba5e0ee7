import DeadzoneBase
package import DeadzoneClient
package import DeadzoneSimulator
import DeadzoneTransport

extension Sweep {
    /// Searches for broken delivery guarantees. A client that claims exactly-once, at-least-once or at-most-once
    /// delivery runs in a random world. Client and server have the settings that the guarantee needs. The guarantee is
    /// compared with the journal.
    ///
    /// - Parameter composed: The strategy that is composed of facets.
    package static func delivery(_ radios: RandomWorld.RadioChoices, composed: StrategyKind) -> Sweep {
        Sweep(
            of: "clients with delivery guarantees", one: "client with delivery guarantees", which: "broke them",
            coverageGoals: deliveryCoverageGoals.map(\.name)
        ) {
            seed in
            var random = RandomWorld(seed: seed, radios: radios)
            var world = random.world()
            let (settings, server) = random.delivery()
            server(&world.server)
            let client = RandomClient(composed, settings)
            let laws = Self.laws(of: client.strategy, in: world, seed)
            let broken = laws.broken(in: world) + Self.broken(client.strategy.guarantees, laws) + client.faults
            let shortest = broken.isEmpty ? nil : shortestBreach(client.strategy, in: world, seed: seed)
            return SeedResult(
                seed: seed, client: client.name, broken: broken,
                seen: deliveryCoverageGoals.map { goal in laws.records.contains { $0.kind == goal.kind } },
                shortest: shortest?.history.map { "at \($0.at.secondsText) \($0.change.labels.text)" })
        }
    }

    private static let deliveryCoverageGoals: [(name: String, kind: RecordKind)] = [
        ("messages lost down", .lostDown), ("messages lost up", .lostUp), ("duplicates down", .duplicatedDown),
        ("duplicates up", .duplicatedUp), ("recognised down", .suppressedDown), ("recognised up", .suppressedUp),
        ("full resyncs", .fullSync), ("kills", .killed), ("resumptions", .drift),
    ]

    /// The fewest timeline changes with which the client breaks a law or a delivery guarantee; `nil` if nothing is
    /// broken.
    package static func shortestBreach(
        _ client: AnyStrategy, in world: World, seed: UInt64
    ) -> (history: [TimelineEntry], broken: [String])? {
        shrunk(world.timeline) { timeline in
            var other = world
            other.timeline = timeline
            let laws = Self.laws(of: client, in: other, seed)
            return laws.broken(in: other) + Self.broken(client.guarantees, laws)
        }
    }

    private static func laws(of client: AnyStrategy, in world: World, _ seed: UInt64) -> WorldLaws {
        var laws = WorldLaws()
        Simulation(world: world, strategy: client, seed: seed).run(0..<UInt32(world.phones), into: &laws)
        return laws
    }

    /// The broken delivery guarantees, one sentence each.
    private static func broken(_ claims: DeliveryGuarantees, _ laws: WorldLaws) -> [String] {
        var broken: [String] = []
        func check(
            _ promise: DeliveryGuarantees.DeliveryGuarantee, _ way: String, _ lost: RecordKind,
            _ duplicated: RecordKind, _ reordered: RecordKind
        ) {
            let counts = [lost, duplicated, reordered].map(laws.sum)
            if promise.isLossless, counts[0] > 0 {
                broken.append("\(promise.words) \(way), but \(counts[0]) were lost")
            }
            if promise.isWithoutDuplicates, counts[1] > 0 {
                broken.append("\(promise.words) \(way), but \(counts[1]) arrived twice")
            }
            if claims.isOrdered, counts[2] > 0 { broken.append("in order \(way), but \(counts[2]) were out of order") }
        }
        check(claims.up, "up", .lostUp, .duplicatedUp, .reorderedUp)
        check(claims.down, "down", .lostDown, .duplicatedDown, .reorderedDown)
        return broken
    }
}

extension RandomWorld {
    /// Client settings that justify a guarantee, and the server settings that it needs.
    mutating func delivery() -> ([Node.MapEntry], @Sendable (inout ServerProfile) -> Void) {
        let (up, queue, serverUp) = upward()
        let (down, resume, serverDown) = downward(needsResume: up != "at-most-once")
        let carriers = ["websocket", "http2", "grpc", "quic", "polling", "long-polling", "sse", "mqtt"]
        let carrier = pick(carriers)
        let backoff = self.backoff()
        // Retries of messages and credentials use one timer. A queue that keeps nothing retries nothing.
        let mayRefuse = !backoff.flow.contains("refresh") && !queue.contains { ["none", "sent"].contains($0.1) }
        let refusals = mayRefuse ? self.refusals(isLossless: up != "at-most-once") : nil
        let settings: [Node.MapEntry] = [
            .init(
                key: "queue",
                value: .map(queue.map { .init(key: $0.0, value: .text($0.1)) } + (refusals?.queue ?? []))),
            .init(key: "resume", value: .entries(resume)), .init(key: "keepalive", value: .text("20s")),
            .init(key: "on-path-change", value: .text("reconnect")),
            .init(
                key: "claims",
                value: .entries([
                    ("up", up), ("down", down),
                    // A repeated message arrives after messages that were sent later.
                    ("ordered", up == "at-least-once" || down == "at-least-once" ? "false" : "true"),
                ])),
        ]
        let credentials: [(String, String)] = [
            ("flights", pick(["one", "many"])), ("before-connect", pick(["true", "false"])),
            ("clock", pick(["wall", "uptime", "elapsed"])), ("refresh-at", "\(50 + below(50))%"),
            // A reaction of its own to a refusal does not get another token.
            (
                "on-refusal",
                ["usual", "refresh", nil].contains(backoff["on-end"]?["denied"]?.scalar) ? "true" : "false"
            ),
        ]
        var more = [Node.MapEntry(key: "backoff", value: backoff)]
        if refusals == nil { more.append(.init(key: "credentials", value: .entries(credentials))) }
        if once(in: 2) { more.append(.init(key: "names", value: .entries(names()))) }
        let (transport, connect) = limits(of: once(in: 3) ? ladder(of: carriers) : .text(carrier))
        return (
            [.init(key: "transport", value: transport)] + settings + more + connect,
            { server in
                serverUp(&server)
                serverDown(&server)
                server.faults.messages = refusals?.1
            }
        )
    }

    /// A backoff with reactions to some kinds of end. None of them stops the client for good.
    private mutating func backoff() -> Node {
        let words = ["usual", "uncounted", "longest-wait", "500ms", "refresh", "until-path", "stop"]
        let kinds = EndKind.allCases.filter { $0 != .noPath && $0 != .goAway }
        let table = (0..<below(4)).map { (kinds[(below(4) + $0 * 4) % kinds.count].word, pick(words)) }
        return .map([.init(key: "on-end", value: .entries(table))])
    }

    /// Two or three transports, with limits that are short enough for a random world.
    private mutating func ladder(of carriers: [String]) -> Node {
        let start = below(carriers.count)
        let kinds = (0...(1 + below(2))).map { carriers[(start + $0 * 3) % carriers.count] }
        var entries: [Node.MapEntry] = [
            .init(key: "ladder", value: .list(kinds.map { .text($0) })),
            .init(
                key: "falls-after",
                value: .entries([("limit", "\(1 + below(5))s"), ("failures", "\(1 + below(3))")])),
        ]
        let memory = pick(["nothing", "network", "process"])
        entries.append(.init(key: "remembers", value: .text(memory)))
        if memory != "nothing" { entries.append(.init(key: "climbs", value: .text("\(5 + below(90))s"))) }
        return .map(entries)
    }

    /// A memory of the server's name. A client that keeps its first address for good may never find a server that
    /// moves; its messages stay pending.
    private mutating func names() -> [(String, String)] {
        var names = [("negative", "\(below(40))s"), ("stale", pick(["never", "when-failing"]))]
        names.append(once(in: 3) ? ("resolves", "at-start") : ("cache", "\(below(200))s"))
        if once(in: 2) { names.append(("after", "\(1 + below(5))")) }
        if pinsFamily() { names.append(("family", "ipv4")) }
        return names
    }

    private mutating func upward() -> (String, [(String, String)], @Sendable (inout ServerProfile) -> Void) {
        let within = TimeSpan.milliseconds(Int64(below(3_000)))
        let every = UInt32(1 + below(5))
        let receipts: @Sendable (inout ServerProfile) -> Void = {
            $0.receipts = ReceiptRules(every: every, within: within)
        }
        switch below(5) {
        // The server's program confirms messages and deduplicates them.
        case 0, 1:
            let dedup: Dedup = once(in: 2) ? .bitmap(window: 100_000) : .set(window: 2_000)
            return (
                "exactly-once", [("keeps", "stored")],
                {
                    receipts(&$0)
                    $0.dedup = dedup
                }
            )
        // The server does not deduplicate.
        case 2: return ("at-least-once", [("keeps", "stored")], receipts)
        // Messages in memory are lost with the process. Messages that were already sent are deduplicated by the server.
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
        // If the history is too short, the server sends a snapshot.
        let server: @Sendable (inout ServerProfile) -> Void = {
            guard forgets else { return }
            $0.history.messages = few
            $0.history.expiredCursorAction = .snapshot
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

extension DeliveryGuarantees.DeliveryGuarantee {
    fileprivate var words: String {
        switch self {
        case .nothing: "no guarantee"
        case .atMostOnce: "at most once"
        case .atLeastOnce: "at least once"
        case .exactlyOnce: "exactly once"
        }
    }
}
