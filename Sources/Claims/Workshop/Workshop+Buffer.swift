import DeadzoneMetrics

/// Claims of the gRPC workshop on its buffer and its cursor.
extension ArticleClaim {
    static let workshopBuffer: [ArticleClaim] = [
        ArticleClaim(
            "A26", "buffer(64, DROP_OLDEST).conflate() keeps the newest messages", value: "64",
            by: .scenario(
                "buffer",
                [
                    .metric("places used", "buffer.max", of: "as printed"),
                    .metric("places used by buffer(64)", "buffer.max", of: "64 places alone"),
                ]),
            .holds(["places used": "within 1% of places used by buffer(64)"]),
            instead: """
                Choose one of the two. Kotlin fuses them into a single place, so conflate() removes the 64.
                """),
        ArticleClaim(
            "A27", "conflate() prevents memory peaks", value: "when the screen is frozen",
            by: .scenario(
                "buffer",
                [
                    .metric("as printed", "memory.peak_bytes", of: "as printed"),
                    .metric("without a bound", "memory.peak_bytes", of: "without a bound"),
                ]),
            .holds(["as printed": "at most 50% of without a bound"]),
            instead: "This is true. Skipped messages are lost (see A28): use it only if just the newest value matters."),
        ArticleClaim(
            "A28", "A client that resumes from a cursor loses no messages", value: "0 lost",
            by: .scenario(
                "resume-from-a-cursor",
                [
                    .metric("lost as printed", "delivery.down.lost", of: "as printed"),
                    .metric(
                        "lost if the cursor follows the screen", "delivery.down.lost", of: "as printed, cursor behind"),
                    .metric("lost by a buffer that suspends", "delivery.down.lost", of: "suspends, cursor before"),
                    .metric("lost by both together", "delivery.down.lost", of: "suspends, cursor behind"),
                ]),
            .holds(["lost as printed": "0"]),
            instead: """
                Choose a buffer that suspends: it stops reading, and the server keeps the messages. A message \
                that a buffer drops is lost wherever the cursor moves: the next shown message moves it past the gap. Move \
                the cursor behind the buffer as well. If the process ends, the messages that waited in the buffer are \
                then requested again.
                """),
        ArticleClaim(
            "A29", "Adding a cursor later breaks the contract", value: "a breaking change",
            by: .scenario(
                "late-cursor",
                [
                    .metric("lost, both old", "delivery.down.lost", of: "old client").in("an old server"),
                    .metric("lost, old client and new server", "delivery.down.lost", of: "old client")
                        .in("a new server"),
                    .metric("lost, new client and old server", "delivery.down.lost", of: "new client")
                        .in("an old server"),
                    .metric("lost, old client and an update", "delivery.down.lost", of: "old client")
                        .in("a server updated in the run"),
                    .metric("lost, new client and an update", "delivery.down.lost", of: "new client")
                        .in("a server updated in the run"),
                    .metric("lost, both new", "delivery.down.lost", of: "new client").in("a new server"),
                ]),
            .holds([
                "lost, old client and new server": "over 110% of lost, both old",
                "lost, new client and old server": "over 110% of lost, both old",
                "lost, old client and an update": "over 110% of lost, both old",
                "lost, new client and an update": "over 110% of lost, both old",
            ]),
            instead: """
                Add it when you need it: an unknown proto3 field is ignored. Plan for the history that the server must \
                keep.
                """),
        ArticleClaim(
            "A33", "The server acknowledges the cursor, so no side has to guess", value: "in its next answers",
            by: .scenario(
                "cursor-receipts",
                [
                    .metric("lost with receipts", "delivery.down.lost", of: "with receipts"),
                    .metric("lost as printed", "delivery.down.lost", of: "as printed"),
                    .metric("bytes up with receipts", "bytes.up", of: "with receipts"),
                    .metric("bytes up as printed", "bytes.up", of: "as printed"),
                ]),
            .moves(["lost with receipts": "under 90% of lost as printed"]),
            instead: """
                Leave it out: the printed messages have no field for it, and a cursor that the client stores needs \
                none. Acknowledgements are for servers that delete confirmed messages.
                """),
    ]
}
