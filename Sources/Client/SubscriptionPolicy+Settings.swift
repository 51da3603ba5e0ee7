import DeadzoneBase

extension SettingsReader {
    /// Reads the policy for subscriptions, written as `streams: {count: 20, join: {timeout: 10s}, on-end: rejoin}`.
    mutating func subscriptions(_ key: String, slot: TimerSlot) -> SubscriptionPolicy? {
        section(
            key, "streams on the connection, for a server that has `streams`; default: one, as old as the connection"
        ) { settings in
            var policy = SubscriptionPolicy(slot: slot)
            policy.count = UInt8(
                settings.count(
                    "count", default: 1, in: 1...Int64(SubscriptionSet.capacity),
                    "streams on the connection; messages of the server belong to them in turn"))
            settings.group("join", "the request that joins a stream") { settings in
                policy.joinBytes = UInt32(
                    settings.size(
                        "size", default: Int64(policy.joinBytes), in: 1...1_000_000, "payload of one request"))
                policy.joinTimeout = settings.span(
                    "timeout", default: policy.joinTimeout, in: .milliseconds(1) ... .hours(24 * 366),
                    "time limit of a request; then the stream waits and is joined again")
            }
            policy.backoff = settings.group("backoff", "waits before a stream is joined again") { settings in
                settings.backoffWithoutHistory(default: policy.backoff)
            }
            policy.sharesTimer = settings.word(
                "timer", of: [("each", false), ("shared", true)], default: false,
                "each: a wait for each stream; shared: one wait, after which all streams join together")
            policy.onEnd = settings.word(
                "on-end", of: SubscriptionPolicy.StreamReaction.words + [("ignore", .ignore)], default: .rejoin,
                "the server says that a stream has ended: joins it again, reconnects, gives it up, or takes it for joined"
            )
            policy.onRefusal = settings.word(
                "on-refusal", of: SubscriptionPolicy.StreamReaction.words, default: .rejoin,
                "the server refuses to join a stream: joins it again, reconnects, or gives it up for this connection")
            policy.rejoinsOnOpen = settings.word(
                "on-open", of: [("rejoin", true), ("nothing", false)], default: true,
                "a new connection joins all streams, or takes them for joined")
            return policy
        }
    }
}
