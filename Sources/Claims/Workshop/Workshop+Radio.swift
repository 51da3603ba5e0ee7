import DeadzoneBase
import DeadzoneMetrics

/// Claims of the gRPC workshop on networks and radios.
extension ArticleClaim {
    static let workshopRadio: [ArticleClaim] = [
        ArticleClaim(
            "A1", "A session has changes of network, cell or signal", value: "dozens of them",
            by: .scenario(
                "sessions",
                [
                    .times("changes", .weather, of: "client"),
                    .metric("reported to the app", "network.told", of: "client"),
                    .metric("cut off", "blocked.total", of: "client"),
                ]),
            .holds(["changes": "at least 24"]),
            instead: """
                Count the changes of your own users before you design for them. Dozens occur on a train ride. Most \
                sessions are short and have few changes or none. An app is notified of few changes: cell changes and \
                tunnels cause no event.
                """),
        ArticleClaim(
            "A2", "The radio has the states CONNECTED, SHORT_DRX, LONG_DRX and IDLE", value: "four states",
            by: .scenario(
                "promotion",
                [
                    .perPromotion("short DRX", ["short_drx"], of: "client"),
                    .perPromotion("long DRX", ["long_drx"], of: "client"),
                    .perPromotion("tail before", ["tail"], of: "client"),
                ]),
            .holds(["short DRX": "over 0s", "long DRX": "over 0s"]),
            instead: """
                Use a model with two states, connected and idle. DRX is how a connected radio sleeps between packets, \
                and the network decides which kinds exist. The cost is the whole time until idle, ten seconds or more.
                """),
        ArticleClaim(
            "A3", "A promotion from idle to connected takes", value: "5 to 12 s",
            by: .scenario(
                "promotion",
                [
                    .perPromotion("promotion", ["promotion"], of: "client"),
                    .perPromotion(
                        "awake after the last byte",
                        ["tail", "short_drx", "long_drx", "inactive", "dch", "fach"], of: "client"),
                ]),
            .holds(["promotion": "5s to 12s"]),
            instead: """
                Expect a quarter of a second on LTE, up to one second on 5G and up to two on 3G. Five and twelve \
                seconds are how long AT&T's 3G kept a radio awake after the last byte. The article confuses the tail \
                with the promotion.
                """,
            picture: .bars(
                "Tail and promotion",
                "How long each radio takes to wake, and how long it stays awake after the last byte.",
                of: "promotion", "awake after the last byte")),
        ArticleClaim(
            "A4", "Each ping after a silence promotes the radio", value: "again and again",
            by: .scenario(
                "lone-ping",
                [
                    .each("promotions a ping", "battery.promotions", per: "keepalive.pings", of: "pings"),
                    .each("energy a ping", "battery.above_idle_joules", per: "keepalive.pings", of: "pings"),
                ]),
            .holds(["promotions a ping": "at least 1"]),
            instead: """
                Count wake-ups, not bytes: a single ping costs mainly the time that the radio stays awake after it. \
                Send pings together with other traffic.
                """),
        ArticleClaim(
            "A14", "A ping every 60 s balances connection health and wake-up cost", value: "60 s",
            by: .scenario(
                "keepalive-interval",
                [
                    .metric("awake at 60 s", "battery.radio_active_ratio", of: "60 s"),
                    .metric("dead and unnoticed at 60 s", "zombie.max", of: "60 s"),
                    .metric("dead and unnoticed at 4 min", "zombie.max", of: "4 min"),
                ]
                    + ["5 s", "10 s", "15 s", "20 s", "30 s", "60 s", "2 min", "4 min", "15 min"].map {
                        .metric("energy at \($0)", "battery.joules", of: $0)
                    }),
            .holds([
                "energy at 60 s": "at most 150% of energy at 4 min",
                "dead and unnoticed at 60 s": "at most 50% of dead and unnoticed at 4 min",
            ]),
            instead: """
                On a silent stream, ping every four or five minutes, which NATs and default servers allow. Find dead \
                connections by network events and by call deadlines. A ping every minute keeps the radio awake a fifth \
                of the time. On a stream with a message every few seconds, sixty seconds cost nothing: no ping is sent \
                until the messages end.
                """,
            picture: .linePerCell(
                "Cost of pings by interval",
                "Energy of two hours of a silent stream. A curve is flat while the interval is shorter than the radio's tail, and then falls.",
                of: "energy at 5 s", "energy at 10 s", "energy at 15 s", "energy at 20 s", "energy at 30 s",
                "energy at 60 s",
                "energy at 2 min", "energy at 4 min", "energy at 15 min", among: "a silent stream")),
        ArticleClaim(
            "A17", "The channel of NettyChannelBuilder is radio-optimised: it recovers soon after a network change",
            value: "as a mobile channel should be",
            by: .scenario(
                "path-change",
                [
                    .metric("NettyChannelBuilder", "recovery.max", of: "NettyChannelBuilder"),
                    .metric("AndroidChannelBuilder", "recovery.max", of: "AndroidChannelBuilder"),
                    .metric("Netty without pings, dead for", "zombie.max", of: "Netty without pings"),
                ]),
            .holds(["NettyChannelBuilder": "at most 200% of AndroidChannelBuilder"]),
            instead: """
                On Android, build the channel with AndroidChannelBuilder and a Context: only this channel receives \
                network events. Netty waits until a ping fails, and without pings it waits forever.
                """),
    ]
}
