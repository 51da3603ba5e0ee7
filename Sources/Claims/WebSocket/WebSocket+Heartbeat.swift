import DeadzoneMetrics

/// Claims of the WebSocket article on heartbeats and on testing.
extension ArticleClaim {
    static let webSocketHeartbeat: [ArticleClaim] = [
        ArticleClaim(
            "B29", "A heartbeat of 30 s with a timeout of 10 s detects a dead connection within", value: "10 to 40 s",
            by: .scenario(
                "heartbeat",
                [
                    .metric("latest", "detection.max", of: "30 s and 10 s"),
                    .metric("median", "detection.p50", of: "30 s and 10 s"),
                    .metric("95th percentile", "detection.p95", of: "30 s and 10 s"),
                ]),
            .holds(["latest": "30s to 40s", "median": "20s to 30s"]),
            instead: "Use it while a user waits for an answer. Otherwise use a longer heartbeat or none."),
        ArticleClaim(
            "B30", "The printed heartbeat code does not close a working connection", value: "30,000 and 10,000 ms",
            by: .scenario(
                "printed-heartbeat",
                [
                    .metric("closed in an hour", "connection.false_drops", of: "client").in("no spikes, as printed"),
                    .metric("closed by the policy", "connection.false_drops", of: "client").in(
                        "no spikes, as described"),
                ]),
            .holds(["closed in an hour": "0"]),
            instead: """
                The code checks for a pong one tick after it came, so the pong is already one tick old. Start a \
                separate timer when the ping is sent, and clear it when the pong arrives.
                """,
            picture: .bars(
                "A heartbeat that contradicts its own policy",
                "Working connections that it closed in an hour without any event.",
                of: "closed in an hour", "closed by the policy")),
        ArticleClaim(
            "B31", "A good client passes a test with disconnections every 5 to 30 s for ten minutes",
            value: "0 lost",
            by: .scenario(
                "days-of-chaos",
                [
                    .metric("lost upwards", "delivery.up.lost", of: "article-websocket"),
                    .metric("lost downwards", "delivery.down.lost", of: "article-websocket"),
                    .metric("connections", "connection.handshakes", of: "article-websocket"),
                    .metric("lost by a client without a queue", "delivery.up.lost", of: "forgetful"),
                ]),
            .holds(["lost upwards": "0", "lost downwards": "0", "connections": "21 to 121"]),
            instead: "Run it with a fixed seed in every build: `deadzone run` and a timeline with `chaos`."),
        ArticleClaim(
            "B32", "Latency spikes of 0.5 to 2 s cause no false alarm", value: "0 closed",
            by: .scenario(
                "printed-heartbeat", [.metric("working connections closed", "connection.false_drops", of: "client")]),
            .holds(["working connections closed": "0"]),
            instead:
                "This is true for a timer of 10 s that starts with the ping. It is false for the printed code, with or without spikes."
        ),
        ArticleClaim(
            "B33", "In 72 hours, a client that is disconnected every 5 to 30 s opens", value: "50,000 cycles",
            by: .scenario(
                "seventy-two-hours",
                [.metric("connections by the hour", "connection.handshakes_per_hour", of: "compares numbers")]),
            .holds(["connections by the hour": "at least 694/h"]),
            instead:
                "State the number of clients: by this schedule, one client opens about 200 connections an hour, so four clients made the 50,000."
        ),
        ArticleClaim(
            "B34", "15 duplicates in 50,000 messages without a loss are a delivery rate of", value: "99.97%",
            by: .scenario(
                "seventy-two-hours",
                [
                    .share("delivered", ["delivery.up.delivered"], of: ["delivery.up.sent"], "resends everything"),
                    .metric("duplicates", "delivery.up.duplicated", of: "resends everything"),
                    .metric("lost", "delivery.up.lost", of: "resends everything"),
                ]),
            .holds(["delivered": "99.96% to 99.98%"]),
            instead:
                "Count losses and duplicates separately: a duplicate was delivered. No loss in 50,000 only gives an upper limit of the loss rate."
        ),
        ArticleClaim(
            "B35", "Zero backoff and a heartbeat of 10 s keep the radio always awake, for a faster recovery",
            value: "(the text breaks off)",
            by: .scenario(
                "aggressive",
                [
                    .metric("radio awake", "battery.radio_active_ratio", of: "aggressive"),
                    .metric("radio awake otherwise", "battery.radio_active_ratio", of: "policy"),
                    .metric("drain", "battery.percent_per_hour", of: "aggressive"),
                    .metric("drain otherwise", "battery.percent_per_hour", of: "policy"),
                    .metric("served again", "recovery.p95", of: "aggressive"),
                    .metric("served again otherwise", "recovery.p95", of: "policy"),
                ]),
            .holds(["radio awake": "at least 95%", "served again": "under 100% of served again otherwise"]),
            instead: """
                If ten seconds are less than the tail, a ping every ten seconds costs as much radio energy as an \
                endless download. Listen to network events of the system instead: they come immediately and cost \
                nothing.
                """),
    ]
}
