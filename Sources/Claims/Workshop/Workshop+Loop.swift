import DeadzoneBase
import DeadzoneMetrics

/// Claims of the gRPC workshop on its reconnection loop and its deadlines.
extension ArticleClaim {
    static let workshopLoop: [ArticleClaim] = [
        ArticleClaim(
            "A10", "All five layers together reduce the energy of a stream by", value: "up to 40 %",
            by: .scenario(
                "ablation",
                ["all five", "cursor", "keepalive", "backoff", "deadlines", "buffer"].map {
                    .saving($0, "battery.joules", of: $0, against: "naive")
                }),
            .holds(["all five": "35% to 45%"]),
            instead: """
                Ping less often: this is nearly all of the saving, and backoff is the rest. So the saving depends on \
                the pings of the client before, and on how often messages come. A client that already pings every \
                minute saves less than a fifth. Cursor, deadlines and buffer have other benefits, but save no energy.
                """,
            picture: .bars(
                "Energy saved by each layer",
                "Energy saved relative to a client that pings every ten seconds, by each layer and by all layers; LTE of 2021.",
                of: "all five", "keepalive", "backoff", "cursor", "deadlines", "buffer",
                among: "naive pings every 10 s, lte-verizon-2021")),
        ArticleClaim(
            "A18", "Waits of the Kotlin loop", value: "500 ms · 2ⁿ, at most 30 s",
            by: .computation(command: "deadzone schedule article-grpc-kotlin") {
                [ClaimReport.ClaimCell("", try RetrySchedule(of: "article-grpc-kotlin").first(8))]
            },
            .holds([
                "wait 1": "500ms", "wait 2": "1s", "wait 3": "2s", "wait 4": "4s", "wait 5": "8s", "wait 6": "16s",
                "wait 7": "30s", "wait 8": "30s",
            ]),
            instead:
                "The sequence is right. Add full jitter (see A20), and saturate the exponent instead of shifting without a limit (see A21)."
        ),
        ArticleClaim(
            "A19", "The Swift wrapper has the same pattern", value: "500 ms · 2ⁿ",
            by: .computation(command: "deadzone schedule article-grpc-swift") {
                let swift = try RetrySchedule(of: "article-grpc-swift").first(6, named: "Swift")
                return [
                    ClaimReport.ClaimCell(
                        "", swift + (try RetrySchedule(of: "article-grpc-kotlin").first(6, named: "Kotlin")))
                ]
            },
            .agrees([
                "Swift 1": "within 0% of Kotlin 1", "Swift 2": "within 0% of Kotlin 2",
                "Swift 3": "within 0% of Kotlin 3", "Swift 6": "within 0% of Kotlin 6",
            ]),
            instead: """
                Increment the counter after the wait, as the Kotlin code does. The Swift code increments it before, so \
                each wait is twice as long.
                """),
        ArticleClaim(
            "A20", "A cap of 30 s prevents retry storms", value: "30 s",
            by: .scenario(
                "storm",
                [
                    .peak("most in a second at the cap", .connecting, from: 120, of: "capped at 30 s"),
                    .metric("clients", "server.connections_max", of: "capped at 30 s"),
                    .peak("the same with full jitter", .connecting, from: 120, of: "with full jitter"),
                ]),
            .holds(["most in a second at the cap": "at most 50% of clients"]),
            instead: """
                Choose each wait at random between zero and its limit. A cap limits how long one client waits. Clients \
                that start together stay together, whatever the cap.
                """),
        ArticleClaim(
            "A21", "The client survives long outages", value: "for as long as they last",
            by: .computation(command: "deadzone schedule article-grpc-swift --for 1h") {
                let (kotlin, swift) = (
                    try RetrySchedule(of: "article-grpc-kotlin"), try RetrySchedule(of: "article-grpc-swift")
                )
                return [
                    ClaimReport.ClaimCell(
                        "",
                        [
                            kotlin.shortest("Kotlin, shortest wait at the cap", from: 8),
                            swift.end("Swift, goes on for"),
                        ])
                ]
            },
            .holds(["Kotlin, shortest wait at the cap": "30s", "Swift, goes on for": "at least 1h"]),
            instead: """
                Limit the exponent before the shift. After 25 minutes of failures, the Swift code overflows its \
                integers and crashes the app. The Kotlin code shifts into negative waits and floods the server with \
                attempts.
                """),
        ArticleClaim(
            "A22", "The counter is reset when a message is delivered", value: "so that the stream soon recovers",
            by: .scenario(
                "flapping",
                [
                    .metric("attempts of the Kotlin", "connection.attempts", of: "Kotlin"),
                    .metric("attempts of the Swift", "connection.attempts", of: "Swift"),
                    .metric("reset after 30 s up", "connection.attempts", of: "reset after 30 s up"),
                ]),
            .holds(["attempts of the Kotlin": "at most 200% of reset after 30 s up"]),
            instead: """
                Reset the counter only when a connection has lived for a while, for example half a minute. One message \
                proves nothing: if the server crashes after each message, the client retries without a pause.
                """),
        ArticleClaim(
            "A23", "A stream in the foreground has a deadline", value: "120 s",
            by: .scenario(
                "stream-deadline",
                [
                    .metric("delivered", "delivery.down.delivered", of: "as printed").in("in front"),
                    .metric("sent", "delivery.down.sent", of: "as printed").in("in front"),
                    .metric("connected", "availability.ratio", of: "as printed").in("in front"),
                    .metric("delivered without it", "delivery.down.delivered", of: "deadlines for calls alone")
                        .in("in front"),
                ]),
            .agrees(["delivered": "at least 99% of sent"]),
            instead: """
                Set deadlines for calls, but not for a long-lived stream. The deadline ends the stream with \
                DEADLINE_EXCEEDED. The printed loop retries only after UNAVAILABLE, so the stream never returns after \
                two minutes.
                """,
            picture: .bars(
                "A deadline that ends its stream",
                "Messages of one hour that arrive with the printed deadline and without it.",
                of: "sent", "delivered", "delivered without it")),
        ArticleClaim(
            "A24", "A stream in the background or on a low battery ends earlier", value: "10 s, 30 s",
            by: .scenario(
                "stream-deadline",
                [
                    .metric("on a low battery", "delivery.down.delivered", of: "as printed").in("low battery"),
                    .metric("in the background", "delivery.down.delivered", of: "as printed").in("in the background"),
                    .metric("goes behind after a minute", "delivery.down.delivered", of: "as printed")
                        .in("behind after a minute"),
                    .metric("stays in front", "delivery.down.delivered", of: "as printed").in("in front"),
                ]),
            .agrees([
                "on a low battery": "at most 100% of in the background",
                "goes behind after a minute": "at most 60% of stays in front",
            ]),
            instead: """
                End a stream when the app goes to the background; do not decide at the start of a call. In the printed \
                code, a low battery keeps a stream three times as long as the background does. A later move to the \
                background changes nothing.
                """),
        ArticleClaim(
            "A25", "Deadlines free server resources", value: "no zombies",
            by: .scenario(
                "server-held",
                [
                    .longest("held with the deadline", .serverHeld, of: "with the deadline"),
                    .longest("held without", .serverHeld, of: "without a deadline"),
                ]),
            .holds(["held with the deadline": "at most 50% of held without"]),
            instead: """
                Let the server ping (keepalive, or max-connection-idle). It keeps unreachable clients until its own \
                timers end, whatever the deadline of the client is.
                """),
    ]
}
