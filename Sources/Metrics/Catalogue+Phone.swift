import DeadzoneBase

extension Catalogue {
    private static let needsPlatform = "Without a platform there is nothing to measure."

    static let processor = [
        Metric(
            "cpu.wakes", "Wake-ups of the processor", .count, .lower,
            "Number of times that something woke the processor while the screen was off.",
            "Alarms, pushes and packets, of this app and of other apps on the phone. A mean over replicas. \(needsPlatform)",
            .platformMean { Int128($0.fold.count(of: .woke)) }),
        Metric(
            "cpu.awake_s", "Processor awake, screen off", .seconds, .lower,
            "Time that the processor of one phone was awake with the screen off, in the whole run.",
            "cpu.wake is the energy of this time. The processor sleeps while nothing keeps it awake and nothing is due. \(needsPlatform)",
            .platformSeconds { $0.fold.sum(of: .awake) }),
        Metric(
            "cpu.windows", "Maintenance windows", .count, .neither,
            "Number of times that the system opened a maintenance window.",
            """
            In Doze the system delays alarms, jobs and network access until its windows. The windows become rarer the \
            longer the phone lies still. Use of the phone ends Doze and is no window. A mean over replicas. \
            \(needsPlatform)
            """, .platformMean { Int128($0.fold.count(of: .window)) }),
    ]

    static let app: [Metric] =
        [
            Metric(
                "app.suspended_s", "App could not run", .seconds, .neither,
                "Time in which the app of one phone could not run, in the whole run.",
                """
                The processor slept, or the system had suspended or frozen the app. Timers wait, and arriving data is \
                not read. Time without a process is not included. Event lines give the reason. \(needsPlatform)
                """, .platformSeconds { $0.fold.sum(of: .suspended) }),
            Metric(
                "app.kills", "App killed", .count, .neither,
                "Number of times that the system or the user ended the app's process.",
                """
                The next process knows only what was persisted, and the calls of the ended process have failed. A mean \
                over replicas.
                """,
                .mean { Int128($0.fold.count(of: .killed)) }),
            Metric(
                "app.crashes", "App crashed", .count, .lower, "Number of times that the app's process ended itself.",
                """
                The cause is an uncaught error of the app. The next process knows only what was persisted; without a \
                platform it starts at once. A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .crashed)) }),
            Metric(
                "app.abandoned_consumers", "Consumers left waiting", .count, .lower,
                "Number of times that the client ended its stream for good without telling the app's consumer.",
                """
                The consumer gets no further message, no error and no end: it waits forever, and the app shows old \
                data without a notice. Only strategies that model such code do this. A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .consumerAbandoned)) }),
        ] + [500, 950, 1_000].map(late) + [
            Metric(
                "push.woken", "Pushes that woke the app", .count, .neither,
                "Number of times that the push service woke the app.",
                "A push that was not delivered at the horizon does not count. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .pushed)) })
        ] + [500, 950, 1_000].map(push) + storedPushes + [
            Metric(
                "network.told", "Network events told", .count, .neither,
                "Number of network events that the operating system reported to the app.",
                "Events without effect and false events also count. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .networkTold)) })
        ]

    private static func late(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "timer.late.\(q.suffix)", "Late timer, \(q.words)", .milliseconds, .lower,
            "Time from when a timer was due until it fired: \(q.phrase).",
            """
            Only timers that fired late count. They were late because the processor slept, the app could not run, or \
            the system delayed them to a window or a quota. Timers that fired in time do not count, and neither does \
            one that still waits at the horizon. Without a late timer it is 0. The samples of all replicas are pooled; \
            the number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.timerLate), isZeroIfEmpty: true))
    }

    private static func push(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "push.latency.\(q.suffix)", "Push to the app, \(q.words)", .milliseconds, .lower,
            "Time from the server's request for a push until the app is woken: \(q.phrase).",
            """
            It includes the push service's own connection, the sleeping radio and the system's windows. A push that \
            waits at the horizon has taken at least its age. If the quantile falls among those, the number is a lower \
            limit. A push that expired or was discarded does not count. The samples of all replicas are pooled; the \
            number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.pushed)))
    }
}
