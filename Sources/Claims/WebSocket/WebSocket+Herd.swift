import DeadzoneBase
import DeadzoneClient
import DeadzoneMetrics

/// Claims of the WebSocket article on many simultaneous clients and on the delays between their attempts.
extension ArticleClaim {
    static let webSocketHerd: [ArticleClaim] = [
        ArticleClaim(
            "B1", "A deployment drops ten thousand clients, and without backoff all reconnect in the same second",
            value: "10,000 at T+0",
            by: .scenario(
                "herd",
                [
                    .metric("attempts in a second", "herd.peak_per_s", of: "at once"),
                    .metric("with full jitter", "herd.peak_per_s", of: "full jitter"),
                ]),
            .holds(["attempts in a second": "at least 10000"]),
            instead:
                "Randomise the first wait, too. An immediate retry is right after a network change, but wrong after a server shutdown."
        ),
        ArticleClaim(
            "B2", "With backoff but no jitter, all clients retry in one wave after each wait",
            value: "waves after 2, 4, 8 s",
            by: .scenario(
                "herd",
                [
                    .metric("attempts in a second", "herd.peak_per_s", of: "in step"),
                    .metric("attempts", "herd.attempts", of: "in step"),
                    .metric("with full jitter", "herd.peak_per_s", of: "full jitter"),
                ]),
            .holds(["attempts in a second": "at least 10000"]),
            instead: "Growing waits do not help if all clients have the same waits. Randomise each wait."),
        ArticleClaim(
            "B3", "The radio never sleeps between the waves of a backoff without jitter", value: "never",
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
                In an outage of twenty seconds the waits are shorter than the tail, and the radio stays awake. One \
                phone's radio sleeps as soon as its waits are longer. Waves are a problem of the server. Full jitter \
                wakes the radio more often, because random waits are half as long on average. Use jitter for the \
                server, and a higher cap for the battery.
                """),
        ArticleClaim(
            "B12", "A wait with full jitter is random between zero and the exponential wait, up to a cap",
            value: "0 to min(32 s, 500 ms · 2ⁿ)",
            by: .computation(command: "deadzone schedule article-websocket", articleBounds),
            .holds(["shortest": "0", "longest": "within 0% of formula"]),
            instead: "Use it unchanged: it is full jitter as in the AWS article."),
        ArticleClaim(
            "B13", "The waits double from 500 ms, and reach the cap after six failures",
            value: "500 ms to 16 s, then 32 s",
            by: .computation(command: "deadzone schedule article-websocket", articleWaits),
            .holds(["wait 1": "500ms", "wait 6": "16s", "wait 7": "32s", "wait 20": "32s"]),
            instead:
                "Six failures take more than half a minute, so a client at its cap has already been disconnected for that time."
        ),
        ArticleClaim(
            "B14", "Full jitter up to 32 s reduces the worst second of synchronised retries by", value: "97%",
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
                Random waits spread the clients over the length of the wait, and the first wait is only half a second. \
                If many clients lose a server together, spread the first wait over the time that the server needs to \
                accept them all. Alternatively, let the server tell clients when to reconnect.
                """,
            picture: .linePerCell(
                "97%, by the length of the counting interval",
                "Reduction of the worst interval of this length by full jitter. Longer intervals show less reduction.",
                of: "less in 100 ms", "less in 500 ms", "less in 1 s", "less in 2 s", "less in 4 s", "less in 8 s",
                "less in 16 s", "less in 32 s", among: "at the cap")),
    ]

    private static let widths: [(name: String, span: TimeSpan)] = [
        ("100 ms", .milliseconds(100)), ("500 ms", .milliseconds(500)), ("1 s", .seconds(1)), ("2 s", .seconds(2)),
        ("4 s", .seconds(4)), ("8 s", .seconds(8)), ("16 s", .seconds(16)), ("32 s", .seconds(32)),
    ]

    /// Backoff as in the article, evaluated with the program's random numbers at their extremes.
    private static let articleLaw = Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full)

    private static let articleBounds: @Sendable () -> [ClaimReport.ClaimCell] = {
        var (low, high) = (Dice(fixed: .lowest), Dice(fixed: .highest))
        var (lowest, highest) = (Backoff.Attempts(), Backoff.Attempts())
        return (0..<9).map { failed in
            let formula = min(32, 0.5 * Double(1 << failed))
            return ClaimReport.ClaimCell(
                "wait \(failed + 1)",
                [
                    finding("shortest", articleLaw.next(&lowest, using: &low)),
                    finding("longest", articleLaw.next(&highest, using: &high)),
                    ClaimReport.ClaimFinding("formula", .seconds, Figure(formula)),
                ])
        }
    }

    private static let articleWaits: @Sendable () -> [ClaimReport.ClaimCell] = {
        let waits = [1, 2, 3, 4, 5, 6, 7, 20] as [UInt32]
        return [
            ClaimReport.ClaimCell("", waits.map { finding("wait \($0)", articleLaw.delay(afterFailures: $0 - 1)) })
        ]
    }

    private static func finding(_ name: String, _ span: TimeSpan) -> ClaimReport.ClaimFinding {
        ClaimReport.ClaimFinding(name, .seconds, Figure(Double(span.nanoseconds) / 1e9))
    }
}
