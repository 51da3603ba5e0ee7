import DeadzoneMetrics

/// Claims of the WebSocket article on sequence numbers, acknowledgements and queues.
extension ArticleClaim {
    static let webSocketSequences: [ArticleClaim] = [
        ArticleClaim(
            "B4", "A message with a lost acknowledgement is sent again and processed twice", value: "twice",
            by: .scenario(
                "lost-confirmation",
                [
                    .metric("processed twice", "delivery.up.duplicated", of: "resends"),
                    .metric("twice where numbers are compared", "delivery.up.duplicated", of: "compares numbers"),
                    .metric("lost", "delivery.up.lost", of: "resends"),
                ]),
            .holds(["processed twice": "at least 1"]),
            instead:
                "Before you resend, ask the server for its last number, or use message keys for deduplication."
        ),
        ArticleClaim(
            "B5", "A server message with a lost acknowledgement never reaches the client", value: "lost",
            by: .scenario(
                "lost-acknowledgement",
                [
                    .metric("never received", "delivery.down.lost", of: "client"),
                    .metric("sent", "delivery.down.sent", of: "client"),
                ]),
            .agrees(["never received": "at least 1"]),
            instead: """
                A client that acknowledged a message has received it. A lost acknowledgement only makes the server \
                send it again. Messages are lost if a server deletes them after sending, without waiting for an \
                acknowledgement.
                """),
        ArticleClaim(
            "B6", "With the two numbers of RECONNECT, each side discards exactly the messages that the other side has",
            value: "exactly once",
            by: .scenario(
                "handshake",
                [
                    .metric("lost upwards", "delivery.up.lost", of: "to the letter"),
                    .metric("lost downwards", "delivery.down.lost", of: "to the letter"),
                    .metric("lost upwards as meant", "delivery.up.lost", of: "as it is meant"),
                    .metric("lost downwards as meant", "delivery.down.lost", of: "as it is meant"),
                ]),
            .agrees(["lost upwards": "0", "lost downwards": "0"]),
            instead:
                "Two directions need four numbers: each side's last sent and last received number. The client prunes by what the server has received."
        ),
        ArticleClaim(
            "B7",
            "A deduplication window of a thousand messages or five minutes, whichever is larger, stops all duplicates",
            value: "exactly once",
            by: .scenario(
                "window-of-receipts",
                [
                    .metric("processed twice", "delivery.up.duplicated", of: "says all again"),
                    .metric("known again", "delivery.up.suppressed", of: "says all again"),
                ]),
            .holds(["processed twice": "0"]),
            instead: """
                This holds while at most this number of messages is unacknowledged, and fails completely beyond it. \
                Each message that is wrongly accepted as new removes the next one from the window. Limit \
                unacknowledged messages below the window size, or store the highest number permanently.
                """,
            picture: .bars(
                "Limit of a deduplication window",
                "Number of messages that are sent again together. Up to the window size all are recognised; with one more, nearly all count as new.",
                of: "known again", "processed twice")),
        ArticleClaim(
            "B8", "Five minutes cover most disconnections; only longer ones need a full synchronisation", value: "most",
            by: .scenario(
                "how-long-away",
                [
                    .share(
                        "full synchronisations", ["resume.full_syncs"], of: ["resume.full_syncs", "resume.count"],
                        "visits"),
                    .metric("connections", "connection.handshakes", of: "visits"),
                ]),
            .holds(["full synchronisations": "under 50%"]),
            instead: """
                Base the window on the stored messages, not on a clock. A client that was away for an hour and missed \
                three messages needs only these three.
                """),
        ArticleClaim(
            "B24", "A flush without acknowledgement before the background keeps exactly-once delivery",
            value: "0 lost",
            by: .scenario(
                "flush-without-confirmation",
                [
                    .metric("lost", "delivery.up.lost", of: "forgets what it flushed"),
                    .metric("lost if kept until confirmed", "delivery.up.lost", of: "keeps it until confirmed"),
                    .metric("said", "delivery.up.sent", of: "forgets what it flushed"),
                ]),
            .agrees(["lost": "0"]),
            instead:
                "Flush, and keep flushed messages in the stored queue until the server acknowledges them. This costs nothing."
        ),
        ArticleClaim(
            "B25", "A queue that is purged by cumulative acknowledgements has no losses and no duplicates",
            value: "seq ≤ 1847 is purged",
            by: .scenario(
                "handshake",
                [
                    .metric("lost", "delivery.up.lost", of: "as it is meant"),
                    .metric("processed twice", "delivery.up.duplicated", of: "as it is meant"),
                ]),
            .holds(["lost": "0", "processed twice": "0"]),
            instead: "Use this method."),
        ArticleClaim(
            "B26", "A queue that drops its older half keeps exactly-once delivery", value: "0 lost",
            by: .scenario(
                "overflow",
                [
                    .metric("lost", "delivery.up.lost", of: "drops the older half"),
                    .metric("lost one by one", "delivery.up.lost", of: "drops the oldest"),
                    .metric("lost by a longer queue", "delivery.up.lost", of: "keeps all"),
                ]),
            .agrees(["lost": "0"]),
            instead:
                "A text message has a few hundred bytes: keep all messages, and send them slowly. If some must go, drop one for each new one."
        ),
        ArticleClaim(
            "B27", "A queue of a thousand messages is halved for the first time after ten minutes without a network",
            value: "10 min",
            by: .scenario(
                "ten-minute-backlog", [.metric("thrown away by then", "delivery.up.overflow", of: "client")]),
            .holds(["thrown away by then": "499 to 501"]),
            instead:
                "Limit a queue by bytes or by the value of its messages. A thousand messages are minutes in one app and a week in another."
        ),
    ]
}
