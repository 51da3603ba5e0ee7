import DeadzoneClient
import DeadzoneCompare
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// The WebSocket article on many clients at once, and on the waits between their attempts.
extension ArticleClaim {
    static let webSocketHerd: [ArticleClaim] = [
        ArticleClaim(
            "B1", "A deploy drops ten thousand clients, and without backoff all of them are back in the same second",
            value: "10,000 at T+0",
            by: .scenario(
                "herd",
                [
                    .metric("attempts in a second", "herd.peak_per_s", of: "at once"),
                    .metric("with full jitter", "herd.peak_per_s", of: "full jitter"),
                ]),
            .holds(["attempts in a second": "at least 10000"]),
            instead:
                "Let the first wait be drawn, too: a retry at once is right after a change of network and wrong after a server's end."
        ),
        ArticleClaim(
            "B2", "Backoff without jitter brings all of them in one wave at each wait", value: "waves after 2, 4, 8 s",
            by: .scenario(
                "herd",
                [
                    .metric("attempts in a second", "herd.peak_per_s", of: "in step"),
                    .metric("attempts", "herd.attempts", of: "in step"),
                    .metric("with full jitter", "herd.peak_per_s", of: "full jitter"),
                ]),
            .holds(["attempts in a second": "at least 10000"]),
            instead: "Growing waits spare nobody while everybody grows alike. Draw each wait."),
        ArticleClaim(
            "B3", "Between the waves of a backoff without jitter the radio never sleeps", value: "never",
            by: .scenario(
                "radio-between-waves",
                [
                    .metric("radio awake", "battery.radio_active_ratio", of: "without jitter"),
                    .metric("radio awake with jitter", "battery.radio_active_ratio", of: "full jitter"),
                    .metric("attempts", "connection.attempts", of: "without jitter"),
                    .metric("attempts with jitter", "connection.attempts", of: "full jitter"),
                ]),
            .holds(["radio awake": "at least 99%"]),
            instead: """
                Waves are what a server sees. One phone's radio sleeps as soon as its waits are longer than its tail, and full jitter \
                wakes it more often, since a drawn wait is half as long. Jitter is for the server's sake; for the battery's there is a \
                longer cap.
                """),
        ArticleClaim(
            "B12", "A wait with full jitter is anything from nothing to the exponential wait, and that to its cap",
            value: "0 to min(32 s, 500 ms · 2ⁿ)",
            by: .computation(command: "deadzone schedule article-websocket", articleBounds),
            .holds(["shortest": "0", "longest": "within 0% of formula"]),
            instead: "Take it as it is: it is what the AWS article calls full jitter."),
        ArticleClaim(
            "B13", "From 500 ms on the waits double, and after six failures they stand at the cap",
            value: "500 ms to 16 s, then 32 s",
            by: .computation(command: "deadzone schedule article-websocket", articleWaits),
            .holds(["wait 1": "500ms", "wait 6": "16s", "wait 7": "32s", "wait 20": "32s"]),
            instead:
                "Six failures take half a minute and more: a client that is at its cap has been away for so long already."
        ),
        ArticleClaim(
            "B14", "Full jitter up to 32 s takes this much off the worst second of synchronised retries", value: "97%",
            by: .scenario(
                "how-far-jitter-spreads",
                [
                    .saving("less in the worst second", "herd.peak_per_s", of: "full jitter", against: "in step"),
                    .metric("in step", "herd.peak_per_s", of: "in step"),
                    .metric("full jitter", "herd.peak_per_s", of: "full jitter"),
                ]
                    + widths.map { name, span in
                        .flattening("less in \(name)", .connecting, within: span, of: "full jitter", against: "in step")
                    }),
            .holds(["less in the worst second": "96% to 98%"]),
            instead: """
                A drawn wait spreads clients over itself, and the first is half a second. Where many lose a server together, draw the \
                first wait over as long as the server needs to take them all, or let it say when to come.
                """,
            picture: .course(
                "97 %, by the width of what is counted in",
                "How much less the worst stretch of this width has with full jitter than without. The wider, the less.",
                of: "less in 100 ms", "less in 500 ms", "less in 1 s", "less in 2 s", "less in 4 s", "less in 8 s",
                "less in 16 s", "less in 32 s", among: "at the cap")),
    ]

    private static let widths: [(name: String, span: TimeSpan)] = [
        ("100 ms", .milliseconds(100)), ("500 ms", .milliseconds(500)), ("1 s", .seconds(1)), ("2 s", .seconds(2)),
        ("4 s", .seconds(4)), ("8 s", .seconds(8)), ("16 s", .seconds(16)), ("32 s", .seconds(32)),
    ]

    /// As the article has it, with the program's own dice at their ends.
    private static let articleLaw = Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full)

    private static let articleBounds: @Sendable () -> [ClaimReport.Cell] = {
        var (low, high) = (Dice(rehearsing: .lowest), Dice(rehearsing: .highest))
        var (lowest, highest) = (Backoff.Attempts(), Backoff.Attempts())
        return (0..<9).map { failed in
            let formula = min(32, 0.5 * Double(1 << failed))
            return ClaimReport.Cell(
                "wait \(failed + 1)",
                [
                    finding("shortest", articleLaw.next(&lowest, using: &low)),
                    finding("longest", articleLaw.next(&highest, using: &high)),
                    ClaimReport.Finding("formula", .seconds, Figure(formula)),
                ])
        }
    }

    private static let articleWaits: @Sendable () -> [ClaimReport.Cell] = {
        let waits = [1, 2, 3, 4, 5, 6, 7, 20] as [UInt32]
        return [
            ClaimReport.Cell("", waits.map { finding("wait \($0)", articleLaw.delay(afterFailures: $0 - 1)) })
        ]
    }

    private static func finding(_ name: String, _ span: TimeSpan) -> ClaimReport.Finding {
        ClaimReport.Finding(name, .seconds, Figure(Double(span.nanoseconds) / 1e9))
    }
}
