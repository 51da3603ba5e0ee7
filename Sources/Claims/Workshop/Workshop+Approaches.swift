import DeadzoneCompare

/// The gRPC workshop's table of approaches, and what it recommends when.
extension ArticleClaim {
    private static let bytes = ["bytes.up", "bytes.down"]

    static let workshopApproaches: [ArticleClaim] = [
        ArticleClaim(
            "A5", "Polling every second takes", value: "about 120 KB a minute",
            by: .scenario("polling-weight", [.perMinute("a minute", bytes, of: "polling")]),
            .holds(["a minute": "108kB to 132kB"]),
            instead: """
                Weigh a poll of your own: it is nearly all header fields, said anew each time. 120 KB a minute are 2,000 bytes a poll, \
                which takes cookies; with few fields it is two fifths of that.
                """),
        ArticleClaim(
            "A6", "Polling every second is so late at the 95th percentile", value: "500 to 1,000 ms",
            by: .scenario(
                "polling-delay",
                [
                    .metric("95th percentile", "latency.down.p95", of: "polling"),
                    .metric("median", "latency.down.p50", of: "polling"),
                ]),
            .holds(["95th percentile": "500ms to 1000ms"]),
            instead: """
                A poll finds what happened at any moment of its interval: the median is half of it, the 95th percentile 95 hundredths, \
                and the path comes on top. Half a second is never the 95th percentile, and on a slow path it is more than one.
                """),
        ArticleClaim(
            "A7", "A WebSocket takes so much and is so late", value: "about 8 KB a minute, p95 30 to 80 ms",
            by: .scenario(
                "streams",
                [
                    .perMinute("a minute", bytes, of: "WebSocket"),
                    .metric("95th percentile", "latency.down.p95", of: "WebSocket"),
                ]),
            .holds(["a minute": "6kB to 10kB", "95th percentile": "30ms to 80ms"]),
            instead: """
                Say how often messages come before you name a number. It holds for one in two seconds while the radio stays connected; \
                a dozing LTE radio of 2021 adds up to a third of a second, and a sleeping one more than one.
                """),
        ArticleClaim(
            "A8", "A gRPC stream takes so much and is so late", value: "about 6 KB a minute, p95 25 to 70 ms",
            by: .scenario(
                "streams",
                [
                    .perMinute("a minute", bytes, of: "gRPC"),
                    .metric("95th percentile", "latency.down.p95", of: "gRPC"),
                    .perMinute("WebSocket, the same encoding", bytes, of: "WebSocket"),
                ]),
            .holds(["a minute": "4.5kB to 7.5kB", "95th percentile": "25ms to 70ms"]),
            instead: """
                Choose gRPC for its contract, not for its bytes: with the same encoding a WebSocket is as small and as fast. What makes \
                messages smaller is protobuf, which both can carry.
                """),
        ArticleClaim(
            "A9", "Battery under polling, WebSocket and gRPC", value: "high, medium, low",
            by: .scenario(
                "ranking",
                [
                    .metric("polling", "battery.joules", of: "polling"),
                    .metric("WebSocket", "battery.joules", of: "WebSocket"),
                    .metric("gRPC", "battery.joules", of: "gRPC"),
                ]),
            .holds(["WebSocket": "at most 95% of polling", "gRPC": "at most 95% of WebSocket"]),
            instead: """
                Rank intervals, not protocols. With equal pings a WebSocket and a stream cost the same to within a hundredth; with \
                messages every other second even polling does, since the radio never sleeps.
                """,
            picture: .bars(
                "Polling, WebSocket and gRPC on four radios",
                "Energy of half an hour with a message every five minutes, each with the pings that its article advises.",
                of: "polling", "WebSocket", "gRPC", among: "every 5 min, pings as advised")),
        ArticleClaim(
            "A32", "For settings that seldom change poll every 30 s or more", value: "rather than keep a connection",
            by: .scenario(
                "polling-interval",
                [
                    .metric("polling", "battery.joules", of: "polling"),
                    .metric("a silent stream", "battery.joules", of: "a silent stream"),
                    .metric("how late polling is", "latency.down.p50", of: "polling"),
                    .metric("how late a stream is", "latency.down.p50", of: "a silent stream"),
                ]),
            .holds(["polling": "at most 110% of a silent stream"]),
            instead: """
                Poll every five minutes or less often, or when the app comes to the front. At 30 s a radio of 2012 is awake two fifths of \
                the time, and a silent stream costs a fraction of it.
                """),
    ]
}
