import DeadzoneJournal
import DeadzonePrimitives

/// What became of messages beside arriving: in what order, how often, and who knows.
extension Catalogue {
    static let truth: [Metric] = Direction.allCases.reversed().flatMap(ways) + gaps

    private static func ways(_ direction: Direction) -> [Metric] {
        let isDown = direction == .down
        let way = isDown ? "down" : "up"
        let who = isDown ? "server to app" : "app to server"
        func count(
            _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
            _ kind: Kind
        ) -> Metric {
            Metric(
                "delivery.\(way).\(name)", "\(label), \(who)", .count, better, meaning,
                explanation + " A mean over replicas.", .mean { $0.fold.sum(of: kind) })
        }
        return [
            count(
                "suppressed", "Recognised duplicates", .neither,
                "Messages that arrived once more, were recognised, and went no further.",
                "By the server's memory of what it has had, or by the app's cursor. They cost bytes and nothing else.",
                isDown ? .suppressedDown : .suppressedUp),
            count(
                "mistaken", "Taken for duplicates", .lower,
                "New messages that were taken for ones that had come before, and dropped.",
                "A Bloom filter errs like this; so does a window of numbers that has slid past a late one. They are lost, too.",
                isDown ? .mistakenDown : .mistakenUp),
            count(
                "reordered", "Out of order", .lower,
                "Messages that were taken for new after one that was sent later had been.",
                "Connections keep order and a new one ends the old one, so that it is always one that comes once more.",
                isDown ? .reorderedDown : .reorderedUp),
        ]
    }

    private static let gaps = [
        Metric(
            "delivery.gaps", "Gaps that were noticed", .count, .lower,
            "How often somebody found out that messages are missing.",
            """
            The server, which no longer has what a client asks for and sends everything anew; or the client, which compares the \
            server's numbers with its cursor, whose own queue was full and left a mark, or whose new connection asks again for what \
            its buffer has dropped (`cursor: shown`). A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .gapNoticed)) }),
        Metric(
            "delivery.undetected_gaps", "Gaps that nobody noticed", .count, .lower,
            "How often an app went on behind missing messages as if nothing were missing.",
            """
            The server skipped them without a word, and the client did not compare numbers; or the client's own buffer dropped \
            them (conflated, the oldest, the latest), and its consumer has taken what comes next. Messages that follow one \
            another are one gap. What a Bloom filter mistakes is in delivery.down.mistaken alone. A mean over replicas.
            """,
            .mean { Int128($0.fold.count(of: .gapUnnoticed)) }),
        Metric(
            "delivery.up.overflow", "Thrown away for want of room", .count, .lower,
            "Messages that the app's own queue threw away, or did not take, because it was full.",
            "They are lost, or refused before the app let go of them: the same here. A mean over replicas.",
            .mean { $0.fold.sum(of: .queueOverflow) }),
    ]

    static let resumption = [
        Metric(
            "resume.full_syncs", "Full resynchronisations", .count, .lower,
            "How often the server sent everything anew.",
            """
            Because its history no longer had what the client asked for, or because the client asked for everything. What a \
            snapshot holds counts as delivered. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .fullSync)) }),
        Metric(
            "resume.refused", "Sessions refused", .count, .lower,
            "How often the server let nobody in because another connection of the session stood.",
            "A server that does not replace old connections waits until it has given up the old one. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .sessionRefused)) }),
        Metric(
            "cursor.drift_max", "Furthest behind at a resumption", .count, .lower,
            "The most messages between the cursor of a client that resumed and the server's newest.",
            "What it had to catch up with, had the server kept it all. Without any resumption it is 0.",
            .quantile(.values(.drift), .all, perUnit: 1, isZeroIfEmpty: true)),
    ]

    static let freshness = [500, 950, 1_000].map { (thousandths: Int64) in
        let q = Share(thousandths: thousandths)
        return Metric(
            "freshness.\(q.suffix)", "App opened to fresh data, \(q.words)", .milliseconds, .lower,
            "Time from the app's coming to the front until it shows all that the server had for it then: \(q.phrase).",
            """
            Where nothing was missing it is 0. An app that is left before that, or still waits at the horizon, never was fresh: where \
            the quantile falls among those there is no number, and no upper bound holds. Pooled over all replicas.
            """, .milliseconds(q, of: .values(.fresh)))
    }
}
