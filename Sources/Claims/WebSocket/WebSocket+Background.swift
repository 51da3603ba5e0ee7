import DeadzoneCompare

/// The WebSocket article on what the systems do to an app that is not in front.
extension ArticleClaim {
    static let webSocketBackground: [ArticleClaim] = [
        ArticleClaim(
            "B19", "An app that leaves the screen of an iPhone goes on running for", value: "30 s",
            by: .scenario(
                "ios-background",
                [
                    .remaining("runs on for", of: 3_600, after: "app.suspended_s", of: "as it is"),
                    .remaining("if it asks for time", of: 3_600, after: "app.suspended_s", of: "asks for time"),
                ]),
            .holds(["runs on for": "25s to 35s"]),
            instead:
                "Ask for time before it is needed, and have said goodbye within five seconds where it is not granted."),
        ArticleClaim(
            "B20", "iOS ends an app that has done nothing in the background for", value: "3 min",
            by: .scenario(
                "ios-background",
                [
                    .metric("ended within the hour", "app.kills", of: "as it is"),
                    .remaining(
                        "runs on for, with time asked", of: 3_600, after: "app.suspended_s", of: "asks for time"),
                ]),
            .holds(["ended within the hour": "at least 1"]),
            instead: """
                Three minutes were what a task assertion gave up to iOS 12. A suspended app lies there until memory is wanted, which may \
                be at once or never: write down what must survive either way.
                """),
        ArticleClaim(
            "B21", "Doze opens a window every", value: "15 to 30 min",
            by: .scenario(
                "doze-windows",
                [
                    .between("from window to window", "cpu.windows", of: "looks in"),
                    .metric("windows in eight hours", "cpu.windows", of: "looks in"),
                    .metric("a message waits", "latency.down.p50", of: "looks in"),
                ]),
            .holds(["from window to window": "15m to 30m"]),
            instead: """
                Light Doze is about that. On a table deep Doze follows within the hour, and its windows are one, two, four and six hours \
                apart: what cannot wait until morning is a push of high priority.
                """,
            picture: .bars(
                "Doze, as it is",
                "The mean time from one window to the next in eight hours. The article has 15 to 30 minutes.",
                of: "from window to window")),
        ArticleClaim(
            "B22", "A push lets an iPhone's app run for", value: "30 s",
            by: .scenario(
                "time-of-a-push",
                [
                    .remaining("ran for a push", of: 7_195, after: "app.suspended_s", of: "stays"),
                    .metric("pushes", "push.woken", of: "stays"),
                ]),
            .holds(["ran for a push": "25s to 35s"]),
            instead:
                "Use it up only if there is something to do: fetch, say that you are done, and be asleep again after two seconds."
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
                ]),
            .holds(["saved": "at least 60%"]),
            instead: """
                What is saved are heartbeats, and what is spent is a connection for each message. Against a socket that beats every 30 s \
                pushes win from a message in a few minutes on; against one that beats every five minutes not before a message in ten.
                """,
            picture: .curve(
                "A push, or a socket?", "Energy by the hour, with a message every so often, behind a dark screen.",
                of: "socket, beats of 30 s", "socket, beats of 5 min", "push")),
    ]
}
