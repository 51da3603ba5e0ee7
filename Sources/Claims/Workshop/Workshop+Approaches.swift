import DeadzoneMetrics

/// Claims of the gRPC workshop's table of approaches, and its recommendations.
extension ArticleClaim {
    private static let bytes = ["bytes.up", "bytes.down"]

    static let workshopApproaches: [ArticleClaim] = [
        ArticleClaim(
            "A5", "Polling every second uses", value: "about 120 KB a minute",
            by: .scenario("polling-weight", [.perMinute("a minute", bytes, of: "polling")]),
            .holds(["a minute": "108kB to 132kB"]),
            instead: """
                Measure the size of your own polls: nearly all bytes are header fields, which each poll repeats. 120 \
                KB a minute are 2,000 bytes a poll, which requires cookies. With few fields, it is two fifths of that.
                """),
        ArticleClaim(
            "A6", "Polling every second has a 95th percentile latency of", value: "500 to 1,000 ms",
            by: .scenario(
                "polling-delay",
                [
                    .metric("95th percentile", "latency.down.p95", of: "polling"),
                    .metric("median", "latency.down.p50", of: "polling"),
                ]),
            .holds(["95th percentile": "500ms to 1000ms"]),
            instead: """
                An event can happen at any time within the polling interval. The median latency is half of the \
                interval, the 95th percentile is 95% of it, plus the network path. Half a second is never the 95th \
                percentile, and on a slow path it is more than a second.
                """),
        ArticleClaim(
            "A7", "Data volume and latency of a WebSocket", value: "about 8 KB a minute, p95 30 to 80 ms",
            by: .scenario(
                "streams",
                [
                    .perMinute("a minute", bytes, of: "WebSocket"),
                    .metric("95th percentile", "latency.down.p95", of: "WebSocket"),
                ]),
            .holds(["a minute": "6kB to 10kB", "95th percentile": "30ms to 80ms"]),
            instead: """
                State how often messages come before you give a number. The claim holds for a message every two \
                seconds while the radio stays connected. An LTE radio of 2021 in DRX adds up to a third of a second, \
                and an idle radio more than a second.
                """),
        ArticleClaim(
            "A8", "Data volume and latency of a gRPC stream", value: "about 6 KB a minute, p95 25 to 70 ms",
            by: .scenario(
                "streams",
                [
                    .perMinute("a minute", bytes, of: "gRPC"),
                    .metric("95th percentile", "latency.down.p95", of: "gRPC"),
                    .perMinute("WebSocket, the same encoding", bytes, of: "WebSocket"),
                ]),
            .holds(["a minute": "4.5kB to 7.5kB", "95th percentile": "25ms to 70ms"]),
            instead: """
                Choose gRPC for its contract, not for its size. With the same encoding, a WebSocket is as small and as \
                fast. Protobuf makes messages smaller, and both can use it.
                """),
        ArticleClaim(
            "A9", "Battery use of polling, WebSocket and gRPC", value: "high, medium, low",
            by: .scenario(
                "ranking",
                [
                    .metric("polling", "battery.joules", of: "polling"),
                    .metric("WebSocket", "battery.joules", of: "WebSocket"),
                    .metric("gRPC", "battery.joules", of: "gRPC"),
                ]),
            .holds(["WebSocket": "at most 95% of polling", "gRPC": "at most 95% of WebSocket"]),
            instead: """
                Compare intervals, not protocols. With equal pings, a WebSocket and a stream cost the same within 1%. \
                With a message every other second, even polling costs the same, because the radio never sleeps.
                """,
            picture: .bars(
                "Polling, WebSocket and gRPC on four radios",
                "Energy of half an hour with a message every five minutes, with the pings that the article advises.",
                of: "polling", "WebSocket", "gRPC", among: "every 5 min, pings as advised")),
        ArticleClaim(
            "A32", "For settings that seldom change, poll every 30 s or more", value: "rather than keep a connection",
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
                Poll every five minutes or less often, or when the app enters the foreground. At 30 s, a radio of \
                2012 is awake two fifths of the time. A silent stream costs a fraction of it.
                """),
        ArticleClaim(
            "A34", "A WebSocket leaves backpressure to the app, and gRPC has it", value: "manual, native",
            by: .scenario(
                "backpressure",
                [
                    .metric("memory of the phone, WebSocket", "memory.peak_bytes", of: "WebSocket"),
                    .metric("memory of the phone, gRPC", "memory.peak_bytes", of: "gRPC"),
                    .metric("the server waits, WebSocket", "server.queue_peak_bytes", of: "WebSocket"),
                    .metric("the server waits, gRPC", "server.queue_peak_bytes", of: "gRPC"),
                ]),
            .holds(["memory of the phone, gRPC": "at most 50% of memory of the phone, WebSocket"]),
            instead: """
                Stop reading while the screen is busy, on either protocol. TCP's window then closes under a WebSocket \
                as HTTP/2's does under a stream, and the messages wait at the server. An app that stores everything it \
                receives has no backpressure with gRPC either.
                """),
    ]
}
