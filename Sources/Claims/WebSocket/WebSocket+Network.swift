import DeadzoneCompare

/// The WebSocket article on changes of network.
extension ArticleClaim {
    static let webSocketNetwork: [ArticleClaim] = [
        ArticleClaim(
            "B15", "A handoff takes a connection", value: "200 to 800 ms",
            by: .scenario(
                "handoff", [.metric("answer at a handoff", "latency.call.p50", of: "follows the network")]),
            .holds(["answer at a handoff": "200ms to 800ms"]),
            instead: """
                A change of cell takes tens of milliseconds and no connection. Where Wi-Fi ends, reckon with a promotion, a handshake and \
                however long the system needs to bring cellular up.
                """),
        ArticleClaim(
            "B16",
            "On a change from Wi-Fi to LTE, or from LTE to 5G, a client does well to leave its socket and connect at once",
            value: "zero backoff",
            by: .scenario(
                "zero-backoff",
                [
                    .metric("sound connections left", "connection.false_drops", of: "zero backoff"),
                    .metric("believed in a dead one", "zombie.max", of: "zero backoff"),
                    .metric("otherwise", "zombie.max", of: "backoff"),
                ]),
            .holds(["sound connections left": "0"]),
            instead:
                "Reconnect at once where the address has changed. Between LTE and 5G of one network it stays, and so does the socket."
        ),
        ArticleClaim(
            "B17", "Zero backoff saves a wait of", value: "2 s",
            by: .scenario(
                "two-seconds",
                [
                    .excess("saved", "recovery.p50", of: "waits", over: "zero backoff"),
                    .metric("served again after", "recovery.p50", of: "zero backoff"),
                ]),
            .holds(["saved": "1900ms to 2100ms"]),
            instead:
                "It saves the wait that is drawn: half of it with full jitter, and none where the system says nothing of the change."
        ),
        ArticleClaim(
            "B18", "Waiting until a network has been the same for 300 ms ends reconnection loops", value: "300 ms",
            by: .scenario(
                "debounce",
                [
                    .metric("sound connections left", "connection.false_drops", of: "after 300 ms"),
                    .metric("without patience", "connection.false_drops", of: "at once"),
                    .metric("where handles are compared", "connection.false_drops", of: "only another network"),
                    .metric("attempts", "connection.attempts", of: "after 300 ms"),
                ]),
            .holds(["sound connections left": "at most 10% of without patience"]),
            instead: """
                It ends loops of events closer together than that, and delays every true change by as much. Compare networks first: who \
                sees that it is the same one needs no patience.
                """),
        ArticleClaim(
            "B28", "Carriers close connections that are idle for", value: "60 s",
            by: .scenario(
                "idle-connections",
                [
                    .metric("dead after 65 s of silence", "zombie.max", of: "every 65 s"),
                    .metric("after 30 s", "zombie.max", of: "every 30 s"),
                    .metric("after 4 min", "zombie.max", of: "every 4 min"),
                    .metric("after 28 min", "zombie.max", of: "every 28 min"),
                ]),
            .holds(["dead after 65 s of silence": "over 0s"]),
            instead: """
                Of 73 carriers that were measured four forgot a connection within five minutes. Beat every four or five minutes, find \
                out by trying what a network bears, and let a push wake whoever must not be missed.
                """),
        ArticleClaim(
            "B36", "Spurious events of the network are common enough to matter to the battery", value: "common",
            by: .scenario(
                "spurious-events",
                [
                    .metric("who believes each", "battery.joules_per_hour", of: "believes"),
                    .metric("who compares", "battery.joules_per_hour", of: "compares"),
                    .metric("connections left", "connection.false_drops", of: "believes"),
                ]),
            .holds(["who believes each": "at least 105% of who compares"]),
            instead: "How common they are nobody says. Comparing the network's handle costs nothing at any rate."),
    ]
}
