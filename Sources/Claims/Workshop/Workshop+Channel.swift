import DeadzoneBase
import DeadzoneMetrics

/// Claims of the gRPC workshop on the five settings of its channel.
extension ArticleClaim {
    static let workshopChannel: [ArticleClaim] = [
        ArticleClaim(
            "A11", "A ping every 60 s keeps a stream healthy", value: "keepAliveTime(60 s)",
            by: .scenario(
                "keepalive-60s",
                [
                    .metric("killed for too many pings", "keepalive.rejected", of: "60 s"),
                    .first("first killed at", .goAway, of: "60 s"),
                    .metric("killed if it never learns", "keepalive.rejected", of: "60 s, never learning"),
                    .metric("killed at 5 min", "keepalive.rejected", of: "5 min"),
                ]),
            .holds(["killed for too many pings": "0"]),
            instead: """
                Check your server first: by default it permits one ping in five minutes, and closes a silent \
                connection at the third earlier ping. Set 5 minutes, or set permitKeepAliveTime on the server to the \
                interval of your clients. A stream with a message every minute is never pinged.
                """),
        ArticleClaim(
            "A12", "A ping timeout of ten seconds is enough", value: "keepAliveTimeout(10 s)",
            by: .scenario(
                "keepalive-timeout",
                [
                    .metric("working connections closed in a day", "connection.false_drops", of: "10 s"),
                    .metric("the same at 20 s", "connection.false_drops", of: "20 s"),
                ]),
            .holds(["working connections closed in a day": "at most 1"]),
            instead: """
                Keep gRPC's 20 s for networks that pause for seconds, as on trains. Each working connection that is \
                closed costs a handshake. Finding a dead connection ten seconds later costs little.
                """),
        ArticleClaim(
            "A13", "keepAliveWithoutCalls(false) stops pings when the app is idle", value: "mandatory",
            by: .scenario(
                "without-calls",
                [
                    .metric("pings, set to false", "keepalive.pings", of: "set to false"),
                    .metric("pings, left alone", "keepalive.pings", of: "left alone"),
                    .metric("pings, set to true", "keepalive.pings", of: "set to true"),
                ]),
            .moves(["pings, set to false": "under 90% of pings, left alone"]),
            instead: """
                You can leave it out: false is the default. An open stream is a call, so a silent stream is pinged \
                with either value.
                """),
        ArticleClaim(
            "A15", "idleTimeout releases the channel in the background", value: "5 min",
            by: .scenario(
                "idle-timeout",
                [
                    .metric("connected at 5 min", "availability.ratio", of: "5 min"),
                    .metric("connected at 30 min", "availability.ratio", of: "30 min"),
                ]),
            .moves(["connected at 5 min": "at most 90% of connected at 30 min"]),
            instead: """
                Close the stream yourself when the app goes to the background. The timeout counts only while there is \
                no call. An open stream is a call, so the channel is never idle.
                """),
        ArticleClaim(
            "A16", "Calls are retried up to five times", value: "maxRetryAttempts(5)",
            by: .scenario(
                "retry-attempts",
                [
                    .metric("answered, with the setting", "calls.ok", of: "maxRetryAttempts(5)"),
                    .metric("answered, left alone", "calls.ok", of: "left alone"),
                    .metric("answered, with a retryPolicy", "calls.ok", of: "a retryPolicy of 5"),
                    .metric("tried again, with the setting", "calls.repeats", of: "maxRetryAttempts(5)"),
                ]),
            .moves(["answered, with the setting": "at least 101% of answered, left alone"]),
            instead: """
                Write a service config with a retryPolicy. The setting is an upper limit for a policy, and five is its \
                default. Without a policy, no call is retried. A stream that has started is never retried.
                """),
        ArticleClaim(
            "A30", "A full TLS handshake adds this time to each reconnection", value: "200 to 400 ms",
            by: .scenario("tls", [.excess("added", "recovery.p50", of: "with TLS", over: "without")]),
            .holds(["added": "199ms to 401ms"]),
            instead: """
                Count round trips: TLS 1.2 adds two, TLS 1.3 adds one. The time depends on the round-trip time of your \
                path.
                """),
        ArticleClaim(
            "A31", "TLS resumption makes reconnections faster by", value: "60 %",
            by: .scenario(
                "resumption",
                [
                    .saving("saved", "recovery.p50", of: "resumed", against: "full"),
                    .metric("full", "recovery.p50", of: "full"),
                    .metric("resumed", "recovery.p50", of: "resumed"),
                ]),
            .holds(["saved": "55% to 65%"]),
            instead: """
                Use TLS 1.3 first: it saves a round trip. Its resumption saves no further round trip unless early data \
                is sent. A session ticket does not save the TCP round trip, the request's round trip, or the radio's \
                wake-up.
                """,
            picture: .bars(
                "Time saved by TLS resumption",
                "Share of the time until the client is served again, by TLS version and network change.",
                of: "saved")),
    ]
}
