import DeadzoneCompare

/// The WebSocket article on heartbeats, and on tests of all this.
extension ArticleClaim {
    static let webSocketHeartbeat: [ArticleClaim] = [
        ArticleClaim(
            "B29", "A heartbeat of 30 s with 10 s of patience finds a death within", value: "10 to 40 s",
            by: .scenario(
                "heartbeat",
                [
                    .metric("latest", "detection.max", of: "30 s and 10 s"),
                    .metric("median", "detection.p50", of: "30 s and 10 s"),
                    .metric("95th percentile", "detection.p95", of: "30 s and 10 s"),
                ]),
            .holds(["latest": "30s to 40s", "median": "20s to 30s"]),
            instead: "Take it where somebody waits for an answer, and a longer one, or none, where nobody does."),
        ArticleClaim(
            "B30", "The printed heartbeat leaves a sound connection alone", value: "30,000 and 10,000 ms",
            by: .scenario(
                "printed-heartbeat",
                [
                    .metric("closed in an hour", "connection.false_drops", of: "client").in("no spikes, as printed"),
                    .metric("closed by the policy", "connection.false_drops", of: "client").in(
                        "no spikes, as described"),
                ]),
            .holds(["closed in an hour": "0"]),
            instead: """
                A pong is looked at one tick after it came, so it is a tick old. Set a timer of its own when the ping leaves, and clear it \
                with the pong.
                """,
            picture: .bars(
                "A heartbeat that contradicts its own policy",
                "Sound connections that it closed in an hour in which nothing happened.",
                of: "closed in an hour", "closed by the policy")),
        ArticleClaim(
            "B31", "Ten minutes of disconnections every 5 to 30 s are a test that a good client passes",
            value: "0 lost",
            by: .scenario(
                "days-of-chaos",
                [
                    .metric("lost upwards", "delivery.up.lost", of: "article-websocket"),
                    .metric("lost downwards", "delivery.down.lost", of: "article-websocket"),
                    .metric("connections", "connection.handshakes", of: "article-websocket"),
                    .metric("lost by a forgetful one", "delivery.up.lost", of: "forgetful"),
                ]),
            .holds(["lost upwards": "0", "lost downwards": "0", "connections": "21 to 121"]),
            instead: "Run it, with a seed, in every build: `deadzone run` and a timeline with `chaos`."),
        ArticleClaim(
            "B32", "Latency spikes of half a second to two seconds raise no false alarm", value: "0 closed",
            by: .scenario(
                "printed-heartbeat", [.metric("sound connections closed", "connection.false_drops", of: "client")]),
            .holds(["sound connections closed": "0"]),
            instead:
                "It holds for a timer of 10 s that starts with the ping, and not for the printed code, with spikes or without."
        ),
        ArticleClaim(
            "B33", "In 72 hours a client that is disconnected every 5 to 30 s goes through", value: "50,000 cycles",
            by: .scenario(
                "seventy-two-hours",
                [.metric("connections by the hour", "connection.handshakes_per_hour", of: "compares numbers")]),
            .holds(["connections by the hour": "at least 694/h"]),
            instead:
                "Say how many clients ran: by its own schedule one of them makes a good 200 in an hour, and four made the 50,000."
        ),
        ArticleClaim(
            "B34", "Fifteen duplicates in fifty thousand and nothing lost are a delivery of", value: "99.97%",
            by: .scenario(
                "seventy-two-hours",
                [
                    .share("delivered", ["delivery.up.delivered"], of: ["delivery.up.sent"], "resends everything"),
                    .metric("duplicates", "delivery.up.duplicated", of: "resends everything"),
                    .metric("lost", "delivery.up.lost", of: "resends everything"),
                ]),
            .holds(["delivered": "99.96% to 99.98%"]),
            instead:
                "Count losses and duplicates apart: what came twice was delivered, and no loss in 50,000 bounds the rate, not more."
        ),
        ArticleClaim(
            "B35", "Zero backoff and a heartbeat of 10 s keep the radio awake all the time, for a quicker return",
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
                Where ten seconds are less than the tail, one ping every ten seconds costs as much as an endless download's radio. Listen \
                to the system's word on networks instead: it comes at once and costs nothing.
                """),
    ]
}
