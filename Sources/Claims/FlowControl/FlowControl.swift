import DeadzoneMetrics

/// Claims of gRFC L49 on message flow control.
extension ArticleClaim {
    static let flowControl: [ArticleClaim] = writes + reads

    private static let writes: [ArticleClaim] = [
        ArticleClaim(
            "D1", "Flow control is off by default; if enabled, it is on in both directions", value: "off; both",
            by: .scenario(
                "one-switch",
                [
                    .metric("callbacks as it comes", "flow.up.callbacks", of: "as it comes"),
                    .metric("asked as it comes", "flow.down.asked", of: "as it comes"),
                    .metric("callbacks if enabled", "flow.up.callbacks", of: "enabled"),
                    .metric("asked if enabled", "flow.down.asked", of: "enabled"),
                ]),
            .holds([
                "callbacks as it comes": "0", "asked as it comes": "0", "callbacks if enabled": "at least 1",
                "asked if enabled": "at least 1",
            ]),
            instead:
                "Enable it if the screen can be slower than the server. An app that enables it and never requests a message gets none."
        ),
        ArticleClaim(
            "D2", "A client that waits for the callback has at most one message pending", value: "1",
            by: .scenario("writes", [.metric("pending", "flow.up.pending_max", of: "waits")]),
            .holds(["pending": "at most 1"]),
            instead: "Wait for the callback: a call then needs memory for only one message."),
        ArticleClaim(
            "D3", "A client that does not wait sends all messages in order, and gets a callback for each",
            value: "k and k",
            by: .scenario(
                "writes",
                [
                    .metric("written", "delivery.up.sent", of: "does not wait"),
                    .metric("callbacks", "flow.up.callbacks", of: "does not wait"),
                    .metric("out of order", "delivery.up.reordered", of: "does not wait"),
                    .metric("pending", "flow.up.pending_max", of: "does not wait"),
                ]),
            .holds(["callbacks": "within 0% of written", "out of order": "0"]),
            instead: "Count and limit the pending messages yourself: gRPC does not."),
        ArticleClaim(
            "D4", "Without flow control the callback never comes", value: "0",
            by: .scenario("writes", [.metric("callbacks", "flow.up.callbacks", of: "as it comes")]),
            .holds(["callbacks": "0"]),
            instead: "Without flow control, do not wait for the callback."),
        ArticleClaim(
            "D6", "Each write costs a context switch", value: "1 a write",
            by: .scenario(
                "writes",
                [
                    .metric("written", "delivery.up.sent", of: "waits"),
                    .metric("callbacks", "flow.up.callbacks", of: "waits"),
                    .metric("last one there after", "latency.up.max", of: "waits"),
                    .metric("with two pending", "latency.up.max", of: "two pending"),
                    .metric("with ten pending", "latency.up.max", of: "ten pending"),
                ]),
            .holds(["callbacks": "within 0% of written"]),
            instead:
                "This matters if a context switch takes longer than the gap between messages. Two or ten pending writes hide it."
        ),
        ArticleClaim(
            "D7", "An immediate callback for small messages removes the wait", value: "no size given",
            by: .scenario(
                "small-at-once",
                [
                    .metric("last one there after", "latency.up.max", of: "small ones at once"),
                    .metric("otherwise", "latency.up.max", of: "waits"),
                ]),
            .holds(["last one there after": "at most 50% of otherwise"]),
            instead: "Set the size above that of most of your messages."),
    ]

    private static let reads: [ArticleClaim] = [
        ArticleClaim(
            "D5", "Several requests for the next message allow the same number of reads in a row", value: "k for k",
            by: .scenario(
                "reads",
                [
                    .metric("waiting, one asked", "buffer.max", of: "one by one"),
                    .metric("waiting, eight asked", "buffer.max", of: "eight at once"),
                    .metric("received, eight and no more", "delivery.down.delivered", of: "eight and no more"),
                    .metric("waiting, not asked for", "buffer.max", of: "does not ask"),
                ]),
            .holds([
                "waiting, one asked": "1", "waiting, eight asked": "8", "received, eight and no more": "8",
            ]),
            instead: "Request as many messages as the screen shows at once."),
        ArticleClaim(
            "D8", "One request for n messages equals n requests for one message", value: "the same",
            by: .scenario(
                "reads",
                [
                    .metric("waiting, at once", "buffer.max", of: "eight at once"),
                    .metric("waiting, one by one", "buffer.max", of: "eight times one"),
                    .metric("stalled, at once", "flow.stall_s", of: "eight at once"),
                    .metric("stalled, one by one", "flow.stall_s", of: "eight times one"),
                ]),
            .holds([
                "waiting, one by one": "within 0% of waiting, at once",
                "stalled, one by one": "within 0% of stalled, at once",
            ]),
            instead: "Both are equal; use the more readable one."),
        ArticleClaim(
            "D9", "GRPC_EXPERIMENTAL_DISABLE_FLOW_CONTROL disables flow control, even if the app enables it",
            value: "may not work properly",
            by: .scenario(
                "without-flow-control",
                [
                    .metric("memory with the variable", "memory.peak_bytes", of: "variable set"),
                    .metric("memory without it", "memory.peak_bytes", of: "enabled"),
                    .metric("window used up with the variable", "flow.stalls", of: "variable set"),
                    .metric("window used up without it", "flow.stalls", of: "enabled"),
                ]),
            .holds(["memory with the variable": "at least 500% of memory without it"]),
            instead: """
                Do not set the variable in an app that relies on flow control. The app then still gets one message for \
                each request, but the messages wait in the phone's memory instead of at the server.
                """),
    ]
}
