import DeadzoneBase

extension Catalogue {
    /// Metrics of messages that the server's program refuses, and of messages that break off. They are zero without
    /// `errors: {messages: ...}` at the server and without `chunks` in a queue.
    static let queue = [
        Metric(
            "queue.refused", "Messages refused", .count, .lower,
            "Number of times that the server's program refused a message of the app while the connection lived.",
            """
            Transient, permanent, or locked by an upload that broke off: the tag of the record `message_refused` tells \
            them apart. A message that is refused three times counts three times. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .messageRefused)) }),
        Metric(
            "queue.retries", "Refused messages tried again", .count, .neither,
            "Number of times that a refused message reached the server again.",
            """
            The client's `on-refusal` says when. A message that arrives in the end counts as delivered once, and its \
            latency includes the waits. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .messageRetried)) }),
        Metric(
            "queue.wasted_bytes", "Bytes sent in vain", .bytes, .lower,
            "Bytes of the app's messages that the server received and did not use.",
            """
            Of refused messages, of messages behind a refused one, and of messages that broke off and start anew. \
            Without headers and retransmissions. A mean over replicas.
            """, .mean { $0.fold.sum(of: .uploadWasted) }),
        Metric(
            "queue.resumed_bytes", "Bytes not sent again", .bytes, .higher,
            "Bytes of messages that had broken off and that the client did not send again, because the server had them.",
            """
            Only with `chunks: {resume: offset}`. A mean over replicas.
            """, .mean { $0.fold.sum(of: .uploadResumed) }),
    ]
}
