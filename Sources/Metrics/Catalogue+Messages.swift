import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let latency: [Metric] =
        [500, 950, 990, 1_000].map {
            quantile(
                "latency.down", $0, "Server to app",
                "from the server's sending a message to the app's seeing it",
                "The clock runs while the message waits for a connection, for the radio, or for the next synchronisation.",
                .values(.deliveredDown))
        }
        + [500, 950, 990, 1_000].map {
            quantile(
                "latency.up", $0, "App to server",
                "from the app's wish to send a message to the server's acknowledgement reaching the app",
                """
                A message that the server has, but whose acknowledgement is still on its way at the horizon, is still waited for. A \
                client that asks for no acknowledgements, such as one of bare datagrams, has no such time.
                """, .acknowledgements)
        }
        + [50, 250, 500, 750, 950, 990, 1_000].map {
            quantile(
                "latency.probe", $0, "Probe round trip",
                "from the server's sending a probe to the answer of the phone's network stack reaching it",
                "Probes need no app and no connection: they show what the radio and the link do to a lone packet.",
                .values(.probeAnswered))
        }

    private static func quantile(
        _ family: String, _ thousandths: Int64, _ title: String, _ span: String, _ more: String,
        _ samples: Samples
    ) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "\(family).\(q.suffix)", "\(title), \(q.words)", .milliseconds, .lower,
            "Time \(span): \(q.phrase).",
            """
            \(more) What is lost never arrives: it counts as longer than everything else, and where the quantile falls among \
            the lost there is no number, and no upper bound holds. What is still waited for at the horizon has taken at least \
            its age (product-limit estimate): where the quantile falls among it, the number is the least that it can be, and \
            no upper bound holds. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: samples))
    }

    static let delivery: [Metric] = Direction.allCases.reversed().flatMap { direction in
        let way = direction == .down ? "down" : "up"
        let who = direction == .down ? "server to app" : "app to server"
        let end = direction == .down ? "the app has seen" : "the server has"
        func count(
            _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
            _ quantity: @escaping Formula.Quantity
        ) -> Metric {
            Metric("delivery.\(way).\(name)", "\(label), \(who)", .count, better, meaning, explanation, .mean(quantity))
        }
        let mean = "A mean over replicas."
        return [
            count(
                "sent", "Messages", .neither, "Messages that were to go from \(who).",
                "It is the same for every strategy: sent = delivered + lost + pending. \(mean)"
            ) { Int128($0.fold.count(of: direction == .down ? .sentDown : .sentUp)) },
            count(
                "delivered", "Delivered", .higher, "Messages that \(end).",
                "Each message counts once, however often it arrives. \(mean)"
            ) { Int128($0.fold.count(of: direction == .down ? .deliveredDown : .deliveredUp)) },
            count(
                "lost", "Lost", .lower, "Messages that nothing will bring to their end any more.",
                """
                Neither side will send them again. One that at the horizon is still on its way, or that the client's next \
                connection would bring, is pending. \(mean)
                """
            ) { $0.fold.sum(of: direction == .down ? .lostDown : .lostUp) },
            count(
                "pending", "Pending", .lower, "Messages still on their way at the horizon.",
                """
                Somebody still holds them and would deliver them, if need be on the client's next connection, which may never \
                come: they are not counted as lost, and in latencies with the age that they have. \(mean)
                """
            ) { $0.fold.sum(of: direction == .down ? .pendingDown : .pendingUp) },
            count(
                "duplicated", "Duplicated", .lower, "Messages that were taken for new more than once.",
                """
                The second and every further time counts that the \(direction == .down ? "app shows" : "server processes") a \
                message. One that arrives again and is recognised is delivery.\(way).suppressed. \(mean)
                """
            ) { $0.fold.sum(of: direction == .down ? .duplicatedDown : .duplicatedUp) },
        ]
    }
}

extension Share {
    /// The end of a metric's name.
    var suffix: String { self == .all ? "max" : "p\(thousandths / 10)" }

    /// For a table.
    var words: String {
        switch thousandths {
        case 500: "median"
        case 1_000: "longest"
        default: "\(thousandths / 10)th percentile"
        }
    }

    /// For a sentence.
    var phrase: String {
        switch thousandths {
        case 500: "the median"
        case 1_000: "the longest"
        default: "\(thousandths / 10) % take no longer"
        }
    }
}
