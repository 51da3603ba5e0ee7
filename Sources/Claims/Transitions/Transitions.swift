import DeadzoneClient
import DeadzoneMetrics

/// Claims of the note on network transitions of gRPC on iOS.
extension ArticleClaim {
    static let transitions: [ArticleClaim] = channel + sockets

    private static let channel: [ArticleClaim] = [
        ArticleClaim(
            "C1", "A channel connects at its first call, and later calls use the same connection",
            value: "1 connection",
            by: .scenario(
                "first-call",
                [
                    .metric("connections", "connection.handshakes", of: "channel"),
                    .metric("connected", "availability.ratio", of: "channel"),
                    .metric("connected otherwise", "availability.ratio", of: "connected from the start"),
                ]),
            .holds(["connections": "1", "connected": "at most 50% of connected otherwise"]),
            instead: "If the first call matters, connect the channel when the app enters the foreground."),
        ArticleClaim(
            "C2", "After a failure, a channel retries only at the next call", value: "at the next call",
            by: .scenario(
                "after-a-failure", [.metric("attempts", "connection.attempts", of: "channel")]),
            .holds(["attempts": "at most 5"]),
            instead:
                "This was the rule until gRFC A62; check your version. Current versions keep retrying, which costs energy."
        ),
        ArticleClaim(
            "C3",
            "A call during the wait ends when the channel connects, the attempt fails, or its deadline passes",
            value: "3 outcomes",
            by: .scenario(
                "calls-that-wait",
                [
                    .metric("failed with the attempt", "calls.unavailable", of: "channel"),
                    .metric("deadline over", "calls.deadline_exceeded", of: "channel"),
                    .metric("answered", "calls.ok", of: "channel"),
                    .metric("answered without waiting", "calls.ok", of: "fails at once"),
                ]),
            .holds([
                "answered": "over 100% of answered without waiting", "failed with the attempt": "at least 1",
                "deadline over": "at least 1",
            ]),
            instead:
                "Choose for each call: wait-for-ready with a deadline if the user waits, otherwise the default."
        ),
        ArticleClaim(
            "C4", "The waits start again from the first value after each successful attempt", value: "reset on success",
            by: .scenario(
                "what-is-success", [.metric("failed attempts", "connection.attempts", of: "client")]),
            .holds(["failed attempts": "at least 50"]),
            instead:
                "Reset at the first response of the server. A proxy that accepts connections for a dead server makes each attempt succeed."
        ),
    ]

    private static let sockets: [ArticleClaim] = [
        ArticleClaim(
            "C5", "Three flags have eight combinations: six mean no network, one Wi-Fi and one cellular",
            value: "6, 1, 1",
            by: .computation(command: "deadzone claims C5", reachability),
            .holds(["none": "6", "Wi-Fi": "1", "cellular": "1"]),
            instead: "Use the table, but note that a VPN on demand counts as no network."),
        ArticleClaim(
            "C6", "A change of network category destroys the channels, and unfinished calls fail with UNAVAILABLE",
            value: "all channels",
            by: .scenario(
                "categories",
                [
                    .metric("calls unavailable", "calls.unavailable", of: "ConnectivityMonitor"),
                    .metric("connections", "connection.handshakes", of: "ConnectivityMonitor"),
                    .metric("longest zombie time", "zombie.max", of: "ConnectivityMonitor"),
                ]),
            .holds(["calls unavailable": "at least 1", "connections": "2", "longest zombie time": "0s"]),
            instead: "Retry these calls with an idempotency key, because the server may already have executed them."),
        ArticleClaim(
            "C7", "A TCP socket without its network accepts writes and freezes for an extended period",
            value: "extended",
            by: .scenario(
                "frozen-socket",
                [
                    .metric("frozen", "zombie.max", of: "plain"),
                    .metric("with the kernel's keepalive", "zombie.max", of: "kernel's keepalive"),
                    .metric("with pings every 5 min", "zombie.max", of: "pings every 5 min"),
                ]),
            .holds(["frozen": "at least 1m"]),
            instead:
                "It freezes for minutes with data to send, and forever without. Limit it with a ping, or listen to network events."
        ),
        ArticleClaim(
            "C8", "A reachability monitor fixes the first of two flaws, but not the second", value: "1 of 2",
            by: .scenario(
                "two-flaws",
                [
                    .metric("frozen, plain socket", "zombie.total", of: "TCP socket"),
                    .metric("frozen under the monitor", "zombie.total", of: "ConnectivityMonitor"),
                    .metric("longest under the monitor", "zombie.max", of: "ConnectivityMonitor"),
                    .metric("frozen with CFStream", "zombie.total", of: "CFStream"),
                ]),
            .holds([
                "frozen under the monitor": "at most 50% of frozen, plain socket",
                "longest under the monitor": "over 1s",
            ]),
            instead:
                "Use a transport of the system framework. If this is impossible, probe the connection when the app returns to the foreground."
        ),
        ArticleClaim(
            "C9", "With CFStream, an event always reports that a connection is no longer viable", value: "always",
            by: .scenario(
                "two-flaws",
                [
                    .metric("zombie time", "zombie.total", of: "CFStream"),
                    .metric("with a plain socket", "zombie.total", of: "TCP socket"),
                ]),
            .holds(["zombie time": "0s"]),
            instead: """
                This relies on the article's own experiments, which the model uses. Test it on the systems that you \
                support.
                """),
        ArticleClaim(
            "C10", "A preferred network ends a channel on the other network", value: "broken",
            by: .scenario(
                "categories",
                [
                    .metric("connections, CFStream", "connection.handshakes", of: "CFStream").in("cellular to Wi-Fi"),
                    .metric("connections, monitor", "connection.handshakes", of: "ConnectivityMonitor").in(
                        "cellular to Wi-Fi"),
                    .metric("calls that failed", "calls.unavailable", of: "CFStream").in("cellular to Wi-Fi"),
                ]),
            .holds(["connections, CFStream": "2", "connections, monitor": "2"]),
            instead: """
                Let requests finish on the old network. Android keeps it for half a minute, and a QUIC connection can \
                migrate.
                """),
    ]

    private static let reachability: @Sendable () -> [ClaimReport.ClaimCell] = {
        var counts: [Reachability.Category: Int] = [:]
        for flags in 0..<8 {
            let row = Reachability(
                isReachable: flags & 1 != 0, needsConnection: flags & 2 != 0, isWWAN: flags & 4 != 0)
            counts[row.category, default: 0] += 1
        }
        let names: [(String, Reachability.Category)] = [("none", .none), ("Wi-Fi", .wifi), ("cellular", .cellular)]
        return [
            ClaimReport.ClaimCell(
                "", names.map { ClaimReport.ClaimFinding($0, .count, Figure(Double(counts[$1] ?? 0))) })
        ]
    }
}
