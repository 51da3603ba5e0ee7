import DeadzoneBase

extension Catalogue {
    static let flow = [
        Metric(
            "buffer.max", "Most messages in the buffer", .count, .lower,
            "The most messages of one phone that waited for the app's consumer.",
            """
            The buffer lies between the library and the consumer of the messages, such as a screen or a database. The \
            largest value over all phones and replicas. If the consumer takes no time, nothing waits, and it is 0.
            """, .quantile(.values(.bufferPeak), .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "buffer.dropped", "Messages dropped by the buffer", .count, .lower,
            "Messages of the server that the app's own buffer dropped.",
            """
            A full buffer drops the oldest or the latest message, or all but the latest. They count as lost in \
            delivery.down.lost unless they arrive again after a resumption. A mean over replicas.
            """, .mean { $0.fold.sum(of: .bufferDropped) }),
        Metric(
            "buffer.filled", "Times the buffer was full", .count, .lower,
            "Number of times that the buffer before the app's consumer became full.", "A mean over replicas.",
            .mean { Int128($0.fold.count(of: .bufferFilled)) }),
        Metric(
            "flow.stalls", "Windows used up", .count, .lower,
            "Number of times that a flow-control window was exhausted while the server, or the app, had more to send.",
            """
            Down: the consumer, or the credit that was granted for it, was slower than the server. With HTTP/2 these \
            are its own windows; if an app stops reading another connection, the kernel's window. Up: the server \
            granted less than the app had to send (flow.up.stalls). A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .windowShut)) }),
        Metric(
            "flow.stall_s", "Time behind a shut window", .seconds, .lower,
            "Time in which the server, or the app, had more to send and a flow-control window was exhausted.",
            "The cause is flow control, not the radio. Both directions together. A mean over replicas.",
            .ratio({ $0.fold.sum(of: .flowStalled) }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.up.stalls", "Windows of the app used up", .count, .lower,
            "Number of times that the server's flow-control window was exhausted while the app had more to send.",
            "HTTP/2 only: the window of the connection or of the session's stream. They are also in flow.stalls. A mean over replicas.",
            .mean { Int128($0.fold.closedUpWindows.count) }),
        Metric(
            "flow.up.stall_s", "Time of the app behind a shut window", .seconds, .lower,
            "Time in which the app had more to send and the server's flow-control window was exhausted.",
            "It is also in flow.stall_s. A mean over replicas.",
            .ratio({ $0.fold.stalledUpFlow.sum }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.saturations", "Times the send buffer was full", .count, .lower,
            "Number of times that the send buffer of the phone's kernel was full while the app had more to send.",
            """
            The network accepts less than the app sends, or nothing. If a window is also exhausted, only the window \
            counts (flow.up.stalls). A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .socketFilled)) }),
        Metric(
            "flow.saturated_s", "Time behind a full send buffer", .seconds, .lower,
            "Time in which the app had more to send and the send buffer of the phone's kernel was full.",
            """
            A client that waits for its callbacks (`flow`) holds back later messages, and the message that found no \
            room waits for it. A mean over replicas.
            """, .ratio({ $0.fold.sum(of: .socketStalled) }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "flow.up.pending_max", "Most writes without their callback", .count, .neither,
            "The most messages that the app had written without their callback.",
            """
            Under message flow control (`flow: enabled`); an app that waits for callbacks has at most one. The \
            callback says that the library has passed the message on, not that the server has it. The largest value \
            over all phones and replicas; without flow control it is 0.
            """, .quantile(.values(.writesPending), .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "flow.up.callbacks", "Callbacks of writes", .count, .neither,
            "Number of callbacks which tell the app that the library has passed a written message on.",
            """
            One for each write under message flow control, unless the connection ends first; without flow control \
            none. A mean over replicas.
            """, .mean { $0.fold.sum(of: .writesCalledBack) }),
        Metric(
            "flow.down.asked", "Messages asked for", .count, .neither,
            "Number of messages that the app requested from its library.",
            """
            Counted if messages arrive only on request (`flow`, or `read-ahead`) and may have to wait for it. A mean \
            over replicas.
            """, .mean { $0.fold.sum(of: .messagesAsked) }),
        Metric(
            "memory.peak_bytes", "Most memory for messages", .bytes, .lower,
            "The most bytes of messages that waited on one phone for the app's consumer.",
            """
            Payload in the buffer, and payload that the library holds unread, without the overhead of objects. The \
            largest value over all phones and replicas, exact to 0.05 %. If the consumer takes no time it is 0.
            """, .quantile(.values(.memoryPeak), .all, perUnit: 1, isZeroIfEmpty: true)),
    ]
}
