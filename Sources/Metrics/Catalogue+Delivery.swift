import DeadzoneBase

/// Metrics of message delivery other than latency: order, duplicates, loss, and what each side knows about it.
extension Catalogue {
    static let truth: [Metric] = Direction.allCases.reversed().flatMap(ways) + gaps

    private static func ways(_ direction: Direction) -> [Metric] {
        let isDown = direction == .down
        let way = isDown ? "down" : "up"
        let who = isDown ? "server to app" : "app to server"
        func count(
            _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
            _ kind: RecordKind
        ) -> Metric {
            Metric(
                "delivery.\(way).\(name)", "\(label), \(who)", .count, better, meaning,
                explanation + " A mean over replicas.", .mean { $0.fold.sum(of: kind) })
        }
        return [
            count(
                "suppressed", "Recognised duplicates", .neither,
                "Messages that arrived again, were recognised, and were dropped.",
                "The server recognises them by its deduplication memory, the app by its cursor. They cost only bytes.",
                isDown ? .suppressedDown : .suppressedUp),
            count(
                "mistaken", "Taken for duplicates", .lower,
                "New messages that were wrongly taken for duplicates and dropped.",
                "A Bloom filter makes this error; so does a window of numbers that has moved past a late message. These messages are also lost.",
                isDown ? .mistakenDown : .mistakenUp),
            count(
                "reordered", "Out of order", .lower,
                "Messages that were accepted as new after a message that was sent later.",
                "Connections keep the order, and a new connection ends the old one. Each of them is therefore a repeated message.",
                isDown ? .reorderedDown : .reorderedUp),
        ]
    }

    private static let gaps = [
        Metric(
            "delivery.gaps", "Gaps that were noticed", .count, .lower,
            "Number of times that the client or the server found out that messages are missing.",
            """
            The server notices if it no longer has what a client requests, and sends a full snapshot. The client \
            notices if it compares the server's numbers with its cursor, or if its own full queue left a mark. It also \
            notices if its new connection requests again what its buffer has dropped (`cursor: shown`). A mean over \
            replicas.
            """, .mean { Int128($0.fold.count(of: .gapNoticed)) }),
        Metric(
            "delivery.undetected_gaps", "Gaps that nobody noticed", .count, .lower,
            "Number of times that an app continued after missing messages without notice.",
            """
            Either the server skipped messages silently and the client did not compare numbers; or the client's own \
            buffer dropped messages (conflated, the oldest, the latest) and its consumer has taken the next one. \
            Consecutive messages are one gap. Errors of a Bloom filter count only in delivery.down.mistaken. A mean \
            over replicas.
            """,
            .mean { Int128($0.fold.count(of: .gapUnnoticed)) }),
        Metric(
            "delivery.up.overflow", "Thrown away for want of room", .count, .lower,
            "Messages that the app's own queue dropped or refused because it was full.",
            "Dropped messages are lost; refused ones never left the app. This number does not distinguish them. A mean over replicas.",
            .mean { $0.fold.sum(of: .queueOverflow) }),
    ]

    static let resumption = [
        Metric(
            "resume.full_syncs", "Full resynchronisations", .count, .lower,
            "Number of times that the server sent a full snapshot.",
            """
            Either its history no longer had what the client requested, or the client requested everything. The \
            content of a snapshot counts as delivered. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .fullSync)) }),
        Metric(
            "resume.refused", "Sessions refused", .count, .lower,
            "Number of sessions that the server refused because another connection of the same session existed.",
            "A server that does not replace old connections waits until it has given up the old one. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .sessionRefused)) }),
        Metric(
            "cursor.drift_max", "Furthest behind at a resumption", .count, .lower,
            "The most messages between the cursor of a resuming client and the server's newest message.",
            "This is what the client had to catch up with, if the server had kept everything. Without a resumption it is 0.",
            .quantile(.values(.drift), .all, perUnit: 1, isZeroIfEmpty: true)),
    ]

    static let freshness = [500, 950, 1_000].map { (thousandths: Int64) in
        let q = Share(thousandths: thousandths)
        return Metric(
            "freshness.\(q.suffix)", "App opened to fresh data, \(q.words)", .milliseconds, .lower,
            "Time from when the app enters the foreground until it shows everything that the server had for it then: \(q.phrase).",
            """
            If nothing was missing it is 0. An app that is left earlier, or still waits at the horizon, was never \
            fresh. If the quantile falls among those, there is no number, and no upper bound holds. Pooled over all \
            replicas.
            """, .milliseconds(q, of: .values(.fresh)))
    }
}
