import DeadzoneCompare

/// The WebSocket article on numbers, acknowledgements and queues.
extension ArticleClaim {
    static let webSocketSequences: [ArticleClaim] = [
        ArticleClaim(
            "B4", "A message whose confirmation is lost is said again and processed twice", value: "twice",
            by: .scenario(
                "lost-confirmation",
                [
                    .metric("processed twice", "delivery.up.duplicated", of: "resends"),
                    .metric("twice where numbers are compared", "delivery.up.duplicated", of: "compares numbers"),
                    .metric("lost", "delivery.up.lost", of: "resends"),
                ]),
            .holds(["processed twice": "at least 1"]),
            instead:
                "Ask the server which number it has before anything is said again, or give messages keys that it knows again."
        ),
        ArticleClaim(
            "B5", "A server's message of which the acknowledgement is lost never reaches the client", value: "lost",
            by: .scenario(
                "lost-acknowledgement",
                [
                    .metric("never received", "delivery.down.lost", of: "client"),
                    .metric("sent", "delivery.down.sent", of: "client"),
                ]),
            .agrees(["never received": "at least 1"]),
            instead: """
                Whoever has acknowledged a message has it; a lost acknowledgement makes the server say it again. What loses messages is \
                a server that forgets them when it has sent them, without waiting for a word.
                """),
        ArticleClaim(
            "B6", "By the two numbers of RECONNECT each side discards what the other has, and nothing else",
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
                "Two directions need four numbers: what each has sent, and what each has of the other. A client prunes by the last."
        ),
        ArticleClaim(
            "B7", "A window of a thousand messages or five minutes, whichever is larger, lets nothing through twice",
            value: "exactly once",
            by: .scenario(
                "window-of-receipts",
                [
                    .metric("processed twice", "delivery.up.duplicated", of: "says all again"),
                    .metric("known again", "delivery.up.suppressed", of: "says all again"),
                ]),
            .holds(["processed twice": "0"]),
            instead: """
                It holds for as long as no more than that is unconfirmed, and then breaks at once: each message that is taken for new \
                drives out the next one that will come. Bound what a client may leave unconfirmed below the window, or remember the \
                highest number for ever.
                """,
            picture: .bars(
                "The cliff of a window",
                "So many messages come again at once. What the window holds is known; one more than it holds, and nearly all are new.",
                of: "known again", "processed twice")),
        ArticleClaim(
            "B8", "Five minutes cover most absences; only beyond them is a full synchronisation needed", value: "most",
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
                Let the window follow what is kept, not a clock: a client that was away for an hour and missed three messages wants \
                three messages.
                """),
        ArticleClaim(
            "B24", "A flush without confirmation on the way to the background keeps the promise of exactly once",
            value: "0 lost",
            by: .scenario(
                "flush-without-confirmation",
                [
                    .metric("lost", "delivery.up.lost", of: "forgets what it flushed"),
                    .metric("lost by who keeps it", "delivery.up.lost", of: "keeps it until confirmed"),
                    .metric("said", "delivery.up.sent", of: "forgets what it flushed"),
                ]),
            .agrees(["lost": "0"]),
            instead:
                "Flush, and keep what was flushed in the stored queue until the server has confirmed it. It costs nothing."
        ),
        ArticleClaim(
            "B25", "A queue that is purged by cumulative acknowledgements neither loses nor repeats",
            value: "seq ≤ 1847 is purged",
            by: .scenario(
                "handshake",
                [
                    .metric("lost", "delivery.up.lost", of: "as it is meant"),
                    .metric("processed twice", "delivery.up.duplicated", of: "as it is meant"),
                ]),
            .holds(["lost": "0", "processed twice": "0"]),
            instead: "Do it so."),
        ArticleClaim(
            "B26", "A queue that throws away its older half keeps the promise of exactly once", value: "0 lost",
            by: .scenario(
                "overflow",
                [
                    .metric("lost", "delivery.up.lost", of: "drops the older half"),
                    .metric("lost one by one", "delivery.up.lost", of: "drops the oldest"),
                    .metric("lost by a longer queue", "delivery.up.lost", of: "keeps all"),
                ]),
            .agrees(["lost": "0"]),
            instead:
                "A text message is a few hundred bytes: keep them all, and drain slowly. If some must go, throw away one for one."
        ),
        ArticleClaim(
            "B27", "A queue of a thousand is halved for the first time after ten minutes without a network",
            value: "10 min",
            by: .scenario(
                "ten-minute-backlog", [.metric("thrown away by then", "delivery.up.overflow", of: "client")]),
            .holds(["thrown away by then": "499 to 501"]),
            instead:
                "Bound a queue by bytes or by what a user would miss; a thousand messages are minutes of one app and a week of another."
        ),
    ]
}
