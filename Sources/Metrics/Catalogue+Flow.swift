import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let flow = [
        Metric(
            "buffer.max", "Most messages in the buffer", .count, .lower,
            "The most messages of one phone that waited for the app's consumer.",
            """
            Between the library and whoever takes the messages: a screen, a database. The largest over all phones and replicas; \
            without a consumer that takes its time nothing waits, and it is 0.
            """, .quantile({ $0.bufferPeaks }, .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "buffer.dropped", "Messages dropped by the buffer", .count, .lower,
            "Messages of the server that the app's own buffer threw away.",
            """
            For want of room, the oldest or the latest, or all but the latest. They count as lost in delivery.down.lost unless they \
            come again after a resumption. A mean over replicas.
            """, .mean { $0.fold.sum(of: .bufferDropped) }),
        Metric(
            "buffer.filled", "Times the buffer was full", .count, .lower,
            "How often the buffer before the app's consumer became full.", "A mean over replicas.",
            .mean { Int128($0.fold.count(of: .bufferFilled)) }),
        Metric(
            "flow.stalls", "Windows used up", .count, .lower,
            "How often the flow-control window was used up while the server had more to say.",
            """
            The consumer, or what was granted for it, was slower than the server. Of HTTP/2 its own windows; where an app stops \
            reading another connection, the kernel's. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .windowShut)) }),
        Metric(
            "flow.stall_s", "Time behind a shut window", .seconds, .lower,
            "Time in which the server had more to say and the flow-control window did not let it.",
            "Attributed to flow control, not to the radio. A mean over replicas.",
            .ratio({ $0.fold.sum(of: .flowStalled) }, times: 1) { _ in 1_000_000_000 }),
        Metric(
            "memory.peak_bytes", "Most memory for messages", .bytes, .lower,
            "The most bytes of messages that waited on one phone for the app's consumer.",
            """
            Payload in the buffer, and what the library holds unread, without the overhead of any object. The largest over all \
            phones and replicas, exact to 0.05 %; without a consumer that takes its time it is 0.
            """, .quantile({ $0.memoryPeaks }, .all, perUnit: 1, isZeroIfEmpty: true)),
    ]
}
