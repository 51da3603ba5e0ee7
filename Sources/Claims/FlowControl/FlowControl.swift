import DeadzoneCompare

/// gRFC L49 on message flow control.
extension ArticleClaim {
    static let flowControl: [ArticleClaim] = writes + reads

    private static let writes: [ArticleClaim] = [
        ArticleClaim(
            "D1", "Flow control is off unless it is enabled, and then it is on in both directions", value: "off; both",
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
                "Enable it where a screen may be slower than a server; an app that enables it and never asks receives nothing."
        ),
        ArticleClaim(
            "D2", "Who waits for the callback never has more than one message pending", value: "1",
            by: .scenario("writes", [.metric("pending", "flow.up.pending_max", of: "waits")]),
            .holds(["pending": "at most 1"]),
            instead: "Wait for it: the memory of a call is then one message."),
        ArticleClaim(
            "D3", "Who does not wait has everything sent, in order, with a callback for each", value: "k and k",
            by: .scenario(
                "writes",
                [
                    .metric("written", "delivery.up.sent", of: "does not wait"),
                    .metric("callbacks", "flow.up.callbacks", of: "does not wait"),
                    .metric("out of order", "delivery.up.reordered", of: "does not wait"),
                    .metric("pending", "flow.up.pending_max", of: "does not wait"),
                ]),
            .holds(["callbacks": "within 0% of written", "out of order": "0"]),
            instead: "Count what is pending yourself: nobody else does, and nobody stops you."),
        ArticleClaim(
            "D4", "Without flow control the callback never comes", value: "0",
            by: .scenario("writes", [.metric("callbacks", "flow.up.callbacks", of: "as it comes")]),
            .holds(["callbacks": "0"]),
            instead: "Do not wait for it, then."),
        ArticleClaim(
            "D6", "Each write costs a switch to another thread", value: "1 a write",
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
            instead: "It is felt where switches take longer than messages are apart; two or ten pending writes hide it."
        ),
        ArticleClaim(
            "D7", "A callback at once for small messages takes the wait away", value: "no size given",
            by: .scenario(
                "small-at-once",
                [
                    .metric("last one there after", "latency.up.max", of: "small ones at once"),
                    .metric("otherwise", "latency.up.max", of: "waits"),
                ]),
            .holds(["last one there after": "at most 50% of otherwise"]),
            instead: "Name the size: it has to be above the messages that you send most."),
    ]

    private static let reads: [ArticleClaim] = [
        ArticleClaim(
            "D5", "Asking several times for the next message allows as many reads in a row", value: "k for k",
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
            instead: "Ask for as many as a screen shows at once."),
        ArticleClaim(
            "D8", "Asking for n messages at once is the same as asking n times for one", value: "the same",
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
            instead: "Take whichever reads better."),
    ]
}
