import DeadzoneClient
import DeadzoneCompare
import DeadzoneMetrics

/// The note on network transitions of gRPC on iOS.
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
            instead: "If the first call matters, let the channel connect when the app comes to the front."),
        ArticleClaim(
            "C2", "After a failure a channel tries again at the next call, and not before", value: "at the next call",
            by: .scenario(
                "after-a-failure", [.metric("attempts", "connection.attempts", of: "channel")]),
            .holds(["attempts": "at most 5"]),
            instead:
                "That was the rule until gRFC A62: look which one your version follows. Today's goes on trying, and pays for it."
        ),
        ArticleClaim(
            "C3",
            "A call during the wait lasts until there is a connection, the attempt has failed, or its deadline is over",
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
                "Say which of the three a call wants: wait-for-ready with a deadline where the user waits, and the default where not."
        ),
        ArticleClaim(
            "C4", "The waits begin anew whenever an attempt is successful", value: "reset on success",
            by: .scenario(
                "what-is-success", [.metric("attempts in vain", "connection.attempts", of: "client")]),
            .holds(["attempts in vain": "at least 50"]),
            instead:
                "Reset at the server's first word. A proxy that takes connections for a dead server makes a success of each attempt."
        ),
    ]

    private static let sockets: [ArticleClaim] = [
        ArticleClaim(
            "C5", "Of eight combinations of three flags six mean no network, one Wi-Fi and one cellular",
            value: "6, 1, 1",
            by: .computation(command: "deadzone claims C5", reachability),
            .holds(["none": "6", "Wi-Fi": "1", "cellular": "1"]),
            instead: "Take the table, and mind that a tunnel on demand counts as no network."),
        ArticleClaim(
            "C6", "A change of category destroys the channels, and unfinished calls fail as unavailable",
            value: "all channels",
            by: .scenario(
                "categories",
                [
                    .metric("calls unavailable", "calls.unavailable", of: "ConnectivityMonitor"),
                    .metric("connections", "connection.handshakes", of: "ConnectivityMonitor"),
                    .metric("believed in a dead one", "zombie.max", of: "ConnectivityMonitor"),
                ]),
            .holds(["calls unavailable": "at least 1", "connections": "2", "believed in a dead one": "0s"]),
            instead: "Retry what fails so: the server may or may not have seen it, so give such calls a key."),
        ArticleClaim(
            "C7", "A TCP socket that lost its network takes writes and freezes for an extended period",
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
                "Minutes with something to say, and for ever without: bound it with a ping, or listen to the system."),
        ArticleClaim(
            "C8", "A reachability monitor cures the first of two flaws and not the second", value: "1 of 2",
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
                "Use a transport of the system's framework. Where that cannot be, probe when the app comes back to the front."
        ),
        ArticleClaim(
            "C9", "With CFStream an event always comes when a connection is no longer viable", value: "always",
            by: .scenario(
                "two-flaws",
                [
                    .metric("believed in a dead one", "zombie.total", of: "CFStream"),
                    .metric("with a plain socket", "zombie.total", of: "TCP socket"),
                ]),
            .holds(["believed in a dead one": "0s"]),
            instead: """
                It rests on the article's own experiments, which this model takes over: test it on the systems that you ship to.
                """),
        ArticleClaim(
            "C10", "A network that the system prefers ends a channel on the other one", value: "broken",
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
                Let what was asked finish on the old network: Android keeps it for half a minute, and a connection over QUIC can move.
                """),
    ]

    private static let reachability: @Sendable () -> [ClaimReport.Cell] = {
        var counts: [Reachability.Category: Int] = [:]
        for flags in 0..<8 {
            let row = Reachability(
                isReachable: flags & 1 != 0, needsConnection: flags & 2 != 0, isWWAN: flags & 4 != 0)
            counts[row.category, default: 0] += 1
        }
        let names: [(String, Reachability.Category)] = [("none", .none), ("Wi-Fi", .wifi), ("cellular", .cellular)]
        return [
            ClaimReport.Cell(
                "", names.map { ClaimReport.Finding($0, .count, Figure(Double(counts[$1] ?? 0))) })
        ]
    }
}
