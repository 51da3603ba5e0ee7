import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    private static let needsPlatform = "Without a platform there is nothing to measure."

    static let processor = [
        Metric(
            "cpu.wakes", "Wake-ups of the processor", .count, .lower,
            "How often something woke the processor while the screen was off.",
            "Alarms, pushes and packets, of the app and of others on the phone. A mean over replicas. \(needsPlatform)",
            .platformMean { Int128($0.fold.count(of: .woke)) }),
        Metric(
            "cpu.awake_s", "Processor awake, screen off", .seconds, .lower,
            "Time that the processor of one phone was awake with the screen off, in the whole run.",
            "What cpu.wake prices. The processor sleeps when nobody holds it and nothing is due. \(needsPlatform)",
            .platformSeconds { $0.fold.sum(of: .awake) }),
        Metric(
            "cpu.windows", "Maintenance windows", .count, .neither,
            "How often the system opened a maintenance window.",
            """
            In Doze the system puts off alarms, jobs and network access to its windows, which grow rarer the longer the phone \
            lies still. The user's coming ends Doze and is no window. A mean over replicas. \(needsPlatform)
            """, .platformMean { Int128($0.fold.count(of: .window)) }),
    ]

    static let app: [Metric] =
        [
            Metric(
                "app.suspended_s", "App could not run", .seconds, .neither,
                "Time in which the app of one phone could not run, in the whole run.",
                """
                The processor slept, or the system had suspended or frozen the app; timers wait, and what arrives is not read. Time \
                without a process is not in it. Event lines say which it was. \(needsPlatform)
                """, .platformSeconds { $0.fold.sum(of: .suspended) }),
            Metric(
                "app.kills", "App killed", .count, .neither,
                "How often the app's process was ended by somebody else.",
                """
                By the system or by the user. The next process knows only what was persisted, and the calls of this one have \
                failed. A mean over replicas.
                """,
                .mean { Int128($0.fold.count(of: .killed)) }),
            Metric(
                "app.crashes", "App crashed", .count, .lower, "How often the app's process ended itself.",
                """
                By an error of its own that nobody caught. The next process knows only what was persisted; without a platform \
                it is there at once. A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .crashed)) }),
        ] + [500, 950, 1_000].map(late) + [
            Metric(
                "push.woken", "Pushes that woke the app", .count, .neither, "How often the push service woke the app.",
                "A push that the service had not delivered at the horizon is not counted. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .pushed)) })
        ] + [500, 950, 1_000].map(push) + [
            Metric(
                "network.told", "Network events told", .count, .neither,
                "How often the operating system told the app something of its networks.",
                "Also what changes nothing, and what is not so. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .networkTold)) })
        ]

    private static func late(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "timer.late.\(q.suffix)", "Late timer, \(q.words)", .milliseconds, .lower,
            "Time from the moment for which the app had set a timer to its going off: \(q.phrase).",
            """
            Only of the timers that went off late: because the processor slept or the app could not run, or because the system put \
            them off to a window or a quota. Timers that went off in time are left out, and so is one that still waits at the \
            horizon. Without a late timer it is 0. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.timerLate), isZeroIfEmpty: true))
    }

    private static func push(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "push.latency.\(q.suffix)", "Push to the app, \(q.words)", .milliseconds, .lower,
            "Time from the server's request for a push to the app's being woken: \(q.phrase).",
            """
            The push service's own connection, the sleeping radio and the system's windows take their time. A push that has not \
            arrived at the horizon is not counted. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.pushed)))
    }
}
