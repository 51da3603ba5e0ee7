import DeadzoneCompare
import DeadzoneJournal

/// The gRPC workshop's loop of reconnections, and its deadlines.
extension ArticleClaim {
    static let workshopLoop: [ArticleClaim] = [
        ArticleClaim(
            "A10", "All five layers together save so much of a stream's energy", value: "up to 40 %",
            by: .scenario(
                "ablation",
                ["all five", "cursor", "keepalive", "backoff", "deadlines", "buffer"].map {
                    .saving($0, "battery.joules", of: $0, against: "naive")
                }),
            .holds(["all five": "35% to 45%"]),
            instead: """
                Ping seldom: that alone is nearly all of it, and backoff the rest. How much it is depends on how often messages come, from \
                a seventh to three quarters. Cursor, deadlines and buffer are worth having for other reasons; they save nothing.
                """,
            picture: .bars(
                "The 40 %, layer by layer",
                "Energy saved against a client that pings every ten seconds, by each layer alone and all; LTE of 2021.",
                of: "all five", "keepalive", "backoff", "cursor", "deadlines", "buffer", among: "lte-verizon-2021")),
        ArticleClaim(
            "A18", "Waits of the Kotlin loop", value: "500 ms · 2ⁿ, at most 30 s",
            by: .computation(command: "deadzone schedule article-grpc-kotlin") {
                [ClaimReport.Cell("", try Waits(of: "article-grpc-kotlin").first(8))]
            },
            .holds([
                "wait 1": "500ms", "wait 2": "1s", "wait 3": "2s", "wait 4": "4s", "wait 5": "8s", "wait 6": "16s",
                "wait 7": "30s", "wait 8": "30s",
            ]),
            instead:
                "The sequence is right. Add full jitter to it (see A20), and saturate instead of shifting (see A21)."),
        ArticleClaim(
            "A19", "The Swift wrapper is the same pattern", value: "500 ms · 2ⁿ",
            by: .computation(command: "deadzone schedule article-grpc-swift") {
                let swift = try Waits(of: "article-grpc-swift").first(6, named: "Swift")
                return [ClaimReport.Cell("", swift + (try Waits(of: "article-grpc-kotlin").first(6, named: "Kotlin")))]
            },
            .agrees([
                "Swift 1": "within 0% of Kotlin 1", "Swift 2": "within 0% of Kotlin 2",
                "Swift 3": "within 0% of Kotlin 3", "Swift 6": "within 0% of Kotlin 6",
            ]),
            instead: """
                Count after the wait, as the Kotlin does: the Swift counts before it, so each of its waits is twice as long.
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
                Draw each wait between nothing and its bound. A cap bounds how long one client waits; who began together stays together, \
                however long that is.
                """),
        ArticleClaim(
            "A21", "Long outages are borne", value: "for as long as they last",
            by: .computation(command: "deadzone schedule article-grpc-swift --for 1h") {
                let (kotlin, swift) = (try Waits(of: "article-grpc-kotlin"), try Waits(of: "article-grpc-swift"))
                return [
                    ClaimReport.Cell(
                        "",
                        [
                            kotlin.shortest("Kotlin, shortest wait at the cap", from: 8),
                            swift.end("Swift, goes on for"),
                        ])
                ]
            },
            .holds(["Kotlin, shortest wait at the cap": "30s", "Swift, goes on for": "at least 1h"]),
            instead: """
                Bound the exponent before you shift. After 25 minutes of failures the Swift multiplies beyond its integers and ends the \
                app, and the Kotlin shifts into negative waits and hammers the server.
                """),
        ArticleClaim(
            "A22", "The counter begins anew when a message is delivered", value: "so that the stream soon settles",
            by: .scenario(
                "flapping",
                [
                    .metric("attempts of the Kotlin", "connection.attempts", of: "Kotlin"),
                    .metric("attempts of the Swift", "connection.attempts", of: "Swift"),
                    .metric("reset after 30 s up", "connection.attempts", of: "reset after 30 s up"),
                ]),
            .holds(["attempts of the Kotlin": "at most 200% of reset after 30 s up"]),
            instead: """
                Begin anew only when a connection has lived for a while, half a minute say. One message is no proof: a server that dies \
                after each is asked for more without a pause.
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
                Give deadlines to calls and none to a stream that is meant to last. Its end is DEADLINE_EXCEEDED, the printed loop tries \
                again after UNAVAILABLE alone, and so the stream is gone for good after two minutes.
                """,
            picture: .bars(
                "The deadline that kills its stream",
                "Messages of an hour, and how many of them arrive with the printed deadline and without it.",
                of: "sent", "delivered", "delivered without it")),
        ArticleClaim(
            "A24", "A stream in the background, or on a low battery, ends sooner", value: "10 s, 30 s",
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
                End a stream when the app goes to the background; do not ask how the app is when a call begins. As printed a low battery \
                keeps a stream three times as long as the background does, and who goes there later changes nothing.
                """),
        ArticleClaim(
            "A25", "Deadlines free what the server holds", value: "no zombies",
            by: .scenario(
                "server-held",
                [
                    .longest("held with the deadline", .serverHeld, of: "with the deadline"),
                    .longest("held without", .serverHeld, of: "without a deadline"),
                ]),
            .holds(["held with the deadline": "at most 50% of held without"]),
            instead: """
                Let the server ping (keepalive, or max-connection-idle): it holds what is out of reach for as long as its own timers say, \
                whatever the client's deadline ends there.
                """),
    ]
}
