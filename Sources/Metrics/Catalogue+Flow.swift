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
            """, .quantile(.values(.bufferPeak), .all, perUnit: 1, isZeroIfEmpty: true)),
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
            "How often a flow-control window was used up while the server, or the app, had more to say.",
            """
            Down: the consumer, or what was granted for it, was slower than the server. Of HTTP/2 its own windows; where an app \
            stops reading another connection, the kernel's. Up: the server granted less than the app said (flow.up.stalls). A \
            mean over replicas.
            """, .mean { Int128($0.fold.count(of: .windowShut)) }),
        Metric(
            "flow.stall_s", "Time behind a shut window", .seconds, .lower,
            "Time in which the server, or the app, had more to say and a flow-control window did not let it.",
            "Attributed to flow control, not to the radio. Both directions together. A mean over replicas.",
            .ratio({ $0.fold.sum(of: .flowStalled) }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.up.stalls", "Windows of the app used up", .count, .lower,
            "How often the server's flow-control window was used up while the app had more to say.",
            "Of HTTP/2: of the connection or of the session's stream. They are in flow.stalls, too. A mean over replicas.",
            .mean { Int128($0.fold.shutUp.count) }),
        Metric(
            "flow.up.stall_s", "Time of the app behind a shut window", .seconds, .lower,
            "Time in which the app had more to say and the server's flow-control window did not let it.",
            "It is in flow.stall_s, too. A mean over replicas.",
            .ratio({ $0.fold.stalledUp.sum }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.saturations", "Times the send buffer was full", .count, .lower,
            "How often the send buffer of the phone's kernel was full while the app had more to say.",
            """
            The network takes less than the app says, or nothing. Where a window is shut as well, that counts instead \
            (flow.up.stalls). A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .socketFilled)) }),
        Metric(
            "flow.saturated_s", "Time behind a full send buffer", .seconds, .lower,
            "Time in which the app had more to say and the send buffer of the phone's kernel was full.",
            """
            A client that waits for its callbacks (`flow`) keeps back what follows, and the message that found no room waits \
            for it. A mean over replicas.
            """, .ratio({ $0.fold.sum(of: .socketStalled) }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.up.pending_max", "Most writes without their callback", .count, .neither,
            "The most messages that the app had written and not been called back for.",
            """
            Under message flow control (`flow: enabled`); an app that obeys has one. The callback says that the library has handed \
            the message on, not that the server has it. The largest over all phones and replicas; without flow control it is 0.
            """, .quantile(.values(.writesPending), .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "flow.up.callbacks", "Callbacks of writes", .count, .neither,
            "How often the library told the app that it has handed a written message on.",
            """
            One for each write under message flow control, unless the connection ends before it; without flow control none. A mean \
            over replicas.
            """, .mean { $0.fold.sum(of: .writesCalledBack) }),
        Metric(
            "flow.down.asked", "Messages asked for", .count, .neither,
            "How many messages the app asked its library for.",
            """
            Where messages come only when they are asked for (`flow`, or `read-ahead`) and may have to wait for that. A mean over \
            replicas.
            """, .mean { $0.fold.sum(of: .messagesAsked) }),
        Metric(
            "memory.peak_bytes", "Most memory for messages", .bytes, .lower,
            "The most bytes of messages that waited on one phone for the app's consumer.",
            """
            Payload in the buffer, and what the library holds unread, without the overhead of any object. The largest over all \
            phones and replicas, exact to 0.05 %; without a consumer that takes its time it is 0.
            """, .quantile(.values(.memoryPeak), .all, perUnit: 1, isZeroIfEmpty: true)),
    ]
}
