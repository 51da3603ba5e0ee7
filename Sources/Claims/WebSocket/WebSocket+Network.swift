import DeadzoneMetrics

/// Claims of the WebSocket article on network changes.
extension ArticleClaim {
    static let webSocketNetwork: [ArticleClaim] = [
        ArticleClaim(
            "B15", "A handoff interrupts a connection for", value: "200 to 800 ms",
            by: .scenario(
                "handoff", [.metric("answer time at a handoff", "latency.call.p50", of: "follows the network")]),
            .holds(["answer time at a handoff": "200ms to 800ms"]),
            instead: """
                A cell change takes tens of milliseconds and keeps the connection. If Wi-Fi ends, expect a promotion, \
                a handshake, and the time that the system needs to connect cellular.
                """),
        ArticleClaim(
            "B16",
            "On a change from Wi-Fi to LTE, or from LTE to 5G, a client should drop its socket and connect immediately",
            value: "zero backoff",
            by: .scenario(
                "zero-backoff",
                [
                    .metric("working connections dropped", "connection.false_drops", of: "zero backoff"),
                    .metric("longest zombie time", "zombie.max", of: "zero backoff"),
                    .metric("otherwise", "zombie.max", of: "backoff"),
                ]),
            .holds(["working connections dropped": "0"]),
            instead:
                "Reconnect immediately if the address changed. Between LTE and 5G of one network, the address and the socket stay."
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
                "It saves the random wait: half of it with full jitter, and none if the system does not report the change."
        ),
        ArticleClaim(
            "B18", "Waiting until the network is stable for 300 ms ends reconnection loops", value: "300 ms",
            by: .scenario(
                "debounce",
                [
                    .metric("working connections dropped", "connection.false_drops", of: "after 300 ms"),
                    .metric("without a wait", "connection.false_drops", of: "at once"),
                    .metric("where handles are compared", "connection.false_drops", of: "only another network"),
                    .metric("attempts", "connection.attempts", of: "after 300 ms"),
                ]),
            .holds(["working connections dropped": "at most 10% of without a wait"]),
            instead: """
                It ends loops of events that are closer together, and delays each real change by the same time. \
                Compare network handles first: a client that detects the same network needs no wait.
                """),
        ArticleClaim(
            "B28", "Carriers drop connections that are idle for", value: "60 s",
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
                Of 73 measured carriers, four dropped a connection within five minutes. Send a heartbeat every four or \
                five minutes, or probe for the longest interval that a network allows. Use a push for users that must \
                be reachable.
                """),
        ArticleClaim(
            "B36", "Spurious network events are frequent enough to affect the battery", value: "common",
            by: .scenario(
                "spurious-events",
                [
                    .metric("reacts to each event", "battery.joules_per_hour", of: "believes"),
                    .metric("compares handles", "battery.joules_per_hour", of: "compares"),
                    .metric("connections left", "connection.false_drops", of: "believes"),
                ]),
            .holds(["reacts to each event": "at least 105% of compares handles"]),
            instead: "No source gives their frequency. Comparing the network handle costs nothing."),
    ]
}
