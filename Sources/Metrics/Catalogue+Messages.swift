import DeadzoneBase

extension Catalogue {
    static let latency: [Metric] =
        [500, 950, 990, 1_000].map {
            quantile(
                "latency.down", $0, "Server to app",
                "from when the server sends a message until the app has seen it",
                "The clock runs while the message waits for a connection, for the radio, or for the next synchronisation.",
                .values(.deliveredDown))
        }
        + [500, 950, 990, 1_000].map {
            quantile(
                "latency.up", $0, "App to server",
                "from when the app has a message to send until the server's acknowledgement reaches the app",
                """
                A message is still pending at the horizon if its acknowledgement is still on the way, even if the \
                server has it. A client that requests no acknowledgements, such as one that uses datagrams, has no \
                such time.
                """, .acknowledgements)
        }
        + [50, 250, 500, 750, 950, 990, 1_000].map {
            quantile(
                "latency.probe", $0, "Probe round trip",
                "from when the server sends a probe until the answer of the phone's network stack reaches it",
                "Probes need no app and no connection: they show how the radio and the link treat a single packet.",
                .values(.probeAnswered))
        }

    private static func quantile(
        _ family: String, _ thousandths: Int64, _ title: String, _ span: String, _ more: String,
        _ samples: SampleFamily
    ) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "\(family).\(q.suffix)", "\(title), \(q.words)", .milliseconds, .lower,
            "Time \(span): \(q.phrase).",
            """
            \(more) A lost message or probe never arrives and counts as longer than all others. If the quantile falls \
            among the lost ones, there is no number, and no upper bound holds. One that is pending at the horizon has \
            taken at least its age (product-limit estimate). If the quantile falls among those, the number is a lower \
            limit, and no upper bound holds. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: samples))
    }

    static let delivery: [Metric] = Direction.allCases.reversed().flatMap { direction in
        let way = direction == .down ? "down" : "up"
        let who = direction == .down ? "server to app" : "app to server"
        let end = direction == .down ? "the app has seen" : "the server has"
        func count(
            _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
            _ quantity: @escaping Formula.ReplicaQuantity
        ) -> Metric {
            Metric("delivery.\(way).\(name)", "\(label), \(who)", .count, better, meaning, explanation, .mean(quantity))
        }
        let mean = "A mean over replicas."
        return [
            count(
                "sent", "Messages", .neither, "Messages to send from \(who).",
                "It is the same for every strategy: sent = delivered + lost + pending. \(mean)"
            ) { Int128($0.fold.count(of: direction == .down ? .sentDown : .sentUp)) },
            count(
                "delivered", "Delivered", .higher, "Messages that \(end).",
                "Each message counts once, however often it arrives. \(mean)"
            ) { Int128($0.fold.count(of: direction == .down ? .deliveredDown : .deliveredUp)) },
            count(
                "lost", "Lost", .lower, "Messages that can no longer arrive.",
                """
                Neither side will send them again. A message is pending if it is still on the way at the horizon, or \
                if the client's next connection would deliver it. \(mean) Each lost message has one cause: \
                \(LossCause.allCases.dropFirst().map { "`\($0.name)` (\($0.title))" }.joined(separator: ", ")). \
                It also has a place, which says what would have delivered it, and often an entry of the timeline. \
                `losses.\(way)` in the JSON has the messages by cause and by place, `entries` by entry. The sums are \
                equal. `deadzone guide why-lost` leads from this number to the events.
                """
            ) { $0.fold.sum(of: direction == .down ? .lostDown : .lostUp) },
            count(
                "pending", "Pending", .lower, "Messages still on their way at the horizon.",
                """
                One side still holds them and would deliver them, perhaps on the client's next connection, which may \
                never open. They do not count as lost. Latencies count them with their age. \(mean)
                """
            ) { $0.fold.sum(of: direction == .down ? .pendingDown : .pendingUp) },
            count(
                "duplicated", "Duplicated", .lower, "Messages that were accepted as new more than once.",
                """
                Counts each repetition in which the \(direction == .down ? "app shows" : "server processes") a message \
                again. A message that arrives again and is recognised counts in delivery.\(way).suppressed. \(mean)
                """
            ) { $0.fold.sum(of: direction == .down ? .duplicatedDown : .duplicatedUp) },
        ]
    }
}

extension Share {
    /// Last part of a metric's name, such as `p95` or `max`.
    var suffix: String { self == .all ? "max" : "p\(thousandths / 10)" }

    /// Name of the quantile in a table.
    var words: String {
        switch thousandths {
        case 500: "median"
        case 1_000: "longest"
        default: "\(thousandths / 10)th percentile"
        }
    }

    /// Name of the quantile in a sentence.
    var phrase: String {
        switch thousandths {
        case 500: "the median"
        case 1_000: "the longest"
        default: "\(thousandths / 10) % take no longer"
        }
    }
}
