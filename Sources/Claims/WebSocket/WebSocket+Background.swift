import DeadzoneMetrics

/// Claims of the WebSocket article on how operating systems treat an app in the background.
extension ArticleClaim {
    static let webSocketBackground: [ArticleClaim] = [
        ArticleClaim(
            "B19", "An iPhone app in the background continues to run for", value: "30 s",
            by: .scenario(
                "ios-background", [.ranInBackground("runs on for", of: "client")]),
            .holds(["runs on for": "25s to 35s"]),
            instead: """
                Request background time before you need it: since iOS 13 it is half a minute. Without it, close the \
                connection within five seconds.
                """),
        ArticleClaim(
            "B20", "iOS ends an app that has been idle in the background for", value: "3 min",
            by: .scenario(
                "ios-background",
                [
                    .metric("ended within the hour", "app.kills", of: "client"),
                    .ranInBackground("runs on for", of: "client"),
                ]),
            .holds(["ended within the hour": "at least 1"]),
            instead: """
                Three minutes were the limit of a background task until iOS 12. A suspended app stays in memory until \
                iOS needs the memory, which can be immediately or never. Store everything that must survive.
                """),
        ArticleClaim(
            "B21", "Doze opens a maintenance window every", value: "15 to 30 min",
            by: .scenario(
                "doze-windows",
                [
                    .between("from window to window", "cpu.windows", of: "looks in"),
                    .metric("windows in eight hours", "cpu.windows", of: "looks in"),
                    .metric("a message waits", "latency.down.p50", of: "looks in"),
                ]),
            .holds(["from window to window": "15m to 30m"]),
            instead: """
                Light Doze does. On a table, deep Doze starts within the hour. Its windows are one, two, four and six \
                hours apart. Use a high-priority push for messages that cannot wait until morning.
                """,
            picture: .bars(
                "Intervals between Doze windows",
                "Mean time between windows during eight hours. The article says 15 to 30 minutes.",
                of: "from window to window")),
        ArticleClaim(
            "B22", "A push lets an iPhone app run for", value: "30 s",
            by: .scenario(
                "time-of-a-push",
                [
                    .ranInBackground("ran for a push", of: "stays", besides: 5),
                    .metric("pushes", "push.woken", of: "stays"),
                ]),
            .holds(["ran for a push": "25s to 35s"]),
            instead:
                "Use the time only for work: fetch, report completion, and sleep again after two seconds."
        ),
        ArticleClaim(
            "B23", "A push for each message instead of a persistent connection saves", value: "60 to 80%",
            by: .scenario(
                "push-instead-of-a-socket",
                [
                    .saving("saved", "battery.joules_per_hour", of: "push", against: "socket, 30 s"),
                    .saving("against beats of 5 min", "battery.joules_per_hour", of: "push", against: "socket, 5 min"),
                    .metric("push", "battery.joules_per_hour", of: "push"),
                    .metric("socket, beats of 30 s", "battery.joules_per_hour", of: "socket, 30 s"),
                    .metric("socket, beats of 5 min", "battery.joules_per_hour", of: "socket, 5 min"),
                    .metric("a message waits for a push", "latency.down.p50", of: "push"),
                    .metric("a message waits for a socket", "latency.down.p50", of: "socket, 30 s"),
                ]),
            .holds(["saved": "55% to 85%"]),
            instead: """
                Pushes save heartbeats, but each message costs a new connection. On Android, they need less energy \
                than a socket with a heartbeat every 30 s if a message comes every few minutes or less often. Against \
                a heartbeat every five minutes, they need less only if a message comes every ten minutes or less \
                often. On iOS there is nothing to save: the system suspends the app with its socket. Use pushes there \
                because only they arrive.
                """,
            picture: .linePerFinding(
                "Push or socket", "Energy per hour with the screen off on Android, by interval between messages.",
                of: "socket, beats of 30 s", "socket, beats of 5 min", "push", among: "Android")),
    ]
}
