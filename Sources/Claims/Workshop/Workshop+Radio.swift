import DeadzoneCompare
import DeadzoneJournal

/// The gRPC workshop on networks and radios.
extension ArticleClaim {
    static let workshopRadio: [ArticleClaim] = [
        ArticleClaim(
            "A1", "A session meets changes of network, cell or signal", value: "dozens of them",
            by: .scenario(
                "sessions",
                [
                    .times("changes", .weather, of: "client"),
                    .metric("told to the app", "network.told", of: "client"),
                    .metric("cut off", "blocked.total", of: "client"),
                ]),
            .holds(["changes": "at least 24"]),
            instead: """
                Count yours before you design for them. Dozens is a train ride; most sessions are a look at the phone, and meet a \
                few changes or none. Of the changes an app is told a few: cells and tunnels come and go in silence.
                """),
        ArticleClaim(
            "A2", "The radio goes through CONNECTED, SHORT_DRX, LONG_DRX and IDLE", value: "four states",
            by: .scenario(
                "promotion",
                [
                    .perPromotion("short DRX", ["short_drx"], of: "client"),
                    .perPromotion("long DRX", ["long_drx"], of: "client"),
                    .perPromotion("tail before", ["tail"], of: "client"),
                ]),
            .holds(["short DRX": "over 0s", "long DRX": "over 0s"]),
            instead: """
                Think of two states, connected and idle: DRX is how a connected radio dozes between packets, and which kinds of it there \
                are is the network's choice. What costs is the whole time until idle, ten seconds and more.
                """),
        ArticleClaim(
            "A3", "From idle to connected a radio is promoted for", value: "5 to 12 s",
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
                Reckon with a quarter of a second on LTE, up to one on 5G and up to two on 3G. Five and twelve seconds are how long \
                AT&T's 3G kept a radio awake after the last byte: the tail was taken for the promotion.
                """,
            picture: .bars(
                "Tail and promotion", "How long each radio takes to wake, and how long it stays awake for nothing.",
                of: "promotion", "awake after the last byte")),
        ArticleClaim(
            "A4", "Each ping into a silence climbs the power ladder", value: "again and again",
            by: .scenario(
                "lone-ping",
                [
                    .each("promotions a ping", "battery.promotions", per: "keepalive.pings", of: "pings"),
                    .each("energy a ping", "battery.above_idle_joules", per: "keepalive.pings", of: "pings"),
                ]),
            .holds(["promotions a ping": "at least 1"]),
            instead: """
                Count wake-ups, not bytes: nearly all that a lone ping costs is the radio staying awake after it. Let pings ride on \
                traffic that is there anyway.
                """),
        ArticleClaim(
            "A14", "A ping every 60 s balances health against the cost of waking", value: "60 s",
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
            .holds(["energy at 60 s": "at most 150% of energy at 4 min"]),
            instead: """
                Ping every four or five minutes, which NATs and default servers bear, and find dead connections by what the system says \
                of networks and by deadlines of calls. A ping a minute keeps the radio awake a fifth of the time.
                """,
            picture: .course(
                "What a ping every so often costs",
                "Energy of two hours. A curve is flat where the interval is shorter than the radio's tail, and falls beyond that knee.",
                of: "energy at 5 s", "energy at 10 s", "energy at 15 s", "energy at 20 s", "energy at 30 s",
                "energy at 60 s",
                "energy at 2 min", "energy at 4 min", "energy at 15 min")),
        ArticleClaim(
            "A17", "The channel of NettyChannelBuilder is radio-optimised: it is served soon after a change of network",
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
                On Android build the channel with AndroidChannelBuilder and a Context: it alone hears of networks. Netty waits for a ping \
                to fail, and without pings for ever.
                """),
    ]
}
