import DeadzoneCompare
import DeadzoneJournal

/// The gRPC workshop's channel: its five settings.
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
                Ask your server first: by default it permits one ping in five minutes and ends the connection at the third that comes \
                sooner. Write 5 minutes, or set permitKeepAliveTime on the server to what your clients do.
                """),
        ArticleClaim(
            "A12", "Ten seconds are enough to wait for a ping's answer", value: "keepAliveTimeout(10 s)",
            by: .scenario(
                "keepalive-timeout",
                [
                    .metric("good connections given up in a day", "connection.false_drops", of: "10 s"),
                    .metric("the same at 20 s", "connection.false_drops", of: "20 s"),
                ]),
            .holds(["good connections given up in a day": "at most 1"]),
            instead: """
                Leave it at gRPC's 20 s where networks stand still for seconds, as on trains. Each good connection that is given up \
                costs a handshake, and finding a dead one ten seconds later costs nobody much.
                """),
        ArticleClaim(
            "A13", "keepAliveWithoutCalls(false) stops pings in quiet times", value: "mandatory",
            by: .scenario(
                "without-calls",
                [
                    .metric("pings, set to false", "keepalive.pings", of: "set to false"),
                    .metric("pings, left alone", "keepalive.pings", of: "left alone"),
                    .metric("pings, set to true", "keepalive.pings", of: "set to true"),
                ]),
            .moves(["pings, set to false": "under 90% of pings, left alone"]),
            instead: """
                Write it or leave it: false is the default. And the stream that this is all about is a call, so a silent one is pinged \
                whatever you write.
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
                Close the stream yourself when the app goes to the background. The timeout counts only while there is no call, and an \
                open stream is one: the channel is never idle.
                """),
        ArticleClaim(
            "A16", "Calls are tried again up to five times", value: "maxRetryAttempts(5)",
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
                Write a service config with a retryPolicy. The setting is an upper bound of what a policy may ask for, five is its \
                default, and without a policy nothing is tried again; a stream never is, once it has begun.
                """),
        ArticleClaim(
            "A30", "A full TLS handshake adds to each reconnection", value: "200 to 400 ms",
            by: .scenario("tls", [.excess("added", "recovery.p50", of: "with TLS", over: "without")]),
            .holds(["added": "199ms to 401ms"]),
            instead: """
                Count round trips: TLS 1.2 adds two of them, TLS 1.3 one. How long that is, is your path's matter.
                """),
        ArticleClaim(
            "A31", "TLS resumption makes reconnecting faster by", value: "60 %",
            by: .scenario(
                "resumption",
                [
                    .saving("saved", "recovery.p50", of: "resumed", against: "full"),
                    .metric("full", "recovery.p50", of: "full"),
                    .metric("resumed", "recovery.p50", of: "resumed"),
                ]),
            .holds(["saved": "55% to 65%"]),
            instead: """
                Move to TLS 1.3 first: that saves a round trip at once, and its resumption none more, unless early data is sent. TCP's \
                round trip, the request's own and the radio's waking no ticket saves.
                """,
            picture: .bars(
                "What resumption saves", "Share of the time until the client is served again, by versions and by move.",
                of: "saved")),
    ]
}
