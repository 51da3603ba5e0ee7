import DeadzoneMetrics

/// Claims of the gRPC workshop on the ends of a stream that its loops do not expect.
extension ArticleClaim {
    static let workshopEnds: [ArticleClaim] = [
        ArticleClaim(
            "A35", "The loop waits before it opens the next stream", value: "500 ms · 2ⁿ",
            by: .scenario(
                "stream-ends-in-order",
                [
                    .metric("attempts of the Kotlin", "connection.attempts", of: "Kotlin"),
                    .metric("attempts of the Swift", "connection.attempts", of: "Swift"),
                    .metric("with a wait", "connection.attempts", of: "waits"),
                    .metric("energy of the Kotlin", "battery.joules", of: "Kotlin"),
                    .metric("energy with a wait", "battery.joules", of: "waits"),
                ]),
            .holds(["attempts of the Kotlin": "at most 200% of with a wait"]),
            instead: """
                Wait after each end of a stream, also after the status OK. Both loops wait only in their `catch`, and \
                a stream that ends in order throws nothing. If the server ends each stream soon, they open the next \
                one without a pause.
                """),
        ArticleClaim(
            "A36", "On iOS the same pattern tells the app when it gives up", value: "as the Kotlin code does",
            by: .scenario(
                "after-another-error",
                [
                    .metric("left waiting by the Swift", "app.abandoned_consumers", of: "Swift"),
                    .metric("left waiting by the Kotlin", "app.abandoned_consumers", of: "Kotlin"),
                ]),
            .agrees(["left waiting by the Swift": "at most 100% of left waiting by the Kotlin"]),
            instead: """
                Call continuation.finish(throwing:) in a `catch` for every other error. The printed Task ends with the \
                error before it reaches continuation.finish(), so the app waits for the next message forever. The \
                Kotlin code throws the error to its collector.
                """),
        ArticleClaim(
            "A37", "An unbounded buffer grows until the system ends the process", value: "killed",
            by: .scenario(
                "killed-for-memory",
                [
                    .metric("killed without a bound", "app.kills", of: "without a bound"),
                    .metric("killed as printed", "app.kills", of: "as printed"),
                    .metric("killed with a buffer that suspends", "app.kills", of: "suspends"),
                    .metric("lost without a bound", "delivery.down.lost", of: "without a bound"),
                    .metric("lost as printed", "delivery.down.lost", of: "as printed"),
                    .metric("lost with a buffer that suspends", "delivery.down.lost", of: "suspends"),
                ]),
            .holds(["killed without a bound": "at least 1", "killed as printed": "0"]),
            instead: """
                Bound the buffer, and let it suspend. The printed buffer saves the process and loses the messages. An \
                unbounded buffer ends the process only if a stall brings more bytes than the system grants. Count \
                them for your own traffic.
                """),
        ArticleClaim(
            "A38", "A deadline should depend on the quality of the network", value: "at call initialization",
            by: .scenario(
                "deadline-by-network",
                [
                    .metric("answered, by network", "calls.ok", of: "by network"),
                    .metric("answered, one deadline", "calls.ok", of: "one deadline"),
                    .metric("failed, by network", "calls.deadline_exceeded", of: "by network"),
                    .metric("failed, one deadline", "calls.deadline_exceeded", of: "one deadline"),
                ]),
            .moves(["answered, by network": "at least 105% of answered, one deadline"]),
            instead: """
                Measure your own calls, and allow more time after a slow one. On a good network this changes nothing. \
                On a slow one, a short deadline fails calls although their answers are already on the way.
                """),
    ]
}
